"""What is said of a source in every dialog that asks one: what went wrong, and that the fetching library is too old."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from quoteview.app.fetching import Fetcher, Library, host_of
from quoteview.core.errors import FetchError
from quoteview.ui.messages import describe
from quoteview.ui.theme import set_role


class Trouble(QFrame):
    """What went wrong with a source: a sentence of ours, and below it the fetching library's own words, to be copied."""

    settings_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "pane")
        self.setAccessibleName(self.tr("What went wrong"))
        self.sentence = words_label("strong", self)
        self.remedy = words_label("", self)
        self._heading = words_label("small", self)
        self._heading.setText(self.tr("yt-dlp, which asks the source, says:"))
        self.detail = words_label("mono", self)
        self.detail.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.settings = QPushButton(self.tr("Settings for fetching…"), self)
        self.settings.setAutoDefault(False)
        self.settings.clicked.connect(self.settings_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 16)
        layout.setSpacing(8)
        for widget in (self.sentence, self.remedy, self._heading, self.detail):
            layout.addWidget(widget)
        layout.addSpacing(4)
        layout.addWidget(self.settings, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def show_error(self, error: Exception) -> None:
        """Show an error; only what came from the source has words of the library's below."""
        if isinstance(error, FetchError):
            self.sentence.setText(self.tr("{host}: {reason}.").format(host=host_of(error.address), reason=error.reason))
            self.remedy.setText(error.remedy)
            self.detail.setText(error.detail)
        else:
            self.sentence.setText(describe(error))
            self.remedy.setText("")
            self.detail.setText("")
        for widget in (self.remedy, self.detail):
            widget.setVisible(bool(widget.text()))
        self._heading.setVisible(bool(self.detail.text()))
        self.settings.setVisible(isinstance(error, FetchError))
        self.setAccessibleDescription(f"{self.sentence.text()} {self.remedy.text()}")


class OldLibrary(QFrame):
    """Points out that the fetching library is too old, and how it is replaced; hidden where it is not."""

    def __init__(self, fetcher: Fetcher, parent: QWidget) -> None:
        super().__init__(parent)
        set_role(self, "notice")
        self.words = words_label("", self)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 14, 10)
        layout.addWidget(self.words)
        self.hide()
        fetcher.library_known.connect(self._on_library_known)
        fetcher.look_at_library()

    def _on_library_known(self, library: Library) -> None:
        months = (library.age_days or 0) // 30
        self.words.setText(
            self.tr(
                "The part that asks the sources, yt-dlp {version}, is {months} months old. Sites change every few weeks, "
                "and some will refuse it. To replace it: {remedy}"
            ).format(version=library.version, months=months, remedy=library.remedy)
        )
        self.setAccessibleName(self.words.text())
        self.setVisible(library.is_old)


def words_label(role: str, parent: QWidget) -> QLabel:
    """Return a label for plain text that wraps, in one of the style sheet's roles; "" for none."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        set_role(label, role)
    return label
