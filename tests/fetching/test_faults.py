"""Faults on purpose: each ends in a clear sentence, a clean job folder, and no more requests than decent."""

from __future__ import annotations

import gzip
import tempfile
import threading
import time
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from quoteview.core.errors import FetchError
from quoteview.core.job import Standing
from quoteview.core.locking import sha256_hex
from quoteview.core.store import open_job
from quoteview.fetching.client import Client, FetchSettings
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.jobs import fetch_job, refuse_unfetchable
from quoteview.fetching.tracks import fetch_tracks
from tests.fetching.serving import HUMAN, Page, answer, endless, in_turn, serving
from tests.fetching.site import client_of, facts_of, know_only, pages

HTML = b"<!DOCTYPE html><html><body>Sign in</body></html>"
SRT = b"1\n00:00:05,000 --> 00:00:08,000\nDr. Okafor wrote the memo.\n"
PACKED = gzip.compress(HUMAN)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own for what is temporary, which must be empty in the end."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


def in_an_hour(seconds: float = 3600) -> str:
    return formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize(
    ("page", "words", "is_passing", "requests", "waits"),
    [
        pytest.param(answer(429, b"", Retry_After="30"), "asks to wait (429)", True, 4, 3, id="429 that says when"),
        pytest.param(answer(429, b""), "asks to wait (429)", True, 4, 3, id="429 that does not"),
        pytest.param(answer(429, b"", Retry_After="soon"), "asks to wait (429)", True, 4, 3, id="429 that says nonsense"),
        pytest.param(answer(429, b"", Retry_After="3600"), "asks to wait (429)", True, 1, 0, id="429 that says an hour"),
        pytest.param(
            answer(429, b"", Retry_After=in_an_hour()), "asks to wait (429)", True, 1, 0, id="429 with a date in an hour"
        ),
        pytest.param(answer(403, b""), "refuses to give it (403)", False, 1, 0, id="403"),
        pytest.param(answer(404, b""), "not there any more (404)", False, 1, 0, id="404"),
        pytest.param(answer(401, b""), "refused (401)", False, 1, 0, id="401"),
        pytest.param(answer(500, b""), "the server failed (500)", True, 3, 0, id="500 always"),
        pytest.param(answer(503, b"busy"), "the server failed (503)", True, 3, 0, id="503 always"),
        pytest.param(answer(200, b""), "the server sent an empty body", True, 3, 0, id="200 empty"),
        pytest.param(answer(200, HTML), "web page", True, 1, 0, id="200 HTML"),
        pytest.param(answer(200, b"WEBVTT\n\n"), "no cues", True, 1, 0, id="200 without a cue"),
        pytest.param(
            answer(200, b"WEBVTT\n\n00:00:05.000 --> 00:0"),
            "in the middle of a cue",
            True,
            1,
            0,
            id="200 that ends in the middle of a cue's times",
        ),
        pytest.param(answer(200, HUMAN, length=len(HUMAN) + 50), "cut short", True, 3, 0, id="cut short"),
        pytest.param(answer(302, b"", Location="file:///etc/hostname"), "not allowed", False, 1, 0, id="redirect to a file"),
        pytest.param(answer(302, b"", Location="/human.vtt"), "in circles", False, 40, 0, id="redirect loop"),
        pytest.param(answer(200, b"x" * 9000, length=300_000_000), "larger than any caption track", False, 1, 0, id="300 MB"),
        pytest.param(answer(200, PACKED[:-20], Content_Encoding="gzip"), "cut short", True, 3, 0, id="gzip that is cut short"),
        pytest.param(
            answer(200, b"\x1f\x8bno", Content_Encoding="gzip"), "cannot be unpacked", True, 3, 0, id="gzip that is none"
        ),
    ],
)
def test_a_fault_of_one_track_is_a_sentence_and_costs_no_other(
    tmp_path: Path, page: Page, words: str, is_passing: bool, requests: int, waits: int
) -> None:
    waited: list[float] = []
    with serving(pages(human=page)) as served:
        client = client_of(lambda: facts_of(served), waits=waited)
        fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        asked = served.count("/human.vtt")
    job = open_job(tmp_path / "job").job
    record = job.track("en.human")
    assert record is not None
    assert (record.standing, record.is_passing) == (Standing.NOT_OBTAINED, is_passing), record
    assert words in record.reason
    assert record.reason
    assert "could not be fetched" not in record.reason
    assert asked <= requests
    assert len(waited) == waits
    assert sorted(path.name for path in (tmp_path / "job" / "tracks").iterdir()) == ["en.automatic-2.vtt", "en.automatic.json3"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["job", "temporary"]


PAGE = b"<html><video src='/talk.mp4'><track kind='captions' srclang='en' src='/human.vtt'></video></html>"


def test_a_page_that_is_throttled_is_waited_for_and_then_said() -> None:
    waited: list[float] = []
    throttled = answer(429, b"", Retry_After="9")
    with serving({"/watch": in_turn(throttled, answer(200, PAGE, Content_Type="text/html"))}) as served:
        facts = Client(FetchSettings(timeout_s=3), wait=waited.append).ask(f"{served.address}/watch")
        assert [offer.key for offer in take_inventory(facts).offers] == ["en"]
    assert waited == [9.0]
    with serving({"/watch": throttled}) as served, pytest.raises(FetchError, match="asks to wait") as caught:
        Client(FetchSettings(timeout_s=3), wait=waited.append).ask(f"{served.address}/watch")
    assert caught.value.is_passing
    assert waited == [9.0] * 4


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (answer(403, b""), r"\(403\)"),
        (answer(404, b""), r"\(404\)"),
        (answer(500, b""), r"the server failed \(500\)"),
        (answer(302, b"", Location="file:///etc/hostname"), "not allowed"),
        (answer(302, b"", Location="/watch"), "in circles"),
        (answer(200, b"\x00\x01\x02"), "of no site that is known|not understand|no caption"),
    ],
)
def test_a_page_that_cannot_be_had_is_a_sentence(page: Page, words: str) -> None:
    with serving({"/watch": page}) as served, pytest.raises(FetchError, match=words):
        inventory = take_inventory(Client(FetchSettings(timeout_s=3)).ask(f"{served.address}/watch"))
        refuse_unfetchable(served.address, inventory)


