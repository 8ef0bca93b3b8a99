"""`quoteview fetch`, from a real page on this machine to a job, and what is said where there is nothing to fetch."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from quoteview import cli
from quoteview.commands.fetch import settings_of
from quoteview.core.store import open_job
from tests.fetching.recorded import mp4
from tests.fetching.serving import Page, answer, file, in_turn, serving

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


TALK = mp4(61_000, filling=200_000)


def talk_pages(media: Page) -> dict[str, Page]:
    return {
        "/talk": answer(200, PAGE, Content_Type="text/html"),
        "/en.vtt": answer(200, VTT, Content_Type="text/vtt"),
        "/talk.mp4": media,
    }


def test_the_recording_comes_on_request_with_its_length(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> None:
    job = tmp_path / "talk.quoteview"
    with serving(talk_pages(file(TALK, headers={"Content-Type": "video/mp4"}))) as served:
        code = cli.main(["fetch", f"{served.address}/talk", "--job", str(job), "--media", "video", "--json", "-q"])
    captured = capsys.readouterr()
    assert (code, captured.err) == (0, "")
    recording = json.loads(captured.out)["recording"]
    assert (recording["file"], recording["duration_ms"], recording["duration_from"]) == ("media/video.mp4", 61_000, "the file")
    assert (job / "media" / "video.mp4").read_bytes() == TALK
    assert open_job(job).job.source.duration_ms == 61_000
    assert not (home / "cache" / "media").exists()


def test_a_recording_that_breaks_off_costs_no_captions_and_the_same_command_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    job = tmp_path / "talk.quoteview"
    whole, broken = file(TALK, headers={"ETag": '"1"'}), file(TALK, breaks_after=10_000, headers={"ETag": '"1"'})
    with serving(talk_pages(in_turn(broken, broken, broken, whole))) as served:
        command = ["fetch", f"{served.address}/talk", "--job", str(job), "--media", "audio", "-q"]
        code = cli.main(command)
        captured = capsys.readouterr()
        assert (code, captured.err.count("\n")) == (2, 1)
        assert "cut short" in captured.err and "goes on from there" in captured.err and "same command" in captured.err
        assert len(open_job(job).job.locked) == 1
        assert open_job(job).job.media == ""
        assert cli.main(command) == 0
        assert served.ranges[-1].startswith("bytes=")
    assert (job / "media" / "video.mp4").read_bytes() == TALK
    assert cli.main(command) == 2
    assert "has a recording already" in capsys.readouterr().err


def test_a_job_of_another_source_is_given_no_recording(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> None:
    job = tmp_path / "talk.quoteview"
    with serving({**talk_pages(file(TALK)), "/other": answer(200, PAGE, Content_Type="text/html")}) as served:
        assert cli.main(["fetch", f"{served.address}/talk", "--job", str(job), "-q"]) == 0
        for other in ("/other", "/talk?part=2"):
            assert cli.main(["fetch", f"{served.address}{other}", "--job", str(job), "--media", "video", "-q"]) == 2
            assert "is a job of" in capsys.readouterr().err
        assert cli.main(["fetch", f"{served.address}/talk", "--job", str(job), "-q"]) == 2
        assert "is a job already" in capsys.readouterr().err
    assert open_job(job).job.media == ""


def test_a_job_of_files_that_names_its_source_is_given_the_recording(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    captions, job, other = tmp_path / "a.vtt", tmp_path / "job", tmp_path / "other"
    captions.write_bytes(VTT)
    with serving(talk_pages(file(TALK))) as served:
        brought = ["--captions", f"{captions},origin=human", "-q"]
        assert cli.main(["new", str(job), *brought, "--source", f"{served.address}/talk#t=12"]) == 0
        assert cli.main(["new", str(other), *brought]) == 0
        assert cli.main(["fetch", f"{served.address}/talk", "--job", str(job), "--media", "video", "-q"]) == 0
        assert cli.main(["fetch", f"{served.address}/talk", "--job", str(other), "--media", "video", "-q"]) == 2
    assert "a job of files, with no source" in capsys.readouterr().err
    assert (open_job(job).job.media, open_job(other).job.media) == ("media/video.mp4", "")


def test_a_recording_larger_than_allowed_is_not_fetched(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> None:
    body = mp4(61_000, filling=1_000_001)
    with serving(talk_pages(file(body))) as served:
        options = ["--job", str(tmp_path / "job"), "--media", "video", "--media-limit", "1", "-q"]
        assert cli.main(["fetch", f"{served.address}/talk", *options]) == 2
    assert "more than the 1 MB allowed" in capsys.readouterr().err


def test_a_place_that_is_taken_is_said_before_anything_is_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with serving(talk_pages(file(TALK))) as served:
        assert cli.main(["fetch", f"{served.address}/talk", "--job", str(tmp_path), "-q"]) == 2
        assert served.asked == {}
    assert "something else is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--media-limit", "0"],
        ["--media-limit", "1.5"],
        ["--limit-rate", "fast"],
        ["--limit-rate", "-5"],
        ["--media", "film"],
        ["--cookies-from-browser", "netscape"],
    ],
)
def test_an_option_that_means_nothing_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path, options: list[str]
) -> None:
    assert cli.main(["fetch", "http://127.0.0.1:9/talk", "--job", str(tmp_path / "job"), *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1


SECRETS = ("s3cretvalue", "jane.doe", "passw0rd", "my-cookies.txt")


def proxied(name: str, page: Page) -> dict[str, Page]:
    """Return a page as a proxy is asked for it: by its whole address."""
    return {f"http://talks.test{name}": page}


@pytest.mark.parametrize("is_kept", [True, False], ids=["from the window's settings", "from options"])
def test_cookies_and_proxy_are_used_and_stand_nowhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path, is_kept: bool
) -> None:
    cookies = tmp_path / "my-cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\ntalks.test\tFALSE\t/\tFALSE\t0\tsession\ts3cretvalue\n")
    sent: list[tuple[str, str]] = []

    def captions(handler: BaseHTTPRequestHandler, number: int) -> None:
        sent.append((handler.headers.get("Cookie", ""), handler.headers.get("Proxy-Authorization", "")[:5]))
        answer(200, VTT, Content_Type="text/vtt")(handler, number)

    two = PAGE.replace(b"</video>", b'<track kind="captions" srclang="fr" src="/fr.vtt"></video>')
    pages = {
        **proxied("/talk", answer(200, two, Content_Type="text/html")),
        **proxied("/en.vtt", captions),
        **proxied("/fr.vtt", answer(500, b"")),
        **proxied("/talk.mp4", file(TALK)),
    }
    job = tmp_path / "out" / "job"
    with serving(pages) as served:
        proxy = f"http://jane.doe:passw0rd@{urlsplit(served.address).netloc}"
        options = ["--cookies", str(cookies), "--proxy", proxy]
        if is_kept:
            (home / "settings").mkdir(parents=True)
            kept = f"[General]\nreviewer=J\n\n[fetching]\nbrowser=\ncookie_file={cookies}\nproxy={proxy}\nrate=0\n"
            (home / "settings" / "settings.ini").write_text(kept)
            options = []
        code = cli.main(["fetch", "http://talks.test/talk", "--job", str(job), "--media", "video", "-v", *options])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert sent == [("session=s3cretvalue", "Basic")]
    assert open_job(job).job.media == "media/video.mp4"
    written = [path for path in (*job.rglob("*"), *(home / "log").rglob("*"), *(home / "cache").rglob("*")) if path.is_file()]
    assert len(written) >= 4
    for secret in SECRETS:
        assert secret not in captured.out + captured.err
        assert not [path for path in written if secret.encode() in path.read_bytes()], secret


def test_a_proxy_that_is_not_there_is_said_without_its_password(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path
) -> None:
    proxy = "http://jane.doe:passw0rd@127.0.0.1:9"
    code = cli.main(["fetch", "http://talks.test/talk", "--job", str(tmp_path / "job"), "--proxy", proxy, "-q"])
    captured = capsys.readouterr()
    assert (code, captured.err.count("\n")) == (2, 1)
    assert not [secret for secret in SECRETS if secret in captured.err]


def test_a_password_in_the_link_stands_in_no_job(capsys: pytest.CaptureFixture[str], tmp_path: Path, home: Path) -> None:
    job = tmp_path / "job"
    with serving(talk_pages(file(TALK))) as served:
        address = served.address.replace("http://", "http://jane.doe:passw0rd@")
        assert cli.main(["fetch", f"{address}/talk", "--job", str(job), "--media", "video"]) == 0
    captured = capsys.readouterr()
    for secret in ("jane.doe", "passw0rd"):
        assert secret not in captured.out + captured.err
        assert not [path for path in job.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


def test_an_option_stands_before_what_the_window_keeps(home: Path) -> None:
    (home / "settings").mkdir(parents=True)
    (home / "settings" / "settings.ini").write_text("[fetching]\nbrowser=firefox\ncookie_file=\nproxy=\nrate=9000\n")
    kept = settings_of(cookies=None, cookies_from_browser=None, proxy=None, rate=None)
    assert (kept.cookies_from_browser, kept.rate) == ("firefox", 9000)
    changed = settings_of(cookies="c.txt", cookies_from_browser=None, proxy=None, rate=0)
    assert (changed.cookies_from_browser, changed.cookie_file, changed.rate) == ("", "c.txt", 0)


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
