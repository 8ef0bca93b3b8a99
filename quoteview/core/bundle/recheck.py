#!/usr/bin/env python3
"""Check a quoteview bundle again, from its bytes, with nothing but Python's standard library (3.9 or newer).

Usage: python3 recheck.py [BUNDLE]   (default: the bundle that this file lies in). It prints a line for each claim and one
verdict, and exits 0 when everything holds, 1 when anything does not or cannot be derived again. It shares no code with the
program that wrote the bundle: it has its own reading of captions and drafts. In this order:
 (1) every file of the bag has the digest that the manifests say, and no file is missing or extra;
 (2) the statement is whole, strict JSON, and names the files that are there;
 (3) the journal is an unbroken chain of the length and the last digest that the statement records;
 (4) the draft's quote marks, counted here, are those of the statement, each with a role that it can have;
 (5) each claim stands in the draft's own bytes, between its marks;
 (6) each claim called exact is cut out of the locked captions by its byte ranges, decoded, compared, found contiguous and
     whole, and its time is read again from the captions' timing;
 (7) what is not exact has a resolution that the journal holds; counts, gates and label add up.
It can read WebVTT, SubRip, SBV, YouTube's json3 and srv3, Whisper's and Podcasting 2.0 JSON; any other is "digest only", no pass.
"""

from __future__ import annotations

import bisect, codecs, hashlib, html, itertools, json, math, re, shutil, subprocess, sys, unicodedata
from decimal import Decimal
from html.entities import html5
from pathlib import Path
from typing import Any, Callable, Iterator

VERDICTS = ("exact", "mistimed", "untimed", "altered", "not_found", "unclosed")
KINDS = ("source_words", "correct_time", "split", "narrow", "edit", "retract", "not_a_quotation", "accept")  # of resolutions
CLASSES = ("cut", "translation", "house_style", "wording", "other")  # of exceptions
ORIGINS = ("human", "automatic", "unknown")  # in the order in which a reference is chosen; a translation never is
ESCAPES = ("unicode-escape", "raw-unicode-escape", "utf-7", "idna", "punycode")  # no file is in one of these
ROLES = ("opens", "closes", "inside", "apostrophe", "prime", "code", "comment", "metadata", "markup")
NONE = type(None)
def texts(names: str) -> Any:  # the shape of an object whose keys all hold text
    return dict.fromkeys(names.split(), str)

# What the statement and the journal look like: an object with exactly these keys; a list of as many things as given, or of
# any number where one is given; one of those in brackets; a pattern of text; a type; or this very word or number.
SPAN, FILE = [int, int], {"file": str, "sha256": str, "size": int}
RESOLUTION = {**texts("kind class reason by at entry"), "is_exception": bool}
MATCH = {**texts("track before after"), "cue_ms": SPAN, "last_cue_ms": SPAN, "offset_ms": int, "bytes": [SPAN], "speakers": [str]}
CLAIM = {
    "kind": ("marks", "block"), "text": str, "verdict": VERDICTS, "state": ("green", "resolved"), "source_words": str, "id": int, "outer": SPAN,
    "pieces": [[str, int, int]], "line": int, "column": int, "claimed_ms": (int, NONE), "claimed_end_ms": (int, NONE), "time_bytes": (SPAN, NONE), "has_own_time": bool, "classes": [str],
    "match": (MATCH, NONE), "resolution": (RESOLUTION, NONE)}
COUNTS = {**dict.fromkeys("claims exact resolved set_aside exceptions marks long_cues".split(), int), "by_class": dict}
GATE = {**texts("evidence acknowledged"), "open": bool, "defects": [str]}
STATEMENT = {
    **texts("quoteview label sentence by at end"), "signature": ("ssh", "unsigned"), "schema": 1, "rules": 1, "tolerance_ms": int,
    "source": {**texts("address title language"), "duration_ms": (int, NONE)}, "draft": {**FILE, **texts("path format encoding end_mark")},
    "tracks": [{**FILE, **texts("id origin language format encoding copy_of"), "is_imported": bool, "is_reference": bool}],
    "offered": [{**texts("id language copy_of reason"), "origin": ORIGINS, "standing": ("listed", "not obtained")}], "reference": texts("id why choice"), "claims": [CLAIM],
    "marks": [{"bytes": SPAN, "role": ROLES, "claim": (int, NONE)}], "counts": COUNTS,
    "gates": dict.fromkeys("lock inventory lossless order complete quotes checker".split(), GATE),
    "journal": {"file": "data/journal.jsonl", "length": int, "head": str}, "files": dict.fromkeys("report annotations recheck".split(), FILE)}
DOCUMENT = {
    "_type": "https://in-toto.io/Statement/v1", "subject": [{"name": str, "digest": {"sha256": str}}],
    "predicateType": "urn:quoteview:label:1", "predicate": STATEMENT}
HEX, SOMEBODY, MOMENT = map(re.compile, ("[0-9a-f]{64}", r"(?s).*\S.*", r"[0-9]{4}(?:-[0-9]{2}){2}T[0-9]{2}(?::[0-9]{2}){2}Z"))
BASIS = {**texts("text before after"), "claimed_ms": (int, NONE), "claimed_end_ms": (int, NONE), "nth": int, "sha256": HEX}
ENTRY = {"kind": str, "previous": HEX, "at": MOMENT, "by": SOMEBODY, "track": (HEX, ""), "draft": str}
ENTRIES = {
    "resolution": {**texts("reason note passage"), "resolution": KINDS, "exception": (*CLASSES, ""), "claims": [BASIS]},
    "withdrawal": {"entry": HEX, "claims": [HEX]}, "acknowledgement": {"gate": str, "seen": [HEX], "reason": str},
    "waiver": texts("track_id reason"), "reference": texts("track_id reason"), "encoding": texts("track_id encoding reason"),
    "label": {"label": str, "statement_sha256": HEX, "draft_sha256": HEX, "bundle": str}}
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # marks of direction
LAYOUT = SPACES + TURNS
UNSPACED = re.compile(  # scripts written without spaces, CJK punctuation, full-width forms: a line end between two of them is nothing
    "[\u0e01-\u0e3a\u0e40-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u2e80-\u2fdf\u3000-\u303f\u3041-\u30ff\u31f0-\u31ff\u3220-\u3247\u3280-\u32b0"
    "\u3300-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\uff01-\uff9f\uffe0-\uffe6\U0001b000-\U0001b16f\U00020000-\U0003ffff]")
MARKS = "\"'“”„‟‘’‚‛«»‹›「」『』｢｣﹁﹂﹃﹄〝〞〟＂"
# What stands for unread bytes: for those that show nothing, and for each that shows as U+FFFD. No text that was decoded holds a lone surrogate.
BARRIER, LOST, UNREAD = "\udcff", "\udcfe", re.compile("[\ud800-\udfff]")
class Refused(Exception):
    """The bundle cannot be checked any further; the sentence says why."""
def refuse_if(condition: object, why: str) -> None:  # raise Refused with a sentence where the condition holds
    if condition:
        raise Refused(why)
def note(problems: list[str], condition: object, why: str) -> None:  # add a sentence to the problems where the condition holds
    problems += [why] if condition else []

