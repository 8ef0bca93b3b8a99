"""A job from a link: what the source offers as a table, what of it will be fetched and why, and the fetch itself.

Nothing is fetched before the table was seen. While it runs each track shows how far it is; Esc stops it at once and
nothing is left of the job. A link to many videos lists them, to be taken singly.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.fetching import RECORDING, Fetcher, Made, Order, SourcePlan, as_link, host_of, is_link
from quoteview.app.session import Session
from quoteview.core.errors import Cancelled, StoreError
from quoteview.core.job import Standing, TrackRecord
from quoteview.ui.plain import plain_tip
from quoteview.ui.plan_page import PlanPage
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.source_notes import OldLibrary, Trouble, words_label
from quoteview.ui.theme import Theme, set_role

_HINT, _TROUBLE, _VIDEOS, _PLAN = range(4)
"""The pages."""

_TRACK_STEPS, _RECORDING_STEPS = 100, 400
"""How much of the bar one track is, and the recording: it is larger than all of them."""


class _Doing(Enum):
    NOTHING = auto()
    ASKING = auto()
    FETCHING = auto()
    MADE = auto()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was already said of the job when its link is asked: all of it may be empty."""

    link: str = ""
    title: str = ""
    folder: str = ""
    language: str = ""
    media: str = ""
    drafts: tuple[Path, ...] = ()


