from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from quoteview.core.acts import Acknowledge, Waive
from quoteview.core.atomic import TEMPORARY, FileSystem, write_atomic
from quoteview.core.captions.track import Origin
from quoteview.core.errors import JobError, LockBroken, StoreError
from quoteview.core.importing import CaptionFile, import_track
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, with_act
from quoteview.core.journal import Journal
from quoteview.core.locking import LockedSource, lock
from quoteview.core.store import (
    OpenedJob,
    add_draft,
    add_track,
    append_journal,
    create_job,
    is_job,
    lock_of_file,
    open_job,
    save_draft,
    save_job,
)

VTT = b"WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nthe harbour was frozen\n"
DRAFT = "“the harbour was frozen” (0:01)\r\n".encode()
AT = "2027-03-03T10:00:00Z"


class Killed(BaseException):
    """Stands for the process being killed: nothing of ours may catch it and carry on."""


def made(folder: Path) -> OpenedJob:
    """Return a new job of one track and one draft at `folder`."""
    track = import_track(CaptionFile("talk.vtt", VTT, Origin.HUMAN, "en"), [])
    job = Job("Talk", SourceRecord(), "en", (track.record,), (DraftRecord("drafts/a.md"),), Policy(), Journal())
    return create_job(folder, job, {track.record.id: VTT}, drafts={"drafts/a.md": DRAFT})


def acted(job: Job, reason: str = "seen") -> Job:
    """Return the job with one more entry."""
    return with_act(job, Acknowledge("order", (), reason), by="Ada", at=AT)