# The bag.
def read_bag(folder: Path) -> Any:  # {relative name: bytes} of the payload, or raise Refused; every manifest is held against every file
    contents: dict[str, bytes] = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        refuse_if(path.is_symlink(), "%s is a link, not a file" % name)
        if not path.is_dir():
            contents[name] = path.read_bytes()
    tags = {"bagit.txt", "bag-info.txt", "manifest-sha256.txt"}
    missing = min((tags | {"tagmanifest-sha256.txt"}) - set(contents), default="")
    refuse_if(missing, "%s is missing: the bundle is cut short" % missing)
    payload = {name for name in contents if name.startswith("data/")}
    refuse_if(not re.match(rb"BagIt-Version: (1\.0|0\.97)\r?\nTag-File-Character-Encoding: UTF-8\r?\n\Z", contents["bagit.txt"]), "bagit.txt does not declare a bag")
    for listing, within in (("manifest-sha256.txt", payload), ("tagmanifest-sha256.txt", set(contents) - payload - {"tagmanifest-sha256.txt"})):
        lines = contents[listing].decode("utf-8", "replace").splitlines()
        again = {"%s  %s" % (sha256(contents[name]), name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")) for name in within}
        wrong = min(set(lines) ^ again, default="" if len(lines) == len(within) else "a line twice")
        refuse_if(wrong, "%s does not list exactly the files that are there: %s" % (listing, shown(wrong)))
    oxum = re.search(rb"(?m)^Payload-Oxum: (\d+)\.(\d+)\r?$", contents["bag-info.txt"])
    counted = not oxum or [int(oxum[1]), int(oxum[2])] != [sum(len(contents[name]) for name in payload), len(payload)]
    refuse_if(counted, "bag-info.txt counts other bytes or files than there are")
    return {name: contents[name] for name in payload}
def sha256(data: bytes) -> Any:  # the SHA-256 of data in lower-case hex
    return hashlib.sha256(data).hexdigest()
def shown(text: object) -> Any:  # text fit for a terminal: control and direction characters by their number
    return "".join(c if c.isprintable() or c == " " else "<U+%04X>" % ord(c) for c in str(text))

# The statement.
def strict_json(data: bytes, name: str) -> Any:  # the JSON of data; a key written twice, a NaN or anything after the end is refused
    def table(pairs: Any) -> Any:
        refuse_if(len({key for key, _ in pairs}) != len(pairs), "%s has a key twice" % name)
        return dict(pairs)
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=table, parse_constant=lambda word: refuse_if(True, "%s holds %s" % (name, word)))
    except (ValueError, RecursionError) as error:
        raise Refused("%s is not whole JSON: %s" % (name, shown(error))) from error
def canonical(value: Any) -> bytes:  # JSON in the one form in which the journal is written
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    escaped = re.search("[\ud800-\udfff]", text)
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() if escaped else text.encode("utf-8")
def misfit(value: Any, shape: Any, place: str) -> str:  # the first place where a value has not its shape, "" where it has it
    if isinstance(shape, tuple):
        return min((misfit(value, each, place) for each in shape), key=len)
    if isinstance(shape, dict):
        inside = [(value[key], shape[key], "%s.%s" % (place, key)) for key in shape] if isinstance(value, dict) and set(value) == set(shape) else None
    elif isinstance(shape, list):
        shapes = shape * len(value) if isinstance(value, list) and len(shape) == 1 else shape
        fits = isinstance(value, list) and len(value) == len(shapes)
        inside = [(each, shapes[n], "%s[%d]" % (place, n)) for n, each in enumerate(value)] if fits else None
    else:
        is_text = isinstance(shape, re.Pattern) and isinstance(value, str)
        inside = [] if (shape.fullmatch(value) if is_text else type(value) is shape or (type(value) is type(shape) and value == shape)) else None
    return place if inside is None else next(filter(None, (misfit(*each) for each in inside)), "")
def hold_span(span: Any, size: int, what: str) -> Any:  # (start, end) of a byte range, which must lie inside a file of `size` bytes
    refuse_if(not 0 <= span[0] < span[1] <= size, "%s has a byte range that does not lie in its file" % what)
    return span[0], span[1]

# Offsets.
class Text:
    """A file as characters with the way to bytes and back; a byte that does not decode is a lone surrogate."""
    def __init__(self, data: bytes, encoding: str) -> None:
        refuse_if(codecs.lookup(encoding).name.replace("_", "-") in ESCAPES, "%s is no encoding of a text" % encoding)
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding  # the mark at the beginning is a character like any other
        self.data, self.encoding = data, encoding
        self.errors = "surrogateescape" if encoding == "utf-8" else "strict"
        self.characters = data.decode(encoding, self.errors)
        width = {character: len(character.encode(encoding, self.errors)) for character in set(self.characters)}
        self.offsets = [0, *itertools.accumulate(map(width.__getitem__, self.characters))]
        refuse_if(self.offsets[-1] != len(data), "the encoding %s does not give the same bytes back" % encoding)
    def character(self, byte: int) -> Any:  # the character position of a byte offset; raise Refused where it lies inside a character
        at = bisect.bisect_left(self.offsets, byte)
        refuse_if(self.offsets[at : at + 1] != [byte], "a byte range cuts a character in two")
        return at
    def cut(self, start: int, end: int) -> Any:  # the characters of a byte range
        return self.characters[self.character(start) : self.character(end)]

# Fragments: this program's own reading of captions.
class Cue:
    """One cue: times in ms, and lines of text, each character with its place in the file; `timed` are the places of word times, as (line, place).
    A line is [number, text, starts, ends, speakers]. `rent` says whether unread blocks stand before and behind it."""
    def __init__(self, start: Any, end: Any) -> None:
        self.start, self.end = start, end if end is not None and end >= start else start
        self.lines: Any = [[0, "", [], [], []]]
        self.timed: Any = []
        self.speaker: Any = None
        self.rent = [False, False]
    def end_line(self) -> None:  # begin another line
        self.lines.append([len(self.lines), "", [], [], []])
    def add(self, text: str, start: int, end: int) -> None:  # add text to the line: character by character from its place, or all of it from one reference or escape
        line, same = self.lines[-1], len(text) == end - start
        line[1] += text
        line[2].extend(range(start, end) if same else [start] + [end] * (len(text) - 1))
        line[3].extend(range(start + 1, end + 1) if same else [end] * len(text))
        line[4].extend([self.speaker] * len(text))
    def close(self) -> Any:  # trim layout from both ends of each line, drop lines that hold nothing else, and return the cue
        kept = []
        for number, text, starts, ends, speakers in self.lines:
            low, high = len(text) - len(text.lstrip(LAYOUT)), len(text.rstrip(LAYOUT))
            if low < high:
                kept.append([number, text[low:high], starts[low:high], ends[low:high], speakers[low:high]])
        self.lines = kept
        return self
NAMES = sorted(html5, key=len, reverse=True)  # a name without its semicolon counts in HTML where the list has it so
HTML_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|(?:%s))" % "|".join(NAMES))
CLOSED_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+;|#[0-9]+;|(?:%s))" % "|".join(name for name in NAMES if name[-1] == ";"))
XML_REFERENCE = re.compile(r"&(?:#x[0-9a-fA-F]+;|#[0-9]+;|(?:amp|lt|gt|quot|apos);)")
def referred(reference: str, pattern: Any) -> Any:  # what a reference stands for; HTML reads 128 to 159 as Windows-1252 has them, and nothing is left out
    if reference[1] != "#":
        return html5[reference[1:]]
    code = int("0" + reference.lstrip("&#xX").rstrip(";").lstrip("0")[:8], 16 if reference[2] in "xX" else 10)
    if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return (bytes([code]).decode("cp1252", "ignore") if 128 <= code < 160 and pattern is not XML_REFERENCE else "") or chr(code)
def put(cue: Cue, raw: str, start: int, pattern: Any) -> None:  # add raw text to a cue: references decoded once, bytes that do not decode as LOST
    at = 0
    for match in re.finditer("(?P<lost>[\udc80-\udcff])|" + pattern.pattern, raw):
        cue.add(raw[at : match.start()], start + at, start + match.start())
        at, text = match.end(), LOST if match["lost"] else referred(match[0], pattern)
        if pattern is XML_REFERENCE and text in "\r\n":
            cue.end_line()
        else:
            cue.add(text, start + match.start(), start + at)
    cue.add(raw[at:], start + at, start + len(raw))
def milliseconds(hours: Any, minutes: Any, seconds: Any, fraction: Any = "") -> Any:  # whole milliseconds; a fraction is cut to three digits' worth by decimal places
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(((fraction or "") + "000")[:3])
LINES = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
def lines_of(characters: str, start: int = 0) -> Iterator[Any]:  # yield (text, start) for each line
    at = start
    while at < len(characters):
        match: Any = LINES.match(characters, at)
        yield match[1], at
        at = match.end()
def whole_lines(characters: str) -> Any:  # the lines behind the mark at the beginning, and an empty one at the end
    return [*lines_of(characters, 1 if characters.startswith("\ufeff") else 0), ("", len(characters))]
def says(lines: Any) -> Any:  # whether lines hold more than layout
    return any(line.strip(LAYOUT) for line, _ in lines)
VTT_CLOCK = r"(?:([0-9]{1,9}):)?([0-5][0-9]):([0-5][0-9])\.([0-9]{3})(?![0-9])"
VTT_TIMING = re.compile(r"[ \t\f]*" + VTT_CLOCK + r"[ \t\f]*-->[ \t\f]*" + VTT_CLOCK)
VTT_SILENT = re.compile(r"NOTE(?![^ \t])|(?:STYLE|REGION)[ \t\f]*\Z")
def read_webvtt(characters: str) -> Iterator[Any]:  # yield cues of WebVTT: blocks by empty lines, a timing line in the first or second line of a block
    lines, at = whole_lines(characters), 1
    refuse_if(not re.match(r"WEBVTT(?![^ \t])", lines[0][0]), "the track does not begin with WEBVTT")
    while lines[at : at + 1] and lines[at][0] and "-->" not in lines[at][0]:
        at += 1  # the header block; YouTube's of 2017 goes on to a line of two number signs
    header = [line.rstrip(" \t") for line, _ in lines[:at]]
    ahead = [line.rstrip(" \t") for line, _ in itertools.takewhile(lambda line: "-->" not in line[0], lines[at:])]
    at += ahead.index("##") + 1 if "Style:" in header and "##" not in header and "##" in ahead else 0
    while at < len(lines):
        first, has_arrow = at, "-->" in lines[at][0]
        at += bool(lines[at][0] and not has_arrow and lines[at + 1 : at + 2] and VTT_TIMING.match(lines[at + 1][0]))  # a cue's name
        timing = VTT_TIMING.match(lines[at][0])
        if timing:
            at = begin = at + 1
            while lines[at : at + 1] and lines[at][0] and "-->" not in lines[at][0]:
                at += 1
            cue = Cue(milliseconds(*timing.group(1, 2, 3, 4)), milliseconds(*timing.group(5, 6, 7, 8)))
            if at > begin:
                webvtt_payload(cue, characters[lines[begin][1] : lines[at - 1][1] + len(lines[at - 1][0])], lines[begin][1])
            yield cue.close()
            continue
        at, has_arrow = first, False
        while lines[at][0] and not ("-->" in lines[at][0] and (has_arrow or at - first > 1)):
            has_arrow, at = has_arrow or "-->" in lines[at][0], at + 1
        if (has_arrow or not VTT_SILENT.match(lines[first][0])) and says(lines[first:at]):
            yield None
        at += not lines[at][0]
