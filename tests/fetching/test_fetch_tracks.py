"""Both tracks of one language arrive, faults end in a sentence, and nothing is asked more often than is decent."""

from __future__ import annotations

from pathlib import Path

import pytest
from yt_dlp import YoutubeDL

from quoteview.core.captions.track import Origin
from quoteview.core.errors import Cancelled, FetchError
from quoteview.core.job import Standing
from quoteview.core.locking import sha256_hex
from quoteview.core.store import add_draft, open_job
from quoteview.fetching.changes import ChangeKind, look_for_changes, take_change
from quoteview.fetching.client import Client, FetchSettings
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.jobs import fetch_job
from quoteview.fetching.tracks import fetch_tracks
from tests.fetching.serving import AUTOMATIC, HUMAN, Page, answer, endless, in_turn, serving
from tests.fetching.site import client_of, facts_of, know_only, pages


def test_human_and_automatic_tracks_of_one_language_both_arrive_locked_and_labelled(tmp_path: Path) -> None:
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
    locked = {record.id: record for record in opened.job.locked}
    assert {record.origin for record in locked.values()} == {Origin.HUMAN, Origin.AUTOMATIC}
    assert locked["en.human"].lock is not None
    assert locked["en.human"].lock.sha256 == sha256_hex(HUMAN)
    assert (tmp_path / "job" / "tracks" / "en.human.vtt").read_bytes() == HUMAN
    assert (tmp_path / "job" / "tracks" / "en.automatic.json3").read_bytes() == AUTOMATIC
    assert locked["en.human"].library.startswith("yt-dlp ")
    assert dict(locked["en.human"].received)["status"] == "200"
    assert opened.job.source.duration_ms == 9000
    listed = [record for record in opened.job.tracks if record.standing is Standing.LISTED]
    assert len(listed) == 40
    assert all(record.origin is Origin.TRANSLATED for record in listed)
    assert not any("chat" in record.id for record in opened.job.tracks)


def test_the_librarys_own_writer_loses_the_automatic_track(tmp_path: Path) -> None:
    with serving(pages()) as served:
        parameters = {
            "quiet": True, "no_warnings": True, "skip_download": True, "writesubtitles": True, "writeautomaticsub": True,
            "subtitleslangs": ["en"], "outtmpl": str(tmp_path / "video"), "ignore_no_formats_error": True, "cachedir": False,
        }  # fmt: skip
        with YoutubeDL(parameters) as library:  # type: ignore[arg-type]
            know_only(library, lambda: facts_of(served))
            library.download([f"{served.address}/watch"])
    written = sorted(tmp_path.iterdir())
    assert [path.read_bytes() for path in written] == [HUMAN]


@pytest.mark.parametrize(("kept", "origin"), [("subtitles", Origin.HUMAN), ("automatic_captions", Origin.AUTOMATIC)])
def test_a_source_with_only_one_of_them_gives_that_one(tmp_path: Path, kept: str, origin: Origin) -> None:
    other = "automatic_captions" if kept == "subtitles" else "subtitles"
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served, **{other: {}})))
    assert {record.origin for record in opened.job.locked} == {origin}


def test_with_the_roles_reversed_the_origins_are_too(tmp_path: Path) -> None:
    with serving(pages()) as served:
        facts = facts_of(served)
        facts["subtitles"] = {"en": [{"ext": "vtt", "url": f"{served.address}/api/timedtext.vtt?lang=en&kind=asr"}]}
        facts["automatic_captions"] = {"en": [{"ext": "vtt", "url": f"{served.address}/human.vtt"}]}
        inventory = take_inventory(facts)
    assert [offer.origin for offer in inventory.offers] == [Origin.AUTOMATIC, Origin.AUTOMATIC]


