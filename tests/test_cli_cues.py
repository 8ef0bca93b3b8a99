"""`quoteview cues` and the `--captions` argument: what is shown of a file, and a sentence for each file that is none."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from quoteview import cli
from quoteview.commands.files import CaptionsArgument, captions_argument
from quoteview.core.captions.track import Origin
from quoteview.core.errors import UsageError

VTT = b"WEBVTT\n\nfirst\n00:01.000 --> 00:03.000\n<v Ada>good &amp; early\n\n00:04.000 --> 00:06.000\nsit\ndown\n"


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = cli.main(["cues", *arguments])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.count("\n") == 1 and "Traceback" not in captured.err
    return captured.err


def test_json_has_cues_ranges_and_a_ledger_that_adds_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    assert cli.main(["cues", str(file), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["schema", "file", "sha256", "format", "language", "encoding", "cues", "ledger"]
    assert document["sha256"] == hashlib.sha256(VTT).hexdigest()
    first, second = document["cues"]
    assert first["identifier"] == "first" and first["speakers"] == ["Ada"]
    assert (first["start_ms"], first["end_ms"], first["text"]) == (1000, 3000, "good & early")
    assert b"".join(VTT[a:b] for a, b in first["bytes"]) == b"good &amp; early"
    assert second["text"] == "sit down"
    assert [VTT[a:b] for a, b in second["bytes"]] == [b"sit", b"down"]
    assert sum(document["ledger"].values()) == len(VTT)


def test_text_output_names_times_speakers_and_the_ledger(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    assert cli.main(["cues", str(file)]) == 0
    out = capsys.readouterr().out
    assert "0:00:01.000 – 0:00:03.000  Ada: good & early" in out
    assert hashlib.sha256(VTT).hexdigest() in out and "unread 0" in out


def test_no_such_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "there is no such file" in refusal(capsys, str(tmp_path / "none.vtt"))


def test_a_folder_that_is_no_job(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert str(tmp_path) in refusal(capsys, str(tmp_path))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    file.chmod(0)
    assert "may not be read" in refusal(capsys, str(file))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, ""),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256)) * 4, ""),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nÄÖÜ é\n".encode("cp1252"), "encoding="),
        (b"WEBVTT\n", ""),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\n\n", ""),
        (b"nothing of a caption in here\n", ""),
        (b"{}", ""),
        (b"PK\x03\x04" + bytes(60), ""),
    ],
)
def test_what_is_no_track_is_refused_with_its_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, says: str
) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(content)
    line = refusal(capsys, str(file))
    assert "talk.vtt" in line and says in line


def test_a_file_of_200_megabytes_is_not_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "film.vtt"
    with file.open("wb") as sparse:
        sparse.truncate(200 * 1024 * 1024)
    assert "209,715,200 bytes" in refusal(capsys, str(file))


def test_an_encoding_can_be_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes("WEBVTT\n\n00:01.000 --> 00:02.000\nÄÖÜ é\n".encode("cp1252"))
    assert cli.main(["cues", f"{file},encoding=cp1252", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["encoding"], document["cues"][0]["text"]) == ("cp1252", "ÄÖÜ é")


def test_an_unknown_encoding_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    assert "klingon" in refusal(capsys, f"{file},encoding=klingon")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.vtt", CaptionsArgument(Path("a.vtt"), None, "", None)),
        ("a.vtt,origin=human", CaptionsArgument(Path("a.vtt"), Origin.HUMAN, "", None)),
        ("a.vtt,language=en-GB,origin=automatic", CaptionsArgument(Path("a.vtt"), Origin.AUTOMATIC, "en-GB", None)),
        ("Lund, part 2.vtt,encoding=cp1252", CaptionsArgument(Path("Lund, part 2.vtt"), None, "", "cp1252")),
        ("a,b.vtt", CaptionsArgument(Path("a,b.vtt"), None, "", None)),
        ("C:\\x=y,z.vtt", CaptionsArgument(Path("C:\\x=y,z.vtt"), None, "", None)),
    ],
)
def test_captions_argument_is_taken_apart_from_the_right(text: str, expected: CaptionsArgument) -> None:
    assert captions_argument(text) == expected


@pytest.mark.parametrize("text", ["a.vtt,orign=human", "a.vtt,origin=robot", "a.vtt,origin=human,origin=human", ",origin=human"])
def test_a_captions_argument_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        captions_argument(text)


def test_a_file_whose_name_looks_like_options_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.vtt,origin=human").write_bytes(VTT)
    assert captions_argument("a.vtt,origin=human").path == Path("a.vtt,origin=human")
    assert captions_argument("a.vtt,origin=human,origin=automatic").origin is Origin.AUTOMATIC
