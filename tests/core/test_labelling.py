"""A label comes from the locked bytes alone: no edited job, no crash and no broken disk gives another."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from quoteview.cli import main
from quoteview.core.acts import ExceptionClass, Waive
from quoteview.core.atomic import TEMPORARY, FileSystem
from quoteview.core.captions.track import Origin
from quoteview.core.errors import JobError, QuoteviewError, StoreError, UsageError
from quoteview.core.importing import CaptionFile
from quoteview.core.job import with_act
from quoteview.core.labelling import LabelRefused, issue, keep, still_applies
from quoteview.core.new_job import new_track
from quoteview.core.rechecking import recheck
from quoteview.core.store import add_track, append_journal, open_job, save_bundle, save_job
from tests.bundles import AT, label, make_job, program, rebag, record, resolve, write_bag
from tests.corpus import DRAFT, webvtt

GOOD = {"draft.md": DRAFT.encode()}
RED = {"draft.md": DRAFT.replace("ships this size", "boats this size").encode()}
CAPTIONS = {"human.en.vtt": webvtt()}


def canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def write_journal(folder: Path, lines: list[bytes], *, is_recorded: bool) -> None:
    """Write a journal by hand; with `is_recorded` the job says that it is as long as that."""
    (folder / "journal.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    described = json.loads((folder / "job.json").read_bytes())
    if is_recorded:
        head = hashlib.sha256(lines[-1]).hexdigest() if lines else "0" * 64
        described["journal"] = {**described["journal"], "length": len(lines), "head": head}
        (folder / "job.json").write_text(json.dumps(described))


def closed(folder: Path) -> set[str]:
    """Return the closed gates of the first draft; the job's being unreadable is one as well."""
    try:
        issue(folder, 0, "Ada", at=AT)
    except LabelRefused as refused:
        return {str(gate.name) for gate in refused.gates}
    except QuoteviewError as error:
        return {type(error).__name__}
    return set()


# Jobs that were edited by hand.


def test_an_honest_job_is_labelled_and_a_red_one_is_not(tmp_path: Path) -> None:
    assert closed(make_job(tmp_path / "good", CAPTIONS, GOOD)) == set()
    assert closed(make_job(tmp_path / "red", CAPTIONS, RED)) == {"quotes"}


