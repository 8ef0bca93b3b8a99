"""`quoteview label`, `recheck` and `export`: a label only while every gate is open, and a bundle that proves itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quoteview import cli
from quoteview.core.resources import resource
from quoteview.core.sample import create_sample_job


@pytest.fixture
def job(tmp_path: Path) -> Path:
    folder = tmp_path / "sample.quoteview"
    create_sample_job(folder)
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.main([*map(str, arguments), "-q"])
    captured = capsys.readouterr()
    assert "did not expect" not in captured.err
    return code, captured.out, captured.err


def bundle_of(capsys: pytest.CaptureFixture[str], job: Path) -> Path:
    code, out, _ = run(capsys, "label", job, "--draft", "draft-two.md", "--by", "Ada", "--json")
    assert code == 0
    return Path(json.loads(out)["bundle"])


def test_a_label_is_written_and_holds(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    bundle = bundle_of(capsys, job)
    assert bundle.parent == job.absolute() / "bundles"
    code, out, _ = run(capsys, "recheck", bundle, "--json")
    document = json.loads(out)
    assert (code, document["holds"], document["problems"]) == (0, True, [])
    assert document["program"]["holds"]
    code, out, _ = run(capsys, "check", job, "--draft", "draft-two.md", "--json")
    assert code == 0, "the journal's new entry breaks no gate"


def test_the_bundle_s_own_program_needs_nothing_of_ours(capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path) -> None:
    bundle = bundle_of(capsys, job)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(bundle / "data" / "recheck.py")], capture_output=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"PASSED" in done.stdout.splitlines()[-1]


@pytest.mark.parametrize("name", ["draft", "tracks", "statement.json", "report.html"])
def test_one_changed_byte_of_a_bundle_is_noticed(capsys: pytest.CaptureFixture[str], job: Path, name: str) -> None:
    bundle = bundle_of(capsys, job)
    place = bundle / "data" / name
    file = next(path for path in sorted(place.iterdir())) if place.is_dir() else place
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.chmod(0o644)
    file.write_bytes(content)
    code, out, _ = run(capsys, "recheck", bundle)
    assert code == 1 and "does not hold" in out


def test_a_closed_gate_refuses_the_label_and_writes_nothing(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    before = sorted(path for path in job.rglob("*"))
    code, out, _ = run(capsys, "label", job, "--draft", "draft-one.md", "--by", "Ada")
    assert code == 1 and "✗ quotes" in out and "✗ complete" in out and "✗ lock" not in out
    code, out, _ = run(capsys, "label", job, "--draft", "draft-one.md", "--by", "Ada", "--json")
    document = json.loads(out)
    assert (code, document["label"], sorted(document["gates"])) == (1, "blocked", ["complete", "quotes"])
    assert sorted(path for path in job.rglob("*")) == before


def test_of_several_drafts_one_must_be_named(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    code, out, err = run(capsys, "label", job, "--by", "Ada")
    assert (code, out) == (2, "") and "draft-one.md" in err and err.count("\n") == 1


def test_a_label_without_a_name_is_refused(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    code, _, err = run(capsys, "label", job, "--draft", "draft-two.md", "--by", " ")
    assert code == 2 and "--by NAME" in err


def test_what_is_no_bundle_is_refused(capsys: pytest.CaptureFixture[str], job: Path, tmp_path: Path) -> None:
    for place in (job, tmp_path / "none", job / "job.json"):
        code, out, err = run(capsys, "recheck", place)
        assert (code, out) == (2, "") and str(place) in err and err.count("\n") == 1


@pytest.mark.parametrize("format", ["vtt", "srt", "ass", "txt", "md"])
def test_a_transcript_is_exported_and_marked(capsys: pytest.CaptureFixture[str], job: Path, format: str) -> None:
    before = (job / "tracks" / "en.human.vtt").read_bytes()
    code, out, _ = run(capsys, "export", job, "--format", format)
    assert code == 0 and "not the reference" in out and "She always said" in out
    output = job.parent / f"copy.{format}"
    code, printed, _ = run(capsys, "export", job, "--format", format, "-o", output)
    assert (code, printed, output.read_text("utf-8")) == (0, "", out)
    assert (job / "tracks" / "en.human.vtt").read_bytes() == before == (resource("sample") / "tide-book.human.vtt").read_bytes()


def test_another_track_can_be_exported(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    code, out, _ = run(capsys, "export", job, "--format", "txt", "--track", "en.automatic")
    assert code == 0 and "innes halloran" in out
    code, _, err = run(capsys, "export", job, "--format", "txt", "--track", "fr.human")
    assert code == 2 and "en.automatic" in err


@pytest.mark.parametrize(("format", "begins"), [("html", "<!DOCTYPE html>"), ("jsonld", "{")])
def test_a_report_is_exported_only_while_every_gate_is_open(
    capsys: pytest.CaptureFixture[str], job: Path, format: str, begins: str
) -> None:
    code, out, _ = run(capsys, "export", job, "--format", format, "--draft", "draft-two.md", "--by", "Ada")
    assert code == 0 and out.startswith(begins) and "Ada" in out
    assert not (job / "bundles").exists()
    code, out, _ = run(capsys, "export", job, "--format", format, "--draft", "draft-one.md", "--by", "Ada")
    assert code == 1 and not out.startswith(begins) and "✗ quotes" in out


def test_a_broken_lock_exports_nothing(capsys: pytest.CaptureFixture[str], job: Path) -> None:
    track = job / "tracks" / "en.human.vtt"
    track.chmod(0o644)
    track.write_bytes(track.read_bytes() + b"\n")
    code, out, err = run(capsys, "export", job, "--format", "txt")
    assert (code, out) == (2, "") and "is not the file that was locked" in err


def test_an_end_mark_is_asked_for_by_new_and_add_and_closes_the_gate_until_the_draft_has_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sample = resource("sample")
    captions, draft = sample / "tide-book.human.vtt", tmp_path / "piece.md"
    draft.write_bytes((sample / "draft-two.md").read_bytes())
    folder = tmp_path / "job"
    code, *_ = run(
        capsys, "new", folder, "--captions", f"{captions},origin=human,language=en", "--draft", draft, "--end-mark", "###"
    )
    assert code == 0
    code, out, _ = run(capsys, "label", folder, "--by", "Ada", "--json")
    assert code == 1
    assert "The end mark “###” is missing." in " ".join(json.loads(out)["gates"]["complete"]["defects"])
    assert run(capsys, "add", folder, "--end-mark", "")[0] == 0
    code, out, _ = run(capsys, "label", folder, "--by", "Ada", "--json")
    assert code == 0
    assert run(capsys, "add", folder, "--end-mark=-30-")[0] == 0
    kept = folder / "drafts" / "piece.md"
    kept.write_bytes(draft.read_bytes() + b"\n\\-30-\n")
    code, out, _ = run(capsys, "label", folder, "--by", "Ada", "--json")
    assert code == 0, out
    statement = json.loads((Path(json.loads(out)["bundle"]) / "data" / "statement.json").read_bytes())
    assert statement["predicate"]["draft"]["end_mark"] == "-30-"
    assert run(capsys, "recheck", Path(json.loads(out)["bundle"]))[0] == 0


@pytest.mark.parametrize("mark", ["x" * 41, "two\nlines"])
def test_an_end_mark_is_one_short_line(capsys: pytest.CaptureFixture[str], job: Path, mark: str) -> None:
    code, _, err = run(capsys, "add", job, "--end-mark", mark)
    assert (code, err.count("\n")) == (2, 1)
    assert "An end mark is one line of at most 40 characters" in err