def test_a_page_that_does_not_end_is_given_up() -> None:
    with serving({"/watch": endless(b"<p>and so on</p>" * 300)}) as served:
        client = Client(FetchSettings(timeout_s=3), largest_body=100_000)
        with pytest.raises(FetchError, match="the page does not end"):
            client.ask(f"{served.address}/watch")
        assert served.count("/watch") == 1


def test_a_page_that_is_cut_short_is_no_page() -> None:
    with serving({"/watch": answer(200, PAGE, length=len(PAGE) + 9, Content_Type="text/html")}) as served:
        with pytest.raises(FetchError, match="cut short"):
            Client(FetchSettings(timeout_s=3)).ask(f"{served.address}/watch")
        whole = answer(200, gzip.compress(PAGE), Content_Type="text/html", Content_Encoding="gzip")
    with serving({"/watch": whole}) as served:
        assert take_inventory(Client(FetchSettings(timeout_s=3)).ask(f"{served.address}/watch")).offers


def test_a_track_that_wants_impersonation_is_had_where_none_is_installed() -> None:
    """YouTube's entries ask for it; without the library for it yt-dlp goes on with a warning."""
    with serving(pages()) as served:
        entry = {"ext": "vtt", "url": f"{served.address}/human.vtt", "impersonate": True}
        facts = facts_of(served, subtitles={"en": [entry]}, automatic_captions={})
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict))
    assert one.body == HUMAN


def test_a_date_that_is_near_is_waited_for() -> None:
    waited: list[float] = []
    with serving(pages(human=in_turn(answer(429, b"", Retry_After=in_an_hour(20)), answer(200, HUMAN)))) as served:
        facts = facts_of(served, automatic_captions={})
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict, waits=waited))
    assert one.record.standing is Standing.LOCKED
    assert len(waited) == 1
    assert 15 <= waited[0] <= 20


def test_a_date_that_is_past_is_not_waited_for_long() -> None:
    waited: list[float] = []
    with serving(pages(human=in_turn(answer(429, b"", Retry_After=in_an_hour(-60)), answer(200, HUMAN)))) as served:
        facts = facts_of(served, automatic_captions={})
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict, waits=waited))
    assert (one.record.standing, waited) == (Standing.LOCKED, [0.0])


def test_a_transfer_without_an_end_is_ended(tmp_path: Path) -> None:
    with serving(pages(human=endless())) as served:
        client = client_of(lambda: facts_of(served), longest_transfer_s=0.3)
        job = fetch_job(f"{served.address}/watch", tmp_path / "job", client).job
        assert served.count("/human.vtt") == 1
    record = job.track("en.human")
    assert record is not None
    assert (record.reason, record.is_passing) == ("the transfer does not end", True)


def test_a_body_that_comes_packed_is_locked_unpacked_and_its_length_is_not_held_against_it() -> None:
    with serving(pages(human=answer(200, PACKED, Content_Encoding="gzip"))) as served:
        facts = facts_of(served, automatic_captions={})
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict))
    assert one.body == HUMAN
    assert one.record.lock is not None
    assert one.record.lock.sha256 == sha256_hex(HUMAN)