VTT_TAG = re.compile(r"(c|i|b|u|v|lang|ruby|rt)(?:\.[^ \t\n\r\f>]*)?(?:[ \t\n\r\f](.*))?", re.S)
def webvtt_payload(cue: Cue, raw: str, start: int) -> None:  # take a payload apart: tags, ruby readings, voices, word times, references, line ends
    stack: Any = []
    for match in re.finditer(r"([^<\r\n]+)|(\r\n|\n|\r)|<([^>]*)(>?)", raw):
        at, name, known = start + match.start(), match[3], match[4] and VTT_TAG.fullmatch(match[3])
        if match[1]:
            put(cue, match[1], at, HTML_REFERENCE) if ("rt", "") not in stack else None
        elif match[2]:
            cue.end_line()
        elif known and (known[1] != "rt" or [opened for opened, _ in stack[-1:]] == ["ruby"]):
            voice = re.sub(HTML_REFERENCE, lambda found: referred(found[0], HTML_REFERENCE), known[2] or "") if known[1] == "v" else ""
            stack.append((known[1], re.sub("[\udc80-\udcff]", "\ufffd", re.sub(r"[ \t\n\f\r]+", " ", voice).strip(" "))))
        elif match[4] and name[:1] == "/" and name[1:] in "c i b u v lang ruby rt".split():
            in_reading = name == "/ruby" and stack and stack[-1][0] == "rt"
            if in_reading or (stack and stack[-1][0] == name[1:]):
                del stack[-2 if in_reading else -1 :]
        elif match[4] and re.match(VTT_CLOCK + r"\Z", name):
            cue.timed.append((len(cue.lines) - 1, start + match.end()))
        elif not known:
            cue.add(BARRIER, at, start + match.end())
        cue.speaker = next((voice or None for opened, voice in reversed(stack) if opened == "v"), None)
SRT_TIME = r"(-?)(?:([0-9]{1,9}):)?([0-5]?[0-9]):([0-5]?[0-9])(?:[.,]([0-9]{1,9}))?"
SRT_TIMING = re.compile(r"[ \t]*" + SRT_TIME + r"[ \t]*-->[ \t]*" + SRT_TIME + "(?![0-9:.,])")
SRT_NUMBER, SRT_LIKE = re.compile(r"[ \t]*([0-9]{1,9})[ \t]*\Z"), re.compile(r"[ \t]*-?[0-9]+[:;.,][0-9:;., \t]*-{1,3}>")
SRT_TAG = re.compile(r"</?(?:i|b|u|s|font)(?:[ \t][^<>]*)?>|\{\\[^{}\r\n]*\}", re.I | re.A)
def put_tagged(cue: Cue, line: str, start: int, tag: Any) -> None:  # add a line of text without its tags; `[br]` ends a line
    done = 0
    for match in tag.finditer(line):
        put(cue, line[done : match.start()], start + done, CLOSED_REFERENCE)
        done = match.end()
        if match[0].lower() == "[br]":
            cue.end_line()
    put(cue, line[done:], start + done, CLOSED_REFERENCE)
    cue.end_line()
def read_srt(characters: str) -> Iterator[Any]:  # yield cues of SubRip: in a block a timing line, text, and the next cue's number and timing line
    lines, at, blocks = whole_lines(characters), 0, 0
    while at < len(lines):
        first = at
        while lines[at][0]:
            at += 1
        block, at = lines[first:at], at + 1
        timings: Any = [(n, match) for n, match in enumerate(SRT_TIMING.match(line) for line, _ in block) if match]
        top = timings[0][0] if timings else len(block)
        number = SRT_NUMBER.match(block[top - 1][0]) if timings and top else None
        if says(block[: top - bool(number)]):
            yield None
        blocks += bool(timings)
        for (n, timing), following in zip(timings, timings[1:] + [None]):
            stop, own = following[0] if following else len(block), number
            number = SRT_NUMBER.match(block[stop - 1][0]) if following and stop - 1 > n else None
            said, is_all = block[n + 1 : stop - 1], blocks == 1 and not any(line for line, _ in lines[at:])
            follows, parted = number and own and int(number[1]) == int(own[1]) + 1, said and not said[-1][0].strip(" \t")
            number = number if follows or parted or (own and is_all and said) else None  # else it is something said
            begin, end = (milliseconds(*timing.group(*fields)) * (-1 if timing[sign] else 1) for sign, fields in ((1, (2, 3, 4, 5)), (6, (7, 8, 9, 10))))
            cue = Cue(begin, end)
            for line, place in block[n + 1 : stop - bool(number)]:
                if SRT_LIKE.match(line):
                    cue.add(BARRIER, place, place + len(line))
                put_tagged(cue, "" if SRT_LIKE.match(line) else line, place, SRT_TAG)
            yield cue.close()
SBV_TIME = r"([0-9]{1,9}):([0-5]?[0-9]):([0-5]?[0-9])\.([0-9]{1,3})"
SBV_TIMING, SBV_BREAK = re.compile(r"[ \t]*" + SBV_TIME + r"[ \t]*,[ \t]*" + SBV_TIME + r"[ \t]*\Z"), re.compile(r"\[br\]", re.I)
def read_sbv(characters: str) -> Iterator[Any]:  # yield cues of SBV: a timing line and the lines up to an empty one
    lines = whole_lines(characters)
    timings: Any = [(n, match) for n, match in enumerate(SBV_TIMING.match(line) for line, _ in lines) if match]
    head = [*itertools.dropwhile(lambda line: re.match(r"\s*(?:\[[^\]]*\]|\Z)", line[0]), lines[: timings[0][0] if timings else 0])]
    if says(head):
        yield None
    for (n, timing), following in zip(timings, timings[1:] + [(len(lines), None)]):
        cue = Cue(milliseconds(*timing.group(1, 2, 3, 4)), milliseconds(*timing.group(5, 6, 7, 8)))
        text = [*itertools.takewhile(lambda line: line[0], lines[n + 1 : following[0]])]
        for line, place in text:
            put_tagged(cue, line, place, SBV_BREAK)
        yield cue.close()
        if says(lines[n + 1 + len(text) : following[0]]):
            yield None

# JSON: a reader with positions, so that strings can be cut out of the file.
JSON_STEP = re.compile("\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\\\u[0-9a-fA-F]{4}|\\\\.|[\r\n\ud800-\udfff]|[^\\\\\r\n\ud800-\udfff]+", re.S)
class Spot(str):  # a JSON string's raw text, with where it starts in the file
    start = 0
def spot(characters: str, start: int, strict: bool) -> Any:  # the string that begins there, and where it ends
    stop = json.decoder.scanstring(characters, start, False)[1]  # type: ignore[attr-defined]
    found = Spot(characters[start : stop - 1])
    found.start = start
    return found, stop
def json_tree(characters: str) -> Any:  # the JSON value with strings as Spot and numbers as str; keys are decoded
    decoder = json.JSONDecoder(parse_float=str, parse_int=str)
    decoder.parse_string = spot  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    value, end = decoder.raw_decode(characters, re.match(r"\ufeff?\s*", characters).end())  # type: ignore[union-attr]
    refuse_if(characters[end:].strip(), "the track's JSON goes on after its end")
    return value
def put_json(cue: Cue, spot: Any) -> None:  # add a JSON string to a cue; a line end in it ends a line, a lone surrogate is LOST
    for match in JSON_STEP.finditer(spot):
        part, at = match[0], spot.start + match.start()
        text = json.loads('"%s"' % part, strict=False) if part[0] == "\\" else part
        if text in ("\n", "\r"):
            cue.end_line()
        else:
            cue.add(LOST if re.match("[\ud800-\udfff]", text) else text, at, at + len(part))
def moment(value: Any, unit: int = 1000) -> Any:  # a time in whole milliseconds, None where there is none
    if not isinstance(value, str) or not value:
        return None
    whole = sum(Decimal(part) * 60**power for power, part in enumerate(reversed(value.rstrip("s").replace(",", ".").split(":"))))
    return math.floor(whole * unit + Decimal("0.5"))
def read_json3(characters: str) -> Iterator[Any]:  # yield cues of json3: the events that have segments
    for event in json_tree(characters).get("events", []):
        if not isinstance(event, dict) or not event.get("segs"):
            continue
        start, lasts = moment(event.get("tStartMs"), 1) or 0, moment(event.get("dDurationMs"), 1)
        cue = Cue(start, None if lasts is None else start + lasts)
        for seg in event["segs"]:
            if isinstance(seg, dict) and isinstance(seg.get("utf8"), Spot):
                put_json(cue, seg["utf8"])
        yield cue.close()
def read_segments(characters: str) -> Iterator[Any]:  # yield cues of Whisper's JSON (segments, chunks or a transcription) and of Podcasting 2.0 JSON (segments with a body)
    tree, before = json_tree(characters), 0
    for row in tree if isinstance(tree, list) else tree.get("segments") or tree.get("chunks") or tree.get("transcription") or []:
        text, offsets = row.get("text", row.get("body")), row.get("offsets")
        times = row.get("timestamp") or [row.get("start", row.get("startTime")), row.get("end", row.get("endTime"))]
        times, unit = ([offsets.get("from"), offsets.get("to")], 1) if isinstance(offsets, dict) else (times, 1000)
        if not isinstance(text, Spot):
            continue
        start, end = (moment(each, unit) for each in times)
        lasts = moment(row.get("duration", row.get("dur")))
        cue = Cue(before if start is None else start, start + lasts if end is None and None not in (start, lasts) else end)
        before, name = max(cue.start, end or cue.start), row.get("speaker")
        cue.speaker = (json.loads('"%s"' % name) if isinstance(name, Spot) else name if isinstance(name, str) else "") or None
        by_word = [word for word in row.get("words", ()) if not cue.speaker and isinstance(word, dict) and word.get("speaker")]
        refuse_if(by_word, "it names speakers word by word: digest only")
        put_json(cue, text)
        yield cue.close()
