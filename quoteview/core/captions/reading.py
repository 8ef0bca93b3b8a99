"""Reading a track: bytes in, `Track` out; the format is told by the content, never by the name.

What cannot be a track is refused here in words: an empty file, a web page, a picture, an archive, a
recording, a caption format that is not read (with the way to convert it), and anything unknown. Each
reader is imported only when its format is at hand, so that a start stays quick.
"""

from __future__ import annotations

import codecs
import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from quoteview.core.captions.scan import View, view_of
from quoteview.core.captions.track import Track
from quoteview.core.errors import CaptionError
from quoteview.core.locking import LockedSource

LARGEST_FILE = 64 * 1024 * 1024
"""A caption track of 100 hours with word times has about 30 MB; anything above this is something else."""

ACCEPTED = (
    "WebVTT, SubRip, SBV, YouTube's json3 and srv1 to srv3, TTML, ASS/SSA, SAMI, recognisers' JSON "
    "(Whisper, AWS, Deepgram, AssemblyAI, Google and others) and text with a time at the head of each paragraph"
)
"""The formats that are read, in words."""

_HEAD = 4096
_CONVERT = "Convert it to WebVTT or SubRip, for example with Subtitle Edit or ffmpeg, and read that."
_MAGIC = (
    (0, b"\x89PNG", "a picture (PNG)"),
    (0, b"\xff\xd8\xff", "a picture (JPEG)"),
    (0, b"GIF8", "a picture (GIF)"),
    (0, b"BM\x36", "a picture (BMP)"),
    (8, b"WEBP", "a picture (WebP)"),
    (0, b"II*\0", "a picture (TIFF)"),
    (0, b"MM\0*", "a picture (TIFF)"),
    (0, b"%PDF", "a PDF document"),
    (0, b"{\\rtf", "a word processor's file (RTF)"),
    (0, b"\xd0\xcf\x11\xe0", "an old Office document"),
    (0, b"PK\x03\x04", "an archive or Office document (ZIP)"),
    (0, b"PK\x05\x06", "an empty archive (ZIP)"),
    (0, b"\x1f\x8b", "a compressed file (gzip)"),
    (0, b"BZh", "a compressed file (bzip2)"),
    (0, b"\xfd7zXZ", "a compressed file (xz)"),
    (0, b"7z\xbc\xaf", "an archive (7z)"),
    (0, b"Rar!", "an archive (RAR)"),
    (4, b"ftyp", "a recording (MP4)"),
    (0, b"\x1aE\xdf\xa3", "a recording (Matroska or WebM)"),
    (0, b"OggS", "a recording (Ogg)"),
    (0, b"fLaC", "a recording (FLAC)"),
    (0, b"ID3", "a recording (MP3)"),
    (0, b"\xff\xfb", "a recording (MP3)"),
    (8, b"WAVE", "a recording (WAV)"),
    (8, b"AVI ", "a recording (AVI)"),
    (0, b"FLV\x01", "a recording (FLV)"),
    (0, b"\0\0\x01\xba", "a recording (MPEG)"),
    (0, b"\x7fELF", "a program"),
    (0, b"SQLite format 3", "a database (SQLite)"),
)
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_CONTROLS = bytes([*range(1, 9), *range(14, 27), *range(28, 32), 127])

