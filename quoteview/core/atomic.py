"""Writes that survive a power cut: the old file or the new one, never something in between.

A file is written beside its target, flushed and synced to the disk, and put in the target's place in one
step; then the folder is synced, where the system has that. Shares that refuse to sync (EINVAL, ENOTSUP)
give what they can. A scanner that holds the file for a moment, as on Windows, is waited for. On failure
the temporary file is removed and the old one stands as it was.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quoteview.core.errors import StoreError

TEMPORARY = ".qv-tmp-"
"""How temporary files' names begin; whatever is so named was left by a crash and means nothing."""

_WAITS = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Seconds between the tries while another program holds the file: a virus scanner lets go within some hundredths."""

_CANNOT_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
_CANNOT_SYNC_FOLDER = _CANNOT_SYNC | {errno.EACCES, errno.EPERM, errno.EBADF, errno.EISDIR}


def _unlink(path: Path) -> None:
    path.unlink()


def _chmod(path: Path, mode: int) -> None:
    path.chmod(mode)


def _replace(source: Path, target: Path) -> None:
    source.replace(target)


def _truncate(descriptor: int, size: int) -> None:
    os.ftruncate(descriptor, size)


@dataclass(frozen=True, slots=True)
class FileSystem:
    """The operating system's functions that writing needs; tests hand in ones that fail."""

    open: Callable[[Path, int, int], int] = os.open
    write: Callable[[int, bytes], int] = os.write
    fsync: Callable[[int], None] = os.fsync
    close: Callable[[int], None] = os.close
    truncate: Callable[[int, int], None] = _truncate
    replace: Callable[[Path, Path], None] = _replace
    unlink: Callable[[Path], None] = _unlink
    chmod: Callable[[Path, int], None] = _chmod
    sleep: Callable[[float], None] = time.sleep


def write_atomic(path: Path, data: bytes, *, mode: int | None = None, files: FileSystem | None = None) -> None:
    """Put data in the file's place, durable on return; raises `StoreError`, and then the old file is untouched.

    The target of a symbolic link is replaced, not the link. The file keeps its mode unless `mode` gives one.
    """
    files = files or FileSystem()
    target = Path(os.path.realpath(path))
    folder = target.parent
    temporary = folder / (TEMPORARY + secrets.token_hex(8))
    try:
        kept = _mode_of(target) if mode is None else mode
        _write_new(temporary, data, files)
        if kept is not None:
            files.chmod(temporary, kept)
        _replace_patiently(temporary, target, files)
    except OSError as error:
        _remove(temporary, files)
        raise store_error(path, error) from error
    try:
        sync_folder(folder, files)
    except OSError as error:
        raise store_error(path, error) from error


def append_durably(path: Path, data: bytes, *, size: int, files: FileSystem | None = None) -> None:
    """Add data behind the first `size` bytes of a file, durable on return; what stood behind them is cut away.

    Raises `StoreError`, and then the file has `size` bytes again, as far as the system allows.
    """
    files = files or FileSystem()
    is_new = not path.exists()
    try:
        descriptor = files.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            files.truncate(descriptor, size)
            try:
                _write_all(descriptor, data, files)
                _sync(descriptor, files)
            except OSError:
                files.truncate(descriptor, size)
                raise
        finally:
            files.close(descriptor)
        if is_new:
            sync_folder(path.parent, files)
    except OSError as error:
        raise store_error(path, error) from error


def sync_folder(folder: Path, files: FileSystem) -> None:
    """Make a folder's new names durable, where the system has that."""
    try:
        descriptor = files.open(folder, os.O_RDONLY, 0)
    except OSError as error:
        if error.errno in _CANNOT_SYNC_FOLDER:
            return
        raise
    try:
        files.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC_FOLDER:
            raise
    finally:
        files.close(descriptor)


def store_error(path: Path, error: OSError) -> StoreError:
    """Return a system's error as a sentence with the way out."""
    place = str(path)
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return StoreError(place, "the disk is full", remedy="Make room and try again; the file is as it was.")
        case errno.EROFS:
            return StoreError(place, "the disk can only be read", remedy="Copy the job to a disk that can be written.")
        case errno.EACCES | errno.EPERM:
            return StoreError(
                place, "it may not be written", remedy="Close other programs that use it, or change its permissions."
            )
        case errno.ENOENT:
            return StoreError(place, "there is no such file or folder", remedy="Check the name and the folder.")
        case _:
            return StoreError(place, error.strerror or str(error), remedy="Try again, or copy the job to another disk.")


def _write_new(path: Path, data: bytes, files: FileSystem) -> None:
    descriptor = files.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        _write_all(descriptor, data, files)
        _sync(descriptor, files)
    finally:
        files.close(descriptor)


def _write_all(descriptor: int, data: bytes, files: FileSystem) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[files.write(descriptor, bytes(rest[: 1 << 24])) :]


def _sync(descriptor: int, files: FileSystem) -> None:
    try:
        files.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise


def _replace_patiently(source: Path, target: Path, files: FileSystem) -> None:
    for wait in _WAITS:
        try:
            files.replace(source, target)
            return
        except PermissionError:
            files.sleep(wait)
    files.replace(source, target)


def _mode_of(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _remove(path: Path, files: FileSystem) -> None:
    try:
        files.unlink(path)
    except OSError:
        return
