"""Looking for changes at the source: each track unchanged, changed, gone or new, with both digests and the difference.

What is locked stays as it is. What was found can be taken as a further track, by a person, one at a time.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.fetching import Change, ChangeKind, Fetcher, host_of
from quoteview.app.session import Session
from quoteview.app.times import clock
from quoteview.core.errors import FetchError
from quoteview.ui.messages import describe
from quoteview.ui.plain import plain_tip
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.source_notes import OldLibrary, Trouble, words_label
from quoteview.ui.theme import FontRole, Theme, set_role

_TRACK, _STATE, _WHAT = range(3)
_TIME, _LOCKED, _FOUND = range(3)
_LOOKING, _TROUBLE, _FOUND_PAGE = range(3)


class ChangesDialog(QDialog):
    """Looks at the open job's source as soon as it opens. `settings_requested` asks for the settings."""

    settings_requested = Signal()

    def __init__(self, session: Session, fetcher: Fetcher, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._fetcher, self._theme = session, fetcher, theme
        self._changes: tuple[Change, ...] = ()
        self._taken: dict[str, str] = {}
        self._is_closed = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Changes at the source"))
        self.setAccessibleName(self.windowTitle())
        resize_within_screen(self, theme, 940, 620)
        self.summary = words_label("title", self)
        self.address = words_label("muted", self)
        self.bar = QProgressBar(self)
        self.pages = QStackedWidget(self)
        self.trouble = Trouble(self)
        self.tracks = QTreeWidget(self)
        self.difference = QTreeWidget(self)
        self.locked_digest = _digest(self.tr("Digest of the locked track"), self)
        self.found_digest = _digest(self.tr("Digest of what was found"), self)
        self.remark = words_label("muted", self)
        self.whole = words_label("", self)
        self.state = words_label("muted", self)
        self.old = OldLibrary(fetcher, self)
        self.take = QPushButton(self.tr("Take as a further track"), self)
        self.again = QPushButton(self.tr("Look again"), self)
        self.leave = QPushButton(self)
        self._lay_out()
        self.tracks.currentItemChanged.connect(lambda _now, _before: self._show_change())
        self.difference.currentItemChanged.connect(lambda _now, _before: self._show_whole())
        self.take.clicked.connect(self._on_take)
        self.again.clicked.connect(self._look)
        self.leave.clicked.connect(self.reject)
        self.trouble.settings_requested.connect(self.settings_requested)
        fetcher.said.connect(self.state.setText)
        fetcher.track_moved.connect(self._on_track_moved)
        self._look()

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was found, in the job's order, new tracks last."""
        return self._changes

    def done(self, result: int) -> None:
        """Stop what runs before closing."""
        self._is_closed = True
        self._fetcher.cancel()
        super().done(result)

    def _lay_out(self) -> None:
        self._prepare_trees()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(self.tr("How far it is"))
        self.pages.addWidget(self._looking_page())
        self.pages.addWidget(self.trouble)
        self.pages.addWidget(self._found_page())
        self.take.setAutoDefault(False)
        self.again.setAutoDefault(False)
        self.leave.setDefault(True)
        row = QHBoxLayout()
        row.addWidget(self.state, 1)
        row.addWidget(self.take)
        row.addWidget(self.again)
        row.addWidget(self.leave)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(10)
        for widget in (self.summary, self.address, self.bar):
            layout.addWidget(widget)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.old)
        layout.addLayout(row)

    def _prepare_trees(self) -> None:
        for tree, name, headings in (
            (self.tracks, self.tr("Tracks"), [self.tr("Track"), self.tr("At the source"), self.tr("What that means")]),
            (self.difference, self.tr("Difference"), [self.tr("Time"), self.tr("Locked"), self.tr("At the source now")]),
        ):
            tree.setAccessibleName(name)
            set_role(tree, "table")
            tree.setRootIsDecorated(False)
            tree.setUniformRowHeights(True)
            tree.setAllColumnsShowFocus(True)
            tree.setHeaderLabels(headings)
            tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tracks.header().setSectionResizeMode(_STATE, QHeaderView.ResizeMode.ResizeToContents)
        for column in (_LOCKED, _FOUND):
            self.difference.header().setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def _looking_page(self) -> QWidget:
        page = QWidget(self)
        words = words_label("muted", page)
        words.setText(
            self.tr("Its tracks are fetched again, into memory alone, and compared with the lock. Nothing of the job is changed.")
        )
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(words)
        inner.addStretch(1)
        return page

    def _found_page(self) -> QWidget:
        below = QWidget(self)
        inner = QVBoxLayout(below)
        inner.setContentsMargins(0, 6, 0, 0)
        inner.setSpacing(6)
        digests = QGridLayout()
        digests.setHorizontalSpacing(16)
        for number, (name, digest) in enumerate(
            ((self.tr("Locked"), self.locked_digest), (self.tr("At the source now"), self.found_digest))
        ):
            label = words_label("muted", below)
            label.setWordWrap(False)
            label.setText(name)
            digests.addWidget(label, number, 0)
            digests.addWidget(digest, number, 1)
        digests.setColumnStretch(1, 1)
        inner.addLayout(digests)
        inner.addWidget(self.remark)
        inner.addWidget(self.difference, 1)
        inner.addWidget(self.whole)
        inner.addStretch(0)
        page = QSplitter(Qt.Orientation.Vertical, self)
        page.setChildrenCollapsible(False)
        page.addWidget(self.tracks)
        page.addWidget(below)
        page.setStretchFactor(0, 2)
        page.setStretchFactor(1, 3)
        return page

    # -- looking ------------------------------------------------------------------------------------

    def _look(self) -> None:
        job, folder = self._session.job, self._session.folder
        address = job.source.address if job is not None else ""
        self.address.setText(address)
        self.address.setVisible(bool(address))
        self.summary.setText(self.tr("Looking at {host}…").format(host=host_of(address)) if address else self.windowTitle())
        self.take.hide()
        self.again.hide()
        self.bar.show()
        self.pages.setCurrentIndex(_LOOKING)
        self.leave.setText(self.tr("Cancel"))
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        if folder is not None:
            self._fetcher.look_for_changes(folder, self._on_found, self._on_failed)

    def _on_track_moved(self, track_id: str, _done: int, _total: int) -> None:
        if self.pages.currentIndex() == _LOOKING:
            self.state.setText(self.tr("Fetching {track} again…").format(track=track_id))

    def _on_failed(self, error: Exception) -> None:
        self.bar.hide()
        self.state.setText("")
        self.summary.setText(self.tr("The source was not compared with the lock"))
        self.leave.setText(self.tr("Close"))
        self.trouble.show_error(error)
        self.pages.setCurrentIndex(_TROUBLE)
        self.again.setVisible(isinstance(error, FetchError))
        self.leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_found(self, changes: tuple[Change, ...]) -> None:
        self._changes = changes
        self.bar.hide()
        self.state.setText("")
        self.leave.setText(self.tr("Close"))
        self.take.show()
        differing = [change for change in changes if change.kind is not ChangeKind.UNCHANGED]
        if differing:
            self.summary.setText(self.tr("The source differs from the lock; the lock stays as it is"))
        elif changes:
            self.summary.setText(self.tr("Every locked track is at the source as it was locked, byte for byte"))
        else:
            self.summary.setText(self.tr("No track of this job came from its source"))
        self.tracks.clear()
        for change in changes:
            row = QTreeWidgetItem(self.tracks, [change.track_id, self._word(change.kind), self._meaning(change)])
            row.setFont(_STATE, self._theme.font(FontRole.UI if change.kind is ChangeKind.UNCHANGED else FontRole.STRONG))
            row.setForeground(_WHAT, self._theme.palette.color("muted"))
            row.setToolTip(_WHAT, plain_tip(row.text(_WHAT)))
        self.pages.setCurrentIndex(_FOUND_PAGE)
        first = self.tracks.topLevelItem(changes.index(differing[0]) if differing else 0)
        if first is not None:
            self.tracks.setCurrentItem(first)
        self.tracks.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_change()

    # -- one change -----------------------------------------------------------------------------------

    def _chosen(self) -> Change | None:
        row = self.tracks.indexOfTopLevelItem(item) if (item := self.tracks.currentItem()) is not None else -1
        return self._changes[row] if 0 <= row < len(self._changes) else None

    def _show_change(self) -> None:
        change = self._chosen()
        self.difference.clear()
        if change is None:
            self.take.setEnabled(False)
            return
        nothing = self.tr("none")
        self.locked_digest.setText(change.locked or nothing)
        self.found_digest.setText(change.found or nothing)
        for row in change.cues:
            self._add_difference(row.locked, row.found)
        self.difference.setVisible(bool(change.cues))
        first = self.difference.topLevelItem(0)
        if first is not None:
            self.difference.setCurrentItem(first)
        self._show_whole()
        self.remark.setText(self._remark(change))
        self.remark.setVisible(bool(self.remark.text()))
        can_take = change.fetched is not None and change.track_id not in self._taken
        self.take.setEnabled(can_take and self._session.may_change)

    def _show_whole(self) -> None:
        """Show the chosen cue in full, as lines below: in a column much of it may be cut."""
        row = self.difference.currentItem() if self.difference.topLevelItemCount() else None
        sides = ((self.tr("Locked"), _LOCKED), (self.tr("At the source now"), _FOUND))
        lines = [f"{name}: {row.text(column) or self.tr('nothing')}" for name, column in sides] if row is not None else []
        self.whole.setText("\n".join(lines))
        self.whole.setVisible(bool(lines))

    def _add_difference(self, locked: tuple[int, str] | None, found: tuple[int, str] | None) -> None:
        moment = locked or found
        assert moment is not None
        times = [clock(at[0], thousandths=True) if at is not None else "" for at in (locked, found)]
        texts = [at[1] if at is not None else "" for at in (locked, found)]
        if times[0] != times[1] and all(times):
            texts = [f"{time}  {text}" for time, text in zip(times, texts, strict=True)]
        row = QTreeWidgetItem(self.difference, [clock(moment[0], thousandths=True), *texts])
        row.setForeground(_TIME, self._theme.palette.color("muted"))
        for column, side, other, color in ((_LOCKED, locked, found, "to_do"), (_FOUND, found, locked, "exact")):
            row.setToolTip(column, plain_tip(texts[column - 1]))
            if side is not None and other is None:
                row.setForeground(column, self._theme.palette.color(color))
        if locked is not None and found is None:
            font = self._theme.font(FontRole.UI)
            font.setStrikeOut(True)
            row.setFont(_LOCKED, font)

    def _word(self, kind: ChangeKind) -> str:
        words = {
            ChangeKind.UNCHANGED: self.tr("unchanged"),
            ChangeKind.CHANGED: self.tr("changed"),
            ChangeKind.GONE: self.tr("gone"),
            ChangeKind.NEW: self.tr("new"),
            ChangeKind.NOT_OBTAINED: self.tr("not obtained"),
        }
        return words[kind]

    def _meaning(self, change: Change) -> str:
        if change.track_id in self._taken:
            return self.tr("taken as {track}").format(track=self._taken[change.track_id])
        match change.kind:
            case ChangeKind.UNCHANGED:
                return self.tr("the same bytes as locked")
            case ChangeKind.CHANGED:
                return self.tr("other bytes than locked; the lock stays")
            case ChangeKind.GONE:
                return self.tr("no longer offered; the locked bytes stay")
            case ChangeKind.NEW if change.record.lock is None:
                return self.tr("could not be obtained before, and can be now")
            case ChangeKind.NEW:
                return self.tr("was not offered when the job was made")
            case ChangeKind.NOT_OBTAINED:
                return change.reason

    def _remark(self, change: Change) -> str:
        if change.kind is ChangeKind.CHANGED and not change.cues:
            return self.tr("All times and words are the same; the difference lies elsewhere in the file.")
        if change.kind is ChangeKind.CHANGED:
            one, many = self.tr("1 cue differs."), self.tr("{count} cues differ.")
            return one if len(change.cues) == 1 else many.format(count=len(change.cues))
        return ""

    # -- taking it ------------------------------------------------------------------------------------

    def _on_take(self) -> None:
        change = self._chosen()
        if change is not None and change.fetched is not None:
            self.take.setEnabled(False)
            self.state.setText(self.tr("Taking it…"))
            self._session.take_change(change, lambda: self._on_taken(change), self._on_not_taken)

    def _on_taken(self, change: Change) -> None:
        if self._is_closed:
            return
        job = self._session.job
        locked = job.locked if job is not None else ()
        found = [record.id for record in locked if record.lock is not None and record.lock.sha256 == change.found]
        self._taken[change.track_id] = found[-1] if found else change.track_id
        row = self.tracks.topLevelItem(self._changes.index(change))
        if row is not None:
            row.setText(_WHAT, self._meaning(change))
        self.state.setText(self.tr("Locked as {track}, beside what was there.").format(track=self._taken[change.track_id]))
        self._show_change()

    def _on_not_taken(self, error: Exception) -> None:
        if not self._is_closed:
            self.state.setText(describe(error))


def _digest(name: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    label.setAccessibleName(name)
    set_role(label, "mono")
    return label
