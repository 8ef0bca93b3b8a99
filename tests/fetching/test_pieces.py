"""Subtitles that come as a list of pieces (HLS): the real yt-dlp fetches every piece and puts one track together."""

from __future__ import annotations

from quoteview.core.captions.reading import read_track
from quoteview.core.job import Standing
from quoteview.core.locking import lock
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.tracks import fetch_tracks
from tests.fetching.serving import Page, Served, answer, serving
from tests.fetching.site import client_of, facts_of

PLAYLIST = (
    b"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n"
    b"#EXTINF:6.0,\npart0.vtt\n#EXTINF:6.0,\npart1.vtt\n#EXTINF:6.0,\npart2.vtt\n#EXT-X-ENDLIST\n"
)


def part(number: int, words: bytes) -> Page:
    start = b"00:00:%02d.000 --> 00:00:%02d.000" % (number * 6 + 1, number * 6 + 4)
    body = b"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n" + start + b"\n" + words + b"\n"
    return answer(200, body, Content_Type="text/vtt")


def stream(**changed: Page) -> dict[str, Page]:
    return {
        "/subs.m3u8": answer(200, PLAYLIST, Content_Type="application/vnd.apple.mpegurl"),
        "/part0.vtt": changed.get("part0", part(0, b"the mill is shut")),
        "/part1.vtt": changed.get("part1", part(1, b"and the gate is open")),
        "/part2.vtt": changed.get("part2", part(2, b"until it rains")),
    }


def facts(served: Served) -> dict[str, object]:
    entry = {"ext": "vtt", "url": f"{served.address}/subs.m3u8", "protocol": "m3u8_native"}
    return facts_of(served, subtitles={"en": [entry]}, automatic_captions={})


def test_every_piece_of_a_stream_becomes_part_of_one_track() -> None:
    with serving(stream()) as served:
        (one,) = fetch_tracks(take_inventory(facts(served)), client_of(lambda: facts(served)))
        assert [served.count(f"/part{number}.vtt") for number in range(3)] == [1, 1, 1]
    assert one.record.standing is Standing.LOCKED, one.record.reason
    assert one.body is not None
    track = read_track(lock(one.body, "subs.vtt"))
    assert [(cue.time.start_ms, cue.text) for cue in track.cues] == [
        (1000, "the mill is shut"),
        (7000, "and the gate is open"),
        (13000, "until it rains"),
    ]


def test_a_stream_with_a_piece_missing_is_not_obtained() -> None:
    with serving(stream(part1=answer(404, b""))) as served:
        (one,) = fetch_tracks(take_inventory(facts(served)), client_of(lambda: facts(served)))
    assert one.record.standing is Standing.NOT_OBTAINED
    assert one.body is None
