"""The start page: where to drop things, and the recent jobs with what was seen of them last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeySequence, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from quoteview.app.fetching import is_link
from quoteview.app.jobs import Jobs, abandonable
from quoteview.app.library import RecentJob, missing_jobs, recent_jobs
from quoteview.app.settings import Settings
from quoteview.app.states import ClaimState, Counts
from quoteview.ui.actions import ActionId
from quoteview.ui.elided import ElidedButton, ElidedLabel
from quoteview.ui.signs import paint_sign
from quoteview.ui.theme import FontRole, Theme, set_role

_SHOWN = (ClaimState.EXACT, ClaimState.SET_ASIDE, ClaimState.EXCEPTION, ClaimState.TO_DO, ClaimState.TO_VERIFY)
_INDENT = 6
"""So far a link's text stands from its edge: what is below begins where it does."""


class CountsBar(QWidget):
    """The counts of a draft as signs with numbers, and words if asked; states that no claim is in are left out."""

    def __init__(self, counts: Counts, theme: Theme, parent: QWidget | None = None, *, has_words: bool = False) -> None:
        super().__init__(parent)
        self._counts, self._theme, self._has_words = counts, theme, has_words
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(theme.pixels(20))
        self.show_counts(counts)
        theme.changed.connect(self.update)

    def show_counts(self, counts: Counts) -> None:
        """Show other counts."""
        self._counts = counts
        said = ", ".join(f"{counts.of(state)} {self._theme.look(state).word}" for state in _SHOWN if counts.of(state))
        self.setAccessibleName(said or self.tr("no quotations seen yet"))
        self.setToolTip(said)
        self.setMinimumWidth(self._width())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each sign with its number."""
        painter = QPainter(self)
        painter.setFont(self._theme.font(FontRole.SMALL))
        x, side = 0.0, float(self._theme.pixels(13))
        for state in _SHOWN:
            if self._counts.of(state):
                paint_sign(painter, QRectF(x, (self.height() - side) / 2, side, side), state, self._theme)
                text = self._text(state)
                width = painter.fontMetrics().horizontalAdvance(text)
                painter.setPen(self._theme.palette.color("text"))
                place = QRectF(x + side + 5, 0, width + 4, self.height())
                painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), text)
                x += side + width + 17

    def _text(self, state: ClaimState) -> str:
        count = str(self._counts.of(state))
        return f"{count} {self._theme.look(state).word}" if self._has_words else count

    def _width(self) -> int:
        metrics = QFontMetrics(self._theme.font(FontRole.SMALL))
        shown = [self._text(state) for state in _SHOWN if self._counts.of(state)]
        return sum(self._theme.pixels(13) + metrics.horizontalAdvance(text) + 17 for text in shown)


class StartPage(QWidget):
    """Shown while no job is open. `job_chosen` carries a folder, `action_requested` an action's id, `link_pasted` a link."""

    job_chosen = Signal(object)
    action_requested = Signal(str)
    link_pasted = Signal(str)

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._theme = settings, theme
        self._jobs = Jobs(1, self)
        self._missing: dict[Path, QFrame] = {}
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._jobs.stop)
        self.setAccessibleName(self.tr("Start page"))
        outer = QHBoxLayout(self)
        outer.setContentsMargins(48, 40, 48, 40)
        outer.setSpacing(36)
        outer.addWidget(self._drop_area(), 3)
        side = QVBoxLayout()
        side.setSpacing(10)
        heading = _label(self.tr("Recent jobs"), "title", self)
        top = QHBoxLayout()
        top.addWidget(heading, 1)
        top.addWidget(self._button(self.tr("Open a job…"), ActionId.OPEN_JOB, self))
        side.addLayout(top)
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        self._list.setContentsMargins(0, 0, 4, 0)
        holder = QWidget(self)
        holder.setObjectName("holder")
        holder.setLayout(self._list)
        scroll = QScrollArea(self)
        scroll.setWidget(holder)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Recent jobs"))
        side.addWidget(scroll, 1)
        outer.addLayout(side, 2)
        paste = QShortcut(QKeySequence.StandardKey.Paste, self)  # it acts while this page is seen
        paste.activated.connect(self._on_paste)
        self.refresh()

    def refresh(self) -> None:
        """Show the recent jobs as they are kept now."""
        while (entry := self._list.takeAt(0)) is not None:
            if (widget := entry.widget()) is not None:
                widget.deleteLater()
        self._missing = {}
        jobs = recent_jobs(self._settings)
        for job in jobs:
            self._list.addWidget(self._row(job))
        if not jobs:
            self._list.addWidget(_label(self.tr("None yet. Jobs that you open stand here."), "muted", self))
        self._list.addStretch(1)
        if jobs:
            self._look_for_missing([job.folder for job in jobs])

    def set_dragging(self, is_dragging: bool) -> None:
        """Light the drop area while something is dragged over the window."""
        self._area.setProperty("active", "true" if is_dragging else "false")
        self._area.style().unpolish(self._area)
        self._area.style().polish(self._area)

    def _drop_area(self) -> QFrame:
        self._area = QFrame(self)
        set_role(self._area, "drop")
        self._area.setAccessibleName(self.tr("Drop area"))
        layout = QVBoxLayout(self._area)
        layout.setSpacing(16)
        layout.setContentsMargins(40, 40, 40, 40)
        layout.addStretch(1)
        lines = (
            (self.tr("Drop captions and a draft here"), self.tr("New job…"), ActionId.NEW_JOB, True),
            (self.tr("Paste or drop the link of a recording"), self.tr("New job from a link…"), ActionId.NEW_FROM_LINK, False),
            (self.tr("Or look at the sample first"), self.tr("Open the sample job"), ActionId.OPEN_SAMPLE, False),
        )
        for text, button_text, action_id, is_primary in lines:
            line = _label(text, "title", self._area)
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            line.setWordWrap(True)
            button = self._button(button_text, action_id, self._area)
            set_role(button, "primary" if is_primary else "plain")
            layout.addWidget(line)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
            layout.addSpacing(10)
        layout.addStretch(1)
        return self._area

    def _button(self, text: str, action_id: ActionId, parent: QWidget) -> QPushButton:
        button = QPushButton(text, parent)
        button.clicked.connect(lambda: self.action_requested.emit(str(action_id)))
        return button

    def _on_paste(self) -> None:
        text = QGuiApplication.clipboard().text().strip()
        if is_link(text):
            self.link_pasted.emit(text)

    def _row(self, job: RecentJob) -> QFrame:
        row = QFrame(self)
        set_role(row, "pane")
        layout = QVBoxLayout(row)
        layout.setContentsMargins(8, 8, 12, 10)
        layout.setSpacing(3)
        button = ElidedButton(job.title, "link", row)
        button.setAccessibleDescription(str(job.folder))
        button.clicked.connect(lambda _checked=False, folder=job.folder: self.job_chosen.emit(folder))
        top = QHBoxLayout()
        top.addWidget(button)
        top.addStretch(1)
        layout.addLayout(top)
        place = ElidedLabel(str(job.folder), "small", row, mode=Qt.TextElideMode.ElideMiddle)
        place.setContentsMargins(_INDENT, 0, 0, 0)
        layout.addWidget(place)
        if job.counts.total:
            line = QHBoxLayout()
            line.setContentsMargins(_INDENT, 0, 0, 0)
            line.addWidget(CountsBar(job.counts, self._theme, row))
            line.addWidget(_label(self.tr("when last open"), "small", row))
            line.addStretch(1)
            layout.addLayout(line)
        self._missing[job.folder] = self._absence(job, row, layout)
        return row

    def _absence(self, job: RecentJob, row: QFrame, layout: QVBoxLayout) -> QFrame:
        """Return the line that says that a job is not there, hidden until that is known."""
        absence = QFrame(row)
        line = QHBoxLayout(absence)
        line.setContentsMargins(_INDENT, 0, 0, 0)
        line.addWidget(_label(self.tr("not found in its place"), "strong", absence))
        forget = QPushButton(self.tr("Take off this list"), absence)
        set_role(forget, "link")
        forget.setAccessibleName(self.tr("Take {title} off this list").format(title=job.title))
        forget.clicked.connect(lambda _checked=False, folder=job.folder: self._on_forget(folder))
        line.addWidget(forget)
        line.addStretch(1)
        absence.hide()
        layout.addWidget(absence)
        return absence

    def _look_for_missing(self, folders: Sequence[Path]) -> None:
        self._jobs.run(
            lambda report: abandonable(lambda: missing_jobs(folders), report),
            self._on_missing_known,
            lambda _error: None,
            sentence="",
            name="missing",
        )

    def _on_missing_known(self, missing: frozenset[Path]) -> None:
        for folder in missing:
            if folder in self._missing:
                self._missing[folder].show()

    def _on_forget(self, folder: Path) -> None:
        self._settings.forget_job(folder)
        self.refresh()


def _label(text: str, role: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_role(label, role)
    return label
