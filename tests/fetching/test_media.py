"""The recording on request: the real yt-dlp fetches it from a server of ours, goes on after a break, and refuses what is none."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from quoteview.core.errors import Cancelled, FetchError, StoreError, UsageError
from quoteview.core.gates import GateName
from quoteview.core.joblock import JobLock
from quoteview.core.review import review
from quoteview.core.store import open_job
from quoteview.fetching.inventory import Inventory, take_inventory
from quoteview.fetching.jobs import fetch_job
from quoteview.fetching.media import FetchedMedia, LengthFrom, add_media, fetch_media
from quoteview.fetching.recordings import MediaKind
from tests.fetching.recorded import box, mp4, mvhd
from tests.fetching.serving import HUMAN, Page, Served, answer, endless, file, in_turn, serving
from tests.fetching.site import client_of, facts_of, pages

TALK = mp4(9_400, filling=300_000)
OTHER = mp4(9_400, filling=300_000).replace(b"M4A ", b"M4B ")


def facts(served: Served, **more: object) -> dict[str, object]:
    entry = {"format_id": "140", "url": f"{served.address}/talk.m4a", "ext": "m4a", "vcodec": "none", "acodec": "mp4a.40.2"}
    return facts_of(served, formats=[{**entry, "abr": 128, **more}], subtitles={}, automatic_captions={})


def fetched(served: Served, parts: Path, **more: object) -> FetchedMedia:
    described = facts(served, **more.pop("format", {}))  # type: ignore[arg-type]
    inventory: Inventory = take_inventory(described)
    return fetch_media(inventory, MediaKind.AUDIO, client_of(dict), folder=parts, **more)  # type: ignore[arg-type]


def left(parts: Path) -> list[str]:
    return sorted(path.name for path in parts.rglob("*") if path.is_file())


def test_the_recording_arrives_whole_with_its_own_length(tmp_path: Path) -> None:
    moved: list[tuple[int, int]] = []
    with serving({"/talk.m4a": file(TALK)}) as served:
        media = fetched(served, tmp_path, progress=lambda done, total: moved.append((done, total)))
    assert media.path.read_bytes() == TALK
    assert media.lock.sha256 == hashlib.sha256(TALK).hexdigest()
    assert (media.lock.file, media.lock.size) == ("media/audio.m4a", len(TALK))
    assert (media.duration_ms, media.length_from, media.source_ms) == (9_400, LengthFrom.FILE, 9_000)
    assert moved[-1] == (len(TALK), len(TALK))
    assert media.disagreement == ""


@pytest.mark.parametrize("headers", [{"ETag": '"v1"'}, {"Last-Modified": "Mon, 01 Jun 2026 10:00:00 GMT"}, {}])
def test_a_part_is_gone_on_with_after_a_break(tmp_path: Path, headers: dict[str, str]) -> None:
    broken = file(TALK, breaks_after=20_000, headers=headers)
    with serving({"/talk.m4a": in_turn(broken, broken, broken, file(TALK, headers=headers))}) as served:
        with pytest.raises(FetchError, match="kept; asked for again, it goes on") as caught:
            fetched(served, tmp_path)
        assert caught.value.is_passing
        assert served.count("/talk.m4a") == 3
        kept = next(tmp_path.rglob("*.part")).stat().st_size
        assert 0 < kept < len(TALK)
        media = fetched(served, tmp_path)
        assert served.ranges[3:] == [f"bytes={kept}-"]
    assert media.path.read_bytes() == TALK


def test_a_short_break_is_mended_within_one_request_for_it(tmp_path: Path) -> None:
    with serving({"/talk.m4a": in_turn(file(TALK, breaks_after=50_000), file(TALK))}) as served:
        assert fetched(served, tmp_path).path.read_bytes() == TALK
        assert served.count("/talk.m4a") == 2
        assert served.ranges[1].startswith("bytes=")


def test_a_server_that_gives_no_parts_is_asked_for_all_of_it_again(tmp_path: Path) -> None:
    broken = file(TALK, breaks_after=20_000, has_parts=False)
    with serving({"/talk.m4a": in_turn(broken, broken, broken, file(TALK, has_parts=False))}) as served:
        with pytest.raises(FetchError):
            fetched(served, tmp_path)
        assert fetched(served, tmp_path).path.read_bytes() == TALK


@pytest.mark.parametrize("tags", [('"v1"', '"v2"'), ("", "")])
def test_a_file_that_changed_since_the_break_is_fetched_from_the_start(tmp_path: Path, tags: tuple[str, str]) -> None:
    """Two versions are never mixed into one file: told by their ETag, else by their length."""
    longer = OTHER if tags[0] else mp4(9_500, filling=310_000)
    headers: list[Mapping[str, str]] = [{"ETag": tag} if tag else {} for tag in tags]
    broken = file(TALK, breaks_after=20_000, headers=headers[0])
    with serving({"/talk.m4a": in_turn(broken, broken, broken, file(longer, headers=headers[1]))}) as served:
        with pytest.raises(FetchError):
            fetched(served, tmp_path)
        assert fetched(served, tmp_path).path.read_bytes() == longer
        assert [bool(asked) for asked in served.ranges[3:]] == [True, False]


def test_a_part_of_which_nothing_is_known_is_not_gone_on_with(tmp_path: Path) -> None:
    broken = file(TALK, breaks_after=20_000)
    with serving({"/talk.m4a": in_turn(broken, broken, broken, file(TALK))}) as served:
        with pytest.raises(FetchError):
            fetched(served, tmp_path)
        next(tmp_path.rglob("expected.json")).unlink()
        assert fetched(served, tmp_path).path.read_bytes() == TALK
        assert served.ranges[3:] == [""]


def test_a_recording_that_arrived_is_not_asked_for_again(tmp_path: Path) -> None:
    with serving({"/talk.m4a": file(TALK)}) as served:
        first, second = fetched(served, tmp_path), fetched(served, tmp_path)
        assert (served.count("/talk.m4a"), first.lock) == (1, second.lock)


def test_stopping_leaves_the_part_alone_and_the_next_time_goes_on(tmp_path: Path) -> None:
    def stop(done: int, _total: int) -> None:
        if done > 50_000:
            raise Cancelled

    with serving({"/talk.m4a": file(TALK)}) as served:
        with pytest.raises(Cancelled):
            fetched(served, tmp_path, progress=stop)
        assert left(tmp_path) == ["expected.json", "recording.m4a.part"]
        fetched(served, tmp_path)
        assert served.ranges[1].startswith("bytes=")


def test_stopping_before_anything_arrived_leaves_nothing(tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    with serving({"/talk.m4a": file(b"")}) as served, pytest.raises((Cancelled, FetchError)):
        fetched(served, tmp_path, progress=stop)
    assert left(tmp_path) == []


PAGE = b"<!DOCTYPE html><html><body>Sign in</body></html>"


@pytest.mark.parametrize(
    ("page", "words", "most"),
    [
        (answer(403, b""), r"refuses to give it \(403\)", 1),
        (answer(404, b""), r"not there any more \(404\)", 1),
        (answer(500, b""), r"failed \(500\)", 3),
        (answer(200, PAGE, Content_Type="text/html; charset=utf-8"), "a web page instead of the recording", 1),
        (answer(200, PAGE, Content_Type="audio/mp4"), "a web page instead of the recording", 1),
        (answer(200, b'{"error": "quota"}', Content_Type="audio/mp4"), "text instead of the recording", 1),
        (answer(200, b""), "empty", 4),
        (answer(200, TALK[:-100]), "cut off", 1),
        (answer(302, b"", Location="file:///etc/passwd"), "not allowed|not there", 1),
        (answer(302, b"", Location="/talk.m4a"), "circles", 40),
    ],
)
def test_what_is_no_recording_is_refused_and_nothing_of_it_is_kept(tmp_path: Path, page: Page, words: str, most: int) -> None:
    with serving({"/talk.m4a": page}) as served:
        with pytest.raises(FetchError, match=words):
            fetched(served, tmp_path)
        assert served.count("/talk.m4a") <= most
    assert left(tmp_path) == []


def test_an_answer_shorter_than_announced_is_no_recording(tmp_path: Path) -> None:
    with serving({"/talk.m4a": answer(200, TALK, length=len(TALK) + 50)}) as served, pytest.raises(FetchError):
        fetched(served, tmp_path)
    assert not list(tmp_path.rglob("recording.m4a"))


def test_a_throttled_recording_is_waited_for(tmp_path: Path) -> None:
    with serving({"/talk.m4a": in_turn(answer(429, b"", Retry_After="7"), file(TALK))}) as served:
        waits: list[float] = []
        media = fetch_media(take_inventory(facts(served)), MediaKind.AUDIO, client_of(dict, waits=waits), folder=tmp_path)
        assert (waits, media.lock.size) == ([7.0], len(TALK))


@pytest.mark.parametrize("told", [{"filesize": 300_000}, {"filesize_approx": 290_000.5}, {}])
def test_one_larger_than_allowed_is_refused_before_its_bytes(tmp_path: Path, told: dict[str, object]) -> None:
    with serving({"/talk.m4a": file(TALK)}) as served:
        with pytest.raises(FetchError, match=r"more than the 0 MB allowed\. Allow more"):
            fetched(served, tmp_path, format=told, largest=100_000)
        assert served.count("/talk.m4a") == (0 if told else 1)
        fetched(served, tmp_path / "b", format=told, largest=len(TALK))
    assert left(tmp_path / "a") == []


def test_one_that_never_ends_is_ended_at_what_is_allowed(tmp_path: Path) -> None:
    with serving({"/talk.m4a": endless()}) as served, pytest.raises(FetchError, match="is larger than"):
        fetched(served, tmp_path, largest=200_000)
    assert left(tmp_path) == []


def test_without_room_nothing_is_asked(tmp_path: Path) -> None:
    with serving({"/talk.m4a": file(TALK)}) as served:
        with pytest.raises(StoreError, match="there is room for"):
            fetched(served, tmp_path, format={"filesize": 10**18}, largest=10**19)
        assert served.count("/talk.m4a") == 0


def test_two_programs_do_not_fetch_the_same_at_once(tmp_path: Path) -> None:
    with serving({"/talk.m4a": file(TALK)}) as served:
        place = fetched(served, tmp_path).path.parent
        with JobLock.take(place), pytest.raises(StoreError, match="by another program"):
            fetched(served, tmp_path)


def job_with(tmp_path: Path, media: Page, **more: object) -> tuple[Path, FetchedMedia]:
    with serving({**pages(), "/talk.m4a": media}) as served:
        described = {**facts(served), "subtitles": facts_of(served)["subtitles"], **more}
        fetch_job(f"{served.address}/watch", tmp_path / "job", client_of(lambda: described))
        media_file = fetch_media(take_inventory(described), MediaKind.AUDIO, client_of(dict), folder=tmp_path / "parts")
    add_media(tmp_path / "job", media_file)
    return tmp_path / "job", media_file


def test_in_the_job_it_is_read_only_digested_listed_and_its_length_counts(tmp_path: Path) -> None:
    folder, media = job_with(tmp_path, file(TALK))
    job = open_job(folder).job
    assert (job.media, job.media_lock) == ("media/audio.m4a", media.lock)
    assert job.source.duration_ms == 9_400
    stored = folder / "media" / "audio.m4a"
    assert stored.read_bytes() == TALK
    assert stat.S_IMODE(stored.stat().st_mode) == 0o444
    assert f"{media.lock.sha256}  media/audio.m4a" in (folder / "manifest-sha256.txt").read_text()
    told = json.loads((folder / "media" / "audio.m4a.json").read_text())
    assert (told["duration_ms"], told["duration_from"], told["duration_ms_by_source"]) == (9_400, "the file", 9_000)
    assert left(tmp_path / "parts") == []


def test_captions_that_end_long_before_the_recording_close_the_gate(tmp_path: Path) -> None:
    """They end at 0:08: within a minute of an end at 1:08, and not of one a millisecond later."""
    for length_ms, is_open in ((68_000, True), (68_001, False)):
        folder, _media = job_with(tmp_path / f"{length_ms}", file(mp4(length_ms)), duration=None)
        gate = next(gate for gate in review(open_job(folder).material).gates if gate.name == GateName.COMPLETE)
        assert any("the recording at" in defect for defect in gate.defects) is not is_open, gate


def test_a_file_that_does_not_say_its_length_leaves_the_sources_word(tmp_path: Path) -> None:
    folder, media = job_with(tmp_path, file(b"\x47" + bytes(187) * 20))
    assert open_job(folder).job.source.duration_ms == 9_000
    assert media.length_from is LengthFrom.SOURCE


def test_without_either_no_length_is_made_up(tmp_path: Path) -> None:
    folder, media = job_with(tmp_path, file(b"\x47" + bytes(187) * 20), duration=None)
    assert open_job(folder).job.source.duration_ms is None
    assert media.length_from is LengthFrom.NOWHERE


def test_a_job_takes_one_recording(tmp_path: Path) -> None:
    folder, media = job_with(tmp_path, file(TALK))
    with pytest.raises(UsageError, match="has a recording already"):
        add_media(folder, media)


@pytest.mark.parametrize(("own_ms", "is_told"), [(9_000, False), (69_000, False), (69_001, True)])
def test_a_length_that_is_another_one_than_the_sources_is_told(tmp_path: Path, own_ms: int, is_told: bool) -> None:
    body = box(b"ftyp", b"M4A ") + box(b"moov", mvhd(own_ms)) + box(b"mdat", HUMAN)
    with serving({"/talk.m4a": file(body)}) as served:
        assert bool(fetched(served, tmp_path).disagreement) is is_told