_SIGNATURE = re.compile(rb"WEBVTT(?![^ \t\r\n])")
_MISPLACED_SIGNATURE = re.compile(rb"[^\r\n]{0,40}?WEBVTT|\s{1,200}WEBVTT|webvtt(?![^ \t\r\n])")
_JSON = re.compile(rb'\{\s*+(?:"|\}|\Z)|\[\s*+(?:[\[{"\]]|\Z)')
_WEB_PAGE = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|span|p|cite|time|h[1-6]|table|ul|article|section|main|br)\b",
    re.IGNORECASE,
)
# The first line says it: a caption in another format may well hold the words “[Events]” or “Dialogue:”.
_SUBSTATION = re.compile(
    rb"(?:[;!][^\r\n]*+\s++)*+(?:\[(?:script info|v4\+{0,2} styles|events)\]|dialogue[ \t]*+:)", re.IGNORECASE
)
_MICRODVD = re.compile(rb"\s*+\{\d+\}\{\d*\}")
_MPL2 = re.compile(rb"\s*+\[\d+\]\[\d*\]")
_SCC = re.compile(rb"\s*+Scenarist_SCC", re.IGNORECASE)
_SPRUCE = re.compile(
    rb"\s*+(?://[^\r\n]*+[\r\n]++|\$[^\r\n]*+[\r\n]++|[\r\n]++)*+\d\d:\d\d:\d\d[:;.]\d\d\s*+,\s*+\d\d:\d\d:\d\d[:;.]\d\d\s*+,"
)
_LYRICS = re.compile(
    rb"(?:^|[\r\n])\[(?:(?:ar|ti|al|au|by|la|length|offset|re|ve):[^\]\r\n]*+\][ \t]*+(?=[\r\n])|\d{1,3}:\d\d[.:]\d\d\][^\s\[])"
)
_TABLE = re.compile(
    rb"\s*+(?:[^\t\r\n]*\bstart[^\t\r\n]*\t[^\r\n]*|(?:[^\t\r\n]*\t)?-?\d+(?:\.\d+)?(?:\t[^\r\n]*)?)[\r\n]", re.IGNORECASE
)


def read_track(source: LockedSource, *, encoding: str | None = None) -> Track:
    """Return the locked bytes as a track, or raise `CaptionError` with the reason, the place and the way out.

    `encoding` is a person's choice and overrides what the file says of itself.
    """
    _refuse_foreign(source, encoding)
    view = view_of(source, encoding=encoding)
    reader = _reader(view)
    with _without_collections():
        return reader(view)


