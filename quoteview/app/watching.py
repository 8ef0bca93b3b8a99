"""Watching files: says that a file may have been changed, replaced, removed or put back by another program.

A QFileSystemWatcher loses a file that is replaced by renaming another over it, as careful editors save.
The file's folder is therefore watched too, and the file is put under watch again whenever it is there.
What is told is only that it is time to look: whether the bytes differ is for the session to find out.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

_SETTLE_MS = 120
"""A save is several events within some milliseconds; one look afterwards is enough."""


class FileWatch(QObject):
    """Watches files by path. `touched` is emitted once things have settled, for files that may have changed."""

    touched = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files: frozenset[Path] = frozenset()
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._on_settled)
        self._watcher.fileChanged.connect(self._on_event)
        self._watcher.directoryChanged.connect(self._on_event)

    def watch(self, files: Iterable[Path]) -> None:
        """Watch these files from now on, and no others."""
        self._files = frozenset(files)
        wanted = {str(file) for file in self._files} | {str(file.parent) for file in self._files}
        gone = [path for path in [*self._watcher.files(), *self._watcher.directories()] if path not in wanted]
        if gone:
            self._watcher.removePaths(gone)
        self._watch_again()

    def _watch_again(self) -> None:
        known = {*self._watcher.files(), *self._watcher.directories()}
        wanted = {str(path) for file in self._files for path in (file, file.parent) if path.exists()}
        if missing := sorted(wanted - known):
            self._watcher.addPaths(missing)

    def _on_event(self, _path: str) -> None:
        if self._files:
            self._settle.start()

    def _on_settled(self) -> None:
        self._watch_again()
        self.touched.emit()
