"""WebVTT, read as the W3C specification's parser reads it, except that a NUL stays a NUL.

The file is a header and blocks. A block with a timing line in its first or second line is a cue; the
first line of two is its identifier. A line ends a cue where it is empty or holds `-->`; one that holds
only spaces does not. NOTE, STYLE and REGION blocks and the header are metadata, as is the `Style:` block
that YouTube's files of 2017 and 2018 close with `##`. Any other block has no times and is unread.

In a payload the tags `c i b u v lang ruby rt` and time stamps are markup; `v` names the speaker, the
readings in `rt` are left out. What the specification's parser drops (an unknown tag, `<` without `>`)
is unread and shows nothing. References are HTML's, decoded once.
"""

from __future__ import annotations

import re

from quoteview.core.captions.building import PLAIN_LINES, TrackBuilder, setting_marks
from quoteview.core.captions.decoding import decode, reference_how
from quoteview.core.captions.scan import View
from quoteview.core.captions.track import CaptionFormat, Track
from quoteview.core.errors import CaptionError
from quoteview.core.ledger import EntryKind, How

_SIGNATURE = re.compile(rb"WEBVTT(?![^ \t\r\n])")
_LINE = re.compile(rb"([^\r\n]*+)(\r\n|\n|\r|\Z)")
_BLANK = re.compile(rb"[\r\n]*+")
# Hours of more than nine digits are no time of a recording.
_TIME = rb"(?:([0-9]{1,9}):)?([0-5][0-9]):([0-5][0-9])\.([0-9]{3})(?![0-9])"
_TIME_STAMP = re.compile(_TIME + rb"\Z")
# A line without an arrow; the quantifiers are possessive so that a line is never walked twice.
_FREE_LINE = rb"(?:[^\r\n-]++|-(?!->))++"
# Identifier (optional), timing line, and the lines up to an empty one or an arrow: what nearly every block is.
_NAME = rb"(?:(" + _FREE_LINE + rb")(?>\r\n|\n|\r))?+"
_LINES = rb"([^\r\n]*+)(?>\r\n|\n|\r|\Z)((?:" + _FREE_LINE + rb"(?>\r\n|\n|\r|\Z))*+)[\r\n]*+"
_CUE = re.compile(_NAME + rb"[ \t\f]*+(" + _TIME + rb"[ \t\f]*+-->[ \t\f]*+" + _TIME + rb")" + _LINES)
_PLAIN_TIME = rb"(?:([0-9]{2}):)?([0-5][0-9]):([0-5][0-9])\.([0-9]{3})"
_PLAIN_CUE = re.compile(
    _NAME + rb"(" + _PLAIN_TIME + rb" --> " + _PLAIN_TIME + rb"(?![0-9]))([^\r\n]*+)(?>\r\n|\n|\r)" + PLAIN_LINES
)
_CUT_TIMING = re.compile(
    rb"[ \t\f]*+[0-9]++:(?:[0-9]{1,2}(?::(?:[0-9]{1,2})?)?(?:\.[0-9]{0,3})?)?[ \t\f]*+"
    rb"(?:-|--|-->[ \t\f]*+[0-9]*+(?::(?:[0-9]{1,2}(?::(?:[0-9]{1,2})?)?(?:\.[0-9]{0,3})?)?)?)?\Z"
)
_DECLARED = re.compile(rb"(NOTE(?![^ \t\r\n])|(?:STYLE|REGION)[ \t\f]*+(?![^\r\n]))")
_LANGUAGE = re.compile(rb"(?:^|[\r\n])Language:[ \t]*+([A-Za-z0-9-]{1,60})[ \t]*+(?![^\r\n])")
_OLD_STYLE = re.compile(rb"(?:^|[\r\n])Style:[ \t]*+(?![^\r\n])")
_OLD_STYLE_END = re.compile(rb"(?:^|(?<=[\r\n]))##[ \t]*+(?![^\r\n])")

_TOKEN = re.compile(rb"([^<\r\n]++)|(\r\n|\n|\r)|<([^>]*+)(>?)")
_TAG = re.compile(rb"(c|i|b|u|v|lang|ruby|rt)(?:\.[^ \t\n\r\f>]*+)?(?:[ \t\n\r\f](.*+))?", re.DOTALL)
_SPACES = re.compile(r"[ \t\n\f\r]+")
_END_TAGS = frozenset((b"/c", b"/i", b"/b", b"/u", b"/v", b"/lang", b"/ruby", b"/rt"))


def recognises(view: View) -> bool:
    """Return whether the view begins with WebVTT's signature."""
    return _SIGNATURE.match(view.data, view.start) is not None


def read(view: View) -> Track:
    """Return the track; raises `CaptionError` where there are no cues, or the last one is cut off."""
    if not recognises(view):
        raise view.refuse(
            "it does not begin with the signature “WEBVTT”",
            view.start,
            remedy="Choose a WebVTT file, or export it again.",
            format=CaptionFormat.WEBVTT,
        )
    builder = TrackBuilder(view, CaptionFormat.WEBVTT)
    position, language = _header(view, builder)
    data, size = view.data, len(view.data)
    while (position := builder.plain_cues(_PLAIN_CUE, position)) < size:
        if cue := _CUE.match(data, position):
            _cue(builder, view, cue)
            position = cue.end()
        elif (blank := _BLANK.match(data, position)) and blank.end() > position:
            position = blank.end()
        else:
            position = _other_block(view, builder, position)
    return builder.finish(gap=EntryKind.LAYOUT, language=language)


