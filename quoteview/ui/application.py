"""Starting the window: the application, its log and excepthook, and pictures of it without a display."""

from __future__ import annotations

import gc
import logging
import logging.handlers
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    QObject,
    QTimer,
    QtMsgType,
    QTranslator,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from quoteview import __version__
from quoteview.app.session import Session
from quoteview.app.settings import Settings
from quoteview.app.states import Changes, Phase
from quoteview.core.places import log_file
from quoteview.core.resources import resource
from quoteview.ui import messages
from quoteview.ui.main_window import MainWindow
from quoteview.ui.theme import Theme, ThemeKind

_LOG = logging.getLogger("quoteview")
_QT_LEVELS = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO, QtMsgType.QtCriticalMsg: logging.ERROR}
_LOG_BYTES = 512 * 1024
_PATIENCE_MS = 120_000
"""A picture of a job that is not loaded after two minutes is given up with an error."""

_SWITCH_S = 0.0005
"""A worker gives way to the window this often; Python's usual 5 ms, waited for at each of Qt's calls, make a key slow."""


def run(
    paths: Sequence[Path],
    *,
    screenshot: Path | None = None,
    size: tuple[int, int] | None = None,
    theme: str | None = None,
    claim: int | None = None,
    scale: float | None = None,
) -> int:
    """Show the window until it is closed, or take a picture of it when everything is loaded; return the exit code."""
    application = _application(is_picture=screenshot is not None, scale=scale)
    window = _window(theme, size)
    if paths:
        window.open_paths([path.absolute() for path in paths])
    if screenshot is not None:
        _Picture(window, screenshot, claim).start()
    return application.exec()


def demo(
    *,
    screenshot: Path | None = None,
    size: tuple[int, int] | None = None,
    theme: str | None = None,
    claim: int | None = None,
    scale: float | None = None,
) -> int:
    """Show the window on a copy of the sample job; otherwise like `run`."""
    application = _application(is_picture=screenshot is not None, scale=scale)
    window = _window(theme, size)
    window.open_sample()
    if screenshot is not None:
        _Picture(window, screenshot, claim).start()
    return application.exec()


class _Picture(QObject):
    """Waits until the window shows what is to be seen, writes the picture and ends the program."""

    def __init__(self, window: MainWindow, file: Path, claim: int | None) -> None:
        super().__init__(window)
        self._window, self._file, self._claim = window, file, claim
        self._is_taken = False

    def start(self) -> None:
        """Begin to wait."""
        self._window.session.changed.connect(self._on_session_changed)
        QTimer.singleShot(_PATIENCE_MS, self, self._give_up)
        QTimer.singleShot(0, self, self._look)

    def _on_session_changed(self, changes: Changes) -> None:
        if Changes.FAULT in changes and self._window.session.fault is not None:
            self._fail(messages.describe(self._window.session.fault))
        else:
            QTimer.singleShot(0, self, self._look)

    def _look(self) -> None:
        session = self._window.session
        if self._is_taken or session.phase is Phase.LOADING or not session.is_settled:
            return
        self._is_taken = True
        if self._claim is not None:
            self._window.selection.select_claim(self._claim)
        self._window.bring_into_view()
        QTimer.singleShot(400, self, self._take)  # smooth scrolling and ribbons come to rest

    def _take(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        if not self._window.grab().save(str(self._file)):
            self._fail(f"{self._file}: the picture cannot be written. Choose another place or a name that ends in .png.")
            return
        QCoreApplication.exit(0)

    def _give_up(self) -> None:
        if not self._is_taken:
            self._fail("the job was not loaded in time for a picture")

    def _fail(self, reason: str) -> None:
        print(f"quoteview: {reason}", file=sys.stderr)
        QCoreApplication.exit(2)


def _application(*, is_picture: bool, scale: float | None) -> QApplication:
    if scale is not None:
        os.environ["QT_SCALE_FACTOR"] = str(scale)
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or sys.platform in ("win32", "darwin")
    if is_picture or not has_display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication([sys.argv[0]])
    application.setApplicationName("quoteview")
    application.setApplicationDisplayName("quoteview")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("quoteview")
    application.setWindowIcon(QIcon(str(resource("icons/quoteview.svg"))))
    application.setStyle("Fusion")
    sys.setswitchinterval(_SWITCH_S)
    _translate(application)
    _log(application)
    return application


def _window(theme: str | None, size: tuple[int, int] | None) -> MainWindow:
    settings = Settings(parent=QCoreApplication.instance())
    kind = theme or settings.theme
    chosen = Theme(ThemeKind(kind) if kind in list(ThemeKind) else ThemeKind.SYSTEM, settings.text_percent, settings)
    chosen.apply()
    session = Session(settings, settings)
    _calm_collector(session)
    window = MainWindow(session, settings, chosen)
    if size is not None:
        window.resize(*size)
    window.show()
    return window


def _calm_collector(session: Session) -> None:
    """Keep Python's garbage collector off a job's millions of values, which hold no cycles.

    Looking through them stops the window for a tenth of a second at a time with a job of ten hours.
    """
    gc.set_threshold(20_000, 20, 50)

    def on_changed(changes: Changes) -> None:
        if Changes.JOB in changes:
            gc.unfreeze()
            if session.phase is Phase.READY:
                gc.freeze()

    session.changed.connect(on_changed)


def _translate(application: QApplication) -> None:
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for name, place in (("qtbase", folder), ("quoteview", str(Path(__file__).parent.parent / "resources" / "translations"))):
        translator = QTranslator(application)
        if translator.load(QLocale(), name, "_", place):
            application.installTranslator(translator)


def _log(application: QApplication) -> None:
    if not any(isinstance(handler, logging.handlers.RotatingFileHandler) for handler in _LOG.handlers):
        place = log_file()
        place.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(place, maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        _LOG.addHandler(handler)

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            application.quit()
            return
        _LOG.error("unexpected error", exc_info=(kind, error, trace))
        window = next((top for top in application.topLevelWidgets() if isinstance(top, MainWindow)), None)
        if window is not None and isinstance(error, Exception):
            messages.show_error(error, window)

    sys.excepthook = on_exception

    def on_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        # The offscreen platform says of each dialog that it cannot fix sizes; nobody can act on that.
        if "does not support propagateSizeHints" not in message:
            _LOG.log(_QT_LEVELS.get(kind, logging.WARNING), "Qt: %s", message)

    qInstallMessageHandler(on_message)