XML_PART = re.compile(r"<(/?)(?:\w+:)?(\w+)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>|<\?[^>]*\?>|<!--.*?-->|\r\n|\r|\n|[^<\r\n]+|<", re.S)
def read_srv3(characters: str) -> Iterator[Any]:  # yield cues of YouTube's srv3: paragraphs `p` with words in `s`; ruby readings, named by their pens, are left out
    cue, opened, pens = None, list[Any](), set[Any]()
    for match in XML_PART.finditer(characters):
        part, name, has_end = match[0], match[2], match[0].endswith("/>")
        has = {key: one or other for key, one, other in re.findall(r"\s(\w+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", match[3] or "")}
        refuse_if(part == "<" or part.startswith("<!["), "the track's XML cannot be read at character %d" % match.start())
        if name == "pen" and has.get("rb") in ("2", "4", "5", "6", "7"):
            pens.add(has.get("id"))
        elif name == "p" and not match[1] and not has_end:
            start, lasts, opened, is_added = moment(has.get("t")), moment(has.get("d"), 1), [], has.get("a", "0") not in ("", "0")
            cue = Cue(start // 1000 if start is not None else None, None if None in (start, lasts) else start // 1000 + lasts)
        elif name == "p" and cue:
            spoken, cue = cue.close(), None
            if spoken.lines or not (spoken.start is None or is_added):
                yield spoken if spoken.start is not None else None
        elif cue and (name == "br" or (part[0] in "\r\n" and True not in opened)):
            cue.end_line()
        elif cue and name and (match[1] or not has_end):
            opened = opened[:-1] if match[1] else [*opened, has.get("p") in pens]
            cue.timed += [(len(cue.lines) - 1, match.end())] if name == "s" and "t" in has else []
        elif cue and part[0] != "<" and True not in opened:
            put(cue, part, match.start(), XML_REFERENCE)
READERS = {"webvtt": read_webvtt, "srt": read_srt, "sbv": read_sbv, "json3": read_json3, "srv3": read_srv3, "whisper-json": read_segments, "podcast-json": read_segments}

# The reading of a whole track.
class Reading:
    """A track's whole text in time order; `places` lead from bytes of the file to characters of the text."""
    def __init__(self, data: bytes, encoding: str, form: str) -> None:
        self.file, self.sha256 = Text(data, encoding), sha256(data)
        cues, is_rent = list[Cue](), False
        for cue in READERS[form](self.file.characters):  # None is a block of a file that holds no cue and was not read
            is_rent |= not cue
            for one in ([cue] if cue.lines else []) if cue else [last for last in reversed(cues) if last.lines][:1]:
                one.rent[0 if cue else 1] |= is_rent
            is_rent &= not (cue and cue.lines)
            cues += [cue] if cue else []
        self.goes_back = any(one.start > other.start for one, other in zip(cues, cues[1:]))
        if form in ("webvtt", "srt", "sbv", "srv3"):
            drop_repeats(cues)
        self.cues = sorted(cues, key=lambda cue: cue.start)
        self.starts, self.ends, self.speakers, self.places, self.seams = [], [], [], [], []
        parts, length, before = [], 0, ""
        for number, cue in enumerate(self.cues):
            rents = [[0, BARRIER, [-1], [-1], [None]] if is_torn else None for is_torn in cue.rent]
            for _, text, starts, ends, speakers in filter(None, [rents[0], *cue.lines, rents[1]]):
                seam, before = join(before, visible(text)), visible(text) or before
                self.starts += [-1] * len(seam) + starts
                self.ends += [-1] * len(seam) + ends
                self.speakers += [None] * len(seam) + speakers
                parts += [seam, text]
                length += len(seam)
                self.places += [(starts[0], length)] if starts[0] >= 0 else []
                self.seams.append((length, number))
                length += len(text)
        self.text, self.places = "".join(parts), sorted(self.places)
        self.shown = visible(self.text)
    def locate(self, byte: int, is_end: bool) -> Any:  # the text position of a byte offset, or raise Refused where no character begins (or ends) there
        wanted = self.file.character(byte)
        slot = bisect.bisect_right(self.places, (wanted - (1 if is_end else 0), len(self.text))) - 1
        refuse_if(self.file.offsets[wanted] != byte or slot < 0, "a byte range leaves the caption text")
        at, column = self.places[slot][1], self.ends if is_end else self.starts
        while at < len(self.text) and column[at] != wanted:
            refuse_if(self.starts[at] < 0 or column[at] > wanted, "a byte range leaves the caption text, or cuts a reference in two")
            at += 1
        second = at + (1 if is_end else 0)  # the second character of a reference that stands for two has no bytes of its own
        at += self.starts[second : second + 1] == [wanted] == self.ends[second : second + 1]
        return at + (1 if is_end else 0)
    def ranges(self, low: int, high: int) -> Any:  # the byte ranges of a stretch of text: nothing between them is left out
        refuse_if(low >= high, "its byte ranges are out of order")
        refuse_if(UNREAD.search(self.text[low:high]), "bytes that nobody could read lie inside it")
        places = merged((self.starts[at], self.ends[at]) for at in range(low, high) if self.starts[at] >= 0)
        return [(self.file.offsets[start], self.file.offsets[end]) for start, end in places]
    def cue(self, at: int) -> Any:  # the cue that a text position lies in
        return self.cues[self.seams[bisect.bisect_right(self.seams, (at, len(self.cues))) - 1][1]]
def merged(ranges: Any) -> Any:  # ranges with touching neighbours joined
    result: Any = []
    for start, end in ranges:
        touches = result and result[-1][1] == start
        result[-1:] = [(result[-1][0], end)] if touches else [*result[-1:], (start, end)]
    return result
def is_unspaced(character: str) -> Any:  # whether a character belongs to a script written without spaces, CJK punctuation or full-width forms
    return UNSPACED.match(character) is not None
def join(before: str, after: str) -> Any:  # what a line end or the seam between two cues adds
    return "" if not before or not after or (is_unspaced(before[-1]) and is_unspaced(after[0])) else " "
def visible(text: str) -> Any:  # text as it shows
    return text.replace(BARRIER, "").replace(LOST, "\ufffd")
def drop_repeats(cues: list[Cue]) -> None:  # take out the lines that roll-up captions show again; they were spoken once
    found = []
    for at, (before, cue) in enumerate(zip(cues, cues[1:]), 1):
        if not cue.lines or not before.lines or cue.lines[0][1] != before.lines[-1][1] or UNREAD.search(cue.lines[0][1]):
            continue
        brief = cue.end - cue.start <= 50 and len(cue.lines) == 1
        number, _, starts, ends, _ = cue.lines[0]
        is_timed = any(line == number and starts[0] <= at_place <= ends[-1] for line, at_place in cue.timed)
        if brief or (not is_timed and abs(cue.start - before.end) <= 50):
            found.append(at)
    above_new = sum(1 for at in found if len(cues[at].lines) > 1)
    is_roll_up = found and len(found) * 2 >= len(cues) - 1 and (any(cue.timed for cue in cues) or above_new * 4 >= len(cues))
    for at in found if is_roll_up else ():
        cues[at].lines = cues[at].lines[1:]
def in_word(character: str) -> Any:  # whether a character is part of a word: a letter, digit or combining mark
    kind = unicodedata.category(character)
    return kind[0] in "LM" or kind == "Nd" or character == "_"
BORDERS = [
    (re.compile(before + r"\Z"), re.compile(after), what)
    for before, after, what in (
        (r"[^\W\d_][:·'’.]", r"[^\W\d_]", "word"), (r"[^\W\d_]", r"[:·'’.][^\W\d_]", "word"), (r"\d[.,:;/'’]", r"\d", "number"),
        (r"\d", r"[.,:;/'’]\d|\s?[%٪％‰]|\s\d{3}(?!\d)", "number"), (r"\d\s", r"\d{3}(?!\d)|[%٪％‰]", "number"), (r"(?:^|[^\w.])\.", r"\d", "number"),
        (r"(?:^|[^\w%)\]+−–-])[-−+–±]", r"[\u00a0\u202f\u2007]?\.?\d", "number"))]
def cut_in_word(before: str, text: str, after: str) -> Any:  # why a quotation does not begin and end at whole words and numbers, "" where it does
    for left, right, why in ((before, text, "it begins inside a "), (text, after, "it ends inside a ")):
        left, right = left.rstrip(TURNS), right.lstrip(TURNS)
        if left and right:
            bare = re.sub("[\u0300-\u036f\u200d\ufe00-\ufe0f]+\\Z", "", left)[-1:]
            spaced = bare and not (is_unspaced(bare) or is_unspaced(right[0]))
            is_joined = unicodedata.category(right[0]) in ("Mn", "Mc", "Me", "Cf") and right[0] != "\u200b" and left[-1] not in "\n\v\f\r\x85\u2028\u2029"
            if is_joined or (spaced and in_word(bare) and in_word(right[0])):
                return why + "word"
            for one, other, what in BORDERS:
                if one.search(left[-64:]) and other.match(right):
                    return why + what
    return ""

# The draft: its quote marks, what of it is not shown, and each claim between its marks.
ENTITY_MARK = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z]+);?")
TIMES = (
    re.compile(r"(?<![\d:.,])(\d+):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?(?![\d:])"),
    re.compile(r"(?<![\w.])(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?!\w)"),
    re.compile(r"(?:[?&#;]|\b)(?:t|start)=(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?"),
)
TIME = r"(?:\d+:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?|(?:\d+h)?\d+m\d+s|\d+[ms])"
ADJOINING = re.compile(r"[ \t*_]*[\[(]\s*(%s)\s*[\])]" % TIME)  # a time in brackets right behind a claim
RANGE = re.compile(r"%s\s*(?:[-–—]|to)\s*%s" % (TIME, TIME))
CODE = "pre listing script style code kbd samp tt".split()
UNSHOWN = CODE + "head title template noscript iframe audio video object rp rt dialog".split()
HIDES = re.compile(r"(?:^|[\s/\"'])hidden(?:[\s=/]|\Z)|display\s*:\s*none|visibility\s*:\s*hidden", re.I)
HTML_TAG = re.compile(r"<!--.*?(?:-->|--!>|\Z)|<[!?][^>]*>|<(/?)([A-Za-z][^\s/>]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>", re.S)
STRICT_TAG = re.compile(r"<!--.*?-->|<[!?][^>]*>|<(/?)([A-Za-z][A-Za-z0-9-]*)"
    r"((?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?)>", re.S)
