"""The label: what will be claimed, in its very words, before anything is written; then the bundle and what can be done with it.

Opening the dialog judges every gate afresh from the disk. A label without exceptions and one with them never
look alike: other colour, other sign, other words. The name stands in the words, so changing it makes them anew.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.jobs import Jobs
from quoteview.app.selection import Selection
from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.core.errors import QuoteviewError
from quoteview.core.job import LONGEST_END_MARK
from quoteview.core.label_words import published_line
from quoteview.core.labelling import Label, LabelRefused
from quoteview.core.rechecking import Recheck, recheck
from quoteview.core.statement import StatedClaim
from quoteview.ui.signs import sign_icon
from quoteview.ui.theme import Theme, set_role

_TYPING_MS = 400
"""The words are made anew this long after the last letter of the name."""


class LabelDialog(QDialog):
    """Shows the label that would be given, writes the bundle, and checks it again on request."""

    def __init__(self, session: Session, selection: Selection, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self._label: Label | None = None
        self._place: Path | None = None
        self._key: Path | None = None
        self._jobs = Jobs(1, self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Label"))
        self.setAccessibleName(self.tr("Label"))
        self.resize(theme.pixels(720), theme.pixels(560))
        self._sign = QLabel(self)
        self._title = _plain("title", self)
        self._words = _plain("", self)
        self._exceptions = QVBoxLayout()
        self._by = QLineEdit(session.reviewer, self)
        self._by.setPlaceholderText(self.tr("Your name: it stands on the label"))
        self._by.setAccessibleName(self.tr("Who gives the label"))
        self._key_button = QPushButton(self.tr("Sign with a key…"), self)
        self._end_mark = self._made_end_mark()
        self._state = _plain("muted", self)
        self._line = _plain("", self)
        self._write = QPushButton(self.tr("Give the label"), self)
        self._asked = QWidget(self)
        self._after = QWidget(self)
        self._retype = QTimer(self)
        self._retype.setSingleShot(True)
        self._retype.setInterval(_TYPING_MS)
        self._retype.timeout.connect(self._on_retype_timeout)
        self._lay_out()
        self._by.textEdited.connect(self._on_name_edited)
        self._write.clicked.connect(self._on_write_clicked)
        self._key_button.clicked.connect(self._on_key_clicked)
        session.changed.connect(self._on_session_changed)
        self._prepare()

    @property
    def label(self) -> Label | None:
        """The label that is shown, None while it is being made or where it is refused."""
        return self._label

    def done(self, result: int) -> None:
        """Stop what runs before closing."""
        self._jobs.stop()
        super().done(result)

    # -- making it ------------------------------------------------------------------------------

    def _prepare(self) -> None:
        self._label = None
        self._write.setEnabled(False)
        if not self._session.reviewer:
            self._refuse(self.tr("Say who gives the label."), ())
            return
        self._state.setText(self.tr("Reading everything from the disk again and judging every gate…"))
        self._session.prepare_label(self._on_prepared, self._on_refused, self._key)

    def _on_name_edited(self) -> None:
        """Another name stands on another label: what was shown can't be given any more."""
        self._label = None
        self._write.setEnabled(False)
        self._retype.start()

    def _on_retype_timeout(self) -> None:
        self._session.set_reviewer(self._by.text())
        self._prepare()

    def _on_end_mark_edited(self) -> None:
        """Have every draft read again by the end mark that was written, then make the label by it."""
        job = self._session.job
        if job is not None and self._end_mark.text().strip() != job.policy.end_mark:
            self._label = None
            self._write.setEnabled(False)
            self._session.ask_end_mark(self._end_mark.text(), self._prepare, self._on_refused)

    def _on_prepared(self, label: Label) -> None:
        self._label = label
        statement = label.statement
        is_clean = statement.counts.exceptions == 0
        state = ClaimState.EXACT if is_clean else ClaimState.EXCEPTION
        size = self._theme.pixels(26)
        self._sign.setPixmap(sign_icon(state, self._theme).pixmap(QSize(size, size)))
        self._title.setText(statement.label_words)
        self._words.setText(statement.sentence)
        self._show_exceptions([claim for claim in statement.claims if claim.resolution and claim.resolution.is_exception])
        self._state.setText("")
        self._write.setEnabled(True)
        self._write.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setAccessibleDescription(statement.sentence)

    def _on_refused(self, error: Exception) -> None:
        if isinstance(error, LabelRefused):
            self._refuse(self.tr("No label can be given yet."), tuple(f"{gate.name}: {gate.evidence}" for gate in error.gates))
        elif isinstance(error, QuoteviewError):
            self._refuse(str(error), ())
        else:
            raise error

    def _refuse(self, words: str, reasons: tuple[str, ...]) -> None:
        size = self._theme.pixels(26)
        self._sign.setPixmap(sign_icon(ClaimState.TO_DO, self._theme).pixmap(QSize(size, size)))
        self._title.setText(self.tr("No label"))
        self._words.setText("\n".join([words, *reasons]))
        self._show_exceptions([])
        self._state.setText("")
        self._write.setEnabled(False)

    def _show_exceptions(self, claims: list[StatedClaim]) -> None:
        while self._exceptions.count():
            item = self._exceptions.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for claim in claims:
            resolution = claim.resolution
            assert resolution is not None
            kind = resolution.exception.replace("_", " ") or self.tr("set aside")
            words = [f"{kind}: “{claim.text}”"]
            if claim.source_words:
                words.append(self.tr("The captions: “{words}”").format(words=claim.source_words))
            words.append(f"{resolution.reason} · {resolution.by}")
            label = _plain("", self)
            label.setText("\n".join(words))
            self._exceptions.addWidget(label)

    # -- writing it -----------------------------------------------------------------------------

    def _on_write_clicked(self) -> None:
        if self._label is not None and self._place is None:
            self._write.setEnabled(False)
            self._state.setText(self.tr("Writing the bundle…"))
            self._session.keep_label(self._label, self._on_kept)

    def _on_kept(self, place: Path) -> None:
        self._place = place
        label = self._label
        if label is None:
            return
        statement = label.statement
        self._state.setText(self.tr("The bundle stands in {place}").format(place=place))
        line = published_line(
            statement.counts,
            statement.title or statement.source,
            statement.draft.sha256,
            by=statement.by,
            at=statement.at,
            bundle_sha256=label.sha256,
        )
        self._line.setText(line)
        self._write.hide()
        self._asked.hide()
        self._after.show()

    def _on_key_clicked(self) -> None:
        dialog = QFileDialog(self, self.tr("The private ssh key to sign with"), str(Path.home() / ".ssh"))
        dialog.fileSelected.connect(self._on_key_selected)
        dialog.open()

    def _on_key_selected(self, chosen: str) -> None:
        self._key = Path(chosen)
        self._prepare()

    def _on_again_clicked(self) -> None:
        place = self._place
        if place is not None:
            self._state.setText(self.tr("Checking the bundle again from its bytes…"))
            self._jobs.run(lambda _report: recheck(place), self._on_rechecked, self._on_refused, sentence="", name="recheck")

    def _on_rechecked(self, found: Recheck) -> None:
        if found.holds:
            self._state.setText(self.tr("Checked again: everything in the bundle holds."))
        else:
            self._state.setText(self.tr("The bundle does not hold: {problem}").format(problem=found.problems[0]))

    def _on_session_changed(self, changes: Changes) -> None:
        label = self._label
        if label is None or self._place is not None or Changes.DRAFT not in changes:
            return
        draft = self._session.draft
        if draft is None or draft.sha256 != label.statement.draft.sha256:
            self._prepare()

    # -- layout ---------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        head = QHBoxLayout()
        head.addWidget(self._sign)
        head.addWidget(self._title, 1)
        layout.addLayout(head)
        body = QWidget(self)
        inner = QVBoxLayout(body)
        inner.setContentsMargins(0, 0, 8, 0)
        inner.setSpacing(12)
        inner.addWidget(self._words)
        inner.addLayout(self._exceptions)
        inner.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        layout.addWidget(scroll, 1)
        layout.addWidget(self._made_asked())
        layout.addWidget(self._state)
        layout.addWidget(self._made_after())
        row = QHBoxLayout()
        close = QPushButton(self.tr("Close"), self)
        close.clicked.connect(self.reject)
        set_role(self._write, "primary")
        self._write.setDefault(True)
        row.addStretch(1)
        row.addWidget(close)
        row.addWidget(self._write)
        layout.addLayout(row)

    def _made_end_mark(self) -> QLineEdit:
        job = self._session.job
        field = QLineEdit(job.policy.end_mark if job is not None else "", self)
        field.setMaxLength(LONGEST_END_MARK)
        field.setPlaceholderText(self.tr("nothing in particular; for instance ###"))
        field.setAccessibleName(self.tr("What every draft must end in"))
        field.setToolTip(self.tr("A draft without its end mark looks cut off, and the gate “complete” stays closed."))
        field.editingFinished.connect(self._on_end_mark_edited)
        return field

    def _made_asked(self) -> QWidget:
        """Return what can be said before the label is given: who gives it, and in what drafts end."""
        form = QFormLayout(self._asked)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(12)
        who = QHBoxLayout()
        who.setSpacing(12)
        who.addWidget(self._by, 1)
        who.addWidget(self._key_button)
        form.addRow(self.tr("By"), who)
        form.addRow(self.tr("Drafts end in"), self._end_mark)
        return self._asked

    def _made_after(self) -> QWidget:
        """Return what can be done once the bundle stands: open the report, check again, copy the line to publish."""
        inner = QVBoxLayout(self._after)
        inner.setContentsMargins(0, 0, 0, 0)
        heading = _plain("muted", self)
        heading.setText(self.tr("To print under the published piece"))
        inner.addWidget(heading)
        inner.addWidget(self._line)
        row = QHBoxLayout()
        for words, slot in (
            (self.tr("Copy this line"), lambda: QGuiApplication.clipboard().setText(self._line.text())),
            (self.tr("Open the report"), lambda: self._open("data/report.html")),
            (self.tr("Show the bundle"), lambda: self._open("")),
            (self.tr("Check it again now"), self._on_again_clicked),
        ):
            button = QPushButton(words, self._after)
            button.clicked.connect(slot)
            row.addWidget(button)
        row.addStretch(1)
        inner.addLayout(row)
        self._after.hide()
        return self._after

    def _open(self, inside: str) -> None:
        if self._place is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._place / inside if inside else self._place)))


def _plain(role: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    if role:
        set_role(label, role)
    return label