def obtained(page: Page, **more: object) -> tuple[Standing, str, bool, int, list[float]]:
    """Return what became of a human track that a page answers for: standing, reason, passing, requests, waits."""
    waits: list[float] = []
    with serving(pages(human=page)) as served:
        facts = facts_of(served, automatic_captions={})
        client = client_of(lambda: facts, waits=waits, **more)
        record = fetch_tracks(take_inventory(facts), client)[0].record
        return record.standing, record.reason, record.is_passing, served.count("/human.vtt"), waits


def test_429_waits_as_told_a_few_times_and_then_says_so() -> None:
    standing, reason, is_passing, asked, waits = obtained(answer(429, b"", Retry_After="30"))
    assert (standing, is_passing, asked, waits) == (Standing.NOT_OBTAINED, True, 4, [30, 30, 30])
    assert "429" in reason


def test_429_without_retry_after_waits_longer_each_time() -> None:
    standing, _, _, asked, waits = obtained(in_turn(answer(429, b""), answer(429, b""), answer(200, HUMAN)))
    assert (standing, asked) == (Standing.LOCKED, 3)
    assert waits == sorted(waits)
    assert len(waits) == 2


def test_429_that_asks_for_an_hour_is_not_waited_for() -> None:
    standing, _, is_passing, asked, waits = obtained(answer(429, b"", Retry_After="3600"))
    assert (standing, is_passing, asked, waits) == (Standing.NOT_OBTAINED, True, 1, [])


def test_403_is_refused_at_once() -> None:
    standing, reason, is_passing, asked, _ = obtained(answer(403, b""))
    assert (standing, is_passing, asked) == (Standing.NOT_OBTAINED, False, 1)
    assert "403" in reason


def test_500_twice_and_then_200_is_locked() -> None:
    standing, _, _, asked, _ = obtained(in_turn(answer(500, b""), answer(500, b""), answer(200, HUMAN)))
    assert (standing, asked) == (Standing.LOCKED, 3)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (answer(200, b""), "empty"),
        (answer(200, b"<!DOCTYPE html><html><body>Sign in</body></html>"), "web page"),
        (answer(200, b"WEBVTT\n\n"), "no cues"),
        (answer(200, HUMAN, length=len(HUMAN) + 50), ""),
    ],
)
def test_what_is_no_track_is_refused_with_its_reason(page: Page, words: str) -> None:
    standing, reason, _, asked, _ = obtained(page)
    assert standing is Standing.NOT_OBTAINED
    assert words in reason
    assert reason
    assert asked <= 4


def test_a_body_of_300_mb_is_given_up_early() -> None:
    standing, reason, _, asked, _ = obtained(answer(200, b"x" * 200_000, length=300_000_000), largest_body=100_000)
    assert standing is Standing.NOT_OBTAINED
    assert "larger than any caption track" in reason
    assert asked == 1


def test_a_transfer_that_never_ends_is_ended() -> None:
    standing, reason, _, asked, _ = obtained(endless(), longest_transfer_s=0.3)
    assert standing is Standing.NOT_OBTAINED
    assert "does not end" in reason
    assert asked == 1


def test_a_redirect_to_a_file_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.vtt"
    secret.write_bytes(HUMAN)
    standing, reason, _, _, _ = obtained(answer(302, b"", Location=f"file://{secret}"))
    assert standing is Standing.NOT_OBTAINED
    assert reason


def test_a_redirect_loop_ends() -> None:
    standing, reason, _, asked, _ = obtained(answer(302, b"", Location="/human.vtt"))
    assert standing is Standing.NOT_OBTAINED
    assert reason
    assert asked <= 40


def test_a_name_with_dots_and_slashes_stays_inside_the_job(tmp_path: Path) -> None:
    with serving(pages()) as served:
        facts = facts_of(served, automatic_captions={})
        facts["subtitles"] = {"../../evil": [{"ext": "vtt/../../x", "url": f"{served.address}/human.vtt"}]}
        opened = fetch_job(f"{served.address}/watch", tmp_path / "deep" / "job", client_of(lambda: facts))
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    assert all(name.startswith("deep/job/") for name in files)
    assert len(opened.job.locked) == 1


