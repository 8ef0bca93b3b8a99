"""The small forms that open inside the resolve panel where a way to resolve needs a person's words.

Enter does what the form is for, Esc closes it; nothing is done before that.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from quoteview.app.session import Session
from quoteview.core.drafts.draft import Claim
from quoteview.core.resolving import ExceptionClass
from quoteview.core.verdicts import DifferenceClass, Verdict, VerdictKind
from quoteview.ui.key_button import KeyButton
from quoteview.ui.theme import FontRole, Theme, set_role

_STYLE = frozenset(
    {
        DifferenceClass.CASE,
        DifferenceClass.PUNCTUATION,
        DifferenceClass.TERMINAL_PUNCTUATION,
        DifferenceClass.TYPOGRAPHY,
        DifferenceClass.NUMBER_FORM,
        DifferenceClass.FILLER,
    }
)


class Form(QWidget):
    """A form of the panel. `closed` is emitted when it is done with, whether or not it did something."""

    closed = Signal()

    def __init__(self, session: Session, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("own_keys", True)  # plain keys are the form's while it is open, not the table's
        self._session = session
        self._theme = theme
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(8)
        self.setAccessibleName(title)
        self._rows.addWidget(plain(title, "strong", self))

    def begin(self) -> None:
        """Take the focus where a person begins."""
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """While a form is open Esc is its own, also where it would stop long work."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the form."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def _add_buttons(self, words: str, hint: str = "") -> QPushButton:
        row = QHBoxLayout()
        done = KeyButton(words, self.tr("Enter"), self._theme, self, role="primary")
        cancel = KeyButton(self.tr("Cancel"), self.tr("Esc"), self._theme, self)
        cancel.clicked.connect(self.closed)
        row.addWidget(done)
        row.addWidget(cancel)
        row.addWidget(plain(hint, "small", self), 1)
        self._rows.addStretch(1)
        self._rows.addLayout(row)
        return done


class EditForm(Form):
    """A line edit for the claim's words, with the verdict live as one types."""

    def __init__(self, session: Session, claim: Claim, theme: Theme, parent: QWidget) -> None:
        super().__init__(session, theme, "", parent)
        self._claim_id = claim.id
        self.setAccessibleName(self.tr("Edit this quotation"))
        self.words = FreshLine(claim.text, self)
        self.words.setFont(theme.font(FontRole.QUOTE))
        self.words.setMaxLength(1_000_000)
        self.words.setAccessibleName(self.tr("Words of the quotation"))
        self.verdict = plain("", "muted", self)
        self._rows.addWidget(self.words)
        self._rows.addWidget(self.verdict)
        done = self._add_buttons(self.tr("Write into the draft"))
        done.clicked.connect(self._on_done)
        self.words.returnPressed.connect(self._on_done)
        self.words.textChanged.connect(self._on_words_changed)
        self._on_words_changed(claim.text)

    def begin(self) -> None:
        """Put the cursor at the end of the words."""
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.end(False)

    def _on_words_changed(self, text: str) -> None:
        found = self._session.preview(self._claim_id, text)
        if found is None:
            self.verdict.setText(self.tr("These words would be no quotation any more."))
        elif found.kind is VerdictKind.EXACT:
            self.verdict.setText(self.tr("Exact: matches the captions."))
        else:
            classes = ", ".join(str(kind).replace("_", " ") for kind in found.classes)
            words = str(found.kind).replace("_", " ")
            self.verdict.setText(f"{words}: {classes}" if classes else words)

    def _on_done(self) -> None:
        words, before = self.words.text(), self._session.claim(self._claim_id)
        if words:
            self.closed.emit()
            if before is not None and words != before.text:
                self._session.edit_claim(self._claim_id, words)


class AcceptForm(Form):
    """The class of an exception and its reason; both are needed."""

    def __init__(self, session: Session, claim: Claim, theme: Theme, parent: QWidget) -> None:
        super().__init__(session, theme, "", parent)
        self._claim_id = claim.id
        self.setAccessibleName(self.tr("Accept as an exception"))
        words = {
            ExceptionClass.CUT: self.tr("cut: words were left out"),
            ExceptionClass.TRANSLATION: self.tr("translation of this passage"),
            ExceptionClass.HOUSE_STYLE: self.tr("house style"),
            ExceptionClass.WORDING: self.tr("wording"),
            ExceptionClass.OTHER: self.tr("other"),
        }
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Class of the exception"))
        for kind, text in words.items():
            self.kind.addItem(text, kind)
        self.kind.setCurrentIndex(self.kind.findData(_usual_exception(session.verdict(claim.id))))
        self.reason = reason_field(self.tr("Reason, required: it stands on the label"), self, self.kind)
        row = QHBoxLayout()
        row.addWidget(self.kind)
        row.addWidget(self.reason, 1)
        self._rows.addLayout(row)
        self._done = self._add_buttons(
            self.tr("Accept as it is"),
            self.tr("Up and Down choose the class. The claim stays unproven; the label counts and names it."),
        )
        self._done.setEnabled(False)
        self._done.clicked.connect(self._on_done)
        self.reason.returnPressed.connect(self._on_done)
        self.reason.textChanged.connect(lambda text: self._done.setEnabled(bool(text.strip())))

    def begin(self) -> None:
        """Begin with the reason."""
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_done(self) -> None:
        if self.reason.text().strip():
            self.closed.emit()
            self._session.accept(self._claim_id, ExceptionClass(self.kind.currentData()), self.reason.text().strip())


