"""A media file's own length, read from its headers, and whether the file is cut off."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from quoteview.fetching.containers import Container, is_text, read_container
from tests.fetching.recorded import box, mp4, mvhd


def read(tmp_path: Path, body: bytes) -> Container:
    path = tmp_path / "media"
    path.write_bytes(body)
    return read_container(path)


def sidx(track: int, lengths: list[int], *, scale: int = 1000, is_list: bool = False) -> bytes:
    pieces = b"".join(struct.pack(">III", (is_list << 31) | 100, length, 0) for length in lengths)
    return box(b"sidx", struct.pack(">B3xIIIIHH", 0, track, scale, 0, 0, 0, len(lengths)) + pieces)


FTYP, MDAT = box(b"ftyp", b"M4A "), box(b"mdat", b"sound")


@pytest.mark.parametrize(
    ("moov", "more", "length_ms"),
    [
        (mvhd(7_300), b"", 7_300),
        (mvhd(330_750, 44_100), b"", 7_500),
        (mvhd(2**33, 1000, version=1), b"", 2**33),
        (mvhd(0) + box(b"mvex", box(b"mehd", struct.pack(">II", 0, 6_100))), b"", 6_100),
        (mvhd(0xFFFFFFFF), sidx(1, [1_000, 2_500]), 3_500),
        (mvhd(0), sidx(1, [1_000]) + MDAT + sidx(1, [900]) + sidx(2, [1_850]), 1_900),
        (mvhd(0), sidx(1, [9_000], is_list=True) + sidx(1, [4_000, 5_000]), 9_000),
        (mvhd(0), b"", None),
        (mvhd(500, 0), b"", None),
    ],
)
def test_an_mp4_says_its_length(tmp_path: Path, moov: bytes, more: bytes, length_ms: int | None) -> None:
    assert read(tmp_path, FTYP + box(b"moov", moov) + more + MDAT) == Container("mp4", length_ms)


def test_an_mp4_that_lacks_its_last_byte_is_cut_off(tmp_path: Path) -> None:
    whole = mp4(9_000)
    assert not read(tmp_path, whole).is_cut
    assert read(tmp_path, whole[:-1]).is_cut
    assert read(tmp_path, FTYP + box(b"moov", mvhd(9_000))).is_cut


def test_an_mp4_whose_last_box_runs_to_the_end_of_the_file_is_whole(tmp_path: Path) -> None:
    assert not read(tmp_path, FTYP + box(b"moov", mvhd(9_000)) + struct.pack(">I4s", 0, b"mdat") + b"sound").is_cut


def element(number: int, content: bytes) -> bytes:
    name = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return name + bytes([0x01]) + len(content).to_bytes(7, "big") + content


def webm(units: float | None, scale_ns: int = 1_000_000, *, is_open: bool = False) -> bytes:
    said = element(0x4489, struct.pack(">d", units)) if units is not None else b""
    inside = element(0x1549A966, element(0x2AD7B1, scale_ns.to_bytes(4, "big")) + said) + element(0x1F43B675, b"sound")
    head = element(0x1A45DFA3, element(0x4282, b"webm"))
    return head + (b"\x18\x53\x80\x67\x01" + b"\xff" * 7 + inside if is_open else element(0x18538067, inside))


@pytest.mark.parametrize(
    ("body", "length_ms"),
    [(webm(7_308.0), 7_308), (webm(730.8, 10_000_000), 7_308), (webm(None), None), (webm(None, is_open=True), None)],
)
def test_webm_says_its_length(tmp_path: Path, body: bytes, length_ms: int | None) -> None:
    assert read(tmp_path, body) == Container("matroska", length_ms)


def test_webm_that_lacks_its_last_byte_is_cut_off_unless_it_never_said_its_size(tmp_path: Path) -> None:
    assert read(tmp_path, webm(7_308.0)[:-1]).is_cut
    assert not read(tmp_path, webm(None, is_open=True)[:-1]).is_cut


MP3_FRAME = b"\xff\xfb\x90\x00" + bytes(413)
"""128 kbit/s at 44,100 Hz without padding: 417 bytes, 1,152 samples."""


@pytest.mark.parametrize("head", [b"", b"ID3\x04\x00\x00\x00\x00\x00\x0a" + bytes(10)])
def test_mp3_is_as_long_as_its_frames(tmp_path: Path, head: bytes) -> None:
    index = MP3_FRAME[:36] + b"Xing" + bytes(377)
    frames_ms = round(100 * 1152 / 44.1)
    assert read(tmp_path, head + MP3_FRAME * 100) == Container("mp3", frames_ms)
    assert read(tmp_path, head + index + MP3_FRAME * 100) == Container("mp3", frames_ms)
    assert read(tmp_path, head + MP3_FRAME * 100 + b"TAG" + bytes(125)) == Container("mp3", frames_ms)


def page(position: int, content: bytes) -> bytes:
    return b"OggS" + struct.pack("<BBqIIIB", 0, 0, position, 1, 0, 0, 1) + bytes([len(content)]) + content


def test_ogg_is_as_long_as_its_last_page_says(tmp_path: Path) -> None:
    opus = page(0, b"OpusHead\x01\x02" + struct.pack("<H", 312) + bytes(7))
    assert read(tmp_path, opus + page(48_312, b"x")) == Container("ogg", 1_000)
    vorbis = page(0, b"\x01vorbis" + struct.pack("<IBI", 0, 2, 44_100) + bytes(14))
    assert read(tmp_path, vorbis + page(88_200, b"x")) == Container("ogg", 2_000)
    assert read(tmp_path, page(0, b"Speex   ") + page(88_200, b"x")) == Container("ogg", None)


def test_wav_and_flac_count_their_samples(tmp_path: Path) -> None:
    wav = b"RIFF\0\0\0\0WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 16_000, 2, 16) + b"data" + struct.pack("<I", 32_000)
    assert read(tmp_path, wav + bytes(32_000)) == Container("wav", 2_000)
    assert read(tmp_path, wav + bytes(31_999)).is_cut
    counts = (44_100 << 44 | 1 << 41 | 15 << 36 | 88_200).to_bytes(8, "big")
    assert read(tmp_path, b"fLaC\x80\0\0\x22" + bytes(10) + counts + bytes(16)) == Container("flac", 2_000)


def test_what_is_no_container_known_here_has_no_length(tmp_path: Path) -> None:
    assert read(tmp_path, b"\x47" + bytes(187) * 9) == Container("", None)
    assert read(tmp_path, b"") == Container("", None)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(some.sampled_from([mp4(9_000, 40), webm(7_308.0), MP3_FRAME * 3, page(0, b"OpusHead\x01\x02ab") * 2]), some.data())
def test_a_broken_file_is_never_an_error(tmp_path: Path, body: bytes, drawn: some.DataObject) -> None:
    place = drawn.draw(some.integers(0, len(body) - 1))
    changed = body[:place] + bytes([drawn.draw(some.integers(0, 255))]) + body[place + 1 :]
    found = read(tmp_path, changed[: drawn.draw(some.integers(0, len(changed)))])
    assert found.duration_ms is None or found.duration_ms >= 0


@pytest.mark.parametrize("body", [b"<html>", b"#EXTM3U\n", b'{"a": 1}', "Пожалуйста, войдите".encode()])
def test_text_is_told(body: bytes) -> None:
    assert is_text(body)


@pytest.mark.parametrize("body", [b"", mp4(9_000), MP3_FRAME, b"ID3\x04abc", b"OggSabc", b"\x1aE\xdf\xa3abc"])
def test_media_is_not_taken_for_text(body: bytes) -> None:
    assert not is_text(body)