@contextmanager
def _without_collections() -> Iterator[None]:
    """A reader makes a million small objects and no cycle: looking for cycles among them would take a third of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _reader(view: View) -> Callable[[View], Track]:
    """Return the reader whose format the content is in; formats that say what they are come first."""
    if _SIGNATURE.match(view.data, view.start):
        from quoteview.core.captions import webvtt

        return webvtt.read
    at = _first(view)
    if at == len(view.data):
        raise view.refuse("the file holds nothing but white space", view.start, remedy="Fetch or export the track again.")
    if _JSON.match(view.data, at):
        return _json_reader(view, at)
    if view.data.startswith(b"<", at):
        return _markup_reader(view, at)
    if _SUBSTATION.match(view.data, at):
        from quoteview.core.captions import substation

        if substation.recognises(view):
            return substation.read
    return _line_reader(view, at)


def _json_reader(view: View, at: int) -> Callable[[View], Track]:
    from quoteview.core.captions import json3

    if json3.recognises(view):
        return json3.read
    from quoteview.core.captions import recogniser

    if recogniser.recognises(view):
        return recogniser.read
    raise view.refuse(
        "it is JSON, but none of the kinds of transcript that are read",
        at,
        remedy=f"Choose the track itself. Read are {ACCEPTED}.",
    )


def _markup_reader(view: View, at: int) -> Callable[[View], Track]:
    head = view.data[at : at + 64 * _HEAD].lower()
    if b"<sami" in head:
        from quoteview.core.captions import sami

        if sami.recognises(view):
            return sami.read
    if not head.startswith((b"<html", b"<!doctype html")):
        from quoteview.core.captions import timedtext

        if timedtext.recognises(view):
            return timedtext.read
        from quoteview.core.captions import ttml

        if ttml.recognises(view):
            return ttml.read
    if _WEB_PAGE.search(head):
        raise view.refuse(
            "it is a web page, not captions",
            at,
            remedy="Fetch the caption file itself; a page that asks to sign in or to wait is often saved in its place.",
        )
    raise view.refuse("it is XML, but not captions of a kind that is read", at, remedy=f"Read are {ACCEPTED}.")


def _line_reader(view: View, at: int) -> Callable[[View], Track]:
    _refuse_misplaced_signature(view)
    _refuse_named(view, at)
    from quoteview.core.captions import plaintimed, sbv, subrip

    arrow, comma = subrip.first_timing(view), sbv.first_timing(view)
    if comma is not None and (arrow is None or comma < arrow):
        return sbv.read
    if arrow is not None:
        return subrip.read
    _refuse_lyrics(view)
    if plaintimed.recognises(view):
        return plaintimed.read
    _refuse_tables(view, at)
    if _WEB_PAGE.search(view.data, at, at + _HEAD) and re.search(rb"</(?:p|div|body|html|a)>", view.data[at:], re.IGNORECASE):
        raise view.refuse("it is a web page, not captions", at, remedy="Download the caption file itself.")
    raise view.refuse(
        "the format is not known; no line of it gives times as a caption file does", at, remedy=f"Read are {ACCEPTED}."
    )


def _first(view: View) -> int:
    """Return the view offset of the first byte that is not white space."""
    match = re.compile(rb"\s*+").match(view.data, view.start)
    assert match
    return match.end()


def _refuse_foreign(source: LockedSource, encoding: str | None) -> None:
    """Refuse by size and first bytes what cannot be text at all."""
    file, data = source.lock.file, source.data
    if not data:
        raise CaptionError(file, "the file is empty", remedy="Fetch or export the track again.")
    if len(data) > LARGEST_FILE:
        raise CaptionError(
            file,
            f"the file has {len(data):,} bytes, more than any caption track ({LARGEST_FILE:,})",
            remedy="Choose the caption file itself; media goes in with --media.",
        )
    for offset, magic, what in _MAGIC:
        if data.startswith(magic, offset) and (offset or not data.startswith(_MARKS)):
            raise CaptionError(file, f"it is {what}, not captions", remedy="Choose the caption file itself.")
    if data.startswith((b"STL25.01", b"STL30.01"), 3):
        raise CaptionError(file, "it is a broadcaster's subtitle file (EBU STL), which is not read", remedy=_CONVERT)
    says_what_it_is = encoding is not None or data.startswith(_MARKS) or _SIGNATURE.match(data)
    if not says_what_it_is and _is_binary(data[:_HEAD]):
        raise CaptionError(file, "it is binary, not text", remedy=f"Choose the caption file itself. Read are {ACCEPTED}.")


def _is_binary(head: bytes) -> bool:
    """Return whether so many control characters stand in the head that it is no text in UTF-8 or an 8-bit encoding."""
    if b"-\0-\0>" in head or b"\0-\0-\0>" in head:
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    nulls = head.count(0)
    high = sum(1 for byte in head if byte > 127)
    return controls * 20 > len(head) or (nulls * 50 > len(head) and high * 10 > len(head))


def _refuse_misplaced_signature(view: View) -> None:
    """A file that is meant as WebVTT and does not begin as WebVTT must is no WebVTT: players show nothing of it."""
    match = _MISPLACED_SIGNATURE.match(view.data, view.start)
    if match and b"-->" in view.data:
        raise view.refuse(
            "it is meant as WebVTT, but does not begin with the signature “WEBVTT”, so players show no cues",
            match.start(),
            remedy="Export or fetch it again, so that the first line is WEBVTT, alone or followed by a space.",
        )


def _refuse_named(view: View, at: int) -> None:
    """Refuse formats that are well known and not read, by their name."""
    data = view.data
    for pattern, name in (
        (_SCC, "Scenarist closed captions (SCC)"),
        (_MICRODVD, "MicroDVD subtitles, which count frames and give no times"),
        (_MPL2, "MPL2 subtitles"),
        (_SPRUCE, "Spruce subtitles (STL)"),
    ):
        if pattern.match(data, view.start):
            raise view.refuse(f"it seems to be {name}, which is not read", at, remedy=_CONVERT)


def _refuse_lyrics(view: View) -> None:
    match = _LYRICS.search(view.data, view.start, view.start + 4 * _HEAD)
    if match:
        at = match.start() if match[0].startswith(b"[") else match.start() + 1
        raise view.refuse("it seems to be lyrics with times (LRC), which are not read", at, remedy=_CONVERT)


def _refuse_tables(view: View, at: int) -> None:
    if b"\t" in view.data[at : at + _HEAD] and _TABLE.match(view.data, view.start):
        raise view.refuse(
            "it seems to be a table (TSV), which is not read",
            at,
            remedy="Have the program that wrote it export WebVTT, SubRip or JSON, and read that.",
        )
