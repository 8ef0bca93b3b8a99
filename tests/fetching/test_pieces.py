"""Subtitles that come as a list of pieces (HLS): the real yt-dlp fetches every piece and puts one track together."""

from __future__ import annotations

import pytest
from yt_dlp.aes import aes_cbc_encrypt_bytes

from quoteview.core.captions.reading import read_track
from quoteview.core.job import Standing
from quoteview.core.locking import lock
from quoteview.fetching.inventory import take_inventory
from quoteview.fetching.tracks import Fetched, fetch_tracks
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


def words(one: Fetched) -> list[tuple[int, str]]:
    assert one.record.standing is Standing.LOCKED, one.record.reason
    assert one.body is not None
    return [(cue.time.start_ms, cue.text) for cue in read_track(lock(one.body, "subs.vtt")).cues]


def fetched(pages: dict[str, Page]) -> Fetched:
    with serving(pages) as served:
        (one,) = fetch_tracks(take_inventory(facts(served)), client_of(lambda: facts(served)))
    return one


def playlist(*lines: bytes) -> Page:
    head = (b"#EXTM3U", b"#EXT-X-VERSION:3", b"#EXT-X-TARGETDURATION:6")
    return answer(200, b"\n".join((*head, *lines, b"#EXT-X-ENDLIST\n")), Content_Type="application/vnd.apple.mpegurl")


def test_two_pieces_with_a_discontinuity_between_them_are_one_track() -> None:
    """Behind a cut (an advertisement) the clock of the pieces may begin anew; the maps of both say the same here."""
    listed = playlist(b"#EXTINF:6.0,", b"part0.vtt", b"#EXT-X-DISCONTINUITY", b"#EXTINF:6.0,", b"part1.vtt")
    one = fetched({**stream(), "/subs.m3u8": listed})
    assert words(one) == [(1000, "the mill is shut"), (7000, "and the gate is open")]


def test_a_cue_that_runs_over_the_border_of_two_pieces_stands_once() -> None:
    """Both pieces hold it, as the specification asks (RFC 8216, section 3.5)."""
    shared = b"00:00:05.000 --> 00:00:08.000\nover the border\n"
    head = b"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n"
    one = fetched(
        {
            "/subs.m3u8": playlist(b"#EXTINF:6.0,", b"part0.vtt", b"#EXTINF:6.0,", b"part1.vtt"),
            "/part0.vtt": answer(200, head + shared),
            "/part1.vtt": answer(200, head + shared + b"\n00:00:09.000 --> 00:00:10.000\nand after\n"),
        }
    )
    assert words(one) == [(5000, "over the border"), (9000, "and after")]


KEY, IV = bytes(range(16)), bytes(15) + b"\x07"


def locked_up(body: bytes) -> bytes:
    return bytes(aes_cbc_encrypt_bytes(body, KEY, IV, padding_mode="pkcs7"))


def encrypted(key: Page) -> dict[str, Page]:
    said = b'#EXT-X-KEY:METHOD=AES-128,URI="key.bin",IV=0x' + IV.hex().encode()
    head = b"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n"
    return {
        "/subs.m3u8": playlist(said, b"#EXTINF:6.0,", b"part0.vtt"),
        "/part0.vtt": answer(200, locked_up(head + b"00:00:01.000 --> 00:00:04.000\nthe mill is shut\n")),
        "/key.bin": key,
    }


def test_a_stream_whose_pieces_are_encrypted_is_read_with_its_key() -> None:
    assert words(fetched(encrypted(answer(200, KEY)))) == [(1000, "the mill is shut")]


@pytest.mark.parametrize("key", [answer(403, b""), answer(200, b"\x01" * 16)])
def test_a_stream_whose_key_is_refused_or_wrong_is_not_obtained(key: Page) -> None:
    one = fetched(encrypted(key))
    assert (one.record.standing, one.body) == (Standing.NOT_OBTAINED, None)
    assert one.record.reason


def test_a_stream_under_drm_is_not_obtained_and_that_is_said() -> None:
    said = b'#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://key",KEYFORMAT="com.apple.streamingkeydelivery"'
    one = fetched({**stream(), "/subs.m3u8": playlist(said, b"#EXTINF:6.0,", b"part0.vtt")})
    assert (one.record.standing, one.record.reason) == (Standing.NOT_OBTAINED, "it is protected (DRM)")


def test_a_list_without_a_piece_is_not_obtained() -> None:
    one = fetched({"/subs.m3u8": playlist()})
    assert one.record.standing is Standing.NOT_OBTAINED
    assert one.record.reason


def test_a_stream_with_a_piece_missing_is_not_obtained() -> None:
    with serving(stream(part1=answer(404, b""))) as served:
        (one,) = fetch_tracks(take_inventory(facts(served)), client_of(lambda: facts(served)))
    assert one.record.standing is Standing.NOT_OBTAINED
    assert one.body is None
