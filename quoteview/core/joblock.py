"""One window at a time works on a job: a lock file that names its owner and is not fooled by a crash.

The operating system's advisory lock on the file decides: it ends with the process, however that ends, so a
file left behind by a crash keeps nobody out. On a share without such locks the owner named in the file
decides: a process that no longer runs, or whose number another one has by now (its start differs), is no
owner. An owner on another computer cannot be asked and keeps the job.
"""

from __future__ import annotations

import contextlib
import errno
import getpass
import json
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from quoteview.core.door import fields_of
from quoteview.core.errors import JobError, StoreError
from quoteview.core.journal import utc_now

FILE = ".quoteview-lock"


class NotHeld(StoreError):
    """A job can't be had for writing: another window has it, or its folder takes no lock. It can be looked at all the same."""


Advisory = Callable[[int], bool | None]
"""Tries to lock an open file: True where it is ours now, False where another has it, None where the system cannot tell."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Who holds a job. `started` tells two processes of one number apart: the process's start in the system's own ticks."""

    pid: int
    host: str
    user: str
    started: str
    since: str

    @property
    def sentence(self) -> str:
        """The owner in words."""
        return f"{self.user or 'someone'} on {self.host}, process {self.pid}, since {self.since}"


def advisory_lock(descriptor: int) -> bool | None:
    """Lock an open file for this process by the system's own means."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES) else None
    return True


class JobLock:
    """Holds a job from `take` until `release`. A context manager."""

    __slots__ = ("_descriptor", "path")

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, folder: Path, *, advisory: Advisory = advisory_lock) -> JobLock:
        """Return the lock of a job's folder, or raise `NotHeld` that names who has it."""
        path = folder / FILE
        for _ in range(10):
            descriptor = _open(path)
            is_ours = advisory(descriptor)
            owner = _owner(descriptor, path)
            if is_ours is None:
                is_ours = owner is None or not is_running(owner)
            if not is_ours:
                os.close(descriptor)
                raise _held(folder, path, owner)
            if _is_same_file(descriptor, path):
                _write_owner(descriptor)
                return cls(path, descriptor)
            # The owner before us removed the file between our opening and locking it: that file is nobody's.
            os.close(descriptor)
        raise _held(folder, path, None)

    def release(self) -> None:
        """Let the job go; a second call does nothing."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        if sys.platform != "win32" and _is_same_file(descriptor, self.path):
            with contextlib.suppress(OSError):
                self.path.unlink()
        os.close(descriptor)
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                self.path.unlink()

    def __enter__(self) -> JobLock:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()


def this_process() -> Owner:
    """Return this process as an owner."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    return Owner(os.getpid(), socket.gethostname(), user, process_start(os.getpid()), utc_now())


def process_start(pid: int) -> str:
    """Return when a process started, in the system's own ticks; "" where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "surrogateescape").rpartition(")")[2].split()
        return fields[19]
    except (OSError, IndexError):
        return ""


def is_running(owner: Owner) -> bool:
    """Return whether an owner still runs; one on another computer is taken to run."""
    if owner.host != socket.gethostname() or sys.platform == "win32":
        return True
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    started = process_start(owner.pid)
    return not started or not owner.started or started == owner.started


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotHeld(
            str(path.parent), f"the job cannot be held for writing ({reason})", remedy="Open it read-only, or copy it elsewhere."
        ) from error


def _owner(descriptor: int, path: Path) -> Owner | None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    content = os.read(descriptor, 4096)
    try:
        fields = fields_of(content, str(path))
        return Owner(
            fields.integer("pid"), fields.text("host"), fields.text("user"), fields.text("started", ""), fields.text("since")
        )
    except JobError:
        return None


def _write_owner(descriptor: int) -> None:
    owner = this_process()
    content = {"pid": owner.pid, "host": owner.host, "user": owner.user, "started": owner.started, "since": owner.since}
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, json.dumps(content).encode("utf-8") + b"\n")


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _held(folder: Path, path: Path, owner: Owner | None) -> NotHeld:
    who = owner.sentence if owner else "another window"
    return NotHeld(
        str(folder),
        f"the job is open elsewhere: {who}",
        remedy=f"Close it there, or open it read-only. If nobody has it open, remove {path.name} in its folder.",
    )