def test_verdicts_and_labels_written_into_the_job_decide_nothing(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    described = json.loads((folder / "job.json").read_bytes())
    for more in ({"verdicts": ["exact"] * 4}, {"label": "verified"}, {"gates": {"quotes": {"open": True}}}):
        (folder / "job.json").write_text(json.dumps({**described, **more}))
        assert closed(folder)


def test_a_track_changed_with_its_digest_written_anew_is_judged_by_its_bytes(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    file = folder / "tracks" / "en.human.vtt"
    changed = file.read_bytes().replace(b"ships", b"boats")
    file.chmod(0o644)
    file.write_bytes(changed)
    assert "lock" in closed(folder)
    text = (folder / "job.json").read_text().replace(hashlib.sha256(webvtt()).hexdigest(), hashlib.sha256(changed).hexdigest())
    (folder / "job.json").write_text(text)
    assert "lock" in closed(folder)
    (folder / "manifest-sha256.txt").write_text(f"{hashlib.sha256(changed).hexdigest()}  tracks/en.human.vtt\n")
    assert closed(folder) == {"quotes"}


def leaves(value: object, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of every key and element of a JSON document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield (*place, key)
        yield from leaves(each, (*place, key))


def holder(document: object, place: tuple[str | int, ...]) -> dict[str | int, object]:
    for key in place[:-1]:
        document = cast(dict[str | int, object], document)[key]
    return cast(dict[str | int, object], document)


def supported(folder: Path) -> bool:
    """Return whether a job gives no label, or one that both checks find in the bundle's bytes."""
    try:
        _, place = label(folder)
    except QuoteviewError:
        return True
    checked(place)
    return recheck(place).holds


FORGED: tuple[object, ...] = (
    None,
    True,
    0,
    10**12,
    "",
    "x",
    "en.automatic",
    "translated",
    "unicode_escape",
    "0" * 64,
    [],
    {},
    "\ud800",
)


def test_no_edit_of_any_field_of_the_job_gives_a_label_that_the_bytes_do_not_support(tmp_path: Path) -> None:
    captions = {**CAPTIONS, "automatic.en.vtt": webvtt().replace(b"pilots", b"pirates")}
    folder = make_job(tmp_path / "job", captions, RED)
    resolve(folder, ["The harbour was never meant to hold boats this size"], exception=ExceptionClass.WORDING, reason="x")
    described = (folder / "job.json").read_bytes()
    for number, place in enumerate(leaves(json.loads(described))):
        changed = json.loads(described)
        holder(changed, place)[place[-1]] = FORGED[number % len(FORGED)]
        (folder / "job.json").write_text(json.dumps(changed))
        journal = (folder / "journal.jsonl").read_bytes()
        assert supported(folder), place
        (folder / "journal.jsonl").write_bytes(journal)
    (folder / "job.json").write_bytes(described)
    assert closed(folder) == set()


def test_a_key_of_the_job_that_is_not_known_is_refused_and_never_passed_over_for_its_default(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    described = (folder / "job.json").read_bytes()
    document = json.loads(described)
    for place in leaves(document):
        if isinstance(place[-1], str):
            changed = json.loads(described)
            table = holder(changed, place)
            table[place[-1] + "x"] = table.pop(place[-1])
            (folder / "job.json").write_text(json.dumps(changed))
            assert closed(folder) == {"JobError"}, place


def test_a_job_written_before_a_key_was_known_is_read_with_its_default(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    document = json.loads((folder / "job.json").read_bytes())
    for key in ("policy", "media"):
        del document[key]
    del document["tracks"][0]["copy_of"]
    (folder / "job.json").write_text(json.dumps(document))
    assert closed(folder) == set()


def test_no_edit_of_any_field_of_the_journal_gives_a_label_that_the_bytes_do_not_support(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    resolve(folder, ["The harbour was never meant to hold boats this size"], exception=ExceptionClass.WORDING, reason="x")
    record(folder, Waive("fr.human", "not needed"))
    described, lines = (folder / "job.json").read_bytes(), (folder / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    for at, line in enumerate(lines):
        for number, place in enumerate(leaves(json.loads(line))):
            entry = json.loads(line)
            holder(entry, place)[place[-1]] = FORGED[number % (len(FORGED) - 1)]
            for basis in entry["claims"] if isinstance(entry.get("claims"), list) else ():
                if isinstance(basis, dict):
                    rest = {key: value for key, value in basis.items() if key != "sha256"}
                    basis["sha256"] = hashlib.sha256(canonical(rest)).hexdigest()
            forged = [*lines[:at], canonical(entry)]
            for following in lines[at + 1 :]:
                chained = {**json.loads(following), "previous": hashlib.sha256(forged[-1]).hexdigest()}
                forged.append(canonical(chained))
            (folder / "job.json").write_bytes(described)
            write_journal(folder, forged, is_recorded=True)
            assert supported(folder), (at, place)


def test_a_line_of_the_journal_with_another_key_or_in_another_form_closes_the_lock(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    resolve(folder, ["The harbour was never meant to hold boats this size"], exception=ExceptionClass.OTHER, reason="x")
    line = (folder / "journal.jsonl").read_bytes().rstrip(b"\n")
    entry = json.loads(line)
    renamed = {("notes" if key == "note" else key): value for key, value in entry.items()}
    fewer = {key: value for key, value in entry.items() if key != "note"}
    spaced = json.dumps(entry, ensure_ascii=False, sort_keys=True).encode()
    for forged in (canonical({**entry, "more": 1}), canonical(renamed), canonical(fewer), spaced, line + b" ", b" " + line):
        write_journal(folder, [forged], is_recorded=True)
        assert "lock" in closed(folder), forged
    write_journal(folder, [line], is_recorded=True)
    assert closed(folder) == set()


def test_any_byte_flipped_in_the_manifest_closes_the_lock(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    manifest = folder / "manifest-sha256.txt"
    whole = manifest.read_bytes()
    opened = open_job(folder)
    for at in range(len(whole)):
        manifest.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert open_job(folder).material.manifest_defects, at
    for changed in (b"", whole + whole[:-1], whole[:-1], whole.upper(), whole + b"x\n", whole.replace(b"\n", b"\r\n")):
        manifest.write_bytes(changed)
        assert "lock" in closed(folder), changed
        with pytest.raises(StoreError, match="manifest"):
            save_job(folder, opened.job)
    manifest.unlink()
    assert "lock" in closed(folder)
    manifest.write_bytes(whole)
    assert closed(folder) == set()


def test_a_line_that_a_crash_left_in_the_manifest_for_a_file_that_no_track_names_is_no_damage(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    manifest = folder / "manifest-sha256.txt"
    whole = manifest.read_bytes()
    manifest.write_bytes(whole + b"0" * 64 + b"  tracks/de.human.vtt\n")
    assert closed(folder) == set()
    save_job(folder, open_job(folder).job)
    assert manifest.read_bytes() == whole


@pytest.mark.parametrize("is_recorded", [False, True])
def test_a_resolution_for_other_words_resolves_nothing_whether_the_chain_is_made_anew_or_not(
    tmp_path: Path, is_recorded: bool
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    resolve(folder, ["nobody told the pilots"], exception=ExceptionClass.OTHER, reason="x")
    entry = json.loads((folder / "journal.jsonl").read_bytes())
    entry["claims"][0]["text"] = "The harbour was never meant to hold boats this size"
    write_journal(folder, [canonical(entry)], is_recorded=is_recorded)
    assert closed(folder)
    basis = {key: value for key, value in entry["claims"][0].items() if key != "sha256"}
    entry["claims"][0]["sha256"] = hashlib.sha256(canonical(basis)).hexdigest()
    write_journal(folder, [canonical(entry)], is_recorded=is_recorded)
    assert "quotes" in closed(folder) or "lock" in closed(folder)


def test_a_line_added_by_hand_without_the_recorded_length_closes_the_lock(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    resolve(folder, ["The harbour was never meant to hold boats this size"], exception=ExceptionClass.OTHER, reason="x")
    line = (folder / "journal.jsonl").read_bytes().rstrip(b"\n")
    write_journal(folder, [], is_recorded=True)
    write_journal(folder, [line], is_recorded=False)
    assert "lock" in closed(folder)


def test_an_accepting_line_forged_whole_is_what_a_person_could_have_written_and_shows_as_an_exception_by_that_name(
    tmp_path: Path,
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    claim = "The harbour was never meant to hold boats this size"
    resolve(folder, [claim], exception=ExceptionClass.OTHER, reason="x")
    entry = json.loads((folder / "journal.jsonl").read_bytes())
    entry["by"], entry["reason"] = "Somebody Else", "Never asked."
    write_journal(folder, [canonical(entry)], is_recorded=True)
    issued, place = label(folder)
    assert issued.statement.label_words == "verified with 1 exception"
    page = issued.files["data/report.html"].decode()
    assert "Somebody Else" in page and "Never asked." in page
    assert recheck(place).holds


def test_a_label_written_into_the_journal_is_no_bundle(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, RED)
    entry = {
        "kind": "label", "label": "verified", "statement_sha256": "0" * 64, "draft_sha256": "0" * 64, "bundle": "bundles/x",
        "previous": "0" * 64, "at": AT, "by": "Ada", "track": "", "draft": "",
    }  # fmt: skip
    write_journal(folder, [canonical(entry)], is_recorded=True)
    assert closed(folder) == {"quotes"}


# What is bound.


def test_a_label_is_about_these_bytes_of_the_draft_and_no_others(tmp_path: Path) -> None:
    issued, _ = label(make_job(tmp_path / "job", CAPTIONS, GOOD))
    assert still_applies(issued.statement, GOOD["draft.md"])
    assert not still_applies(issued.statement, GOOD["draft.md"] + b" ")


def test_a_label_needs_a_name_and_a_draft_that_is_there(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    with pytest.raises(UsageError, match="name"):
        issue(folder, 0, "  ")
    with pytest.raises(UsageError, match="draft number 2"):
        issue(folder, 1, "Ada")


def test_the_journal_records_the_label_and_the_bundle_holds_the_entries_before_it(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    issued, place = label(folder)
    entry = json.loads((folder / "journal.jsonl").read_bytes())
    assert (entry["kind"], entry["bundle"]) == ("label", f"bundles/{place.name}")
    assert entry["statement_sha256"] == hashlib.sha256(issued.files["data/statement.json"]).hexdigest()
    assert issued.files["data/journal.jsonl"] == b""
    assert issued.sha256 == hashlib.sha256((place / "tagmanifest-sha256.txt").read_bytes()).hexdigest()


# Signatures.


@pytest.fixture
def key(tmp_path: Path) -> Path:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not on this machine")
    place = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada@example.org", "-f", str(place)], check=True)
    return place


def test_a_signed_label_is_verified_by_both_checks_and_by_the_standard_tool(tmp_path: Path, key: Path) -> None:
    issued, place = label(make_job(tmp_path / "job", CAPTIONS, GOOD), key=key)
    assert issued.statement.sentence.endswith(", signed.")
    assert recheck(place).problems == ()
    assert program().recheck(place, lambda line: None) == []
    allowed = tmp_path / "allowed"
    allowed.write_text(f"ada@example.org {key.with_suffix('.pub').read_text()}")
    command = ["ssh-keygen", "-Y", "verify", "-f", str(allowed), "-I", "ada@example.org", "-n", "quoteview", "-s"]
    signature = place / "data" / "statement.json.sig"
    stated = (place / "data" / "statement.json").read_bytes()
    assert subprocess.run([*command, str(signature)], input=stated, capture_output=True, check=False).returncode == 0
    assert subprocess.run([*command, str(signature)], input=stated + b" ", capture_output=True, check=False).returncode != 0


def test_a_signature_that_is_changed_missing_or_anothers_is_refused_by_both(tmp_path: Path, key: Path) -> None:
    issued, _ = label(make_job(tmp_path / "job", CAPTIONS, GOOD), key=key)
    name = "data/statement.json.sig"
    files = dict(issued.files)
    middle = len(files[name]) // 2
    changed = files[name][:middle] + bytes([files[name][middle] ^ 1]) + files[name][middle + 1 :]
    other, _ = label(make_job(tmp_path / "other", CAPTIONS, {"draft.md": GOOD["draft.md"] + b"\nMore.\n"}), key=key)
    forged = [
        {**files, name: changed},
        {key: data for key, data in files.items() if key != name},
        {**files, name: other.files[name]},
    ]
    for number, each in enumerate(forged):
        place = write_bag(tmp_path / f"forged-{number}", rebag(each))
        assert not recheck(place).holds
        with pytest.raises(AssertionError):
            checked(place)


def test_without_a_key_it_says_unsigned(tmp_path: Path) -> None:
    issued, place = label(make_job(tmp_path / "job", CAPTIONS, GOOD))
    assert issued.statement.sentence.endswith(", unsigned.")
    assert not (place / "data" / "statement.json.sig").exists()


def checked(place: Path) -> None:
    """Raise AssertionError where the program refuses a bundle."""
    checker = program()
    try:
        problems = checker.recheck(place, lambda line: None)
    except checker.Refused as error:
        raise AssertionError(str(error)) from error
    assert problems == []


# Crashes and broken disks.


class Crash(BaseException):
    """The program ends here; nothing after it runs."""


def failing(at: int, error: BaseException) -> FileSystem:
    """Return the operating system's functions, of which the call number `at`, counted over all, fails."""
    calls = [0]

    def wrapped(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            calls[0] += 1
            if calls[0] == at:
                raise error
            return function(*arguments)

        return call

    whole = FileSystem()
    names = [each.name for each in dataclasses.fields(FileSystem) if each.name not in ("sleep", "unlink")]
    return dataclasses.replace(whole, **{name: wrapped(getattr(whole, name)) for name in names})  # type: ignore[arg-type]


def standing(folder: Path) -> list[str]:
    """Return the names of the bundles that stand in a job."""
    place = folder / "bundles"
    return sorted(each.name for each in place.iterdir() if not each.name.startswith(TEMPORARY)) if place.is_dir() else []


def test_a_crash_at_any_step_of_writing_a_bundle_leaves_no_half_one(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    issued = issue(folder, 0, "Ada", at=AT)
    step = 0
    while True:
        step += 1
        try:
            place = save_bundle(folder, f"bundle-{step}", issued.files, files=failing(step, Crash()))
        except Crash:
            assert all(recheck(folder / "bundles" / name).holds for name in standing(folder))
            continue
        break
    assert step > 20
    assert recheck(place).holds
    assert closed(folder) == set()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_full_or_locked_disk_at_any_step_of_a_label_is_said_and_leaves_no_half_bundle(tmp_path: Path, number: int) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    issued = issue(folder, 0, "Ada", at=AT)
    for step in count(1):
        try:
            save_bundle(folder, f"bundle-{step}", issued.files, files=failing(step, OSError(number, os.strerror(number))))
        except StoreError as said:
            assert f"bundle-{step}" in str(said)
            assert all(recheck(folder / "bundles" / name).holds for name in standing(folder))  # it fails after the last step too
        else:
            break
        assert [each for each in (folder / "bundles").iterdir() if each.name.startswith(TEMPORARY)] == []
    assert step > 20
    assert closed(folder) == set()


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_a_share_that_refuses_to_sync_still_takes_entries_and_a_bundle(tmp_path: Path, number: int) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(number, "no sync here")

    files = dataclasses.replace(FileSystem(), fsync=refuse)
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    before = open_job(folder).job
    after = with_act(before, Waive("fr.human", "not needed"), by="Ada", at=AT)
    append_journal(folder, before, after, files=files)
    place = save_bundle(folder, "bundle", issue(folder, 0, "Ada", at=AT).files, files=files)
    assert recheck(place).holds
    assert open_job(folder).job.journal.length == 1


@pytest.mark.parametrize("error", [Crash(), OSError(errno.ENOSPC, "full")])
def test_a_further_track_that_is_cut_off_at_any_step_breaks_no_lock_and_can_be_added_again(
    tmp_path: Path, error: BaseException
) -> None:
    for step in count(1):
        folder = make_job(tmp_path / str(step), CAPTIONS, GOOD)
        job = open_job(folder).job
        file = CaptionFile("auto.vtt", webvtt().replace(b"pilots", b"pirates"), Origin.AUTOMATIC, "en")
        further = new_track(file, job.tracks, at=AT)
        try:
            add_track(folder, job, further, file.data, files=failing(step, error))
        except (Crash, StoreError):
            assert closed(folder) == set(), step
            again = open_job(folder).job
            if again.track(further.id) is None:
                add_track(folder, again, further, file.data)
        assert closed(folder) == set(), step
        assert len(open_job(folder).job.locked) == 2
        if (folder / "manifest-sha256.txt").read_bytes().count(b"\n") == 2 and step > 12:
            break
    assert step > 12


HOLD = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from quoteview.core.store import JobLock
with JobLock.take(Path({folder!r})):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_while_another_process_has_the_job_no_label_is_written_into_it_and_afterwards_one_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    source = HOLD.format(root=str(Path(__file__).parents[2]), folder=str(folder))
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert main(["label", str(folder), "--by", "Ada", "-q"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert standing(folder) == []
        other.stdin.close()
    assert main(["label", str(folder), "--by", "Ada", "-q"]) == 0
    assert len(standing(folder)) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="a folder is not read-only for this user")
def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    issued = issue(folder, 0, "Ada", at=AT)
    folder.chmod(0o555)
    try:
        with pytest.raises(StoreError):
            keep(folder, issued)
    finally:
        folder.chmod(0o755)


LOOP = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.bundles import label, resolve
from quoteview.core.acts import ExceptionClass
from quoteview.core.store import open_job, save_draft
folder = Path({folder!r})
text = (folder / "drafts" / "draft.md").read_text()
text, _, number = text.partition("<!-- saved ")
number = int(number[:8] or 0)
while True:
    number += 1
    save_draft(folder, open_job(folder).job, 0, (text + f"<!-- saved {{number:08}} -->\\n").encode())
    print("done", f"saved-{{number:08}}", flush=True)
    digest = resolve(folder, [{claim!r}], exception=ExceptionClass.OTHER, reason=f"reason {{number}}")
    print("done", digest, flush=True)
    if number % 2 == 0:
        print("done", label(folder)[1].name, flush=True)
"""
KILLS = int(os.environ.get("QUOTEVIEW_KILLS", "6"))
EACH_JOB = 50
"""A job is worked on until it was killed so often; then another is made, for a journal without end only makes it slow."""


def killed(source: str, folder: Path, draw: random.Random) -> list[str]:
    """Let a program work on a job, kill it at a drawn moment, and return what it had said was done."""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(draw.randrange(1, 6))]
        # The moment is counted in readings of a file, up to about as long as a bundle takes to be written.
        for _ in range(int(6_000 * draw.random() ** 3)):
            (folder / "job.json").read_bytes()
        child.send_signal(signal.SIGKILL)
        said += child.stdout.read().splitlines()
    return [words[1] for line in said if len(words := line.split()) == 2 and words[0] == "done"]


@pytest.mark.skipif(os.name != "posix", reason="killing is another matter there")
def test_what_was_shown_as_done_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    for first in range(0, KILLS, EACH_JOB):
        folder = make_job(tmp_path / f"job-{first}", CAPTIONS, RED)
        claim = "The harbour was never meant to hold boats this size"
        source = LOOP.format(root=str(Path(__file__).parents[2]), folder=str(folder), claim=claim)
        done: set[str] = set()
        for kill in range(first, min(first + EACH_JOB, KILLS)):
            done.update(killed(source, folder, random.Random(kill)))
            opened = open_job(folder)
            kept = {hashlib.sha256(line).hexdigest() for line in opened.job.journal.lines}
            assert opened.job.journal.verify(opened.material.record) == (), kill
            assert opened.material.journal_defects == opened.material.manifest_defects == (), kill
            drafts = {name for name in done if name.startswith("saved-")}
            assert sorted(done - drafts - kept - set(standing(folder))) == [], kill
            draft = opened.material.drafts[0]
            assert isinstance(draft, bytes)
            text, _, saved = draft.decode().partition("<!-- saved ")
            assert (text, saved[8:]) == (RED["draft.md"].decode(), " -->\n"), kill
            assert f"saved-{saved[:8]}" >= max(drafts), kill
            assert all(recheck(folder / "bundles" / name).holds for name in standing(folder)[-2:]), kill
        shutil.rmtree(folder)


def test_a_job_that_is_none_gives_no_label(tmp_path: Path) -> None:
    folder = make_job(tmp_path / "job", CAPTIONS, GOOD)
    (folder / "job.json").write_bytes(b"{}")
    with pytest.raises(JobError):
        issue(folder, 0, "Ada")