def test_partial_success_is_kept_and_recorded(tmp_path: Path) -> None:
    with serving(pages(automatic=answer(200, b""), automatic_vtt=answer(200, b""))) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
    failed = [record for record in opened.job.tracks if record.standing is Standing.NOT_OBTAINED]
    assert [record.origin for record in failed] == [Origin.AUTOMATIC, Origin.AUTOMATIC]
    assert all(record.reason and record.is_passing for record in failed)
    assert [record.id for record in opened.job.locked] == ["en.human"]


def test_nothing_obtained_leaves_no_folder(tmp_path: Path) -> None:
    with serving(pages(human=answer(403, b""))) as served, pytest.raises(FetchError, match="403"):
        fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served, automatic_captions={})))
    assert list(tmp_path.iterdir()) == []


def test_cancelling_leaves_no_trace(tmp_path: Path) -> None:
    def stop(track: str, done: int, total: int) -> None:
        if track != "en.human":
            raise Cancelled

    with serving(pages()) as served, pytest.raises(Cancelled):
        fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)), progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_the_program_says_so() -> None:
    client = Client(FetchSettings(timeout_s=2))
    with pytest.raises(FetchError) as caught:
        client.ask("http://127.0.0.1:9/watch")
    assert caught.value.reason
    assert "Traceback" not in str(caught.value)


def test_a_copy_is_fetched_once_and_recorded_under_its_own_name(tmp_path: Path) -> None:
    with serving(pages()) as served:
        facts = facts_of(served)
        same = {"ext": "vtt", "url": f"{served.address}/api/timedtext.vtt?lang=en&kind=asr&fmt=vtt"}
        facts["automatic_captions"] = {"en": [same], "en-orig": [same]}
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts))
        assert served.count("/api/timedtext.vtt") == 1
    assert {record.id for record in opened.job.locked} == {"en.human", "en.automatic", "en-orig.automatic"}
    copy = opened.job.track("en-orig.automatic")
    assert copy is not None
    assert copy.copy_of == "en.automatic"


def test_changes_at_the_source_are_told_and_the_lock_stays(tmp_path: Path) -> None:
    later = HUMAN.replace(b"memo", b"letter")
    with serving(pages(human=in_turn(answer(200, HUMAN), answer(200, later)))) as served:
        client = client_of(lambda: facts_of(served))
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client)
        changes = {change.track_id: change for change in look_for_changes(opened.material, client)}
    assert changes["en.human"].kind is ChangeKind.CHANGED
    assert (changes["en.human"].locked, changes["en.human"].found) == (sha256_hex(HUMAN), sha256_hex(later))
    assert changes["en.automatic"].kind is ChangeKind.UNCHANGED
    assert (tmp_path / "job" / "tracks" / "en.human.vtt").read_bytes() == HUMAN
    taken = take_change(opened, changes["en.human"])
    assert {record.id for record in taken.job.locked} >= {"en.human", "en.human-2"}
    assert open_job(tmp_path / "job").job.track("en.human") is not None


def test_a_track_that_is_gone_at_the_source_is_told(tmp_path: Path) -> None:
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
        without = client_of(lambda: facts_of(served, subtitles={}))
        changes = {change.track_id: change.kind for change in look_for_changes(opened.material, without)}
    assert changes["en.human"] is ChangeKind.GONE


def test_a_fetched_job_takes_a_draft(tmp_path: Path) -> None:
    draft = tmp_path / "piece.md"
    draft.write_text("“Dr. Okafor wrote the memo.” (0:05)\n", "utf-8")
    with serving(pages()) as served:
        opened = fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: facts_of(served)))
    job = add_draft(tmp_path / "job", opened.job, draft)
    assert [one.path for one in job.drafts] == ["drafts/piece.md"]
