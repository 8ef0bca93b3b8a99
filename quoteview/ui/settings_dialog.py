"""The settings: who reviews, how the window looks, and how sources are asked.

Cookies, proxy and rate limit stay in the settings of this machine; no job ever holds them.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from quoteview.app.fetching import BROWSERS, Fetcher, FetchSettings, Library
from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.ui.sizes import resize_within_screen
from quoteview.ui.source_notes import OldLibrary, words_label
from quoteview.ui.theme import Theme, ThemeKind, set_role

_PROXIES = ("http", "https", "socks4", "socks4a", "socks5", "socks5h")
_FASTEST_KB = 1_000_000
_PERCENT = (70, 250)


class SettingsDialog(QDialog):
    """Shows the settings as they are and keeps them when accepted. `theme_chosen` and `percent_chosen` tell the window."""

    theme_chosen = Signal(object)
    percent_chosen = Signal(int)

    def __init__(
        self, session: Session, settings: Settings, fetcher: Fetcher, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._settings, self._theme = session, settings, theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings"))
        self.setAccessibleName(self.windowTitle())
        resize_within_screen(self, theme, 620, 600)
        known = settings.fetching
        self.reviewer = self._line(session.reviewer, self.tr("Who reviews"), self.tr("Your name: it stands in the journal"))
        self.kind = QComboBox(self)
        self.percent = QSpinBox(self)
        self.browser = QComboBox(self)
        self.cookie_file = self._line(known.cookie_file, self.tr("Cookies file"), self.tr("cookies.txt, in Netscape's format"))
        self.proxy = self._line(known.proxy, self.tr("Proxy"), "socks5://127.0.0.1:1080")
        self.rate = QSpinBox(self)
        self.remark = words_label("danger", self)
        self.version = words_label("muted", self)
        self.old = OldLibrary(fetcher, self)
        self.keep = QPushButton(self.tr("Keep"), self)
        for box in (self.kind, self.percent, self.browser, self.rate):
            box.setMinimumHeight(self.proxy.sizeHint().height())
        self._fill(known)
        self._lay_out()
        fetcher.library_known.connect(self._on_library_known)
        self.keep.clicked.connect(self._on_keep)

    def _line(self, text: str, name: str, hint: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setAccessibleName(name)
        line.setPlaceholderText(hint)
        line.textChanged.connect(lambda _text: self.remark.setText(""))
        return line

    def _fill(self, known: FetchSettings) -> None:
        self.kind.setAccessibleName(self.tr("Colours"))
        for kind, text in (
            (ThemeKind.SYSTEM, self.tr("as the system")),
            (ThemeKind.LIGHT, self.tr("light")),
            (ThemeKind.DARK, self.tr("dark")),
            (ThemeKind.HIGH_CONTRAST, self.tr("high contrast")),
        ):
            self.kind.addItem(text, str(kind))
        self.kind.setCurrentIndex(self.kind.findData(str(self._theme.kind)))
        self.percent.setAccessibleName(self.tr("Size of text"))
        self.percent.setRange(*_PERCENT)
        self.percent.setSingleStep(10)
        self.percent.setSuffix(" %")
        self.percent.setValue(self._theme.text_percent)
        self.browser.setAccessibleName(self.tr("Cookies of the browser"))
        self.browser.addItem(self.tr("none"), "")
        for name in sorted({*BROWSERS, *([known.cookies_from_browser] if known.cookies_from_browser else [])}):
            self.browser.addItem(name.capitalize(), name)
        self.browser.setCurrentIndex(max(0, self.browser.findData(known.cookies_from_browser)))
        self.rate.setAccessibleName(self.tr("Rate limit"))
        self.rate.setRange(0, _FASTEST_KB)
        self.rate.setSingleStep(100)
        self.rate.setSuffix(self.tr(" kB a second"))
        self.rate.setSpecialValueText(self.tr("no limit"))
        self.rate.setValue(known.rate // 1000)

    def _lay_out(self) -> None:
        choose = QPushButton(self.tr("Choose…"), self)
        choose.setAutoDefault(False)
        choose.clicked.connect(self._on_choose)
        file = QHBoxLayout()
        file.setSpacing(8)
        file.addWidget(self.cookie_file, 1)
        file.addWidget(choose)
        look = _form(
            (self.tr("Who reviews"), self.reviewer), (self.tr("Colours"), self.kind), (self.tr("Size of text"), self.percent)
        )
        ask = _form((self.tr("Cookies of the browser"), self.browser))
        ask.addRow(self.tr("Cookies file"), file)
        ask.addRow(self.tr("Proxy"), self.proxy)
        ask.addRow(self.tr("Rate limit"), self.rate)
        beside = [look.labelForField(field) for field in (self.reviewer, self.kind, self.percent)]
        widest = ask.labelForField(self.browser).sizeHint().width()
        for label in beside:
            label.setMinimumWidth(widest)
        set_role(self.keep, "primary")
        self.keep.setDefault(True)
        leave = QPushButton(self.tr("Cancel"), self)
        leave.setAutoDefault(False)
        leave.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.addWidget(self.version, 1)
        row.addWidget(leave)
        row.addWidget(self.keep)
        seen = (self.reviewer, self.kind, self.percent, self.browser, self.cookie_file, choose, self.proxy, self.rate, leave)
        for first, second in itertools.pairwise((*seen, self.keep)):
            QWidget.setTabOrder(first, second)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 18, 24, 16)
        layout.setSpacing(10)
        for heading, said, form in (
            (self.tr("You and the window"), "", look),
            (
                self.tr("Asking a source"),
                self.tr(
                    "For sources that want a sign-in or are shown in some regions only. Kept on this machine, never in a job."
                ),
                ask,
            ),
        ):
            title = words_label("title", self)
            title.setText(heading)
            layout.addWidget(title)
            if said:
                words = words_label("muted", self)
                words.setText(said)
                layout.addWidget(words)
            layout.addLayout(form)
            layout.addSpacing(8)
        layout.addWidget(self.remark)
        layout.addStretch(1)
        layout.addWidget(self.old)
        layout.addLayout(row)

    def _on_library_known(self, library: Library) -> None:
        self.version.setText(self.tr("Sources are asked by yt-dlp {version}.").format(version=library.version))

    def _on_choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Cookies file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.cookie_file.setText)
        dialog.open()

    def _on_keep(self) -> None:
        fault = self._fault()
        self.remark.setText(fault)
        if fault:
            return
        self._settings.fetching = FetchSettings(
            cookies_from_browser=str(self.browser.currentData()),
            cookie_file=self.cookie_file.text().strip(),
            proxy=self.proxy.text().strip(),
            rate=self.rate.value() * 1000,
        )
        name = self.reviewer.text().strip()
        if name != self._session.reviewer:
            self._session.set_reviewer(name)
        kind = ThemeKind(str(self.kind.currentData()))
        if kind is not self._theme.kind:
            self.theme_chosen.emit(kind)
        if self.percent.value() != self._theme.text_percent:
            self.percent_chosen.emit(self.percent.value())
        self.accept()

    def _fault(self) -> str:
        """Return what cannot be kept, and how it is written; "" where all can."""
        proxy, file = self.proxy.text().strip(), self.cookie_file.text().strip()
        if file and not Path(file).is_file():
            return self.tr("There is no file {path}.").format(path=file)
        if proxy and not _is_proxy(proxy):
            return self.tr("A proxy is written as http://host:port or socks5://host:port.")
        return ""


def _is_proxy(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in _PROXIES and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def _form(*rows: tuple[str, QWidget]) -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(8)
    for text, widget in rows:
        form.addRow(text, widget)
    return form