MARKDOWN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])|(?<!`)(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)|(?P<auto><[A-Za-z][\w+.-]*:[^\s<>]*>)"
    r"|(?P<to>\](?:\(\s*(?:<[^<>\n]*>|(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))*)(?:\s+(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*\)|\[[^\[\]]*\]))"
    r"|(?P<image>!\[[^\[\]]*)|(?P<note>\[\^[^\[\]\s]+\])|(?P<open>\[(?=(?:[^\[\]]|\[[^\[\]]*\])*\][(\[]))"
    r"|(?m:^[ >]*\[(?!\^)(?P<define>[^\[\]\n]+)\]:[ \t]*\n?[ \t]*\S+(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^)\n]*\)))?[ \t]*$)", re.S)
BLANK_LINE = re.compile(r"\r?\n[ \t>]*(?:\r?\n|\Z)|\r[ \t>]*\r")
ELISION_LIKE = re.compile(r"(?:\d\ds?|tis|twas|twere|twill|twould|twixt|tisn|twasn|em|n|til|till|cause|cuz|cos|coz|bout|neath|nuff|nother|cept|fraid|"
    r"scuse|ello|appen|round|gainst|kay|sup|un|im|er)(?![^\W\d_])", re.I)
class Draft:
    """The draft as characters, with the zones that a reader does not see as words: (start, end, kind), of the kinds `code`,
    `comment`, `hidden` (head, template, front matter …), `tag` (tags, links' addresses and brackets, escapes)."""
    def __init__(self, data: bytes, encoding: str, form: str) -> None:
        self.file, self.form = Text(data, encoding), form
        self.text, self.zones = self.file.characters, list[Any]()
        if form == "html":
            self.read_tags(HTML_TAG, lambda at: False)
        elif form == "markdown":
            self.read_markdown()
        refuse_if(form not in ("html", "markdown", "text"), "the draft's format %s: digest only" % shown(form))
        self.zones.sort()
        self.covered = bytearray(len(self.text))  # 1 where markup stands that shows no word, 2 in code
        for start, end, kind in sorted(self.zones, key=lambda zone: zone[2] != "code"):
            self.covered[start:end] = (b"\2" if kind == "code" else b"\1") * (end - start)
    def zone(self, start: int, end: int, kind: Any) -> None:  # note a place that is not shown as words
        self.zones += [(start, end, kind)] if start < end else []
    def is_in(self, at: int, kinds: Any) -> Any:  # whether a character stands in a zone of one of these kinds
        return any(start <= at < end and kind in kinds for start, end, kind in self.zones)
    def read_tags(self, pattern: Any, is_code: Any) -> None:  # note comments, tags, and what elements hide up to their own end tag
        at, match = 0, pattern.search(self.text)
        while match:
            at, name = match.end(), (match[2] or "").lower()
            if is_code(match.start()):
                at = match.start() + 1
            else:
                self.zone(match.start(), at, "comment" if match[0].startswith("<!--") else "tag")
            if at == match.end() and match[1] == "" and (name in UNSHOWN or HIDES.search(match[3])):
                depth, stop = 1, len(self.text)
                for tag in re.compile(r"<(/?)%s\b" % re.escape(name), re.I).finditer(self.text, at):
                    depth += -1 if tag[1] else 1
                    if depth == 0 or (name in ("p", "li") and not tag[1]):
                        stop = tag.start()
                        break
                self.zone(at, stop, "code" if name in CODE else "hidden")
                at = stop if name in ("script", "style") else at
            match = pattern.search(self.text, at)
    def read_markdown(self) -> None:  # note front matter, code, HTML, links' addresses and escapes
        text, begin, self.definitions = self.text, 0, set[Any]()
        front = re.match(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(?:.*?^)??(?:\1|\.\.\.)[ \t]*\r?$", text, re.S | re.M)
        if front:
            begin = front.end()
            self.zone(0, begin, "hidden")
        blocks = list(self.code_blocks(begin))
        self.zones += [(start, end, "code") for start, end in blocks]
        at = begin
        for low, high in [*blocks, (len(text), len(text))]:
            while at < low:
                blank = BLANK_LINE.search(text, at, low)
                stop = blank.end() if blank else low
                self.read_spans(at, blank.start() if blank else low)
                at = stop
            at = max(at, high)
        spans = [(start, end) for start, end, kind in self.zones if kind == "code"]
        self.read_tags(STRICT_TAG, lambda place: any(start <= place < end for start, end in spans))
    def code_blocks(self, begin: int) -> Iterator[Any]:  # yield (start, end) of fenced and indented code
        fence, quoted, opened, before = None, None, 0, ""
        for line, at in lines_of(self.text, begin):
            bare = re.sub(r"^[ \t]*(?:>[ ]?[ \t]*)*(?:(?:[-*+]|\d+[.)])[ \t]+)*", "", line)
            mark = re.match(r"(`{3,}(?=[^`]*\Z)|~{3,})", bare)
            if fence:
                close = re.match(r"[ \t>]*(%s+)[ \t]*\Z" % re.escape(fence[0]), line)
                if (close and len(close[1]) >= len(fence)) or (quoted and not re.match(r"[ \t]*>", line)):
                    yield opened, at + len(line)
                    fence = None
            elif mark:
                fence, opened, quoted = mark[1], at, re.match(r"[ \t]*>", line)
            elif re.match(r"[ >]*(?: {4}|\t)", line) and before in ("", "code"):
                yield at, at + len(line)
                before = "code"
            else:
                before = line.strip()
        if fence:
            yield opened, len(self.text)
    def read_spans(self, start: int, end: int) -> None:  # note code spans, escapes and links of one paragraph
        for match in MARKDOWN.finditer(self.text, start, end):
            low, high = match.span()
            if match["code"] is not None:
                self.zone(match.start("code"), match.end("code"), "code")
                self.zone(low, match.start("code"), "tag")
                self.zone(match.end("code"), high, "tag")
            elif match["define"] is not None:
                self.definitions.add(match["define"].casefold())
                self.zone(low, high, "tag")
            else:
                self.zone(low, low + 1 if match["escape"] else high, "tag")
    def quote_marks(self) -> Iterator[Any]:  # yield (start, end, what) in characters of every quote mark, `q` and block quotation
        text = self.text
        for match in re.finditer("[%s]" % re.escape(MARKS), text):
            yield match.start(), match.end(), match[0]
        for match in ENTITY_MARK.finditer(text) if self.form != "text" else ():
            decoded = html.unescape(match[0])
            if len(decoded) == 1 and decoded in MARKS and not self.is_in(match.start(), ("code", "comment", "hidden", "tag")):
                yield match.start(), match.end(), match[0]
        for match in re.finditer(r"<(?:q|blockquote)(?=[\s/>])", text, re.I) if self.form != "text" else ():
            if not self.is_in(match.start(), ("code", "comment", "hidden")) and self.is_in(match.start(), ("tag",)):
                yield match.start(), match.start() + 1, match[0] + ">"
        before = ""
        for line, at in lines_of(text) if self.form == "markdown" else ():
            sign = re.match(r" {0,3}>", line)
            if sign and not re.match(r" {0,3}>", before) and not self.is_in(at + sign.end() - 1, ("code", "comment", "hidden")):
                yield at + sign.end() - 1, at + sign.end(), "> block quotation"
            before = line
    def check_marks(self, marks: Any, claims: Any, problems: list[str]) -> None:  # hold every quote mark, counted here, against the statement's marks, and each of those against its role
        file = self.file
        spans = [(*map(file.character, hold_span(mark["bytes"], len(file.data), "a quote mark")), mark) for mark in marks]
        note(problems, any(one[:2] == other[:2] for one, other in zip(spans, spans[1:])), "the statement lists a quote mark twice")
        starts = sorted({start for start, _, _ in spans})
        ends = {start: end for start, end, _ in sorted(spans, key=lambda span: span[1])}
        for start, end, what in self.quote_marks():
            slot = bisect.bisect_right(starts, start) - 1
            if slot < 0 or ends[starts[slot]] < end:
                problems.append("the draft has a quote mark %s at byte %d that the statement does not list" % (shown(what), file.offsets[start]))
        for start, end, mark in spans:
            why = self.odd_role(start, end, mark, claims)
            note(problems, why, "the quote mark at byte %d: %s" % (file.offsets[start], why))
        opening = {(mark["claim"], start) for start, _, mark in spans if mark["role"] == "opens"}
        closing = {(mark["claim"], end) for _, end, mark in spans if mark["role"] == "closes"}
        for number, claim in claims.items():
            low, high = (file.character(byte) for byte in hold_span(claim["outer"], len(file.data), "claim %d" % number))
            is_closed = claim["kind"] == "block" or (number, high) in closing
            is_between = (number, low) in opening and is_closed != (claim["verdict"] == "unclosed")
            note(problems, not is_between, "claim %d does not stand between its marks" % number)
    def odd_role(self, start: int, end: int, mark: dict[str, Any], claims: Any) -> Any:  # why a mark cannot have the role that the statement gives it, "" where it can
        role, claim = mark["role"], claims.get(mark["claim"])
        raw = self.text[start:end]
        sign = html.unescape(raw) if self.form != "text" else raw
        if not (len(sign) == 1 and sign in MARKS) and not re.match(r">\Z|</?(?:q|blockquote)\b", raw, re.I):
            return "it is no quote mark"
        if role in ("opens", "closes", "inside"):
            if claim is None:
                return "it belongs to claim %s, which the statement does not hold" % mark["claim"]
            low, high = claim["outer"]
            return "" if low <= self.file.offsets[start] and self.file.offsets[end] <= high else "it lies outside its claim"
        if claim is not None and role != "markup":
            return "it belongs to a claim and has no part in it"
        if role == "apostrophe":
            return "" if sign in "'’‘‚‛" and self.can_be_apostrophe(start, end, sign) else "it is no apostrophe"
        if role == "prime":
            return "" if sign in "'\"’”" and re.search(r"\d[*_\s]?\Z", self.text[max(0, start - 3) : start]) else "it is no prime"
        if role == "code":
            return "" if self.is_in(max(start, end - 1), ("code",)) or (raw[:1] in ("<", ">") and not self.has_words(end)) else "it stands in no code"
        if raw[:1] in (">", "<"):  # a block quotation or `q` that makes no claim by itself: its words are in one, or it has none
            return "" if claim is not None or self.is_in(start, ("comment", "hidden")) or not self.has_words(end) else "its words are in no claim"
        return "" if self.is_in(start, ("comment", "hidden", "tag")) else "nothing shows that it is not read as text"
    def has_words(self, at: int) -> Any:  # whether the block quotation that begins before a place has a letter or digit that is shown
        stop = re.compile(r"(?i)</(?:q|blockquote)\b" if self.text[at - 2 : at - 1] != ">" and self.form == "html" else r"\n(?![ \t]*>)").search(self.text, at)
        end = stop.start() if stop else len(self.text)
        return any(self.text[n].isalnum() and not self.covered[n] for n in range(at, end))
    def can_be_apostrophe(self, start: int, end: int, sign: str) -> Any:  # return whether a single mark stands in a word, or begins or ends one without making a pair with another
        before = re.sub(r"[*_~]+\Z|<[^<>]*>\Z|\\\Z", "", self.text[max(0, start - 60) : start])[-1:]
        after = re.sub(r"\A(?:[*_~]+|<[^<>]*>)", "", self.text[end : end + 60])
        if before.isalnum() or not after[:1].isalnum() or re.search(r"&\w+;\Z", self.text[max(0, start - 10) : start]):
            return before.isalnum() or before == ";"
        blank = BLANK_LINE.search(self.text, end)
        rest = self.text[end : blank.start() if blank else len(self.text)]
        if sign in "'‘‚‛" and not ELISION_LIKE.match(after):
            return False
        closers = "’" if sign in "‘’" else "'"
        for match in re.finditer(r"(?<=\S)[%s](?![^\W_])" % closers, rest):
            is_plural = re.search(r"(?:s|in|\b(?:an|o|th|ol|t))\Z", rest[: match.start()], re.I) and re.match(r"\s[^\W\d_]", rest[match.end() :])
            is_elided_n = re.search(r"(?:['’‘]|\A)n\Z", rest[: match.start()], re.I)
            if not is_plural and not is_elided_n:
                return re.search(r"[.!?…]\W*\s", rest[: match.start()]) is not None and ELISION_LIKE.match(after) is not None
        return True
    def check_claim(self, claim: dict[str, Any]) -> None:  # hold a claim's text against the draft's own bytes; raise Refused where they differ
        file = self.file
        low, high = hold_span(claim["outer"], len(file.data), "it")
        text, at = "", low
        pieces = claim["pieces"]
        for number, piece in enumerate([*pieces, ["", high, high]]):
            is_last = number == len(pieces)
            start, end = piece[1:]
            refuse_if(not at <= start <= end <= high, "its pieces are out of order or outside its marks")
            raw, (first, last) = file.cut(start, end), (file.character(start), file.character(end))
            gap = (file.character(at), first)
            refuse_if(not self.adds_nothing(*gap, claim["kind"], (number == 0, is_last)), "the draft has “%s” inside it, which the claim leaves out" % shown(self.text[gap[0] : gap[1]][:40]))
            if is_last:
                break
            beside = self.text[first : first + 1] + self.text[last : last + 1] if raw != piece[0] and piece[0] in ("", " ") and raw else ""
            refuse_if(len(beside) > 1 and beside[1] in SPACES and last < file.character(high), "a line end in it is cut in two")
            refuse_if(raw != piece[0] and not self.stands_for(raw, piece[0], first, last), "the draft has “%s” where the claim says “%s”" % (shown(raw[:40]), shown(piece[0][:40])))
            text, at = text + piece[0], end
        refuse_if(text != claim["text"], "its pieces do not make up its text")
        refuse_if(not text and pieces, "it has no text")
    def stands_for(self, raw: str, text: str, first: Any, last: Any) -> Any:  # return whether draft characters can stand for claim text: a reference, an escape, a line end or tag between words
        if self.form != "text" and raw and (html.unescape(raw) == text or (raw[0] == "\\" and raw[1:] == text)):
            return True
        around = self.text[max(0, first - 400) : last + 400]
        is_border = re.search(r"[\s>]", raw) or (raw == "" and re.search(r"[\r\n<]", around))
        return text in ("", " ") and bool(is_border) and self.adds_nothing(first, last, "border", (False, False))
    def adds_nothing(self, start: int, end: int, kind: Any, edges: Any) -> Any:  # return whether the characters of a gap are only markup and white space, marks where a quotation begins, ends or goes on
        layout = LAYOUT + ("*_~>\\" if self.form == "markdown" else "")
        left = [(at, self.text[at]) for at in range(start, end) if self.covered[at] != 1 and self.text[at] not in layout]
        if not left:
            return True
        raw = "".join(character for _, character in left)
        if kind == "block":
            raw = self.text[start:end]
            raw = "".join(raw[n] for n in range(len(raw)) if self.covered[start + n] != 1 or raw[n] in "\r\n")
            raw = re.sub(r"(?m)^[\s>*_]*[-–—―].*\Z", "", raw, flags=re.S) if edges[1] else raw
            raw = re.sub(r"https?://\S+", "", raw)
            bare = re.sub(r"\d+(?::\d+)+(?:[.,]\d+)?|\b(?:\d+h)?(?:\d+m)?(?:\d+s)?\b|\bto\b", "", raw)
            return not any(c.isalnum() for c in bare) and (bare != raw or edges[0] or edges[1] or not re.search(r"[^\s>*_~\\]", bare))
        rest = raw
        if self.form != "text":
            rest = re.sub(r"&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z]+);?", lambda m: "" if html.unescape(m[0]).strip(LAYOUT + "\xad") == "" else html.unescape(m[0]), raw)
            if self.form == "markdown":
                rest = re.sub(r"[\[\]]", "", rest) if getattr(self, "definitions", None) else rest
                rest = re.sub(r"^(?:[-+]|\d+[.)])\Z", "", rest)
        if rest == "" or rest.strip(MARKS) != "":
            return rest == ""
        ahead = self.text[: left[0][0]].rstrip(" \t>*_")
        opens_line = ahead == "" or ahead[-1] in "\r\n" or self.covered[len(ahead) - 1] == 1
        return len(rest) == 1 and (edges[0] or edges[1] or opens_line)
    def is_place(self, claim: dict[str, Any], before: str, after: str) -> Any:  # return whether the words next to a claim in the draft can be those that a resolution names: their last and first word
        low, high = (self.file.character(byte) for byte in claim["outer"])
        last, first = re.findall(r"[^\W_]+", before)[-1:], re.findall(r"[^\W_]+", after)[:1]
        around = html.unescape(self.text[max(0, low - 4000) : low]), html.unescape(self.text[high : high + 4000])
        return all(word in around[0] for word in last) and all(word in around[1] for word in first)
def times_in(raw: str) -> Any:  # the set of milliseconds that a notation can mean, first time first
    found = []
    for match in TIMES[0].finditer(raw):
        hours, minutes, seconds = match.group(1, 2, 3) if match[3] else (0, match[1], match[2])
        found.append(milliseconds(hours, minutes, seconds, match[4]))
    for match in [*TIMES[1].finditer(raw), *TIMES[2].finditer(raw)]:
        if any(match.groups()):
            found.append(milliseconds(*(value or 0 for value in match.groups())))
    return found

# Claims.
def check_exact(claim: dict[str, Any], reading: Any, draft: Draft, tolerance: Any) -> Any:  # cut an exact claim out of the locked bytes and return a line about it; raise Refused where it does not hold
    match, claimed, ending = claim["match"], claim["claimed_ms"], claim["claimed_end_ms"]
    refuse_if(not match or not match["bytes"] or claimed is None, "it has no byte ranges or no time")
    spans = [hold_span(span, len(reading.file.data), "it") for span in match["bytes"]]
    low, high = reading.locate(spans[0][0], False), reading.locate(spans[-1][1], True)
    ranges, text = reading.ranges(low, high), reading.text[low:high]
    refuse_if(ranges != merged(spans), "its byte ranges are not one contiguous passage of the captions")
    refuse_if(text != claim["text"] or not any(map(str.isalnum, text)), "the captions say “%s” there" % shown(text[:80]))
    speakers = [speaker for speaker in dict.fromkeys(reading.speakers[low:high]) if speaker]
    refuse_if(len(speakers) > 1 or match["speakers"] != speakers, "it runs from one speaker to another, or is said to be another's")
    around = [visible(reading.text[max(0, low - 4000) : low]), visible(reading.text[high : high + 4000])]
    why = cut_in_word(around[0][-64:], text, around[1][:64])
    refuse_if(why, why)
    refuse_if([match["before"], match["after"]] != [around[0][-60:], around[1][:60]], "other words stand around it in the captions than the statement says")
    cue, end_cue = reading.cue(low), reading.cue(high - 1)
    times = [[cue.start, cue.end], [end_cue.start, end_cue.end]]
    refuse_if([match["cue_ms"], match["last_cue_ms"]] != times, "the captions' times there are %s, not those stated" % times)
    offset = claimed - cue.start if claimed < cue.start else max(0, claimed - cue.end)
    refuse_if(offset != match["offset_ms"] or abs(offset) > tolerance, "its time is %d ms away from its cue" % offset)
    refuse_if(ending is not None and ending < end_cue.start - tolerance, "the end of its time range does not fit")
    refuse_if(claim["classes"] or claim["source_words"] or claim["resolution"], "it is exact and something else besides")
    return "at %s, bytes %s" % (clock(cue.start), " ".join("%d-%d" % span for span in ranges))
def check_time(claim: dict[str, Any], draft: Draft) -> None:  # hold a claim's time against the notation in the draft that is said to give it
    claimed, ending = claim["claimed_ms"], claim["claimed_end_ms"]
    adjoins = ADJOINING.match(draft.text, draft.file.character(claim["outer"][1]))
    refuse_if(adjoins and times_in(adjoins[1]) and not claim["has_own_time"], "a time adjoins it in the draft, and the statement does not say so")
    if claim["time_bytes"] is None:
        refuse_if(claimed is not None or ending is not None or claim["has_own_time"], "it has a time, and the draft none for it")
        return
    notation = draft.file.cut(*hold_span(claim["time_bytes"], len(draft.file.data), "its time"))
    stated = times_in(notation)
    refuse_if(claimed is not None and (claimed not in stated or (ending is not None and ending not in stated)), "the draft's “%s” does not mean %s ms" % (shown(notation[:40]), claimed))
    refuse_if(ending is None and claimed is not None and RANGE.search(notation), "the end of its time range is left out")
def clock(ms: int) -> Any:  # a time as h:mm:ss.mmm
    sign, ms = ("-", -ms) if ms < 0 else ("", ms)
    return "%s%d:%02d:%02d.%03d" % (sign, ms // 3600000, ms // 60000 % 60, ms // 1000 % 60, ms % 1000)
def check_resolved(claim: dict[str, Any], journal: Journal, reading: Any, statement: dict[str, Any], draft: Draft) -> Any:  # hold a resolved claim against the journal; raise Refused where the journal does not hold its resolution
    digest, entry = journal.resolution(claim, reading.sha256, statement["draft"]["path"], draft)
    refuse_if(not digest or not claim["resolution"], "the journal does not hold its resolution")
    named = {"kind": "resolution", "class": "exception", "reason": "reason", "by": "by", "at": "at"}
    again = {**{key: entry[name] for key, name in named.items()}, "entry": digest, "is_exception": is_exception(claim)}
    refuse_if(claim["resolution"] != again, "the journal's entry and the statement differ: %s" % shown(again))
    refuse_if(again["is_exception"] and not again["reason"].strip(), "it is an exception without a reason")
    verdict, is_there = claim["verdict"], claim["text"] in reading.shown
    exact_text = verdict in ("exact", "mistimed", "untimed")
    refuse_if((exact_text and not is_there) or (verdict == "not_found" and is_there), "the captions do not bear out “%s”" % verdict)
    refuse_if((verdict == "altered") != bool(claim["classes"]) or (verdict == "untimed" and claim["claimed_ms"] is not None) or claim["match"], "its verdict, its classes and its time do not go together")
    refuse_if(verdict in ("exact", "mistimed") and claim["claimed_ms"] is None, "it has no time, and its verdict is about one")
    refuse_if(claim["source_words"] not in reading.shown or (verdict == "altered") > bool(claim["source_words"]), "the captions do not hold the passage that it is compared with")
    return "%s by %s" % (again["kind"].replace("_", " "), shown(again["by"]))
def is_exception(claim: dict[str, Any]) -> Any:  # whether a resolved claim counts as an exception: accepted, or set aside though it has a time or many words
    words = "".join(" %s " % c if is_unspaced(c) and c.isalnum() else c for c in claim["text"]).split()
    return claim["resolution"]["kind"] == "accept" or claim["has_own_time"] or len(words) > 3

# The journal.
class Journal:
    """The journal's entries by digest, in order, those that were withdrawn left out."""
    def __init__(self, payload: dict[str, bytes], statement: dict[str, Any]) -> None:
        data, previous, self.entries = payload.get("data/journal.jsonl", b""), "0" * 64, list[Any]()
        refuse_if(data and not data.endswith(b"\n"), "the journal is cut short")
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            where = "line %d of the journal" % number
            entry = strict_json(line, where)
            kind: Any = entry.get("kind") if isinstance(entry, dict) else ""
            wrong = misfit(entry, {**ENTRY, **ENTRIES.get(kind, {"": NONE})}, where)
            refuse_if(wrong or canonical(entry) != line, "%s is not as such a line is written" % (wrong or where))
            refuse_if(entry["previous"] != previous, "the journal's chain breaks at line %d" % number)
            previous = sha256(line)
            self.entries.append((previous, entry))
        recorded = {"file": "data/journal.jsonl", "length": len(self.entries), "head": previous}
        refuse_if(statement["journal"] != recorded, "the journal is not as long as recorded, or ends in another entry")
        self.withdrawn: Any = {}
        for digest, entry in reversed(self.entries):  # a withdrawal can itself be withdrawn
            if entry["kind"] == "withdrawal" and self.withdrawn.get(digest) != "all":
                if not entry["claims"] or self.withdrawn.get(entry["entry"]) == "all":
                    self.withdrawn[entry["entry"]] = "all"
                else:
                    self.withdrawn.setdefault(entry["entry"], []).extend(entry["claims"])
        self.valid = [(digest, entry) for digest, entry in self.entries if self.withdrawn.get(digest) != "all"]
        self.used: set[Any] = set()
    def resolution(self, claim: dict[str, Any], track: Any, path: Any, draft: Draft) -> Any:  # return (digest, entry) of the latest resolution of the claim, with its time and place, under this reference; ("", None) without one
        for digest, entry in reversed(self.valid):
            kind = entry["kind"] == "resolution" and entry["resolution"]
            given = kind == "not_a_quotation" or (kind == "accept" and entry["exception"] and entry["reason"].strip())
            if not given or entry["track"] != track or entry["draft"] != path:
                continue
            for basis in entry["claims"]:
                name, plain = basis["sha256"], {key: basis[key] for key in basis if key != "sha256"}
                same = all(basis[key] == claim[key] for key in ("text", "claimed_ms", "claimed_end_ms"))
                is_free = name not in self.used and name not in self.withdrawn.get(digest, [])
                if same and is_free and sha256(canonical(plain)) == name and draft.is_place(claim, basis["before"], basis["after"]):
                    self.used.add(name)
                    return digest, entry
        return "", None
    def has(self, kind: str, **values: Any) -> Any:  # the latest entry of a kind with these values, None where there is none
        fitting = (entry for _, entry in reversed(self.valid) if entry["kind"] == kind)
        return next((entry for entry in fitting if all(entry[key] == value for key, value in values.items())), None)

# The counts, the gates, the words; the whole.
def check_counts(statement: dict[str, Any], claims: Any, problems: list[str]) -> None:  # add the counts up again and hold the label's own words against them
    resolved = [claim for claim in claims if claim["state"] == "resolved"]
    exact = [claim for claim in claims if claim["state"] == "green"]
    exceptions = [claim["resolution"]["class"] or "other" for claim in resolved if is_exception(claim)]
    total = len(exact) + len(exceptions)
    again = {
        "claims": len(claims), "exact": len(exact), "resolved": len(resolved), "set_aside": len(resolved) - len(exceptions),
        "exceptions": len(exceptions), "by_class": {name: exceptions.count(name) for name in CLASSES if name in exceptions},
        "marks": len(statement["marks"]), "long_cues": sum(claim["match"]["cue_ms"][1] - claim["match"]["cue_ms"][0] > 15000 for claim in exact)}
    note(problems, statement["counts"] != again, "the statement counts %s, there are %s" % (shown(statement["counts"]), again))
    label = "verified with %d exception%s" % (len(exceptions), "" if len(exceptions) == 1 else "s") if exceptions else "verified"
    words, by = statement["sentence"], statement["by"]
    note(problems, statement["label"] != label, "the label should be “%s”, the statement says “%s”" % (label, shown(statement["label"])))
    begins = "Quotations compared with the captions: %d of %d match, %d exception" if exceptions else "Quotations match the captions. %d of %d quotation"
    ends = "Not checked: whether the captions are right, who spoke, the context, other facts. By %s, ", ", signed." if statement["signature"] == "ssh" else ", unsigned."
    begins %= (len(exact), total, len(exceptions))[: begins.count("%d")]
    note(problems, not words.startswith(begins), "the label's sentence does not give these counts")
    note(problems, "within %g second" % (statement["tolerance_ms"] / 1000) not in words, "the label's sentence gives another tolerance")
    is_odd = ends[0] % by not in words or not words.endswith(ends[1]) or words.count(" of ") > 20 + len(by)
    note(problems, is_odd, "the label's sentence does not say what was not checked, by whom, and whether it is signed")
    note(problems, not exact, "no claim is exact: there is nothing to verify")
def check_gates(statement: dict[str, Any], reading: Any, journal: Journal, problems: list[str]) -> None:  # hold the seven gates open, and those that the captions can close against the journal's acknowledgements
    for name, gate in statement["gates"].items():
        note(problems, not gate["open"], "the gate %s is not open" % name)
        is_known = not gate["acknowledged"] or journal.has("acknowledgement") or journal.has("waiver")
        note(problems, not is_known, "the journal does not hold what is acknowledged for the gate %s" % name)
    is_unread, goes_back = reading and UNREAD.search(reading.text), reading and reading.goes_back
    note(problems, is_unread and not journal.has("acknowledgement", gate="lossless"), "bytes were not read, and nobody acknowledged it")
    note(problems, goes_back and not journal.has("acknowledgement", gate="order"), "the times go back, and nobody acknowledged it")
def check_reference(statement: dict[str, Any], journal: Journal) -> Any:  # return the reference track's record, which must be the one that the rule or a person in the journal chose
    tracks, offered, spoken = statement["tracks"], statement["offered"], statement["source"]["language"]
    stated = [track["id"] for track in tracks if track["is_reference"]]
    refuse_if(stated != [statement["reference"]["id"]], "the statement does not name one reference track")
    primary: Any = lambda tag: tag.replace("_", "-").split("-")[0].casefold()  # noqa: E731
    automatic = sorted((one["id"], one["language"]) for one in tracks + offered if one["origin"] == "automatic" and one["language"] and not one["copy_of"])
    told = automatic[-1][1] if len({primary(tag) for _, tag in automatic}) == 1 else spoken
    refuse_if(spoken != told, "the spoken language is not that of the automatic captions")
    language = primary(spoken)
    rank: Any = lambda tag: 0 if not language else 1 if not tag else 2 * (primary(tag) != language)  # noqa: E731
    rows = [(rank(track["language"]), ORIGINS.index(track["origin"]), track["id"]) for track in tracks if track["origin"] in ORIGINS]
    chosen = journal.has("reference")
    is_chosen = chosen and chosen["track_id"] in [track["id"] for track in tracks] and chosen["reason"].strip()
    best, words = (chosen["track_id"], "%s: %s" % (chosen["by"], chosen["reason"])) if is_chosen else (min(rows)[2] if rows else "", "")
    refuse_if([best] != stated or statement["reference"]["choice"] != words, "the reference is another track than the rule or the journal chooses")
    reference = next(track for track in tracks if track["id"] == best)
    refuse_if(reference["origin"] not in ORIGINS, "the reference is a machine translation")
    return reference
def check_files(payload: dict[str, bytes], document: dict[str, Any], statement: dict[str, Any]) -> None:  # hold the files that the statement names against those that are there
    files, parts = statement["files"], [statement["draft"], *statement["tracks"]]
    subjects = [(subject["name"], subject["digest"]["sha256"]) for subject in document["subject"]]
    refuse_if(subjects != [(part["file"], part["sha256"]) for part in parts] or len(set(subjects)) != len(subjects), "the statement's subjects are not its draft and its tracks")
    for record in [*parts, *files.values()]:
        data = payload.get(record["file"])
        refuse_if(data is None or (record["sha256"], record["size"]) != (sha256(data), len(data)), "%s is not the file that the statement speaks of" % shown(record["file"]))
    named = {"data/statement.json", "data/journal.jsonl", "data/statement.json.sig", *(record["file"] for record in [*parts, *files.values()])}
    unnamed = min(set(payload) - named, default="")
    refuse_if(unnamed, "%s is in the bundle and the statement does not name it" % shown(unnamed))
    report = payload[files["report"]["file"]].decode("utf-8").rstrip()
    refuse_if(not report.endswith("<!-- report whole: %d claims -->" % len(statement["claims"])), "the report is cut short")
    words = html.unescape(report)
    for text in [statement["label"], statement["sentence"], *(claim["text"] for claim in statement["claims"])]:
        refuse_if(text.isprintable() and text not in words, "the report does not say “%s”" % shown(text[:60]))
    annotations = strict_json(payload[files["annotations"]["file"]], "annotations.jsonld")
    quoted = [item["body"]["selector"]["exact"] for item in annotations["items"]]
    exact = [claim["text"] for claim in statement["claims"] if claim["state"] == "green"]
    refuse_if(quoted != exact, "the annotations are not those of the exact claims")
def check_signature(folder: Path, payload: dict[str, bytes], statement: dict[str, Any]) -> Any:  # return a sentence about the signature; raise Refused where one is promised or present and does not hold
    is_signed = statement["signature"] == "ssh"
    refuse_if(("data/statement.json.sig" in payload) != is_signed, "the statement and the bundle differ on whether it is signed")
    if not is_signed:
        return "unsigned"
    refuse_if(shutil.which("ssh-keygen") is None, "it is signed, and ssh-keygen is not on this machine to check the signature")
    command = ["ssh-keygen", "-Y", "check-novalidate", "-n", "quoteview", "-s", str(folder / "data" / "statement.json.sig")]
    done = subprocess.run(command, input=payload["data/statement.json"], capture_output=True, timeout=60)
    refuse_if(done.returncode != 0, "the signature does not fit the statement")
    return shown(done.stdout.decode("utf-8", "replace").strip())
def read_track(payload: dict[str, bytes], track: Any) -> Any:  # the Reading of the reference track, or a sentence where it cannot be read again
    if track["format"] not in READERS:
        return "the format %s: digest only" % shown(track["format"])
    try:
        return Reading(payload[track["file"]], track["encoding"], track["format"])
    except (Refused, ValueError, TypeError, AttributeError, ArithmeticError, LookupError, RecursionError) as error:
        return "its captions cannot be read again: %s" % shown(error)
def check_claims(payload: dict[str, bytes], statement: dict[str, Any], journal: Journal, reading: Any, problems: list[str], say: Callable[[str], object]) -> Any:  # check every claim, print a line for each, and return them
    claims, tolerance, end = statement["claims"], statement["tolerance_ms"], 0
    draft = Draft(payload[statement["draft"]["file"]], statement["draft"]["encoding"], statement["draft"]["format"])
    refuse_if(not 0 <= tolerance <= 2000, "the tolerance is larger than two seconds")
    refuse_if([claim["id"] for claim in claims] != list(range(1, len(claims) + 1)), "the claims are not numbered one after the other")
    draft.check_marks(statement["marks"], {claim["id"]: claim for claim in claims}, problems)
    for claim in claims:
        try:
            draft.check_claim(claim)
            refuse_if(claim["outer"][0] < end, "it overlaps the claim before it")
            end = claim["outer"][1]
            check_time(claim, draft)
            refuse_if(isinstance(reading, str), reading)
            is_green = claim["state"] == "green"
            refuse_if(is_green and claim["verdict"] != "exact", "it is neither exact nor resolved")
            told = check_exact(claim, reading, draft, tolerance) if is_green else check_resolved(claim, journal, reading, statement, draft)
            refuse_if(is_green and claim["match"]["track"] != statement["reference"]["id"], "it is said to stand in another track")
            say("claim %d: ok, %s  “%s”" % (claim["id"], told, shown(claim["text"][:60])))
        except Refused as error:
            problems.append("claim %d does not hold" % claim["id"])
            say("claim %d: REFUSED, %s  “%s”" % (claim["id"], error, shown(claim["text"][:60])))
    return claims
def recheck(folder: Path, say: Callable[[str], object]) -> Any:  # check the bundle in a folder; `say` takes one line at a time. Returns the list of problems, empty when all holds
    payload = read_bag(folder)
    document = strict_json(payload.get("data/statement.json", b""), "statement.json")
    wrong = misfit(document, DOCUMENT, "statement.json")
    refuse_if(wrong, "%s is not as a statement of this kind has it" % shown(wrong))
    statement = document["predicate"]
    rest = dict(document, predicate={key: value for key, value in statement.items() if key != "end"})
    seal = "statement whole, sha256 " + sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode("ascii"))
    refuse_if(list(statement)[-1:] != ["end"] or statement["end"] != seal, "the statement is cut short or was changed: its seal does not fit")
    check_files(payload, document, statement)
    journal, problems = Journal(payload, statement), list[str]()
    signed = check_signature(folder, payload, statement)
    reading = read_track(payload, check_reference(statement, journal))
    claims = check_claims(payload, statement, journal, reading, problems, say)
    check_gates(statement, None if isinstance(reading, str) else reading, journal, problems)
    if not problems:
        check_counts(statement, claims, problems)
    for line in ["REFUSED: " + problem for problem in problems] or ["%s: %s (%s)" % (statement["label"], shown(statement["sentence"]), signed)]:
        say(line)
    return problems
def main(arguments: list[str]) -> Any:  # check the bundle named on the command line, or the one this file lies in; return the exit status
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return int(len(arguments) > 1)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    try:
        problems = recheck(Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent, print)
    except (Refused, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        print("REFUSED: %s%s" % ("" if isinstance(error, Refused) else "the bundle cannot be read: ", shown(error)))
        return 1
    print("FAILED: %d of the checks above" % len(problems) if problems else "PASSED: everything in this bundle was checked again from its bytes")
    return 1 if problems else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
