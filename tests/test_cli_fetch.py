"""`quoteview fetch`, from a real page on this machine to a job, and what is said where there is nothing to fetch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quoteview import cli
from tests.fetching.serving import Page, answer, serving

VTT = b"WEBVTT\n\n00:01.000 --> 00:03.000\nWe measured it twice\n"
PAGE = b"""<!DOCTYPE html><html><head><title>A talk</title></head><body>
<video controls><source src="/talk.mp4" type="video/mp4">
<track kind="captions" srclang="en" label="English" src="/en.vtt"></video></body></html>"""


def test_a_page_with_a_captioned_video_becomes_a_job(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pages = {
        "/talk": answer(200, PAGE, Content_Type="text/html"),
        "/en.vtt": answer(200, VTT, Content_Type="text/vtt"),
        "/talk.mp4": answer(200, b"\0" * 64, Content_Type="video/mp4"),
    }
    with serving(pages) as served:
        code = cli.main(["fetch", f"{served.address}/talk", "--job", str(tmp_path / "talk.quoteview"), "--json", "-q"])
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    document = json.loads(captured.out)
    (track,) = [track for track in document["tracks"] if track["standing"] == "locked"]
    assert (tmp_path / "talk.quoteview" / "tracks" / f"{track['id']}.vtt").read_bytes() == VTT
    assert document["reference"]["id"] == track["id"]


@pytest.mark.parametrize("page", [answer(404, b"gone"), answer(200, b"<html><body>nothing here</body></html>")])
def test_a_page_without_a_recording_is_one_line_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, page: Page
) -> None:
    with serving({"/talk": page}) as served:
        code = cli.main(["fetch", f"{served.address}/talk", "--job", str(tmp_path / "talk.quoteview"), "-q"])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.count("\n") == 1 and "did not expect" not in captured.err
    assert list(tmp_path.iterdir()) == []


def test_no_network_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = cli.main(["fetch", "http://127.0.0.1:9/talk", "--job", str(tmp_path / "talk.quoteview"), "-q"])
    captured = capsys.readouterr()
    assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
    assert "127.0.0.1:9" in captured.err and list(tmp_path.iterdir()) == []


def test_what_is_no_address_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for address in ("not an address", "", "file:///etc/passwd", str(tmp_path)):
        code = cli.main(["fetch", address, "--job", str(tmp_path / "talk.quoteview"), "-q"])
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (2, "", 1), captured.err
        assert "did not expect" not in captured.err
