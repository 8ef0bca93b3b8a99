"""A job from a link: what the source offers as a table, what of it will be fetched and why, and the fetch itself.

Nothing is fetched before the table was seen. While it runs each track shows how far it is; Esc stops it at once and
nothing is left. A link to many videos lists them, to be taken singly.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
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

from quoteview.app.fetching import Fetcher, Made, Order, SourcePlan, host_of, is_link
from quoteview.app.session import Session
from quoteview.app.times import duration
from quoteview.core.captions.track import Origin
from quoteview.core.errors import Cancelled
from quoteview.core.job import Standing, TrackRecord
from quoteview.ui.new_job_dialog import suggested_folder
from quoteview.ui.plan_tree import PlanTree
from quoteview.ui.source_notes import OldLibrary, Trouble, words_label
from quoteview.ui.theme import Theme, set_role

_HINT, _TROUBLE, _VIDEOS, _PLAN = range(4)
"""The pages."""


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
    """Asks a link, shows the plan, fetches, and opens the job. `settings_requested` asks for the settings."""

    settings_requested = Signal()

    def __init__(
        self, session: Session, fetcher: Fetcher, theme: Theme, parent: QWidget | None = None, *, wanted: Wanted | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._fetcher, self._theme = session, fetcher, theme
        self._wanted = wanted or Wanted()
        self._plan: SourcePlan | None = None
        self._is_fetching = False
        self._is_made = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("New job from a link"))
        self.setAccessibleName(self.windowTitle())
        self.resize(theme.pixels(940), theme.pixels(600))
        self.link = QLineEdit(self._wanted.link, self)
        self.link.setPlaceholderText(self.tr("Link of the recording"))
        self.link.setAccessibleName(self.tr("Link"))
        self.look = QPushButton(self.tr("See what it offers"), self)
        self.look.setAutoDefault(False)
        self.pages = QStackedWidget(self)
        self.hint = words_label("muted", self)
        self.trouble = Trouble(self)
        self.videos = QTreeWidget(self)
        self.heading = words_label("title", self)
        self.facts = words_label("muted", self)
        self.tree = PlanTree(theme, self)
        self.title = QLineEdit(self)
        self.title.setAccessibleName(self.tr("Title"))
        self.place = QLineEdit(self)
        self.place.setAccessibleName(self.tr("Folder of the job"))
        self.bar = QProgressBar(self)
        self.state = words_label("muted", self)
        self.old = OldLibrary(fetcher, self)
        self.go = QPushButton(self)
        self.leave = QPushButton(self)
        self._lay_out()
        self._connect()
        self._show_hint()
        if is_link(self._wanted.link):
            self._ask()

    def reject(self) -> None:
        """Stop what runs; where nothing runs, close."""
        if self._fetcher.is_running and (self._is_fetching or self._is_asking()):
            self._fetcher.cancel()
            was_fetching = self._is_fetching
            self._is_fetching = False
            if was_fetching and self._plan is not None:
                self._show_plan(self._plan)
                self.state.setText(self.tr("Stopped. Nothing was kept."))
            else:
                self._show_hint()
                self.link.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().reject()

    def done(self, result: int) -> None:
        """Stop what runs before closing."""
        self._fetcher.cancel()
        super().done(result)

    # -- building ----------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.link, 1)
        line.addWidget(self.look)
        for page in (self._hint_page(), self.trouble, self._videos_page(), self._plan_page()):
            self.pages.addWidget(page)
        set_role(self.go, "primary")
        self.go.setDefault(True)
        self.leave.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.state, 1)
        row.addWidget(self.leave)
        row.addWidget(self.go)
        self.bar.setTextVisible(False)
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
        self.videos.setHeaderLabels([self.tr("Title"), self.tr("Link")])
        self.videos.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.videos.header().setStretchLastSection(False)
        self.videos.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        inner.addWidget(self._videos_hint)
        inner.addWidget(self.videos, 1)
        return page

    def _plan_page(self) -> QWidget:
        page = QWidget(self)
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(8)
        form = QFormLayout()
        form.addRow(self.tr("Title"), self.title)
        form.addRow(self.tr("Folder"), self.place)
        inner.addWidget(self.heading)
        inner.addWidget(self.facts)
        inner.addWidget(self.tree, 1)
        inner.addLayout(form)
        return page

    def _connect(self) -> None:
        self.look.clicked.connect(self._ask)
        self.link.returnPressed.connect(self._ask)
        self.go.clicked.connect(self._on_go)
        self.leave.clicked.connect(self.reject)
        self.tree.asked.connect(self._on_asked)
        self.title.textEdited.connect(self._on_title_edited)
        self.place.textChanged.connect(self._show_go)
        self.videos.itemActivated.connect(lambda _item, _column: self._on_go())
        self.videos.currentItemChanged.connect(lambda _now, _before: self._show_go())
        self.trouble.settings_requested.connect(self.settings_requested)
        self._fetcher.said.connect(self.state.setText)
        self._fetcher.track_moved.connect(self._on_track_moved)
        self._fetcher.track_arrived.connect(self._on_track_arrived)

    # -- what it shows -------------------------------------------------------------------------------

    def _show_hint(self) -> None:
        self._plan = None
        self.hint.setText(
            self.tr(
                "The source is asked which captions it has: those that people made, and the automatic ones. "
                "You see the list before anything is fetched."
            )
        )
        self._show_page(_HINT, running=False)

    def _show_plan(self, plan: SourcePlan) -> None:
        self._plan = plan
        rows = plan.rows()
        length = f"{duration(plan.duration_ms)} · " if plan.duration_ms else ""
        self.heading.setText(plan.title)
        if rows:
            kinds = [
                (self.tr("{count} human"), Origin.HUMAN),
                (self.tr("{count} automatic"), Origin.AUTOMATIC),
                (self.tr("{count} translated"), Origin.TRANSLATED),
            ]
            counts = [(text, sum(row.origin is origin and not row.copy_of for row in rows)) for text, origin in kinds]
            self.facts.setText(length + " · ".join(text.format(count=count) for text, count in counts if count))
        else:
            self.facts.setText(length + self.tr("This source offers no captions. Bring a caption file of it instead."))
        self.tree.fill(rows, is_ticking=True)
        self._show_page(_PLAN, running=False)
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_videos(self, plan: SourcePlan) -> None:
        self._videos_hint.setText(
            self.tr("This link leads to {count} videos. A job is about one recording: choose it.").format(count=len(plan.videos))
        )
        self.videos.clear()
        for video in plan.videos:
            self.videos.addTopLevelItem(QTreeWidgetItem([video.title, video.address]))
        first = self.videos.topLevelItem(0)
        if first is not None:
            self.videos.setCurrentItem(first)
        self._show_page(_VIDEOS, running=False)
        self.videos.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_page(self, number: int, *, running: bool) -> None:
        self.pages.setCurrentIndex(number)
        self.bar.setVisible(running)
        self.bar.setRange(0, 0)
        self.leave.setText(self.tr("Stop") if running else self.tr("Cancel"))
        for widget in (self.link, self.look, self.title, self.place):
            widget.setEnabled(not running)
        if not running:
            self.state.setText("")
        self._show_go()

    def _show_go(self) -> None:
        page, plan = self.pages.currentIndex(), self._plan
        count = len(plan.inventory.planned) if plan is not None else 0
        is_free = not self._fetcher.is_running or not (self._is_fetching or self._is_asking())
        self.go.setVisible(page in (_VIDEOS, _PLAN))
        if page == _VIDEOS:
            self.go.setText(self.tr("See what this one offers"))
            self.go.setEnabled(is_free and self.videos.currentItem() is not None)
        elif self._is_made:
            self.go.setText(self.tr("Close"))
            self.go.setEnabled(True)
        else:
            planned = sum(row.is_planned for row in plan.rows()) if plan is not None else 0
            one, many = self.tr("Fetch and lock 1 track"), self.tr("Fetch and lock {count} tracks")
            self.go.setText(one if planned == 1 else many.format(count=planned))
            self.go.setEnabled(is_free and count > 0 and bool(self.place.text().strip()))

    def _is_asking(self) -> bool:
        return not self.link.isEnabled() and not self._is_fetching

    # -- asking and fetching ----------------------------------------------------------------------------

    def _ask(self) -> None:
        address = self.link.text().strip()
        if not is_link(address):
            self.hint.setText(self.tr("This is no link: it begins with http:// or https://."))
            self.pages.setCurrentIndex(_HINT)
            return
        self._show_hint()
        self.hint.setText("")
        self._show_page(_HINT, running=True)
        self.state.setText(self.tr("Asking {host} which captions it has…").format(host=host_of(address)))
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        self._fetcher.ask(address, self._on_plan, self._on_failed)

    def _on_plan(self, plan: SourcePlan) -> None:
        if plan.videos:
            self._show_videos(plan)
            return
        self.title.setText(self._wanted.title or plan.title)
        self.place.setText(self._wanted.folder)
        self.place.setModified(bool(self._wanted.folder))
        self._on_title_edited(self.title.text())
        self._show_plan(plan)

    def _on_title_edited(self, title: str) -> None:
        if not self.place.isModified():
            self.place.setText(str(suggested_folder(title, self.tr("interview"))))

    def _on_asked(self, keys: list[str]) -> None:
        if self._plan is not None:
            self._plan = self._plan.with_translated(keys)
            self._show_go()

    def _on_go(self) -> None:
        chosen = self.videos.currentItem()
        if self.pages.currentIndex() == _VIDEOS and chosen is not None:
            self.link.setText(chosen.text(1))
            self._ask()
        elif self._is_made:
            self.accept()
        elif self._plan is not None and self.go.isEnabled():
            self._fetch(self._plan)

    def _fetch(self, plan: SourcePlan) -> None:
        wanted = self._wanted
        order = Order(
            plan, Path(self.place.text().strip()), self.title.text().strip(), wanted.language, wanted.media, wanted.drafts
        )
        self._is_fetching = True
        self.tree.fill(plan.rows(), is_ticking=False)
        self._fetcher.fetch(order, self._on_made, self._on_failed)
        self._show_page(_PLAN, running=True)
        self.bar.setRange(0, sum(row.is_planned for row in plan.rows()))
        self.bar.setValue(0)
        self.state.setText(self.tr("Fetching one track at a time, as is decent. Esc stops."))
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_track_moved(self, track_id: str, done: int, total: int) -> None:
        if self._is_fetching:
            self.tree.show_progress(track_id, done, total)

    def _on_track_arrived(self, record: TrackRecord) -> None:
        if self._is_fetching and (record.lock is not None or record.standing is Standing.NOT_OBTAINED):
            self.tree.show_arrival(record)
            self.bar.setValue(self.bar.value() + 1)
            self.state.setText("")

    def _on_made(self, made: Made) -> None:
        self._is_fetching = False
        self._session.open(made.folder)
        if not made.missing:
            self.accept()
            return
        self._is_made = True
        self._show_page(_PLAN, running=False)
        self.link.setEnabled(False)
        self.look.setEnabled(False)
        self.facts.setText(
            self.tr(
                "The job is open with what could be obtained. {tracks}: the inventory gate stays closed until this is fetched "
                "later (Look for changes) or waived by name."
            ).format(tracks=", ".join(record.id for record in made.missing))
        )
        self.leave.hide()
        self.go.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_failed(self, error: Exception) -> None:
        self._is_fetching = False
        if isinstance(error, Cancelled):
            self._show_hint()
            return
        self.trouble.show_error(error)
        self._show_page(_TROUBLE, running=False)
        self.link.setFocus(Qt.FocusReason.OtherFocusReason)