class FetchDialog(QDialog):
    """Asks a link, shows the plan, fetches, and opens the job. `settings_requested` asks for the settings.

    `files_requested` asks for a new job from files instead, with the drafts that are there and the link.
    """

    settings_requested = Signal()
    files_requested = Signal(object, str)

    def __init__(
        self, session: Session, fetcher: Fetcher, theme: Theme, parent: QWidget | None = None, *, wanted: Wanted | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._fetcher = session, fetcher
        self._wanted = wanted or Wanted()
        self._plan: SourcePlan | None = None
        self._list: SourcePlan | None = None
        self._asked = ""
        self._doing = _Doing.NOTHING
        self._has_part = False
        self._arrived = 0
        self._since_moved = QElapsedTimer()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("New job from a link"))
        self.setAccessibleName(self.windowTitle())
        self.setAcceptDrops(True)
        resize_within_screen(self, theme, 940, 600)
        self.link = QLineEdit(self._wanted.link, self)
        self.link.setPlaceholderText(self.tr("Link of the recording"))
        self.link.setAccessibleName(self.tr("Link"))
        self.link.setAcceptDrops(False)  # a link that is dropped takes the place of what stands there
        self.look = QPushButton(self.tr("See what it offers"), self)
        self.pages = QStackedWidget(self)
        self.hint = words_label("muted", self)
        self.trouble = Trouble(self)
        self.videos = QTreeWidget(self)
        self.plan = PlanPage(theme, self)
        self.heading, self.facts, self.tree = self.plan.heading, self.plan.facts, self.plan.tree
        self.title, self.place = self.plan.title, self.plan.place
        self.bar = QProgressBar(self)
        self.state = words_label("muted", self)
        self.old = OldLibrary(fetcher, self)
        self.back = QPushButton(self.tr("Back to the list"), self)
        self.leave = QPushButton(self)
        self.go = QPushButton(self)
        self._lay_out()
        self._connect()
        self._show_hint()
        if is_link(self._wanted.link):
            self._ask()

    def reject(self) -> None:
        """Stop what runs; where nothing runs, close."""
        match self._doing:
            case _Doing.ASKING:
                self._fetcher.cancel()
                self._doing = _Doing.NOTHING
                self._show_hint()
                self.state.setText(self.tr("Stopped."))
                self.link.setFocus(Qt.FocusReason.OtherFocusReason)
            case _Doing.FETCHING:
                self._fetcher.cancel()
                self._doing = _Doing.NOTHING
                self._show_plan()
                kept = self.tr("Stopped. No job was made; what arrived of the recording is gone on with the next time.")
                self.state.setText(kept if self._has_part else self.tr("Stopped. Nothing was kept."))
            case _Doing.NOTHING | _Doing.MADE:
                super().reject()
                return
        self._since_moved.start()

    def done(self, result: int) -> None:
        """Stop what runs before closing."""
        self._fetcher.cancel()
        self._doing = _Doing.NOTHING
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop and close at once: whoever closes a window wants it gone."""
        self._fetcher.cancel()
        self._doing = _Doing.NOTHING
        super().closeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a link, but not while something runs."""
        if self.link.isEnabled() and _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask the link that was dropped."""
        event.acceptProposedAction()
        self.link.setText(_dropped(event))
        self._ask()

    # -- building ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.link, 1)
        line.addWidget(self.look)
        for page in (self._hint_page(), self.trouble, self._videos_page(), self.plan):
            self.pages.addWidget(page)
        row = QHBoxLayout()
        row.addWidget(self.state, 1)
        for button in (self.back, self.leave, self.go):
            button.setAutoDefault(False)
            row.addWidget(button)
        set_role(self.go, "primary")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("How far it is"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addLayout(line)
        layout.addWidget(self.bar)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.old)
        layout.addLayout(row)

    def _hint_page(self) -> QWidget:
        page = QWidget(self)
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 4, 0, 0)
        inner.addWidget(self.hint)
        inner.addStretch(1)
        return page

    def _videos_page(self) -> QWidget:
        page = QWidget(self)
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        self._videos_hint = words_label("", page)
        self.videos.setAccessibleName(self.tr("Videos of this link"))
        set_role(self.videos, "table")
        self.videos.setRootIsDecorated(False)
        self.videos.setUniformRowHeights(True)
        self.videos.setAllColumnsShowFocus(True)
        self.videos.setHeaderLabels([self.tr("Title"), self.tr("Link")])
        header = self.videos.header()
        header.setStretchLastSection(False)
        for column in range(2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        inner.addWidget(self._videos_hint)
        inner.addWidget(self.videos, 1)
        return page

    def _connect(self) -> None:
        self.look.clicked.connect(self._ask)
        self.link.returnPressed.connect(self._ask)
        self.link.textEdited.connect(lambda _text: self._show_go())
        self.go.clicked.connect(self._on_go)
        self.back.clicked.connect(self._show_videos)
        self.leave.clicked.connect(self._on_leave)
        self.plan.asked.connect(self._on_asked)
        self.plan.changed.connect(self._on_plan_changed)
        self.videos.itemActivated.connect(lambda _video, _column: self._on_go())
        self.videos.currentItemChanged.connect(lambda _now, _before: self._show_go())
        self.trouble.settings_requested.connect(self.settings_requested)
        self._fetcher.said.connect(self._on_said)
        self._fetcher.track_moved.connect(self._on_track_moved)
        self._fetcher.track_arrived.connect(self._on_track_arrived)

    # -- what it shows -------------------------------------------------------------------------------

    def _show_hint(self, words: str = "", role: str = "muted") -> None:
        self._plan = None
        usual = self.tr(
            "The source is asked which captions it has: those that people made, and the automatic ones. "
            "You see the list before anything is fetched. What you confirm is fetched and locked, and the job opens; "
            "from then on everything works without a network."
        )
        set_role(self.hint, role)
        self.hint.setText(words or usual)
        self._show_page(_HINT)

    def _show_plan(self) -> None:
        if self._plan is not None:
            self.plan.show_plan(self._plan)
            self._show_page(_PLAN)
            where = self.tree if self._plan.rows() else self.go
            where.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_videos(self) -> None:
        if self._list is None:
            return
        if self.videos.topLevelItemCount() == 0:
            self._fill_videos(self._list)
        self._plan = None
        self._show_page(_VIDEOS)
        self.videos.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_videos(self, plan: SourcePlan) -> None:
        self._videos_hint.setText(
            self.tr("This link leads to {count} videos. A job is about one recording: choose it.").format(count=len(plan.videos))
        )
        for video in plan.videos:
            row = QTreeWidgetItem(self.videos, [video.title, video.address])
            row.setToolTip(0, plain_tip(video.title))
            row.setToolTip(1, plain_tip(video.address))
        first = self.videos.topLevelItem(0)
        if first is not None:
            self.videos.setCurrentItem(first)

    def _show_page(self, number: int) -> None:
        is_running = self._doing in (_Doing.ASKING, _Doing.FETCHING)
        is_fixed = is_running or self._doing is _Doing.MADE
        self.pages.setCurrentIndex(number)
        self.bar.setVisible(is_running)
        self.leave.setText(self.tr("Stop") if is_running else self.tr("Cancel"))
        self.leave.setVisible(self._doing is not _Doing.MADE)
        self.link.setEnabled(not is_fixed)
        self.look.setEnabled(not is_fixed)
        self.plan.set_fixed(is_fixed)
        if not is_running:
            self.state.setText("")
        self._show_go()

    def _show_go(self) -> None:
        """Show the one thing to do next: of two buttons that could be it, the one that is has the colour and Enter."""
        page, is_free = self.pages.currentIndex(), self._doing is _Doing.NOTHING
        is_stale = is_free and page != _HINT and self.link.text().strip() != self._asked
        words, is_able = self._next(page)
        self.back.setVisible(is_free and self._list is not None and page in (_TROUBLE, _PLAN))
        self.go.setText(words)
        self.go.setVisible(bool(words) and not is_stale)
        self.go.setEnabled(self._doing is _Doing.MADE or (is_free and is_able))
        is_first = not words or is_stale
        set_role(self.look, "primary" if is_first else "plain")
        self.look.setDefault(is_first)
        self.go.setDefault(not is_first)

    def _next(self, page: int) -> tuple[str, bool]:
        """Return what can be done on a page, "" for nothing, and whether all is there for it."""
        if self._doing is _Doing.MADE:
            return self.tr("Close"), True
        if page == _TROUBLE:
            return self.tr("Try again"), True
        if page == _VIDEOS:
            return self.tr("See what this one offers"), self.videos.currentItem() is not None
        rows = self._plan.rows() if self._plan is not None else ()
        planned = sum(row.is_planned for row in rows)
        if page == _PLAN and not rows:
            return self.tr("Choose files instead…"), True
        if page == _HINT or not planned:
            return "", False
        one, many = self.tr("Fetch and lock 1 track"), self.tr("Fetch and lock {count} tracks")
        return one if planned == 1 else many.format(count=planned), bool(self.place.text().strip())

    # -- asking ----------------------------------------------------------------------------------------

    def _ask(self) -> None:
        if self._doing is not _Doing.NOTHING:
            return
        address = as_link(self.link.text())
        if not address:
            said = self.tr("This is no link: one begins with https://, for example https://www.youtube.com/watch?v=…")
            self._show_hint(said if self.link.text().strip() else "", "danger")
            self.link.setFocus(Qt.FocusReason.OtherFocusReason)
            self.link.selectAll()
            return
        self.link.setText(address)
        self._list = None
        self.videos.clear()
        self._ask_one(address)

    def _ask_one(self, address: str) -> None:
        self._asked = address
        self._doing = _Doing.ASKING
        self._since_moved.start()
        asking = self.tr("Asking {host} which captions it has… Esc stops.").format(host=host_of(address))
        self._show_hint(asking, "plain")
        self.bar.setRange(0, 0)
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        self._fetcher.ask(address, self._on_plan, self._on_failed)

    def _on_plan(self, plan: SourcePlan) -> None:
        self._doing = _Doing.NOTHING
        if plan.videos:
            self._list = plan
            self._show_videos()
            return
        wanted = self._wanted
        self._plan = plan
        self.plan.start(plan, title=wanted.title, folder=wanted.folder, has_recording=bool(wanted.media))
        self._show_plan()

    def _on_asked(self, keys: list[str]) -> None:
        if self._plan is not None:
            self._plan = self._plan.with_translated(keys)
            self._show_go()

    def _on_plan_changed(self) -> None:
        self.state.setText("")
        self._show_go()

    def _on_go(self) -> None:
        chosen = self.videos.currentItem()
        if self._doing is _Doing.MADE:
            self.accept()
        elif self._doing is not _Doing.NOTHING or not self.go.isEnabled() or not self.go.isVisible():
            return
        elif self.pages.currentIndex() == _TROUBLE:
            self._ask_one(self._asked)
        elif self.pages.currentIndex() == _VIDEOS and chosen is not None:
            self.link.setText(chosen.text(1))
            self._ask_one(chosen.text(1))
        elif self._plan is not None and self._plan.rows():
            self._fetch(self._plan)
        elif self._plan is not None:
            link = self._asked
            self.accept()
            self.files_requested.emit(list(self._wanted.drafts), link)

    def _on_leave(self) -> None:
        """Stop or close; but the second click of a double click on what stood here before, or in its place, is none on this."""
        if self._since_moved.isValid() and self._since_moved.elapsed() < QApplication.doubleClickInterval():
            return
        self.reject()

    # -- fetching ----------------------------------------------------------------------------------------

    def _fetch(self, plan: SourcePlan) -> None:
        wanted, recording = self._wanted, self.plan.recording
        title = self.title.text().strip()
        order = Order(plan, self.plan.folder, title, wanted.language, wanted.media, wanted.drafts, recording)
        self._doing = _Doing.FETCHING
        self._has_part = False
        self._arrived = 0
        self.plan.show_fetching(plan)
        self._show_page(_PLAN)
        tracks = sum(row.is_planned for row in plan.rows())
        self.bar.setRange(0, tracks * _TRACK_STEPS + (_RECORDING_STEPS if recording is not None else 0))
        self.bar.setValue(0)
        self._say_fetching()
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        self._fetcher.fetch(order, self._on_made, self._on_failed)

    def _say_fetching(self) -> None:
        self.state.setText(self.tr("Fetching one at a time, as is decent. Esc stops."))

    def _on_said(self, sentence: str) -> None:
        if self._doing is _Doing.FETCHING:
            self.state.setText(sentence)
        elif self._doing is _Doing.ASKING:
            self.hint.setText(sentence)

    def _on_track_moved(self, track_id: str, done: int, total: int) -> None:
        if self._doing is not _Doing.FETCHING:
            return
        self.tree.show_progress(track_id, done, total)
        if track_id == RECORDING:
            self._has_part = self._has_part or done > 0
            if total:
                self.bar.setValue(self._arrived * _TRACK_STEPS + _RECORDING_STEPS * min(done, total) // total)

    def _on_track_arrived(self, record: TrackRecord) -> None:
        if self._doing is _Doing.FETCHING and (record.lock is not None or record.standing is Standing.NOT_OBTAINED):
            self.tree.show_arrival(record)
            self._arrived += 1
            self.bar.setValue(self._arrived * _TRACK_STEPS)
            self._say_fetching()

    def _on_made(self, made: Made) -> None:
        self._doing = _Doing.MADE
        self._session.open(made.folder)
        if not made.missing and not made.about_recording:
            self.accept()
            return
        self._list = None
        self._show_page(_PLAN)
        said = [self.tr("The job is open with what could be obtained.")]
        if made.missing:
            said.append(
                self.tr(
                    "Not obtained: {tracks}. The inventory gate stays closed until this is fetched later "
                    "(Look for changes at the source) or waived by name."
                ).format(tracks=", ".join(record.id for record in made.missing))
            )
        if made.about_recording:
            said.append(self.tr("The recording: {sentence}").format(sentence=made.about_recording))
        set_role(self.facts, "strong")
        self.facts.setText(" ".join(said))
        self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: Exception) -> None:
        was_fetching = self._doing is _Doing.FETCHING
        self._doing = _Doing.NOTHING
        if isinstance(error, Cancelled):
            self._show_hint()
        elif was_fetching and isinstance(error, StoreError) and Path(error.path) == self.plan.folder:
            self._show_plan()
            self.state.setText(self.tr("{path}: {reason}. Choose another folder.").format(path=error.path, reason=error.reason))
            self.place.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.trouble.show_error(error)
            self._show_page(_TROUBLE)
            self.go.setFocus(Qt.FocusReason.OtherFocusReason)


def _dropped(event: QDropEvent) -> str:
    """Return the link that is dropped, "" for none."""
    found = [url.toString() for url in event.mimeData().urls()] or [event.mimeData().text().strip()]
    return found[0] if is_link(found[0]) else ""
