"""The report: one self-contained HTML page that a reader enjoys, with no script and nothing loaded from elsewhere.

The draft stands there with its quotations in colour and shape; each leads to a card with the captions' words
around it, the time, a link into the recording at that moment, and the byte ranges. The page ends in a comment
that says it is whole. Captions and drafts are shown as plain text: everything is escaped, control and
direction characters are shown by number, and a link is made only of an http or https address.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from quoteview.core.label_words import day
from quoteview.core.resources import resource
from quoteview.core.spans import ByteSpan
from quoteview.core.statement import StatedClaim, Statement

_MOST_LABELS = 6
_STEPS_MS = tuple(1000 * seconds for seconds in (10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400))
"""Whole steps for the labels of the time line."""
_CONTEXT = 60
"""As many characters stand beside a quotation in the statement; a text of that length is cut somewhere in a word."""
_YOUTUBE = re.compile(r"(?:^|\.)(?:youtube\.com|youtu\.be|youtube-nocookie\.com)$")
_STEERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_WORDS = {"green": "exact", "aside": "set aside", "exception": "exception"}
_SIGNS = {"green": "✓", "aside": "", "exception": "!"}
_MARKS = {"green": "✓", "aside": "◆", "exception": "!"}
_SHAPES = {"markdown": re.compile(r"(?m)^(?P<heading>#{1,6}[ \t].*)$"), "html": re.compile(r"(?P<markup><[^<>]*>)")}
"""What of a draft's notation is set apart: headings of Markdown, tags of HTML. The characters stay as they are."""
_TOLD = {
    "exact": "the same words, at that time",
    "mistimed": "the same words, at another time",
    "untimed": "the same words; the draft gives no time",
    "not_found": "nothing close",
    "unclosed": "the quotation never closes",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of the draft: outside a claim (`claim` 0; `look` "", `heading` or `markup`), or a claim with its marks."""

    text: str
    claim: int
    look: str


@dataclass(frozen=True, slots=True)
class _Card:
    """What the page says of one claim; `kind` is a resolution's, `told` what the captions have where no words are shown."""

    claim: StatedClaim
    look: str
    word: str
    sign: str
    time: str
    link: str
    ranges: str
    before: str
    after: str
    kind: str
    told: str
    day: str


@dataclass(frozen=True, slots=True)
class _Tick:
    """A mark of the drawn timeline; `share` is how far along it stands, in per cent."""

    share: float
    claim: int
    look: str
    time: str


def report_bytes(statement: Statement, draft: bytes) -> bytes:
    """Return the page as UTF-8. `draft` are the bytes that the statement's draft digest is of."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["plain"] = plain
    template = environment.from_string(resource("report.html.j2").read_text(encoding="utf-8"))
    page = template.render(
        statement=statement,
        parts=list(_parts(statement, draft)),
        cards=[_card(statement, claim) for claim in statement.claims],
        ticks=list(_ticks(statement)),
        axis=list(_axis(_length_ms(statement))),
        signs=_MARKS,
        draft_name=statement.draft.file.removeprefix("data/draft/"),
        address=statement.source if moment_link(statement.source, 0) else "",
        length=clock(_length_ms(statement)),
        exceptions=[_card(statement, claim) for claim in statement.claims if look_of(claim) == "exception"],
    )
    return page.rstrip().encode("utf-8") + f"\n<!-- report whole: {len(statement.claims)} claims -->\n".encode("ascii")


def look_of(claim: StatedClaim) -> str:
    """Return a claim's look: `green`, `aside` or `exception`; nothing else can stand on a label."""
    if claim.state == "green":
        return "green"
    return "exception" if claim.resolution is not None and claim.resolution.is_exception else "aside"


def plain(text: str) -> str:
    """Return text with control and direction characters shown by number, for a page that must not be steered by them."""
    return text if text.isprintable() else "".join(_shown(character) for character in text)


def clock(moment_ms: int) -> str:
    """Return a moment as `12:47` or `1:02:03`."""
    sign, moment_ms = ("−", -moment_ms) if moment_ms < 0 else ("", moment_ms)
    minutes, seconds = divmod(moment_ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{sign}{hours}:{minutes:02}:{seconds:02}" if hours else f"{sign}{minutes}:{seconds:02}"


def moment_link(source: str, moment_ms: int) -> str:
    """Return the recording's address at a moment, "" where the address is none that a page may link to."""
    parts = urlsplit(source)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    seconds = max(0, moment_ms // 1000)
    if _YOUTUBE.search(parts.hostname or ""):
        query = "&".join(part for part in parts.query.split("&") if part and not part.startswith(("t=", "start=")))
        return parts._replace(query=f"{query}&t={seconds}s" if query else f"t={seconds}s", fragment="").geturl()
    return parts._replace(fragment=f"t={seconds}").geturl()


def _shown(character: str) -> str:
    if character in "\n\t":
        return character
    hidden = unicodedata.category(character) in ("Cc", "Cs", "Co") or character in _STEERING
    return f"⟨U+{ord(character):04X}⟩" if hidden else character


def _parts(statement: Statement, draft: bytes) -> Iterator[_Part]:
    """Yield the draft's words in order, each claim with its marks as one part."""
    encoding = statement.draft_encoding
    at = 0
    for claim in statement.claims:
        start, end = _inside(claim.outer, at, len(draft))
        if start > at:
            yield from _shaped(_decoded(draft[at:start], encoding), statement.draft_format, draft[:at])
        yield _Part(_decoded(draft[start:end], encoding), claim.id, look_of(claim))
        at = end
    if at < len(draft):
        yield from _shaped(_decoded(draft[at:], encoding), statement.draft_format, draft[:at])


def _shaped(text: str, form: str, before: bytes) -> Iterator[_Part]:
    """Yield words outside of claims, headings and tags set apart. `before` says whether the words begin a line."""
    pattern = _SHAPES.get(form)
    is_line = not before or before.endswith((b"\n", b"\r", b"\n\0", b"\r\0"))
    at = 0
    for match in pattern.finditer(text) if pattern else ():
        if form == "markdown" and match.start() == 0 and not is_line:
            continue
        if match.start() > at:
            yield _Part(text[at : match.start()], 0, "")
        yield _Part(match[0], 0, match.lastgroup or "")
        at = match.end()
    if at < len(text):
        yield _Part(text[at:], 0, "")


def _inside(span: ByteSpan, at: int, size: int) -> tuple[int, int]:
    start = max(at, min(span.start, size))
    return start, max(start, min(span.end, size))


def _decoded(part: bytes, encoding: str) -> str:
    return part.decode(encoding).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _card(statement: Statement, claim: StatedClaim) -> _Card:
    look = look_of(claim)
    resolution, match = claim.resolution, claim.match
    moment = claim.match.cue_ms[0] if claim.match is not None else claim.claimed_ms
    spans = claim.match.bytes if claim.match is not None else ()
    return _Card(
        claim,
        look,
        _WORDS[look],
        _SIGNS[look],
        clock(moment) if moment is not None else "",
        moment_link(statement.source, moment) if moment is not None else "",
        ", ".join(f"{span.start}–{span.end}" for span in spans),
        _whole_words(match.before, is_before=True) if match else "",
        _whole_words(match.after, is_before=False) if match else "",
        (resolution.exception.replace("_", " ") or "set aside") if resolution else "",
        _TOLD.get(claim.verdict, ""),
        day(resolution.at) if resolution else "",
    )


def _whole_words(text: str, *, is_before: bool) -> str:
    """Return the words beside a quotation, with an ellipsis in place of one that was cut."""
    if len(text) < _CONTEXT:
        return text
    if is_before:
        head, space, rest = text.partition(" ")
        return f"… {rest}" if space and len(head) < _CONTEXT // 2 else f"…{text}"
    rest, space, tail = text.rpartition(" ")
    return f"{rest} …" if space and len(tail) < _CONTEXT // 2 else f"{text}…"


def _axis(length_ms: int) -> Iterator[tuple[float, str]]:
    """Yield (per cent, time) of the time line's labels: its ends, and whole steps between that leave room for the last."""
    step_ms = next((each for each in _STEPS_MS if length_ms <= each * _MOST_LABELS), length_ms // _MOST_LABELS)
    for moment in range(0, length_ms - step_ms // 2, step_ms):
        yield round(100 * moment / length_ms, 2), clock(moment)
    yield 100.0, clock(length_ms)


def _length_ms(statement: Statement) -> int:
    ends = [claim.match.last_cue_ms[1] for claim in statement.claims if claim.match is not None]
    ends += [claim.claimed_ms for claim in statement.claims if claim.claimed_ms is not None]
    return max([statement.duration_ms or 0, *ends, 1])


def _ticks(statement: Statement) -> Iterator[_Tick]:
    length = _length_ms(statement)
    for claim in statement.claims:
        moment = claim.match.cue_ms[0] if claim.match is not None else claim.claimed_ms
        if moment is not None:
            share = min(1.0, max(0.0, moment / length))
            yield _Tick(round(100 * share, 2), claim.id, look_of(claim), clock(moment))
