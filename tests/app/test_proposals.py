from __future__ import annotations

from pathlib import Path

from quoteview.app.proposals import Use, as_use, recognise, recognise_one
from quoteview.core.captions.track import Origin

VTT = b"WEBVTT\nLanguage: en\n\n00:01.000 --> 00:02.000\nthe mill is shut\n"


def _ignore(_done: int, _total: int) -> None:
    """Take a report."""


def test_captions_are_recognised_with_what_would_be_locked(tmp_path: Path) -> None:
    file = tmp_path / "talk.en.auto.vtt"
    file.write_bytes(VTT)
    found = recognise_one(file)
    assert (found.use, found.format, found.cues, found.origin) == (Use.CAPTIONS, "webvtt", 1, Origin.AUTOMATIC)
    assert found.language == "en"
    assert len(found.sha256) == 64


def test_a_name_that_says_nothing_leaves_the_origin_unknown(tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    assert recognise_one(file).origin is Origin.UNKNOWN


def test_markdown_is_a_draft_and_audio_is_media(tmp_path: Path) -> None:
    draft, media = tmp_path / "a.md", tmp_path / "a.mp3"
    draft.write_bytes(b"0:01 \xe2\x80\x9cthe mill\xe2\x80\x9d")
    media.write_bytes(b"ID3")
    assert [found.use for found in recognise([draft, media], _ignore)] == [Use.DRAFT, Use.MEDIA]


def test_a_web_page_named_vtt_is_unusable_and_says_why(tmp_path: Path) -> None:
    file = tmp_path / "a.vtt"
    file.write_bytes(b"<!DOCTYPE html><html><body>429</body></html>")
    found = recognise_one(file)
    assert found.use is Use.UNUSABLE
    assert found.remark


def test_a_missing_file_is_unusable_not_an_error(tmp_path: Path) -> None:
    assert recognise_one(tmp_path / "none.vtt").use is Use.UNUSABLE


def test_a_person_can_say_otherwise(tmp_path: Path) -> None:
    file = tmp_path / "talk.vtt"
    file.write_bytes(VTT)
    as_draft = as_use(recognise_one(file), Use.DRAFT)
    assert (as_draft.use, as_draft.sha256) == (Use.DRAFT, "")
    assert as_use(as_draft, Use.CAPTIONS).cues == 1
