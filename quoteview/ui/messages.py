"""The only place that makes an error, a question or a name to be asked a dialog. None blocks: it is opened and answers later."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from quoteview.core.errors import QuoteviewError
from quoteview.ui.plain import plain_tip


def show_error(error: Exception, parent: QWidget) -> QMessageBox:
    """Open a dialog with what an error says; of a programming error, that it is one and where the log is.

    What a dialog already says is not said again by a second one on top of it: the work that fails may be tried again by itself.
    """
    said = str(error) if isinstance(error, QuoteviewError) else ""
    for shown in parent.findChildren(QMessageBox):
        if said and shown.isVisible() and shown.text() == said:
            return shown
    box = QMessageBox(parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(_tr("quoteview"))
    if isinstance(error, QuoteviewError):
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(str(error))
    else:
        box.setIcon(QMessageBox.Icon.Critical)
        box.setText(_tr("Something went wrong in quoteview itself. Nothing that was saved is lost; it is written in the log."))
        box.setInformativeText(plain_tip(f"{type(error).__name__}: {error}"))
    _open(box)
    return box


def show_text(title: str, text: str, parent: QWidget) -> QMessageBox:
    """Open a dialog that says something and can be closed."""
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    _open(box)
    return box


def ask(title: str, text: str, choices: dict[str, Callable[[], None]], parent: QWidget) -> QMessageBox:
    """Open a question with a button for each choice; closing it chooses nothing. The first choice is what Enter does."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, QMessageBox.StandardButton.NoButton, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    buttons = {box.addButton(label, QMessageBox.ButtonRole.ActionRole): act for label, act in choices.items()}
    box.setDefaultButton(next(iter(buttons)))
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setEscapeButton(cancel)

    def on_clicked(button: object) -> None:
        for known, act in buttons.items():
            if known is button:
                act()

    box.buttonClicked.connect(on_clicked)
    _open(box)
    return box


def ask_name(current: str, accept: Callable[[str], None], parent: QWidget) -> QInputDialog:
    """Open the question who is reviewing; `accept` gets the name, which is not empty."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(_tr("Who is reviewing?"))
    dialog.setLabelText(_tr("Your name stands in the journal and on the label with what you decide. It is asked once."))
    dialog.setTextValue(current)
    dialog.setOkButtonText(_tr("Keep"))

    def on_accepted(name: str) -> None:
        if name.strip():
            accept(name.strip())

    dialog.textValueSelected.connect(on_accepted)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


def _open(box: QMessageBox) -> None:
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Messages", text)


def describe(error: Exception) -> str:
    """Return an error as one line for the status bar and the log."""
    return str(error) if isinstance(error, QuoteviewError) else f"{type(error).__name__}: {error}"


def owner_of(widget: QObject | None) -> QWidget | None:
    """Return the window that a widget is in, to be a dialog's parent."""
    return widget.window() if isinstance(widget, QWidget) else None
