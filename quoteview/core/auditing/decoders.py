"""The audit's own decoding of locked bytes, written apart from the readers' and agreeing with it or not.

Character encoding first, strictly. Then, once, what `how` says: HTML's references in WebVTT, SAMI and
text with times (with or without semicolon, the longest known name counts), the same only with semicolon
in SubRip and SBV, XML's five names and numbers in TTML, srv2 and srv3, XML's and then HTML's in srv1,
JSON's escapes in all JSON, and `\\h` in SubStation.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from html.entities import html5

from quoteview.core.captions.track import CaptionFormat
from quoteview.core.ledger import How
from quoteview.core.spans import ByteSpan

_XML_FORMATS = frozenset((CaptionFormat.TTML, CaptionFormat.SRV2, CaptionFormat.SRV3))
_CLOSED_FORMATS = frozenset((CaptionFormat.SUBRIP, CaptionFormat.SBV))
_XML_NAMES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LONGEST_NAME = max(map(len, html5))
_DIGITS = frozenset("0123456789")
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_MOST_DIGITS = 12

_ReferenceAt = Callable[[str], tuple[str, int] | None]


def decode_range(data: bytes, span: ByteSpan, how: How, encoding: str, format: CaptionFormat) -> str:
    """Return what bytes of a locked file say, decoded as `how` names it.

    Raises ValueError where they do not decode: bytes outside the encoding, a lone surrogate or a broken
    escape, a span outside the file, and bytes that are unread by their own account.
    """
    start, end = span
    if not 0 <= start <= end <= len(data):
        raise ValueError(f"bytes {start} to {end} are not in a file of {len(data)}")
    return decode_raw(data[start:end].decode(encoding), how, format)


def decode_raw(raw: str, how: How, format: CaptionFormat) -> str:
    """Return the text of raw characters, decoded as `how` names it; raises ValueError as `decode_range` does."""
    match how:
        case How.LITERAL:
            return raw
        case How.ENTITY:
            return _references(raw, format)
        case How.ESCAPE:
            return raw.replace("\\h", "\xa0") if format is CaptionFormat.SUBSTATION else _json_string(raw)
        case How.UNREAD:
            raise ValueError("unread bytes have no text")


def _json_string(raw: str) -> str:
    text = json.loads(f'"{raw}"')
    if not isinstance(text, str):
        raise ValueError("not the inside of a JSON string")
    if not text.isascii():
        text.encode("utf-8")  # a lone surrogate fails here, as UnicodeEncodeError, which is a ValueError
    return text


def _references(raw: str, format: CaptionFormat) -> str:
    if format in _XML_FORMATS:
        return _replaced(raw, _xml_at)
    if format is CaptionFormat.SRV1:
        return _replaced(_replaced(raw, _xml_at), _html_at)
    return _replaced(raw, _closed_html_at if format in _CLOSED_FORMATS else _html_at)


def _replaced(raw: str, reference_at: _ReferenceAt) -> str:
    """Return raw with every reference replaced; `reference_at` says what begins after an ampersand."""
    parts = raw.split("&")
    if len(parts) == 1:
        return raw
    out = [parts[0]]
    for part in parts[1:]:
        found = reference_at(part)
        if found is None:
            out.append("&" + part)
        else:
            text, length = found
            out.append(text)
            out.append(part[length:])
    return "".join(out)


def _xml_at(rest: str) -> tuple[str, int] | None:
    close = rest.find(";")
    if close < 1:
        return None
    if rest.startswith("#"):
        number = _number(rest)
        if number is None or number[1] != close:
            return None
        return _character(number[0]), close + 1
    text = _XML_NAMES.get(rest[:close])
    return None if text is None else (text, close + 1)


def _html_at(rest: str) -> tuple[str, int] | None:
    if rest.startswith("#"):
        number = _number(rest)
        if number is None:
            return None
        code, end = number
        return _html_character(code), end + (rest[end : end + 1] == ";")
    return _named(rest[:_LONGEST_NAME])


def _closed_html_at(rest: str) -> tuple[str, int] | None:
    if rest.startswith("#"):
        number = _number(rest)
        if number is None or rest[number[1] : number[1] + 1] != ";":
            return None
        return _html_character(number[0]), number[1] + 1
    close = rest.find(";", 0, _LONGEST_NAME)
    text = html5.get(rest[: close + 1]) if close > 0 else None
    return None if text is None else (text, close + 1)


@lru_cache(maxsize=1024)
def _named(rest: str) -> tuple[str, int] | None:
    """The longest name of HTML's table that rest begins with; the table itself has `amp` and `amp;`."""
    for length in range(len(rest), 1, -1):
        text = html5.get(rest[:length])
        if text is not None:
            return text, length
    return None


def _number(rest: str) -> tuple[int, int] | None:
    """Return the number of a reference that begins with `#`, and where its digits end."""
    is_hex = rest[1:2] in ("x", "X")
    first = at = 2 if is_hex else 1
    digits = _HEX_DIGITS if is_hex else _DIGITS
    while at < len(rest) and rest[at] in digits:
        at += 1
    if at == first:
        return None
    significant = rest[first:at].lstrip("0") or "0"
    if len(significant) > _MOST_DIGITS:
        return 0x110000, at
    return int(significant, 16 if is_hex else 10), at


def _character(code: int) -> str:
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise ValueError(f"no character has the number {code:#x}")
    return chr(code)


def _html_character(code: int) -> str:
    """HTML's standard: what is no character becomes U+FFFD, and 0x80 to 0x9F are read as windows-1252."""
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if 0x80 <= code <= 0x9F:
        return bytes((code,)).decode("cp1252", "ignore") or chr(code)
    return chr(code)
