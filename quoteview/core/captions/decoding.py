"""How the bytes of a run become characters, step by step, so that any cut in the text has a cut in the bytes.

References and escapes are decoded once, as the format has them: HTML's in WebVTT and SAMI, HTML's with
a closing semicolon in SubRip and SBV (as players show them), XML's in TTML, srv2 and srv3, XML's twice in
srv1 (which YouTube escapes twice by design), the escapes of JSON strings, and SubStation's `\\h`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from quoteview.core.captions.track import CaptionFormat, Run
from quoteview.core.ledger import How

_HTML_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|[A-Za-z][A-Za-z0-9]{0,31};?)")
_CLOSED_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+|#[0-9]+|[A-Za-z][A-Za-z0-9]{0,31});")
_HTML_BYTES = re.compile(_HTML_REFERENCE.pattern.encode("ascii"))
_CLOSED_BYTES = re.compile(_CLOSED_REFERENCE.pattern.encode("ascii"))
_XML_REFERENCE = re.compile(r"&(?:#x[0-9a-fA-F]+|#[0-9]+|amp|lt|gt|quot|apos);")
_JSON_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_HARD_SPACE = re.compile(r"\\h")
_NO_CHARACTER = 0x110000
_WINDOWS = {code: shown for code in range(0x80, 0xA0) if (shown := bytes((code,)).decode("cp1252", "ignore"))}
"""What HTML's standard makes of the numbers that were meant as windows-1252; five of them stay control characters."""
_JSON_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_CLOSED = frozenset((CaptionFormat.SUBRIP, CaptionFormat.SBV))
_XML = frozenset((CaptionFormat.TTML, CaptionFormat.SRV1, CaptionFormat.SRV2, CaptionFormat.SRV3))


def pieces(format: CaptionFormat, how: How, raw: str) -> Iterator[tuple[str, int]]:
    """Yield (decoded text, code points of raw it came from) in order; literal stretches come whole.

    A lone surrogate escape yields its surrogate: the caller keeps such a piece unread.
    """
    if how is How.LITERAL:
        if raw:
            yield raw, len(raw)
        return
    if how is How.ESCAPE:
        pattern = _HARD_SPACE if format is CaptionFormat.SUBSTATION else _JSON_ESCAPE
        yield from _stepped(pattern, raw, _hard_space if format is CaptionFormat.SUBSTATION else _json_escape)
    elif format in _XML:
        if format is CaptionFormat.SRV1:
            yield from _twice(raw)
        else:
            yield from _stepped(_XML_REFERENCE, raw, _xml_reference)
    else:
        pattern = _CLOSED_REFERENCE if format in _CLOSED else _HTML_REFERENCE
        yield from _html_steps(pattern, raw)


def decode(format: CaptionFormat, how: How, raw: str) -> str:
    """Return the decoded text of a stretch of raw caption text."""
    return raw if how is How.LITERAL else "".join(text for text, _ in pieces(format, how, raw))


def cut(run: Run, at: int, data: bytes, encoding: str, format: CaptionFormat) -> int | None:
    """Return the byte of the locked file at code point `at` of a run's text, None where no byte border lies there."""
    if at <= 0:
        return run.start
    if at >= len(run.text):
        return run.end
    if run.how is How.LITERAL:
        return run.start + len(run.text[:at].encode(encoding))
    raw = data[run.start : run.end].decode(encoding)
    text_at = raw_at = 0
    for text, length in pieces(format, run.how, raw):
        if text_at == at:
            return run.start + len(raw[:raw_at].encode(encoding))
        if length == len(text) and text_at < at < text_at + len(text):
            return run.start + len(raw[: raw_at + at - text_at].encode(encoding))
        text_at += len(text)
        raw_at += length
    return None


def _stepped(pattern: re.Pattern[str], raw: str, one: object) -> Iterator[tuple[str, int]]:
    assert callable(one)
    at = 0
    for match in pattern.finditer(raw):
        if match.start() > at:
            yield raw[at : match.start()], match.start() - at
        yield str(one(match[0])), match.end() - match.start()
        at = match.end()
    if at < len(raw):
        yield raw[at:], len(raw) - at


def _html_steps(pattern: re.Pattern[str], raw: str) -> Iterator[tuple[str, int]]:
    """References by HTML's table; one that the table only knows a prefix of ends where that prefix ends."""
    at = 0
    for match in pattern.finditer(raw):
        decoded, length = _html_reference(match[0], is_closed=pattern is _CLOSED_REFERENCE)
        if not length:
            continue
        if match.start() > at:
            yield raw[at : match.start()], match.start() - at
        at = match.start() + length
        yield decoded, length
    if at < len(raw):
        yield raw[at:], len(raw) - at


def _html_reference(reference: str, *, is_closed: bool) -> tuple[str, int]:
    """Return what a reference stands for and how many of its characters HTML's table takes for it, 0 if none."""
    if reference[1] == "#":
        is_hex = reference[2] in "xX"
        digits = reference[3 if is_hex else 2 :].rstrip(";").lstrip("0")
        # int() refuses thousands of digits, and no character has so many.
        return _html_character(int(digits or "0", 16 if is_hex else 10) if len(digits) < 8 else _NO_CHARACTER), len(reference)
    name = reference[1:]
    if name in html5:
        return html5[name], len(reference)
    if not is_closed:
        for length in range(len(name) - 1, 1, -1):
            if name[:length] in html5:
                return html5[name[:length]], length + 1
    return "", 0


def _html_character(code: int) -> str:
    """Return the character of a number as HTML's standard has it; nothing is dropped, not even a control character."""
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return _WINDOWS.get(code) or chr(code)


def reference_how(format: CaptionFormat, raw: bytes) -> How:
    """Return ENTITY where raw caption text holds a reference as the format (WebVTT, SubRip, SBV, SAMI) has them, else LITERAL."""
    if b"&" not in raw:
        return How.LITERAL
    is_closed = format in _CLOSED
    for match in (_CLOSED_BYTES if is_closed else _HTML_BYTES).finditer(raw):
        if _html_reference(match[0].decode("ascii"), is_closed=is_closed)[1]:
            return How.ENTITY
    return How.LITERAL


def _xml_reference(reference: str) -> str:
    name = reference[1:-1]
    if name.startswith("#"):
        digits = name[1:].lstrip("x0") or "0"
        if len(digits) > 7:  # no character; and int() refuses thousands of digits
            return "\ufffd"
        code = int(digits, 16 if name[1] == "x" else 10)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    return {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}[name]


def _twice(raw: str) -> Iterator[tuple[str, int]]:
    """XML once, then HTML references in what came out; a piece of the second reading spans pieces of the first."""
    first = [
        (text, length) for part, length in _stepped(_XML_REFERENCE, raw, _xml_reference) for text, length in _single(part, length)
    ]
    once = "".join(text for text, _ in first)
    at = 0
    for text, length in _html_steps(_HTML_REFERENCE, once):
        if text == once[at : at + length]:
            for index in range(at, at + length):
                yield first[index]
        else:
            yield text, sum(first[index][1] for index in range(at, at + length))
        at += length


def _single(part: str, length: int) -> list[tuple[str, int]]:
    """Split a literal stretch into characters; a decoded reference is one piece already."""
    return [(character, 1) for character in part] if len(part) == length else [(part, length)]


def _json_escape(escape: str) -> str:
    if escape[1] != "u":
        return _JSON_LETTERS.get(escape[1], escape[1])
    if len(escape) == 12:
        high, low = int(escape[2:6], 16), int(escape[8:12], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    return chr(int(escape[2:6], 16))


def _hard_space(_escape: str) -> str:
    return "\xa0"