def _cue(builder: TrackBuilder, view: View, cue: re.Match[bytes]) -> None:
    """Add a cue of any kind."""
    builder.begin_cue(_ms(*cue.group(3, 4, 5, 6)), _ms(*cue.group(7, 8, 9, 10)), view.shown(*cue.span(1)) if cue[1] else "")
    builder.entry(EntryKind.METADATA, *cue.span(1))
    builder.entry(EntryKind.TIMING, *cue.span(2))
    for start, end, kind in setting_marks(cue[11], cue.start(11)):
        builder.entry(kind, start, end)
    if b"<" in cue[12]:
        _Payload(view, builder).read(*cue.span(12))
    else:
        builder.lines(cue.start(12), cue[12])
    builder.end_cue()


def _ms(hours: bytes | None, minutes: bytes, seconds: bytes, thousandths: bytes) -> int:
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(thousandths)


def _header(view: View, builder: TrackBuilder) -> tuple[int, str]:
    """Record the header as metadata; return where it ends, and the language that it names."""
    data, start = view.data, view.start
    signature = _LINE.match(data, start)
    assert signature
    position = end = signature.end()
    while (line := _LINE.match(data, position)) and line[1] and b"-->" not in line[1]:
        position = end = line.end()
    header = data[start:end]
    if _OLD_STYLE.search(header) and not _OLD_STYLE_END.search(header):
        arrow = data.find(b"-->", end)
        close = _OLD_STYLE_END.search(data, end, arrow if arrow >= 0 else len(data))
        end = close.end() if close else end
    builder.entry(EntryKind.METADATA, start, end)
    language = _LANGUAGE.search(header)
    return end, language[1].decode("ascii") if language else ""


def _other_block(view: View, builder: TrackBuilder, start: int) -> int:
    """Record a block that is no cue, as the specification bounds it, and return where it ends."""
    data = view.data
    position = end = start
    count, arrow_seen, last = 0, False, start
    while (line := _LINE.match(data, position)) and line[1]:
        has_arrow = b"-->" in line[1]
        if has_arrow and (count > 1 or arrow_seen):
            break
        count += 1
        arrow_seen = arrow_seen or has_arrow
        last, end, position = position, line.end(1), line.end()
    declared = _DECLARED.match(data, start) if not arrow_seen else None
    if end == len(data) and declared is None and (count == 1 or (count == 2 and arrow_seen)) and _CUT_TIMING.match(data, last):
        raise _cut_off(view, last)
    if declared:
        builder.entry(EntryKind.METADATA, start, end)
    else:
        builder.unread_blocks(start, end)
    return position


def _cut_off(view: View, position: int) -> CaptionError:
    return view.refuse(
        "it ends in the middle of a cue, the timing line is cut off",
        position,
        remedy="Fetch or export the track again.",
        format=CaptionFormat.WEBVTT,
    )


class _Payload:
    """The specification's tokenizer and tree for one payload: text outside `rt` is the cue's, tags are markup."""

    __slots__ = ("_builder", "_data", "_readings", "_stack", "_view", "_voices")

    def __init__(self, view: View, builder: TrackBuilder) -> None:
        self._view = view
        self._data = view.data
        self._builder = builder
        self._stack: list[bytes] = []
        self._voices: list[str] = []
        self._readings = 0

    def read(self, start: int, end: int) -> None:
        """Add all tokens between two view offsets."""
        builder = self._builder
        for token in _TOKEN.finditer(self._data, start, end):
            match token.lastindex:
                case 1:
                    self._text(token.start(), token[1])
                case 2:
                    builder.end_line(*token.span())
                case _:
                    if token[4] and self._tag(token[3], token.start(3)):
                        builder.entry(EntryKind.MARKUP, *token.span())
                    else:
                        builder.unread(*token.span())

    def _text(self, start: int, text: bytes) -> None:
        end = start + len(text)
        if self._readings:
            self._builder.entry(EntryKind.MARKUP, start, end)
        else:
            self._builder.text(start, end, reference_how(CaptionFormat.WEBVTT, text))

    def _tag(self, tag: bytes, start: int) -> bool:
        """Apply the tag whose inside begins at view offset `start` to the tree; return whether the format knows it."""
        if tag in _END_TAGS:
            self._close(tag[1:])
            return True
        known = _TAG.fullmatch(tag)
        if known:
            self._open(known[1], start, known)
            return True
        stamp = _TIME_STAMP.match(tag)
        if stamp is None:
            return False
        self._builder.word_time(start + len(tag) + 1, _ms(*stamp.groups()))
        return True

    def _open(self, name: bytes, start: int, tag: re.Match[bytes]) -> None:
        if name == b"rt":
            if not self._stack or self._stack[-1] != b"ruby":
                return
            self._readings += 1
        self._stack.append(name)
        if name == b"v":
            raw = self._view.shown(start + tag.start(2), start + tag.end(2)) if tag[2] else ""
            self._voices.append(_SPACES.sub(" ", decode(CaptionFormat.WEBVTT, How.ENTITY, raw)).strip(" "))
            self._builder.speak(self._voices[-1])

    def _close(self, name: bytes) -> None:
        stack = self._stack
        if stack and stack[-1] == name:
            self._pop()
        elif name == b"ruby" and stack and stack[-1] == b"rt":
            self._pop()
            self._pop()

    def _pop(self) -> None:
        name = self._stack.pop()
        if name == b"rt":
            self._readings -= 1
        elif name == b"v":
            self._voices.pop()
            self._builder.speak(self._voices[-1] if self._voices else None)