def failing(number: int, error: BaseException) -> FileSystem:
    """Return a file system whose call of this number, counted from 0 over writes, syncs, replacings and cuttings, fails."""
    calls = count()
    real = FileSystem()

    def guarded(name: str, call: Callable[..., object]) -> Callable[..., object]:
        def run(*given: object) -> object:
            if next(calls) == number:
                if name == "write" and isinstance(error, Killed):
                    half = bytes(given[1])[: len(bytes(given[1])) // 2]  # type: ignore[call-overload]
                    call(given[0], half)
                raise error
            return call(*given)

        return run

    return FileSystem(
        write=guarded("write", real.write),  # type: ignore[arg-type]
        fsync=guarded("fsync", real.fsync),  # type: ignore[arg-type]
        replace=guarded("replace", real.replace),  # type: ignore[arg-type]
        truncate=guarded("truncate", real.truncate),  # type: ignore[arg-type]
        sleep=lambda _: None,
    )


def left_behind(folder: Path) -> list[str]:
    """Return temporary names anywhere below a folder."""
    return [path.name for path in folder.rglob("*") if path.name.startswith(TEMPORARY)]


def test_a_job_comes_back_as_it_was_made(tmp_path: Path) -> None:
    created = made(tmp_path / "talk.quoteview")
    opened = open_job(tmp_path / "talk.quoteview")
    assert opened == replace(created, material=opened.material)
    source = opened.material.sources["en.human"]
    assert isinstance(source, LockedSource) and source.data == VTT
    assert opened.material.drafts == (DRAFT,)
    assert (opened.notes, opened.material.journal_defects) == ((), ())
    assert is_job(tmp_path / "talk.quoteview") and is_job(tmp_path / "talk.quoteview" / "job.json") and not is_job(tmp_path)
    assert open_job(tmp_path / "talk.quoteview" / "job.json").job == created.job


def test_a_job_can_be_copied_elsewhere(tmp_path: Path) -> None:
    made(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert open_job(tmp_path / "two").material.drafts == (DRAFT,)


def test_raw_files_are_read_only_and_the_manifest_is_one_that_sha256sum_takes(tmp_path: Path) -> None:
    made(tmp_path / "talk")
    assert stat.S_IMODE((tmp_path / "talk/tracks/en.human.vtt").stat().st_mode) == 0o444
    done = subprocess.run(["sha256sum", "--strict", "-c", "manifest-sha256.txt"], cwd=tmp_path / "talk", capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"tracks/en.human.vtt: OK\n")


def test_a_changed_byte_is_a_broken_lock_and_not_an_error(tmp_path: Path) -> None:
    made(tmp_path / "talk")
    track = tmp_path / "talk/tracks/en.human.vtt"
    for content in (VTT[:-2] + b"m\n", VTT + b"\n", VTT[:-1], b""):
        track.chmod(0o644)
        track.write_bytes(content)
        broken = open_job(tmp_path / "talk").material.sources["en.human"]
        assert isinstance(broken, LockBroken)
        assert broken.observed == lock(content, "").lock.sha256
    track.unlink()
    broken = open_job(tmp_path / "talk").material.sources["en.human"]
    assert isinstance(broken, LockBroken) and broken.observed == ""


def test_bytes_that_are_not_those_locked_make_no_job(tmp_path: Path) -> None:
    track = import_track(CaptionFile("talk.vtt", VTT, Origin.HUMAN, "en"), [])
    job = Job("", SourceRecord(), "", (track.record,), (), Policy(), Journal())
    with pytest.raises(LockBroken):
        create_job(tmp_path / "talk", job, {"en.human": VTT + b"x"})
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_half_written_where_making_a_job_fails(tmp_path: Path) -> None:
    track = import_track(CaptionFile("talk.vtt", VTT, Origin.HUMAN, "en"), [])
    job = Job("", SourceRecord(), "", (track.record,), (DraftRecord("drafts/a.md"),), Policy(), Journal())
    failures = 0
    for number in count():
        files = failing(number, OSError(errno.ENOSPC, "No space left on device"))
        target = tmp_path / "deep" / f"{number}.quoteview"
        try:
            create_job(target, job, {"en.human": VTT}, drafts={"drafts/a.md": DRAFT}, files=files)
        except StoreError as error:
            assert "the disk is full" in str(error)
            failures += 1
        else:
            break
        if not target.exists():
            assert list(tmp_path.iterdir()) == []
        else:
            open_job(target)
            shutil.rmtree(tmp_path / "deep")
    assert failures > 10


def test_a_job_is_never_made_over_something(tmp_path: Path) -> None:
    made(tmp_path / "talk")
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/kept").write_bytes(b"x")
    for name in ("talk", "file", "folder"):
        with pytest.raises(StoreError, match="there already"):
            made(tmp_path / name)
    (tmp_path / "empty").mkdir()
    made(tmp_path / "empty")


def test_entries_are_on_disk_when_append_returns(tmp_path: Path) -> None:
    job = made(tmp_path / "talk").job
    for number in range(3):
        after = acted(job, f"reason {number}")
        append_journal(tmp_path / "talk", job, after)
        job = after
    opened = open_job(tmp_path / "talk")
    assert opened.job == job
    assert opened.job.journal.verify(opened.material.record) == ()
    assert opened.material.record == job.journal.record


def test_a_kill_at_any_moment_loses_nothing_recorded_and_looks_like_no_tampering(tmp_path: Path) -> None:
    kills = 0
    for number in count():
        folder = tmp_path / str(number)
        before = made(folder).job
        recorded = acted(before, "recorded")
        append_journal(folder, before, recorded)
        after = acted(acted(recorded, "second"), "third")
        try:
            append_journal(folder, recorded, after, files=failing(number, Killed()))
        except Killed:
            kills += 1
        else:
            break
        opened = open_job(folder)
        lines = opened.job.journal.lines
        assert opened.job.journal.verify(opened.material.record) == () and opened.material.journal_defects == ()
        assert lines == after.journal.lines[: len(lines)] and len(lines) >= 1
        save_job(folder, opened.job)
        assert open_job(folder).job == opened.job and open_job(folder).material.journal_defects == ()
        again = acted(opened.job, "after the crash")
        append_journal(folder, opened.job, again)
        assert open_job(folder).job.journal == again.journal
        assert open_job(folder).material.journal_defects == ()
    assert kills > 6


def test_a_full_disk_leaves_the_journal_as_it_was_and_the_next_try_succeeds(tmp_path: Path) -> None:
    failures = 0
    for number in count():
        folder = tmp_path / str(number)
        before = made(folder).job
        after = acted(before)
        try:
            append_journal(folder, before, after, files=failing(number, OSError(errno.ENOSPC, "full")))
        except StoreError:
            failures += 1
        else:
            break
        opened = open_job(folder)
        assert opened.job.journal.verify(opened.material.record) == () and opened.material.journal_defects == ()
        if opened.job.journal.length == 0:
            append_journal(folder, before, after)
        assert open_job(folder).job.journal == after.journal
    assert failures > 5


def test_a_journal_changed_on_disk_is_seen_and_no_entry_covers_it(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    before = made(folder).job
    job = acted(acted(before, "one"), "two")
    append_journal(folder, before, job)
    journal = folder / "journal.jsonl"
    whole = journal.read_bytes()
    for damaged in (
        whole.replace(b"one", b"1ne"),
        whole.replace(b"two", b"2wo"),
        whole[: whole.index(b"\n") + 1],
        b"",
        whole[:-1],
        whole + b"{}\n",
    ):
        journal.write_bytes(damaged)
        opened = open_job(folder)
        assert opened.job.journal.verify(opened.material.record) or opened.material.journal_defects
        for known in (opened.job, job):
            with pytest.raises(StoreError):
                append_journal(folder, known, acted(known))
            with pytest.raises(StoreError):
                save_job(folder, known)
        assert journal.read_bytes() == damaged
    journal.unlink()
    opened = open_job(folder)
    assert opened.job.journal.verify(opened.material.record)


def test_what_another_window_wrote_is_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    append_journal(folder, job, acted(job, "theirs"))
    with pytest.raises(StoreError, match="another program wrote to the journal"):
        append_journal(folder, job, acted(job, "ours"))
    assert [entry.by for entry in open_job(folder).job.journal.entries] == ["Ada"]


def test_an_entry_can_only_be_added() -> None:
    job = acted(Job("", SourceRecord(), "", (), (), Policy(), Journal()))
    with pytest.raises(ValueError, match="only ever added"):
        append_journal(Path("nowhere"), job, replace(job, journal=Journal()))


def test_a_further_track_is_locked_and_listed_in_the_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    other = import_track(CaptionFile("b.vtt", VTT + b"\n", Origin.AUTOMATIC, "en"), ["en.human"])
    job = add_track(folder, job, other.record, other.source.data)
    assert open_job(folder).job == job
    assert subprocess.run(["sha256sum", "--quiet", "-c", "manifest-sha256.txt"], cwd=folder).returncode == 0
    stray = import_track(CaptionFile("c.vtt", VTT + b"\n\n", Origin.AUTOMATIC, "fr"), [])
    (folder / "tracks/fr.automatic.vtt").write_bytes(b"left by a crash")
    assert open_job(folder).job != add_track(folder, job, stray.record, stray.source.data)
    assert isinstance(open_job(folder).material.sources["fr.automatic"], LockedSource)
    clash = replace(other.record, id="en.automatic-9", lock=lock(b"else", "tracks/en.human.vtt").lock)
    with pytest.raises(StoreError, match="another track's file has this name"):
        add_track(folder, job, clash, b"else")


def test_drafts_are_copied_under_free_and_safe_names_or_linked(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    outside = tmp_path / "a.md"
    outside.write_bytes(b"other\r\n")
    job = add_draft(folder, job, outside)
    assert job.drafts[1].path == "drafts/a-2.md"
    job = add_draft(folder, job, outside, is_copied=False)
    assert job.drafts[2].path == str(outside)
    strange = tmp_path / "con.md"
    strange.write_bytes(b"x")
    job = add_draft(folder, job, strange)
    assert job.drafts[3].path == "drafts/_con.md"
    assert open_job(folder).material.drafts == (DRAFT, b"other\r\n", b"other\r\n", b"x")


def test_open_then_save_of_a_draft_changes_no_byte(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    for content in (DRAFT, b"", b"\xef\xbb\xbfa\r\nb\rc\n\x00", "\ud7ff\u2028x".encode(), os.urandom(5_000)):
        save_draft(folder, job, 0, content)
        assert open_job(folder).material.drafts == (content,)
        assert (folder / "drafts/a.md").read_bytes() == content


def test_a_draft_that_another_program_changed_is_not_overwritten_unasked(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    known = lock(DRAFT, "").lock.sha256
    save_draft(folder, job, 0, b"ours", expected_sha256=known)
    with pytest.raises(StoreError, match="another program changed"):
        save_draft(folder, job, 0, b"ours again", expected_sha256=known)
    (folder / "drafts/a.md").unlink()
    with pytest.raises(StoreError):
        save_draft(folder, job, 0, b"ours again", expected_sha256=known)
    assert isinstance(open_job(folder).material.drafts[0], StoreError)


def test_a_read_only_draft_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    (folder / "drafts/a.md").chmod(0o444)
    with pytest.raises(StoreError, match="read-only"):
        save_draft(folder, job, 0, b"ours")
    assert (folder / "drafts/a.md").read_bytes() == DRAFT


def test_what_a_crash_left_lying_about_is_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    created = made(folder)
    (folder / f"{TEMPORARY}0123").write_bytes(b"half")
    (folder / "tracks" / f"{TEMPORARY}0123").write_bytes(b"half")
    assert open_job(folder).job == created.job


def test_what_is_no_job_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_bytes(b"x")
    for name in ("empty", "missing", "file"):
        with pytest.raises(StoreError):
            open_job(tmp_path / name)
    folder = tmp_path / "talk"
    made(folder)
    (folder / "job.json").write_bytes(b"{}")
    with pytest.raises(JobError):
        open_job(folder)


def test_a_large_files_lock_is_the_one_of_its_bytes(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    (tmp_path / "talk.m4a").write_bytes(content)
    assert lock_of_file(tmp_path / "talk.m4a", "media/talk.m4a") == lock(content, "media/talk.m4a").lock


def test_the_old_file_stands_where_a_write_fails_at_any_step(tmp_path: Path) -> None:
    target = tmp_path / "file"
    for code, words in ((errno.ENOSPC, "full"), (errno.EROFS, "only be read"), (errno.EIO, "")):
        failures = 0
        for number in count():
            target.write_bytes(b"old")
            try:
                write_atomic(target, b"new", files=failing(number, OSError(code, os.strerror(code))))
            except StoreError as error:
                assert words in str(error)
                failures += 1
                assert target.read_bytes() in (b"old", b"new")
                assert left_behind(tmp_path) == []
            else:
                break
        assert failures >= 4 and target.read_bytes() == b"new"


def test_a_kill_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "file"
    for number in range(5):
        target.write_bytes(b"old")
        try:
            write_atomic(target, b"newer", files=failing(number, Killed()))
        except Killed:
            assert target.read_bytes() in (b"old", b"newer")


def test_a_file_that_a_scanner_holds_is_waited_for_and_not_for_ever(tmp_path: Path) -> None:
    waits: list[float] = []
    real = FileSystem()

    def held(source: Path, target: Path) -> None:
        if len(waits) < 3:
            raise PermissionError(errno.EACCES, "in use")
        real.replace(source, target)

    write_atomic(tmp_path / "file", b"new", files=FileSystem(replace=held, sleep=waits.append))
    assert (tmp_path / "file").read_bytes() == b"new" and len(waits) == 3

    def always(source: Path, target: Path) -> None:
        raise PermissionError(errno.EACCES, "in use")

    with pytest.raises(StoreError, match="may not be written"):
        write_atomic(tmp_path / "file", b"newer", files=FileSystem(replace=always, sleep=waits.append))
    assert (tmp_path / "file").read_bytes() == b"new" and sum(waits) < 1 and left_behind(tmp_path) == []


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP])
def test_a_share_that_refuses_to_sync_is_written_all_the_same(tmp_path: Path, code: int) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    write_atomic(tmp_path / "file", b"new", files=FileSystem(fsync=refuse))
    assert (tmp_path / "file").read_bytes() == b"new"
    folder = tmp_path / "talk"
    job = made(folder).job
    append_journal(folder, job, acted(job), files=FileSystem(fsync=refuse))
    assert open_job(folder).job.journal.length == 1


def test_a_link_keeps_pointing_and_a_file_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640


def test_short_writes_are_carried_on_with(tmp_path: Path) -> None:
    real = FileSystem()
    write_atomic(tmp_path / "file", bytes(range(256)), files=FileSystem(write=lambda fd, data: real.write(fd, data[:7])))
    assert (tmp_path / "file").read_bytes() == bytes(range(256))


def test_a_waiver_survives_with_its_reason_as_typed(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    job = made(folder).job
    after = with_act(job, Waive("en.automatic", "  “gone”\n "), by="Ada", at=AT)
    append_journal(folder, job, after)
    (entry,) = open_job(folder).job.journal.entries
    assert isinstance(entry.act, Waive) and entry.act.reason == "  “gone”\n "