def test_a_redirect_to_another_host_is_followed_without_the_cookies_and_recorded(tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc123\n")
    sent: dict[str, str] = {}

    def elsewhere(handler: BaseHTTPRequestHandler, number: int) -> None:
        sent["there"] = handler.headers.get("Cookie", "")
        answer(200, HUMAN)(handler, number)

    with serving({"/moved.vtt": elsewhere}) as other:
        there = other.address.replace("127.0.0.1", "localhost")

        def here(handler: BaseHTTPRequestHandler, number: int) -> None:
            sent["here"] = handler.headers.get("Cookie", "")
            answer(302, b"", Location=f"{there}/moved.vtt")(handler, number)

        with serving(pages(human=here)) as served:
            facts = facts_of(served, automatic_captions={})
            client = Client(FetchSettings(cookie_file=str(cookies), timeout_s=3), setup=lambda library: know_only(library, dict))
            (one,) = fetch_tracks(take_inventory(facts), client)
            assert one.record.address == f"{served.address}/human.vtt"
    assert one.body == HUMAN
    assert sent == {"here": "session=abc123", "there": ""}
    assert dict(one.record.received)["from"] == f"{there}/moved.vtt"


def both(address: str, *more: str) -> dict[str, object]:
    formats = [{"ext": ext, "url": f"{address}/human.{ext}"} for ext in ("srt", "vtt", *more)]
    return {"subtitles": {"en": formats}, "automatic_captions": {}}


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer(404, b""), "as vtt: it is not there any more (404)"),
        (answer(403, b""), "as vtt: the server refuses to give it (403)"),
        (answer(200, b""), "as vtt: the server sent an empty body"),
        (answer(200, b"WEBVTT\n\n"), "as vtt: "),
        (answer(200, HTML), "as vtt: "),
    ],
)
def test_where_the_better_format_is_broken_the_next_is_taken_and_that_is_said(page: Page, why: str) -> None:
    told: list[str] = []
    with serving({"/human.vtt": page, "/human.srt": answer(200, SRT)}) as served:
        facts = facts_of(served, **both(served.address))
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict, say=told.append))
        assert served.count("/human.srt") == 1
    assert (one.record.standing, one.record.format, one.body) == (Standing.LOCKED, "srt", SRT)
    assert one.record.lock is not None
    assert one.record.lock.file == "tracks/en.human.srt"
    assert one.record.address.endswith("/human.srt")
    assert f"made by people; taken as srt, since {why}" in one.record.reason
    assert len(told) == 1
    assert "asking for it as srt" in told[0]


def test_where_the_better_format_is_whole_no_other_is_asked_for() -> None:
    with serving({"/human.vtt": answer(200, HUMAN), "/human.srt": answer(200, SRT)}) as served:
        (one,) = fetch_tracks(take_inventory(facts_of(served, **both(served.address))), client_of(dict))
        assert served.count("/human.srt") == 0
    assert (one.body, one.record.reason) == (HUMAN, "made by people")


def test_a_throttled_track_is_not_asked_for_in_other_formats() -> None:
    with serving({"/human.vtt": answer(429, b""), "/human.srt": answer(200, SRT)}) as served:
        (one,) = fetch_tracks(take_inventory(facts_of(served, **both(served.address))), client_of(dict))
        assert (served.count("/human.vtt"), served.count("/human.srt")) == (4, 0)
    assert (one.record.standing, one.record.is_passing) == (Standing.NOT_OBTAINED, True)


def test_at_most_two_other_formats_are_asked_for_and_each_ones_reason_is_kept() -> None:
    with serving({"/human.vtt": answer(404, b""), "/human.srt": answer(200, HTML)}) as served:
        facts = facts_of(served, **both(served.address, "ttml", "ass"))
        (one,) = fetch_tracks(take_inventory(facts), client_of(dict))
        asked = [served.count(f"/human.{ext}") for ext in ("vtt", "ttml", "srt", "ass")]
    assert asked == [1, 1, 1, 0]
    assert (one.record.standing, one.record.is_passing) == (Standing.NOT_OBTAINED, True)
    assert one.record.reason.startswith("it is not there any more (404) (as ttml: it is not there any more (404), as srt: ")


def test_a_recognised_track_in_two_readings_is_asked_for_in_no_third() -> None:
    with serving(pages(automatic=answer(404, b""))) as served:
        tracks = fetch_tracks(take_inventory(facts_of(served, subtitles={})), client_of(dict))
        assert (served.count("/api/timedtext"), served.count("/api/timedtext.vtt")) == (1, 1)
    assert [one.record.standing for one in tracks[:2]] == [Standing.NOT_OBTAINED, Standing.LOCKED]


def test_a_server_that_keeps_silent_is_not_waited_for_without_end() -> None:
    gate = threading.Event()

    def silent(handler: BaseHTTPRequestHandler, number: int) -> None:
        gate.wait(5)
        handler.close_connection = True

    with serving({"/human.vtt": silent, "/human.srt": answer(200, SRT)}) as served:
        client = Client(FetchSettings(timeout_s=0.3), setup=lambda library: know_only(library, dict))
        (one,) = fetch_tracks(take_inventory(facts_of(served, **both(served.address))), client)
        gate.set()
        assert served.count("/human.srt") == 0
    assert (one.record.reason, one.record.is_passing) == ("the server did not answer in time", True)
