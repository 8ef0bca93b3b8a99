"""`quoteview new`, `add`, `tracks`, `check` and `selftest`, as a person and as a program use them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from quoteview import cli
from quoteview.core.resources import resource
from quoteview.core.sample import create_sample_job

VTT = b"""WEBVTT

00:01.000 --> 00:03.000
We measured the ridge twice,

00:03.000 --> 00:06.000
once with sonar and once from orbit.

00:10.000 --> 00:12.000
The two maps can't both be right.
"""
GREEN = "He said “once with sonar and once from orbit” [0:03] and left.\n"
RED = "He said “once with sonar and twice from orbit” [0:03] and left.\n"


@pytest.fixture
def captions(tmp_path: Path) -> Path:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    return file


def draft(tmp_path: Path, text: str, name: str = "draft.md") -> Path:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return file


def check(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, object]]:
    code = cli.main(["check", *map(str, arguments), "--json", "-q"])
    captured = capsys.readouterr()
    assert captured.err == ""
    (line,) = captured.out.splitlines()
    document: dict[str, object] = json.loads(line)
    return code, document


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    code = cli.main([*map(str, arguments), "-q"])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, ""), captured.err
    assert captured.err.count("\n") == 1 and "did not expect" not in captured.err, captured.err
    return captured.err


def only_claim(document: dict[str, object]) -> dict[str, object]:
    drafts = document["drafts"]
    assert isinstance(drafts, list)
    (claim,) = drafts[0]["claims"]
    assert isinstance(claim, dict)
    return claim


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- check of files -----------------------------------------------------------------------------


def test_all_green_files_are_allowed_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path
) -> None:
    file = draft(tmp_path, GREEN)
    before = tree(tmp_path)
    code, document = check(capsys, "--captions", f"{captions},origin=human,language=en", "--draft", file)
    assert (code, document["label"]) == (0, "allowed")
    assert only_claim(document)["verdict"] == "exact"
    assert tree(tmp_path) == before


def test_one_changed_word_blocks(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    code, document = check(capsys, "--captions", f"{captions},origin=human", "--draft", draft(tmp_path, RED))
    assert (code, document["label"]) == (1, "blocked")
    claim = only_claim(document)
    assert (claim["verdict"], claim["state"], claim["classes"]) == ("altered", "red", ["words"])


def test_an_origin_that_nobody_stated_closes_the_inventory(
    capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path
) -> None:
    code, document = check(capsys, "--captions", captions, "--draft", draft(tmp_path, GREEN))
    gates = document["gates"]
    assert isinstance(gates, dict)
    assert [name for name, gate in gates.items() if not gate["open"]] == ["inventory"]
    assert code == 1
    assert check(capsys, "--captions", f"{captions},origin=unknown", "--draft", draft(tmp_path, GREEN))[0] == 0


def test_document_has_the_keys_of_its_schema(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    _, document = check(capsys, "--captions", f"{captions},origin=human,language=en", "--draft", draft(tmp_path, RED))
    assert list(document) == ["schema", "quoteview", "label", "tolerance_ms", "reference", "tracks", "drafts", "gates"]
    gates, tracks, drafts = document["gates"], document["tracks"], document["drafts"]
    assert isinstance(gates, dict) and isinstance(tracks, list) and isinstance(drafts, list)
    assert list(gates) == ["lock", "inventory", "lossless", "order", "complete", "quotes", "checker"]
    assert sum(tracks[0]["ledger"].values()) == tracks[0]["bytes"] == len(VTT)
    assert tracks[0]["sha256"] == hashlib.sha256(VTT).hexdigest()
    assert drafts[0]["sha256"] == hashlib.sha256(RED.encode()).hexdigest()


def test_bytes_of_an_exact_claim_cut_the_same_words_out_of_both_files(
    capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path
) -> None:
    text = "It was “the ridge twice, once with sonar” (0:01).\n"
    _, document = check(capsys, "--captions", f"{captions},origin=human", "--draft", draft(tmp_path, text))
    claim = only_claim(document)
    match = claim["match"]
    assert isinstance(match, dict) and isinstance(claim["bytes"], list)
    assert [VTT[a:b] for a, b in match["bytes"]] == [b"the ridge twice,", b"once with sonar"]
    assert [text.encode()[a:b] for a, b in claim["bytes"]] == [b"the ridge twice, once with sonar"]


@pytest.mark.parametrize(("tolerance", "verdict"), [("2", "exact"), ("1.999", "mistimed"), ("0", "mistimed")])
def test_tolerance_counts_whole_milliseconds(
    capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path, tolerance: str, verdict: str
) -> None:
    file = draft(tmp_path, "It was “once with sonar” (0:01).\n")
    arguments = ("--captions", f"{captions},origin=human", "--draft", file, "--tolerance", tolerance)
    assert only_claim(check(capsys, *arguments)[1])["verdict"] == verdict


def test_a_reference_can_be_chosen_for_one_check(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    other = tmp_path / "auto.vtt"
    other.write_bytes(VTT.replace(b"twice,", b"thrice"))
    file = draft(tmp_path, "It was “the ridge thrice” (0:01).\n")
    both = ("--captions", f"{captions},origin=human,language=en", "--captions", f"{other},origin=automatic,language=en")
    _, document = check(capsys, *both, "--draft", file)
    assert only_claim(document)["verdict"] == "altered" and only_claim(document)["also_in"] == ["en.automatic"]
    _, document = check(capsys, *both, "--draft", file, "--reference", "en.automatic")
    assert only_claim(document)["verdict"] == "exact"
    assert "en.human, en.automatic" in refused(capsys, "check", *both, "--draft", file, "--reference", "fr.human")


def test_source_is_held_against_links(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    link = "[0:03](https://youtu.be/abcdefghijk?t=3)"
    file = draft(tmp_path, f"It was “once with sonar” {link}.\n")
    arguments = ("--captions", f"{captions},origin=human", "--draft", file, "--source")
    _, same = check(capsys, *arguments, "https://www.youtube.com/watch?v=abcdefghijk")
    _, other = check(capsys, *arguments, "https://www.youtube.com/watch?v=zzzzzzzzzzz")
    assert json.dumps(same["drafts"]) != json.dumps(other["drafts"])


def test_text_has_line_and_column(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    assert cli.main(["check", "-q", "--captions", str(captions), "--draft", str(draft(tmp_path, "Zwei\n\n" + RED))]) == 1
    out = capsys.readouterr().out
    assert "3:10  ✗ altered (words)" in out
    assert "[-twice-]{+once+}" in out


def test_junit_and_sarif_are_written_beside_the_text(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    junit, sarif = tmp_path / "r.xml", tmp_path / "r.sarif"
    arguments = ("--captions", f"{captions},origin=human", "--draft", draft(tmp_path, RED), "--junit", junit, "--sarif", sarif)
    assert check(capsys, *arguments)[0] == 1
    failures = ET.fromstring(junit.read_text("utf-8")).iter("failure")
    assert [failure.attrib["type"] for failure in failures] == ["altered/words", "closed"]
    assert [result["ruleId"] for result in json.loads(sarif.read_text("utf-8"))["runs"][0]["results"]] == [
        "altered/words",
        "gate/quotes",
    ]


# -- jobs -----------------------------------------------------------------------------------------


@pytest.fixture
def job(captions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "talk.quoteview"
    file = draft(tmp_path, GREEN)
    assert cli.main(["new", str(folder), "--captions", f"{captions},origin=human,language=en", "--draft", str(file)]) == 0
    capsys.readouterr()
    return folder


def test_a_new_job_holds_the_bytes_as_received(job: Path) -> None:
    track = job / "tracks" / "en.human.vtt"
    assert track.read_bytes() == VTT
    assert track.stat().st_mode & 0o222 == 0
    assert (job / "drafts" / "draft.md").read_text("utf-8") == GREEN
    done = subprocess.run(["sha256sum", "-c", "manifest-sha256.txt"], cwd=job, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"tracks/en.human.vtt: OK\n")


def test_checking_a_job_writes_nothing(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    before = tree(job)
    code, document = check(capsys, job)
    assert (code, document["label"]) == (0, "allowed")
    assert tree(job) == before


def test_many_jobs_are_one_document_a_line(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    assert cli.main(["check", str(job), str(job), "--json", "-q"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and all(json.loads(line)["label"] == "allowed" for line in lines)


def test_of_many_jobs_one_that_is_none_is_named_and_the_others_are_checked(
    capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path
) -> None:
    assert cli.main(["check", str(tmp_path / "none"), str(job), "--json", "-q"]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 1 and captured.err.count("\n") == 1


def test_one_draft_of_a_job_can_be_checked(capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path) -> None:
    assert cli.main(["add", str(job), str(draft(tmp_path, RED, "second.md"))]) == 0
    capsys.readouterr()
    assert check(capsys, job)[0] == 1
    for name in ("draft.md", "drafts/draft.md", str(job / "drafts" / "draft.md")):
        code, document = check(capsys, job, "--draft", name)
        assert code == 0 and isinstance(document["drafts"], list) and len(document["drafts"]) == 1
    assert check(capsys, job, "--draft", "second.md")[0] == 1
    assert "drafts/second.md" in refused(capsys, "check", job, "--draft", "third.md")


def test_a_changed_byte_closes_the_lock_and_nothing_is_green(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    track = job / "tracks" / "en.human.vtt"
    track.chmod(0o644)
    track.write_bytes(VTT.replace(b"maps", b"mops"))
    code, document = check(capsys, job)
    gates = document["gates"]
    assert isinstance(gates, dict) and not gates["lock"]["open"]
    assert hashlib.sha256(VTT).hexdigest() in gates["lock"]["defects"][0]
    assert (code, only_claim(document)["state"]) == (1, "red")
    assert cli.main(["check", str(job), "-q"]) == 1
    assert "✗ lock" in capsys.readouterr().out
    assert cli.main(["tracks", str(job)]) == 1
    assert "broken" in capsys.readouterr().out


def test_tracks_says_why_the_reference_is_the_reference(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    assert cli.main(["tracks", str(job), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["reference"]["id"] == "en.human" and document["reference"]["why"]
    assert document["tracks"][0]["cues"] == 3 and document["tracks"][0]["lock"] == "ok"


def test_cues_of_a_job_are_those_of_its_file(capsys: pytest.CaptureFixture[str], job: Path, captions: Path) -> None:
    assert cli.main(["cues", str(job), "--track", "en.human", "--json"]) == 0
    of_job = json.loads(capsys.readouterr().out)
    assert cli.main(["cues", str(captions), "--json"]) == 0
    of_file = json.loads(capsys.readouterr().out)
    assert of_job["cues"] == of_file["cues"] and of_job["file"] == "tracks/en.human.vtt"
    assert "en.human" in refused(capsys, "cues", job, "--track", "fr.human")


def test_add_tells_drafts_and_captions_apart(capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path) -> None:
    srt = tmp_path / "more.srt"
    srt.write_bytes(b"1\n00:00:01,000 --> 00:00:02,000\nOther words\n")
    notes = draft(tmp_path, "[00:01] He said “once with sonar”.\n[00:04] More.\n", "notes.txt")
    assert cli.main(["add", str(job), str(srt), str(notes), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [track["id"] for track in document["tracks"]] == ["en.human", "und.unknown"]
    assert document["drafts"] == ["drafts/draft.md", "drafts/notes.txt"]


def test_selftest_catches_everything_it_plants(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "sample.quoteview"
    create_sample_job(folder)
    assert cli.main(["selftest", str(folder), "--seed", "7", "--json", "-q"]) == 0
    document = json.loads(capsys.readouterr().out)
    for planted in document["drafts"]:
        assert planted["seed"] == 7
        assert planted["planted"] == planted["caught"] >= 60
        assert all(plant["caught_by"] for plant in planted["plants"])


def test_the_sample_shows_each_verdict_and_its_second_draft_is_green(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "sample.quoteview"
    create_sample_job(folder)
    code, document = check(capsys, folder, "--draft", "draft-one.md")
    drafts = document["drafts"]
    assert isinstance(drafts, list)
    counts = drafts[0]["counts"]
    assert code == 1 and all(counts[verdict] for verdict in counts if verdict != "resolved")
    classes = {name for claim in drafts[0]["claims"] for name in claim.get("classes", ())}
    assert classes >= {"number", "negation", "words", "typography", "terminal_punctuation", "elision", "number_form"}
    code, document = check(capsys, folder, "--draft", "draft-two.md")
    assert (code, document["label"]) == (0, "allowed")


def test_the_working_day_has_eighteen_exact_and_six_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    captions = resource("sample") / "tide-book.human.vtt"
    file = Path(__file__).parent / "data" / "working-day.md"
    _, document = check(capsys, "--captions", f"{captions},origin=human,language=en", "--draft", file)
    drafts = document["drafts"]
    assert isinstance(drafts, list)
    red = [(claim["verdict"], claim.get("classes", [])) for claim in drafts[0]["claims"] if claim["state"] == "red"]
    assert len(drafts[0]["claims"]) == 24
    assert red == [
        ("altered", ["terminal_punctuation"]),
        ("altered", ["terminal_punctuation"]),
        ("altered", ["typography"]),
        ("mistimed", []),
        ("altered", ["elision"]),
        ("not_found", []),
    ]


# -- bad input: one sentence, exit code 2, nothing half-written -----------------------------------


def test_contradictions_are_refused(capsys: pytest.CaptureFixture[str], job: Path, captions: Path, tmp_path: Path) -> None:
    file = draft(tmp_path, GREEN)
    refused(capsys, "check")
    refused(capsys, "check", job, "--captions", captions, "--draft", file)
    refused(capsys, "check", "--captions", captions)
    refused(capsys, "check", job, job, "--draft", "draft.md")
    refused(capsys, "add", job)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<!doctype html><title>Before you continue</title>",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
        "WEBVTT\n\n00:01.000 --> 00:02.000\nÄÖÜ\n".encode("cp1252"),
        b"just some words, no times\n",
        b"WEBVTT\n\n00:01.000 --> 00:02.000\n",
        b'{"a": 1',
    ],
    ids=["empty", "web page", "image", "other encoding", "unknown format", "no cue", "half json"],
)
def test_captions_that_are_none_leave_no_job(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, captions: Path, content: bytes
) -> None:
    bad, file = tmp_path / "bad.vtt", draft(tmp_path, GREEN)
    bad.write_bytes(content)
    folder = tmp_path / "jobs" / "talk.quoteview"
    before = tree(tmp_path)
    line = refused(capsys, "new", folder, "--captions", captions, "--captions", f"{bad},origin=human", "--draft", file)
    assert "bad.vtt" in line
    assert tree(tmp_path) == before and not folder.parent.exists()
    assert "bad.vtt" in refused(capsys, "check", "--captions", bad, "--draft", file)


@pytest.mark.parametrize("name", ["gone.md", "", "fold\0er.md"])
def test_a_draft_that_is_not_there(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path, name: str) -> None:
    refused(capsys, "check", "--captions", captions, "--draft", tmp_path / name if name else tmp_path)


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "Er sagte „so“".encode("cp1252"), b"PK\x03\x04" + bytes(99)]
)
def test_a_draft_that_is_no_text(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "draft.md"
    file.write_bytes(content)
    assert "draft.md" in refused(capsys, "check", "--captions", captions, "--draft", file)
    assert "draft.md" in refused(capsys, "new", tmp_path / "job", "--captions", captions, "--draft", file)
    assert not (tmp_path / "job").exists()


def test_a_draft_of_200_megabytes_is_not_read(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    file = tmp_path / "draft.md"
    with file.open("wb") as sparse:
        sparse.truncate(200 * 1024 * 1024)
    assert "209,715,200 bytes" in refused(capsys, "check", "--captions", captions, "--draft", file)


def test_a_draft_without_quotations_is_a_closed_gate(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    file = draft(tmp_path, "Nobody is quoted here.\n")
    code, document = check(capsys, "--captions", f"{captions},origin=human", "--draft", file)
    assert (code, document["label"]) == (1, "blocked")
    assert cli.main(["check", "-q", "--captions", str(captions), "--draft", str(file)]) == 1
    assert "No quotations found" in capsys.readouterr().out


def test_an_empty_draft_is_no_pass(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    assert cli.main(["check", "-q", "--captions", str(captions), "--draft", str(draft(tmp_path, ""))]) in (1, 2)


def test_a_claim_of_50_000_characters_is_judged(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    file = draft(tmp_path, f"He said “{'so and so ' * 5000}” [0:03].\n")
    code, document = check(capsys, "--captions", f"{captions},origin=human", "--draft", file)
    assert code == 1 and only_claim(document)["state"] == "red"


def test_a_job_of_a_newer_version_is_refused(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    described = json.loads((job / "job.json").read_text("utf-8"))
    (job / "job.json").write_text(json.dumps({**described, "schema": 99}), "utf-8")
    for command in (("check", job), ("tracks", job), ("selftest", job), ("cues", job), ("add", job, job / "drafts/draft.md")):
        assert "job.json" in refused(capsys, *command)


def test_a_damaged_job_is_refused(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    (job / "job.json").write_text('{"schema": 1,', "utf-8")
    assert "job.json" in refused(capsys, "check", job)


def test_a_folder_that_is_no_job(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for command in ("check", "tracks", "selftest"):
        assert str(tmp_path) in refused(capsys, command, tmp_path)
    refused(capsys, "add", tmp_path, draft(tmp_path, GREEN))
    assert [path.name for path in tmp_path.iterdir()] == ["draft.md"]


def test_a_place_that_is_taken_is_left_alone(capsys: pytest.CaptureFixture[str], job: Path, captions: Path) -> None:
    before = tree(job)
    assert "there already" in refused(capsys, "new", job, "--captions", captions)
    assert tree(job) == before


def test_the_same_captions_twice_are_refused(capsys: pytest.CaptureFixture[str], job: Path, captions: Path) -> None:
    before = tree(job)
    assert "en.human" in refused(capsys, "add", job, "--captions", captions)
    assert tree(job) == before


def test_where_one_file_can_not_be_added_none_is(capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path) -> None:
    good, bad = draft(tmp_path, GREEN, "good.md"), tmp_path / "bad.srt"
    bad.write_bytes(b"no captions")
    before = tree(job)
    refused(capsys, "add", job, good, bad)
    assert tree(job) == before


def test_a_report_that_can_not_be_written_is_said(capsys: pytest.CaptureFixture[str], captions: Path, tmp_path: Path) -> None:
    file = draft(tmp_path, GREEN)
    code = cli.main(
        ["check", "-q", "--captions", f"{captions},origin=human", "--draft", str(file), "--junit", str(tmp_path / "no" / "r.xml")]
    )
    captured = capsys.readouterr()
    assert code == 2 and "r.xml" in captured.err and captured.err.count("\n") == 1