class AsideForm(Form):
    """The reason for setting a claim aside that has a time of its own or more than three words."""

    def __init__(self, session: Session, claim: Claim, theme: Theme, parent: QWidget) -> None:
        super().__init__(session, theme, "", parent)
        self._claim_id = claim.id
        self.setAccessibleName(self.tr("Set aside"))
        self.reason = reason_field(self.tr("Why this is not a quotation of this recording"), self)
        self._rows.addWidget(self.reason)
        self._done = self._add_buttons(
            self.tr("Set aside"),
            self.tr("It has a time of its own or more than three words, so it counts as an exception."),
        )
        self._done.setEnabled(False)
        self._done.clicked.connect(self._on_done)
        self.reason.returnPressed.connect(self._on_done)
        self.reason.textChanged.connect(lambda text: self._done.setEnabled(bool(text.strip())))

    def begin(self) -> None:
        """Begin with the reason."""
        self.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_done(self) -> None:
        if self.reason.text().strip():
            self.closed.emit()
            self._session.set_aside(self._claim_id, self.reason.text().strip())


class RetractForm(Form):
    """Whether the words stay as paraphrase (Enter) or go with the marks (X)."""

    def __init__(self, session: Session, claim: Claim, theme: Theme, parent: QWidget) -> None:
        super().__init__(session, theme, "", parent)
        self._claim_id = claim.id
        self.setAccessibleName(self.tr("Retract this quotation"))
        row = QHBoxLayout()
        self.keep = KeyButton(self.tr("Take the marks away, keep the words"), self.tr("Enter"), theme, self, role="primary")
        self.cut = KeyButton(self.tr("Cut the words as well"), "", theme, self)
        cancel = KeyButton(self.tr("Cancel"), self.tr("Esc"), theme, self)
        for button in (self.keep, self.cut, cancel):
            row.addWidget(button)
        row.addStretch(1)
        self._rows.addLayout(row)
        self._rows.addStretch(1)
        self.keep.clicked.connect(lambda: self._retract(keep_words=True))
        self.cut.clicked.connect(lambda: self._retract(keep_words=False))
        cancel.clicked.connect(self.closed)

    def begin(self) -> None:
        """Begin with the harmless one."""
        self.keep.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, as the page says."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            (self.cut if self.cut.hasFocus() else self.keep).click()
        else:
            super().keyPressEvent(event)

    def _retract(self, *, keep_words: bool) -> None:
        self.closed.emit()
        self._session.retract(self._claim_id, keep_words=keep_words)


class FreshLine(QLineEdit):
    """A line edit that takes no repeats of the key that opened its form: a held-down key repeats nothing."""

    def __init__(self, text: str, parent: QWidget, *, choices: QComboBox | None = None) -> None:
        super().__init__(text, parent)
        self._is_fresh = True
        self._choices = choices

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down walk the choices beside the line, where there are any."""
        if event.isAutoRepeat() and (self._is_fresh or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            return
        self._is_fresh = False
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if self._choices is not None and event.key() in steps:
            wanted = self._choices.currentIndex() + steps[Qt.Key(event.key())]
            self._choices.setCurrentIndex(max(0, min(self._choices.count() - 1, wanted)))
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # the panel behind the form would take it for the first repair


def reason_field(prompt: str, parent: QWidget, choices: QComboBox | None = None) -> QLineEdit:
    """Return a line edit for a reason; Up and Down in it walk the choices."""
    field = FreshLine("", parent, choices=choices)
    field.setPlaceholderText(prompt)
    field.setAccessibleName(prompt)
    return field


def _usual_exception(verdict: Verdict | None) -> ExceptionClass:
    """Return the class that an exception to this verdict usually has: the one to begin with."""
    classes = frozenset(verdict.classes) if verdict is not None else frozenset[DifferenceClass]()
    if DifferenceClass.ELISION in classes:
        return ExceptionClass.CUT
    return ExceptionClass.HOUSE_STYLE if classes and classes <= _STYLE else ExceptionClass.WORDING


def plain(text: str, role: str, parent: QWidget) -> QLabel:
    """Return a label that shows text as it is."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(role in ("muted", "small"))
    set_role(label, role)
    return label
