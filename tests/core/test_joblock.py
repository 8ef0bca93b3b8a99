from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from quoteview.core.errors import StoreError
from quoteview.core.joblock import FILE, JobLock, Owner, is_running, process_start, this_process


def unknown(descriptor: int) -> bool | None:
    """Stand for a share without advisory locks."""
    return None


def leave(folder: Path, owner: Owner) -> None:
    """Leave a lock file behind as a crashed owner does."""
    content = {"pid": owner.pid, "host": owner.host, "user": owner.user, "started": owner.started, "since": owner.since}
    (folder / FILE).write_text(json.dumps(content))


def test_a_second_window_is_told_who_has_the_job(tmp_path: Path) -> None:
    with JobLock.take(tmp_path), pytest.raises(StoreError, match=f"process {os.getpid()}"):
        JobLock.take(tmp_path)
    with JobLock.take(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_release_happens_once(tmp_path: Path) -> None:
    first = JobLock.take(tmp_path)
    first.release()
    second = JobLock.take(tmp_path)
    first.release()
    assert (tmp_path / FILE).exists()
    second.release()


@pytest.mark.parametrize("content", [b"", b"{", b"not json", b'{"pid":"x"}', b"\xff" * 5_000])
def test_a_file_left_in_any_state_keeps_nobody_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with JobLock.take(tmp_path):
        assert json.loads((tmp_path / FILE).read_bytes())["pid"] == os.getpid()


def test_a_killed_owner_keeps_nobody_out(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from quoteview.core.joblock import JobLock; "
        "held = JobLock.take(pathlib.Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match=f"process {other.pid}"):
            JobLock.take(tmp_path)
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert (tmp_path / FILE).exists()
    JobLock.take(tmp_path).release()


def test_without_advisory_locks_a_running_owner_keeps_the_job(tmp_path: Path) -> None:
    leave(tmp_path, this_process())
    with pytest.raises(StoreError, match="open elsewhere"):
        JobLock.take(tmp_path, advisory=unknown)


def test_without_advisory_locks_a_process_that_is_gone_or_another_of_its_number_does_not(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = this_process()
    for owner in (
        Owner(gone.pid, here.host, here.user, "1", here.since),
        Owner(here.pid, here.host, here.user, here.started + "9", here.since),
    ):
        leave(tmp_path, owner)
        JobLock.take(tmp_path, advisory=unknown).release()


def test_an_owner_on_another_computer_cannot_be_asked_and_keeps_the_job(tmp_path: Path) -> None:
    leave(tmp_path, Owner(1, "elsewhere", "ada", "1", "2027-03-03T10:00:00Z"))
    with pytest.raises(StoreError, match="ada on elsewhere"):
        JobLock.take(tmp_path, advisory=unknown)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be held"):
        JobLock.take(tmp_path / "missing")


def test_this_process_runs() -> None:
    assert is_running(this_process())
    assert process_start(os.getpid()) == this_process().started
    assert this_process().host == socket.gethostname()
