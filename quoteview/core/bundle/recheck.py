#!/usr/bin/env python3
"""Check a quoteview bundle again, from its bytes, with nothing but Python's standard library.

Usage: python3 recheck.py [BUNDLE]        (default: the bundle that this file lies in)

It prints a line for each claim and one verdict, and exits 0 when everything holds, 1 when anything
does not or cannot be derived again. It shares no code with the program that wrote the bundle: it has
its own reading of the caption formats, its own joins, its own count of the draft's quote marks.

What it does, in this order:
 (1) every file of the bag has the digest that the manifests say, and no file is missing or extra;
 (2) the statement is whole, strict JSON, and names the files that are there;
 (3) the journal is an unbroken chain of the length and the last digest that the statement records;
 (4) the draft's quote marks, counted here, are those of the statement, each with a role it can have;
 (5) each claim stands in the draft's own bytes, between its marks;
 (6) each claim called exact is cut out of the locked captions by its byte ranges, decoded, compared,
     found contiguous and whole, and its time is read again from the captions' timing;
 (7) what is not exact has a resolution that the journal holds; counts, gates and label add up.
Runs on Python 3.9 and newer. Formats it can read again: WebVTT, SubRip, SBV, YouTube's json3 and srv3,
Whisper's and Podcasting 2.0 JSON. For any other it says "digest only", and that is no pass.
"""

import bisect
import hashlib
import html
import json
import os
import re
import sys
import unicodedata
from pathlib import Path
from xml.parsers import expat

HEX = re.compile(r"[0-9a-f]{64}\Z")
SPACES = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
LAYOUT = SPACES + "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Scripts written without spaces, CJK punctuation, full-width forms: a line end between two of them is nothing.
UNSPACED = (
    (0x0E01, 0x0E3A), (0x0E40, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x19E0, 0x19FF), (0x2E80, 0x2FDF),
    (0x3000, 0x303F), (0x3041, 0x30FF), (0x31F0, 0x31FF), (0x3220, 0x3247), (0x3280, 0x32B0), (0x3300, 0x33FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0xFF01, 0xFF9F),
    (0xFFE0, 0xFFE6), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
MARKS = "\"'“”‘’„‚«»‹›「」『』＂"
BARRIER = "\udcff"  # stands for what nobody can read; no text that was decoded holds a lone surrogate


class Refused(Exception):
    """The bundle cannot be checked any further; the sentence says why."""


# --- The bag -----------------------------------------------------------------------------------


def read_bag(folder):
    """Return {relative name: bytes} of the payload, or raise Refused; every manifest is held against every file."""
    names = set()
    for base, folders, files in os.walk(str(folder)):
        for name in folders + files:
            path = Path(base) / name
            if path.is_symlink():
                raise Refused("%s is a link, not a file" % path.relative_to(folder).as_posix())
        names.update((Path(base) / name).relative_to(folder).as_posix() for name in files)
    for needed in ("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"):
        if needed not in names:
            raise Refused("%s is missing: the bundle is cut short" % needed)
    contents = {name: (folder / name).read_bytes() for name in names}
    if not re.match(rb"BagIt-Version: (1\.0|0\.97)\r?\nTag-File-Character-Encoding: UTF-8\r?\n\Z", contents["bagit.txt"]):
        raise Refused("bagit.txt does not declare a bag")
    listed = manifest(contents["manifest-sha256.txt"], "manifest-sha256.txt")
    tags = manifest(contents["tagmanifest-sha256.txt"], "tagmanifest-sha256.txt")
    for name in listed:
        if not name.startswith("data/"):
            raise Refused("manifest-sha256.txt lists %s, which is no payload" % shown(name))
    payload = {name for name in names if name.startswith("data/")}
    expected_tags = names - payload - {"tagmanifest-sha256.txt"}
    for file in sorted(set(listed) ^ payload) + sorted(set(tags) ^ expected_tags):
        raise Refused("%s is %s" % (shown(file), "there and in no manifest" if file in names else "in a manifest and missing"))
    for name, digest in list(listed.items()) + list(tags.items()):
        if sha256(contents[name]) != digest:
            raise Refused("%s is not the file that the manifest names" % shown(name))
    total = sum(len(contents[name]) for name in payload)
    oxum = re.search(rb"(?m)^Payload-Oxum: (\d+)\.(\d+)\r?$", contents["bag-info.txt"])
    if not oxum or (int(oxum[1]), int(oxum[2])) != (total, len(payload)):
        raise Refused("bag-info.txt counts other bytes or files than there are")
    return {name: contents[name] for name in payload}


def manifest(data, name):
    """Return {file: digest} of a manifest; digests are lower-case hex only, names stay inside the bag."""
    entries = {}
    for line in data.decode("utf-8").splitlines():
        match = re.match(r"([0-9a-f]{64})  ?\*?(\S.*)\Z", line)
        if not match:
            raise Refused("%s has a line that is no digest and name: %s" % (name, shown(line[:80])))
        file = match[2].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
        parts = file.split("/")
        if file in entries or file.startswith("/") or "\\" in file or any(part in ("", ".", "..") for part in parts):
            raise Refused("%s names %s, which is no plain name inside the bag" % (name, shown(file)))
        entries[file] = match[1]
    return entries


def sha256(data):
    """Return the SHA-256 of data in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def shown(text):
    """Return text fit for a terminal: control and direction characters by their number."""
    return "".join(c if c.isprintable() or c == " " else "<U+%04X>" % ord(c) for c in str(text))


# --- The statement -----------------------------------------------------------------------------


def strict_json(data, name):
    """Return the JSON of data; a key written twice, a NaN or anything after the end is refused."""

    def pairs(found):
        result = {}
        for key, value in found:
            if key in result:
                raise Refused("%s has the key %s twice" % (name, shown(key)))
            result[key] = value
        return result

    def no_constant(word):
        raise Refused("%s holds %s, which is no JSON" % (name, word))

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=pairs, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused("%s is not whole JSON: %s" % (name, shown(error))) from error


def need(holder, key, kind, where):
    """Return holder[key], which must be of a kind (bool is no int here)."""
    value = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Refused("the statement's %s has no usable %s" % (where, key))
    return value


def need_span(value, size, where):
    """Return (start, end) of a byte range that lies inside a file of `size` bytes."""
    good = isinstance(value, list) and len(value) == 2 and all(type(n) is int for n in value)
    if not good or not 0 <= value[0] < value[1] <= size:
        raise Refused("%s has a byte range that does not lie in its file" % where)
    return value[0], value[1]


# --- Offsets -----------------------------------------------------------------------------------


class Text:
    """A file as characters with the way to bytes and back; a byte that does not decode is a lone surrogate."""

    STEP = 2048

    def __init__(self, data, encoding):
        self.data, self.encoding = data, encoding
        self.errors = "surrogateescape" if encoding == "utf-8" else "strict"
        self.characters = data.decode(encoding, self.errors)
        self.steps = [0]  # the byte at every 2048th character
        for at in range(0, len(self.characters), self.STEP):
            self.steps.append(self.steps[-1] + len(self.characters[at : at + self.STEP].encode(encoding, self.errors)))
        if self.steps[-1] != len(data):
            raise Refused("the encoding %s does not give the same bytes back" % encoding)

    def byte(self, at):
        """Return the byte offset of a character position."""
        step = at // self.STEP
        return self.steps[step] + len(self.characters[step * self.STEP : at].encode(self.encoding, self.errors))

    def character(self, byte):
        """Return the character position of a byte offset; raise Refused where it lies inside a character."""
        step = max(0, bisect.bisect_right(self.steps, byte) - 1)
        return step * self.STEP + len(self.cut(self.steps[step], byte))

    def cut(self, start, end):
        """Return the characters of a byte range."""
        try:
            return self.data[start:end].decode(self.encoding, self.errors)
        except UnicodeDecodeError as error:
            raise Refused("a byte range cuts a character in two") from error


# --- Fragments: this program's own reading of captions -----------------------------------------


class Cue:
    """One cue: times in ms, and lines of text, each character with the place in the file that it comes from.

    A line is [number, text, starts, ends, speakers]; BARRIER in the text stands for what nobody can read.
    `timed` holds the numbers of the lines that carry word times.
    """

    def __init__(self, start, end):
        self.start = start
        self.end = end if end is not None and end >= start else start
        self.lines = [[0, "", [], [], []]]
        self.timed = set()
        self.speaker = None

    def end_line(self):
        """Begin another line."""
        self.lines.append([len(self.lines), "", [], [], []])

    def add(self, text, start, end):
        """Add text to the line: character by character from its place, or all of it from one reference or escape."""
        line = self.lines[-1]
        same = len(text) == end - start
        line[1] += text
        line[2].extend(range(start, end) if same else [start] + [end] * (len(text) - 1))
        line[3].extend(range(start + 1, end + 1) if same else [end] * len(text))
        line[4].extend([self.speaker] * len(text))

    def time_word(self):
        """Note that the line carries word times."""
        self.timed.add(len(self.lines) - 1)

    def close(self):
        """Trim layout from both ends of each line, drop lines that hold nothing else, and return the cue."""
        kept = []
        for number, text, starts, ends, speakers in self.lines:
            low = len(text) - len(text.lstrip(LAYOUT))
            high = len(text.rstrip(LAYOUT))
            if low < high:
                kept.append([number, text[low:high], starts[low:high], ends[low:high], speakers[low:high]])
        self.lines = kept
        return self


HTML_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|[A-Za-z][A-Za-z0-9]*;?)")
CLOSED_REFERENCE = re.compile(r"&(?:#[xX][0-9a-fA-F]+|#[0-9]+|[A-Za-z][A-Za-z0-9]*);")


def references(raw, pattern):
    """Yield (text, start, end) of raw text: literal stretches and decoded references."""
    at = 0
    for match in pattern.finditer(raw):
        word = match[0]
        decoded = html.unescape(word)
        if decoded == word:
            continue
        # html.unescape knows some names without a semicolon and leaves what follows them as it is
        heads = [(n, html.unescape(word[:-n])) for n in range(len(word) - 2, 0, -1)] if word[1] != "#" else []
        extra = next((n for n, head in heads if head != word[:-n] and head + word[-n:] == decoded), 0)
        if match.start() > at:
            yield raw[at : match.start()], at, match.start()
        at = match.end() - extra
        yield decoded[: len(decoded) - extra], match.start(), at
    if at < len(raw):
        yield raw[at:], at, len(raw)


def put(cue, raw, start, pattern):
    """Add raw text with references to a cue, bytes that do not decode as barriers."""
    for match in re.finditer("[\udc80-\udcff]|[^\udc80-\udcff]+", raw):
        if "\udc80" <= match[0][0] <= "\udcff":
            cue.add(BARRIER, start + match.start(), start + match.end())
            continue
        for text, low, high in references(match[0], pattern):
            cue.add(text, start + match.start() + low, start + match.start() + high)


def milliseconds(hours, minutes, seconds, fraction=""):
    """Return whole milliseconds; a fraction is cut to three digits' worth by decimal places."""
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(((fraction or "") + "000")[:3])


CLOCK = r"(?:(\d+):)?(\d{1,2}):(\d{1,2})"
VTT_TIMING = re.compile(r"[ \t\f]*" + CLOCK + r"\.(\d{3})[ \t\f]*-->[ \t\f]*" + CLOCK + r"\.(\d{3})(?:[ \t\f].*)?\Z")
LINES = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")


def lines_of(characters, start=0):
    """Yield (text, start) for each line."""
    at = start
    while at < len(characters):
        match = LINES.match(characters, at)
        yield match[1], at
        at = match.end()


def read_webvtt(characters):
    """Yield cues of WebVTT: blocks by empty lines, a timing line in the first or second line of a block."""
    start = 1 if characters.startswith("\ufeff") else 0
    if not re.match(r"WEBVTT(?![^ \t\r\n])", characters[start:]):
        raise Refused("the track does not begin with WEBVTT")
    lines = list(lines_of(characters, start))
    at = 1
    while at < len(lines) and lines[at][0] != "" and "-->" not in lines[at][0]:
        at += 1  # the header block
    while at < len(lines):
        line, _ = lines[at]
        timing = VTT_TIMING.match(line) if "-->" in line else None
        at += 1
        if not timing:
            continue
        cue = Cue(milliseconds(*timing.group(1, 2, 3, 4)), milliseconds(*timing.group(5, 6, 7, 8)))
        first = at
        while at < len(lines) and lines[at][0] != "" and "-->" not in lines[at][0]:
            at += 1
        if at > first:
            begin = lines[first][1]
            end = lines[at - 1][1] + len(lines[at - 1][0])
            webvtt_payload(cue, characters[begin:end], begin)
        yield cue.close()


VTT_KNOWN = re.compile(r"</?(?:c|i|b|u|ruby|rt|v|lang)(?:[.\s][^>]*)?>\Z|</>\Z|<>\Z")


def webvtt_payload(cue, raw, start):
    """Take a payload apart: tags, ruby readings, voices, word times, references, line ends."""
    voices = []
    in_reading = False
    for match in re.finditer(r"<[^>]*>?|\r\n|\n|\r|[^<\r\n]+", raw):
        part = match[0]
        at = start + match.start()
        if part[0] in "\r\n":
            cue.end_line()
        elif part[0] == "<":
            if "\n" in part or "\r" in part:
                for _ in re.findall(r"\r\n|\n|\r", part):
                    cue.end_line()
            if re.match(r"<\d", part):
                cue.time_word()
            elif not part.endswith(">") or not VTT_KNOWN.match(part):
                cue.add(BARRIER, at, at + len(part))
            elif re.match(r"<v[.\s>]", part):
                words = part[1:-1].split(None, 1)
                voices.append(html.unescape(" ".join(words[1].split())) if len(words) > 1 else None)
            elif part.startswith("</v") and voices:
                voices.pop()
            elif re.match(r"<rt[.\s>]", part):
                in_reading = True
            elif part.startswith(("</rt", "</ruby")):
                in_reading = False
            cue.speaker = voices[-1] if voices else None
        elif not in_reading:
            put(cue, part, at, HTML_REFERENCE)


SRT_TIME = r"(-?)(?:(\d+)\s*:\s*)?(\d+)\s*:\s*(\d+)(?:\s*[,.]\s*(\d{1,3}))?"
SRT_TIMING = re.compile(r"[ \t\ufeff]*" + SRT_TIME + r"[ \t]*-->[ \t]*" + SRT_TIME + r"(?:[ \t].*)?\Z")
SRT_FIELDS = ((1, (2, 3, 4, 5)), (6, (7, 8, 9, 10)))
SRT_TAG = re.compile(r"</?(?:i|b|u|s|font)(?:\s[^<>]*)?>|\{\\[^{}\r\n]*\}", re.I)


def put_tagged(cue, line, start, tag):
    """Add a line of text without its tags; `[br]` ends a line."""
    done = 0
    for match in tag.finditer(line):
        put(cue, line[done : match.start()], start + done, CLOSED_REFERENCE)
        done = match.end()
        if match[0] == "[br]":
            cue.end_line()
    put(cue, line[done:], start + done, CLOSED_REFERENCE)
    cue.end_line()


def read_subrip(characters):
    """Yield cues of SubRip: a timing line, then its text up to the next cue's number and timing."""
    lines = list(lines_of(characters))
    timings = [(n, SRT_TIMING.match(line)) for n, (line, _) in enumerate(lines) if "-->" in line]
    timings = [(n, match) for n, match in timings if match]
    for (number, match), following in zip(timings, timings[1:] + [None]):
        begin, end = (milliseconds(*match.group(*fields)) * (-1 if match[sign] else 1) for sign, fields in SRT_FIELDS)
        cue = Cue(begin, end)
        stop = following[0] if following else len(lines)
        if following and re.match(r"\s*\d+\s*\Z", lines[stop - 1][0]):
            stop -= 1  # the next cue's number
        for line, at in lines[number + 1 : stop]:
            put_tagged(cue, line, at, SRT_TAG)
        yield cue.close()


SBV_TIMING = re.compile(r"\ufeff?(\d+):(\d{2}):(\d{2})\.(\d{3}),(\d+):(\d{2}):(\d{2})\.(\d{3})\s*\Z")
SBV_BREAK = re.compile(r"\[br\]")


def read_sbv(characters):
    """Yield cues of SBV: a line with two times, then text up to the next such line."""
    cue = None
    for line, at in [*lines_of(characters), ("0:00:00.000,0:00:00.000", 0)]:
        match = SBV_TIMING.match(line)
        if match and cue:
            yield cue.close()
        if match:
            cue = Cue(milliseconds(*match.group(1, 2, 3, 4)), milliseconds(*match.group(5, 6, 7, 8)))
        elif cue:
            put_tagged(cue, line, at, SBV_BREAK)


# JSON: a reader with positions, so that strings can be cut out of the file.

JSON_TOKEN = re.compile(r'[ \t\r\n]*(?:([{}\[\]:,])|"((?:[^"\\]|\\.)*)"|(-?\d[\d.eE+-]*|true|false|null))', re.S)
JSON_STEP = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[\r\n]|[^\\\r\n]+", re.S)


class Spot(str):
    """A JSON string's raw text, with where it starts in the file."""

    start = 0


def json_tree(characters):
    """Return the JSON value with strings as Spot and numbers as str."""
    stack = [[None, []]]
    at = 1 if characters.startswith("\ufeff") else 0
    while at < len(characters.rstrip()) or len(stack) > 1:
        match = JSON_TOKEN.match(characters, at)
        if not match or len(stack) > 200:
            raise Refused("the track's JSON cannot be read at character %d" % at)
        at = match.end()
        sign = match[1]
        if sign and sign in "{[":
            stack.append([sign, []])
        elif sign and sign in "}]":
            opened, values = stack.pop()
            stack[-1][1].append(dict(zip((str(k) for k in values[0::2]), values[1::2])) if opened == "{" else values)
        elif not sign:
            value = match[3]
            if value is None:
                value = Spot(match[2])
                value.start = match.start(2)
            stack[-1][1].append(value)
    return stack[0][1][0]


def put_json(cue, spot):
    """Add a JSON string to a cue; a line end in it ends a line, a lone surrogate is a barrier."""
    for match in JSON_STEP.finditer(spot):
        part, at = match[0], spot.start + match.start()
        text = json.loads('"%s"' % part, strict=False) if part[0] == "\\" else part
        if text in ("\n", "\r"):
            cue.end_line()
        else:
            cue.add(BARRIER if re.match("[\ud800-\udfff]", text) else text, at, at + len(part))


def number_ms(value, factor):
    """Return milliseconds of a JSON number or string, None where there is none."""
    from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

    try:
        return int((Decimal(str(value)) * factor).quantize(Decimal(1), ROUND_HALF_UP))
    except InvalidOperation:
        return None


def read_json3(characters):
    """Yield cues of json3: the events that have segments."""
    for event in json_tree(characters).get("events", []):
        if not isinstance(event, dict) or not event.get("segs"):
            continue
        start = int(event.get("tStartMs", 0))
        cue = Cue(start, start + int(event["dDurationMs"]) if "dDurationMs" in event else None)
        for seg in event["segs"]:
            if isinstance(seg, dict) and isinstance(seg.get("utf8"), Spot):
                if "tOffsetMs" in seg:
                    cue.time_word()
                put_json(cue, seg["utf8"])
        yield cue.close()


def read_segments(characters):
    """Yield cues of Whisper's JSON (segments or chunks) and of Podcasting 2.0 JSON (segments with a body)."""
    tree = json_tree(characters)
    rows = tree if isinstance(tree, list) else tree.get("segments") or tree.get("chunks") or []
    for row in rows:
        text = row.get("text", row.get("body"))
        times = row.get("timestamp") or [row.get("start", row.get("startTime")), row.get("end", row.get("endTime"))]
        begin, end = (number_ms(value, 1000) for value in times)
        if not isinstance(text, Spot) or begin is None:
            continue
        cue = Cue(begin, end)
        cue.speaker = str(row["speaker"]) if isinstance(row.get("speaker"), Spot) else None
        put_json(cue, text)
        yield cue.close()


# XML: expat with byte offsets on the file as UTF-8.


def xml_events(characters):
    """Yield ("start", name, attributes), ("end", name, None) and ("text", start, end) with character positions."""
    plain = Text(re.sub("[\udc80-\udcff]", "?", characters).encode("utf-8"), "utf-8")
    events = []
    parser = expat.ParserCreate("utf-8")

    def note(kind, first=None, second=None):
        if events and events[-1][0] == "text":  # a text runs up to the next event
            events[-1][2] = parser.CurrentByteIndex
        events.append([kind, first, second])

    def refuse(*_rest):
        raise Refused("the track's XML declares a document type, entities or CDATA")

    def local(name):
        return name.rpartition(":")[2]

    parser.StartElementHandler = lambda name, found: note("start", local(name), {local(key): found[key] for key in found})
    parser.EndElementHandler = lambda name: note("end", local(name))
    parser.CharacterDataHandler = lambda _text: note("text", parser.CurrentByteIndex)
    parser.CommentHandler = parser.ProcessingInstructionHandler = lambda *_rest: note("other")
    parser.StartCdataSectionHandler = parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(plain.data, True)
    except expat.ExpatError as error:
        raise Refused("the track's XML cannot be read: %s" % error) from error
    for kind, first, second in events:
        yield (kind, plain.character(first), plain.character(second)) if kind == "text" else (kind, first, second)


def put_xml(cue, raw, start):
    """Add XML text: references once, line ends end a line."""
    for match in re.finditer(r"\r\n|\r|\n|[^\r\n]+", raw):
        if match[0][0] in "\r\n":
            cue.end_line()
        else:
            put(cue, match[0], start + match.start(), CLOSED_REFERENCE)


def read_srv3(characters):
    """Yield cues of YouTube's srv3: paragraphs `p` with words in `s`."""
    cue = None
    for kind, first, second in xml_events(characters):
        if kind == "start" and first == "p":
            begin = int(second.get("t", 0))
            cue = Cue(begin, begin + int(second["d"]) if "d" in second else None)
        elif kind == "start" and first == "s" and cue and "t" in second:
            cue.time_word()
        elif kind == "start" and first == "br" and cue:
            cue.end_line()
        elif kind == "end" and first == "p" and cue:
            yield cue.close()
            cue = None
        elif kind == "text" and cue:
            put_xml(cue, characters[first:second], first)


READERS = {
    "webvtt": read_webvtt, "srt": read_subrip, "sbv": read_sbv, "json3": read_json3, "srv3": read_srv3,
    "whisper-json": read_segments, "podcast-json": read_segments,
}  # fmt: skip


# --- The reading of a whole track --------------------------------------------------------------


class Reading:
    """A track's whole text in time order; `places` lead from bytes of the file to characters of the text."""

    def __init__(self, data, encoding, form):
        if form not in READERS:
            raise Refused("digest only")
        self.file = Text(data, encoding)
        cues = list(READERS[form](self.file.characters))
        drop_repeats(cues)
        self.cues = sorted(cues, key=lambda cue: cue.start)
        self.starts, self.ends, self.speakers, self.places, self.seams = [], [], [], [], []
        parts, length, before = [], 0, ""
        for number, cue in enumerate(self.cues):
            for _, text, starts, ends, speakers in cue.lines:
                seam = join(before, text)
                self.starts += [-1] * len(seam) + starts
                self.ends += [-1] * len(seam) + ends
                self.speakers += [None] * len(seam) + speakers
                parts += [seam, text]
                length += len(seam)
                self.places.append((starts[0], length))
                self.seams.append((length, number))
                length += len(text)
                before = text
        self.text = "".join(parts)
        self.places.sort()

    def locate(self, byte, is_end):
        """Return the text position of a byte offset, or raise Refused where no character begins (or ends) there."""
        wanted = self.file.character(byte)
        slot = bisect.bisect_right(self.places, (wanted - (1 if is_end else 0), len(self.text))) - 1
        if self.file.byte(wanted) != byte or slot < 0:
            raise Refused("a byte range leaves the caption text")
        at = self.places[slot][1]
        column = self.ends if is_end else self.starts
        while at < len(self.text) and column[at] != wanted:
            if self.starts[at] < 0 or column[at] > wanted:
                raise Refused("a byte range leaves the caption text, or cuts a reference in two")
            at += 1
        return at + (1 if is_end else 0)

    def ranges(self, low, high):
        """Return the byte ranges of a stretch of text: nothing between them is left out."""
        if low >= high:
            raise Refused("its byte ranges are out of order")
        if BARRIER in self.text[low:high]:
            raise Refused("bytes that nobody could read lie inside it")
        places = merged((self.starts[at], self.ends[at]) for at in range(low, high) if self.starts[at] >= 0)
        return [(self.file.byte(start), self.file.byte(end)) for start, end in places]

    def cue(self, at):
        """Return the cue that a text position lies in."""
        return self.cues[self.seams[bisect.bisect_right(self.seams, (at, len(self.cues))) - 1][1]]


def merged(ranges):
    """Return ranges with touching neighbours joined."""
    result = []
    for start, end in ranges:
        if result and result[-1][1] == start:
            result[-1] = (result[-1][0], end)
        else:
            result.append((start, end))
    return result


def is_unspaced(character):
    """Return whether a character belongs to a script written without spaces, CJK punctuation or full-width forms."""
    return any(low <= ord(character) <= high for low, high in UNSPACED)


def join(before, after):
    """Return what a line end or the seam between two cues adds."""
    if not before or not after:
        return ""
    return "" if is_unspaced(before[-1]) and is_unspaced(after[0]) else " "


def drop_repeats(cues):
    """Take out the lines that roll-up captions show again; they were spoken once."""

    found = []
    for at in range(1, len(cues)):
        before, cue = cues[at - 1], cues[at]
        if not cue.lines or not before.lines or cue.lines[0][1] != before.lines[-1][1] or BARRIER in cue.lines[0][1]:
            continue
        brief = cue.end - cue.start <= 50 and len(cue.lines) == 1
        if brief or (cue.lines[0][0] not in cue.timed and abs(cue.start - before.end) <= 50):
            found.append(at)
    above_new = sum(1 for at in found if len(cues[at].lines) > 1)
    is_roll_up = found and len(found) * 2 >= len(cues) - 1 and (any(cue.timed for cue in cues) or above_new * 4 >= len(cues))
    for at in found if is_roll_up else ():
        cues[at].lines = cues[at].lines[1:]


def is_wordlike(character):
    """Return whether a character is part of a word: a letter, digit or combining mark."""
    return character.isalnum() or unicodedata.category(character)[0] == "M" or character == "_"


def cut_in_word(before, text, after):
    """Return why a quotation does not begin and end at whole words and numbers, "" where it does."""
    if before and is_wordlike(before[-1]) and is_wordlike(text[0]) and not (is_unspaced(before[-1]) or is_unspaced(text[0])):
        return "it begins inside a word"
    if after and is_wordlike(after[0]) and is_wordlike(text[-1]) and not (is_unspaced(after[0]) or is_unspaced(text[-1])):
        return "it ends inside a word"
    if re.search(r"[^\W\d_]['’]\Z", before) and text[0].isalpha():
        return "it begins inside a word"
    if text[-1].isalpha() and re.match(r"['’][^\W\d_]", after):
        return "it ends inside a word"
    if text[0].isdigit() and re.search(r"\d[.,:/'’]\Z|(?:^|[^\w])[-−+]\Z", before):
        return "it begins inside a number"
    if text[-1].isdigit() and re.match(r"[.,:/'’]\d|%", after):
        return "it ends inside a number"
    if re.match(r"\d{3}(?!\d)", text) and re.search(r"\d[ \xa0\u2009\u202f]\Z", before):
        return "it begins inside a number"
    if text[-1].isdigit() and re.match(r"[ \xa0\u2009\u202f]\d{3}(?!\d)", after):
        return "it ends inside a number"
    return ""


# --- The draft ---------------------------------------------------------------------------------

ENTITY_MARK = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z]+);?")
TIMES = (
    re.compile(r"(?<![\d:.,])(\d+):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?(?![\d:])"),
    re.compile(r"(?<![\w.])(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?!\w)"),
    re.compile(r"(?:[?&#;]|\b)(?:t|start)=(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?"),
)


def check_marks(draft, statement, claims, problems):
    """Hold every quote mark of the draft, counted here, against the marks and roles of the statement."""
    form = statement["draft"]["format"]
    marks = need(statement, "marks", list, "predicate")
    size = len(draft.data)
    spans = []
    for mark in marks:
        start, end = need_span(mark.get("bytes") if isinstance(mark, dict) else None, size, "a quote mark")
        spans.append((start, end, mark))
    spans.sort(key=lambda entry: (entry[0], entry[1]))
    starts = [start for start, _, _ in spans]
    for start, end, what in quote_marks(draft, form):
        slot = bisect.bisect_right(starts, start) - 1
        if not any(spans[n][0] <= start and end <= spans[n][1] for n in range(max(0, slot - 3), slot + 1) if n >= 0):
            problems.append("the draft has a quote mark %s at byte %d that the statement does not list" % (what, start))
    for start, end, mark in spans:
        why = odd_role(draft, form, start, end, mark, claims)
        if why:
            problems.append("the quote mark at byte %d: %s" % (start, why))


def quote_marks(draft, form):
    """Yield (start byte, end byte, shown) of every quote mark in a draft."""
    for match in re.finditer("[%s]" % re.escape(MARKS), draft.characters):
        yield draft.byte(match.start()), draft.byte(match.end()), match[0]
    if form in ("markdown", "html"):
        for match in ENTITY_MARK.finditer(draft.characters):
            decoded = html.unescape(match[0])
            if len(decoded) == 1 and decoded in MARKS:
                yield draft.byte(match.start()), draft.byte(match.end()), match[0]
    if form == "html":
        blank = re.sub(r"(?is)<!--.*?-->|<(script|style)\b.*?</\1\s*>", lambda m: " " * len(m[0]), draft.characters)
        for match in re.finditer(r"<(?:q|blockquote)\b[^>]*>", blank, re.I):
            yield draft.byte(match.start()), draft.byte(match.end()), match[0]


def odd_role(draft, form, start, end, mark, claims):
    """Return why a mark cannot have the role that the statement gives it, "" where it can."""
    role, number = mark.get("role"), mark.get("claim")
    raw = draft.cut(start, end)
    sign = html.unescape(raw)
    at = draft.character(start)
    before, after = draft.characters[max(0, at - 400) : at], draft.characters[at + len(raw) : at + len(raw) + 400]
    if role in ("opens", "closes", "inside"):
        claim = claims.get(number)
        if claim is None:
            return "it belongs to claim %s, which the statement does not hold" % number
        low, high = claim["outer"]
        return "" if low <= start and end <= high else "it lies outside claim %s" % number
    if role == "apostrophe":
        near = (before[-1:].isalnum() or before[-1:] in "*_>)") or after[:1].isalnum() or after[:1] in "*_<"
        return "" if sign in "'’‘‚‛" and near else "it is no apostrophe"
    if role == "prime":
        return "" if sign in "'\"’”" and re.search(r"\d[*_\s]?\Z", before) else "it is no prime"
    if role in ("code", "comment", "metadata", "markup"):
        return "" if form != "text" and hidden(draft, role, at) else "nothing shows that it stands in %s" % role
    return "it has no role"


def hidden(draft, role, at):
    """Return whether a place of a marked-up draft can be code, a comment, metadata or markup, as a reader can see it."""
    text = draft.characters
    before = text[:at]
    line = text[text.rfind("\n", 0, at) + 1 : (text.find("\n", at) + 1 or len(text) + 1) - 1]
    if role == "code":
        fences = len(re.findall(r"(?m)^[ >\t]*(?:```|~~~)", before))
        paragraph = text[text.rfind("\n\n", 0, at) + 1 : (text.find("\n\n", at) + 1 or len(text) + 1) - 1]
        inside = max(before.rfind("<code"), before.rfind("<pre")) > max(before.rfind("</code"), before.rfind("</pre"))
        return "`" in paragraph or fences % 2 == 1 or inside or re.match(r"(?: {4}|\t| {0,3}\t)", line) is not None
    if role == "comment":
        return before.rfind("<!--") > before.rfind("-->")
    in_tag = before.rfind("<") > before.rfind(">")
    if role == "markup":
        return in_tag or re.search(r"\]\([^()\n]*(?:\n[^()\n]*)?\Z|^\s*\[[^\]]+\]:.*\Z|\]:\s*\S+\s*\n?.*\Z", before[-500:], re.M) is not None
    opened = [before.lower().rfind("<" + name) for name in ("head", "script", "style", "title", "template", "textarea", "noscript")]
    front = re.match(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n.*?^(?:\1|\.\.\.)[ \t]*$", text, re.S | re.M)
    return in_tag or max(opened) >= 0 or "hidden" in before or "display" in before or (front is not None and at < front.end())


def check_claim_in_draft(draft, claim, form):
    """Hold a claim's text against the draft's own bytes; raise Refused where they differ."""
    size = len(draft.data)
    low, high = need_span(claim.get("outer"), size, "claim %s" % claim.get("id"))
    text, at = "", low
    pieces = need(claim, "pieces", list, "claim")
    for piece in pieces:
        if not isinstance(piece, list) or len(piece) != 3 or not isinstance(piece[0], str):
            raise Refused("it has a piece that is none")
        if piece[1] == piece[2]:
            start = end = piece[1]
        else:
            start, end = need_span(piece[1:], size, "it")
        if start < at or end > high:
            raise Refused("its pieces are out of order or outside its marks")
        raw = draft.cut(start, end)
        if not stands_for(raw, piece[0], form):
            raise Refused("the draft has “%s” where the claim says “%s”" % (shown(raw[:40]), shown(piece[0][:40])))
        if not adds_nothing(draft.cut(at, start), form, claim["kind"]):
            raise Refused("the draft has “%s” inside it, which the claim leaves out" % shown(draft.cut(at, start)[:40]))
        text += piece[0]
        at = end
    if not adds_nothing(draft.cut(at, high), form, claim["kind"]):
        raise Refused("the draft has “%s” inside it, which the claim leaves out" % shown(draft.cut(at, high)[:40]))
    if text != claim["text"]:
        raise Refused("its pieces do not make up its text")
    if claim["kind"] == "marks" and claim["state"] != "resolved":
        first, last = draft.cut(low, high)[:1], draft.cut(low, high)[-1:]
        opened = first in MARKS or first in "<&"
        if not opened or not (last in MARKS or last in ">;"):
            raise Refused("no quote marks stand around it")


def stands_for(raw, text, form):
    """Return whether draft characters can stand for claim text: themselves, a reference, an escape, a soft line end."""
    if raw == text:
        return True
    if form != "text" and (html.unescape(raw) == text or (raw[:1] == "\\" and raw[1:] == text)):
        return True
    return text in ("", " ") and adds_nothing(raw, form, "border")


def adds_nothing(raw, form, kind):
    """Return whether draft characters are only markup, marks and white space (and times, in a block quotation)."""
    if form != "text":
        raw = re.sub(r"(?s)<!--.*?-->|<[^<>]*>|\]\([^()]*(?:\([^()]*\)[^()]*)*\)|\]\[[^\]]*\]|\[\^[^\]]*\]|^\s*\d+[.)]\s", "", raw)
        raw = re.sub(r"&(?:nbsp|#160|#xa0|thinsp|quot|[lr][ds]quo|[lr]aquo|shy);", "", raw, flags=re.I)
    if kind == "block":
        raw = re.sub(r"(?m)^[\s>]*(?:[-–—―].*)\Z", "", raw)
        raw = re.sub(r"https?://\S+", "", raw)
        raw = re.sub(r"\d+(?::\d+)+(?:[.,]\d+)?|\b(?:\d+h)?(?:\d+m)?(?:\d+s)?\b|\bto\b", "", raw)
    return not any(character.isalnum() for character in raw)


def times_in(raw):
    """Return the set of milliseconds that a notation can mean, first time first."""
    found = []
    for match in TIMES[0].finditer(raw):
        first, second, third, fraction = match.groups()
        hours, minutes, seconds = (first, second, third) if third is not None else (0, first, second)
        found.append(milliseconds(hours, minutes, seconds, fraction or ""))
    for pattern in TIMES[1:]:
        for match in pattern.finditer(raw):
            if any(match.groups()):
                hours, minutes, seconds = (int(value or 0) for value in match.groups())
                found.append(((hours * 60 + minutes) * 60 + seconds) * 1000)
    return found


# --- Claims ------------------------------------------------------------------------------------


def check_exact(claim, readings, draft, tolerance):
    """Cut an exact claim out of the locked bytes and return a line about it; raise Refused where it does not hold."""
    match = need(claim, "match", dict, "claim")
    reading = readings.get(match.get("track"))
    if reading is None:
        raise Refused("it stands in no track of the bundle that is its reference")
    if isinstance(reading, str):
        raise Refused(reading)
    spans = [need_span(span, len(reading.file.data), "it") for span in need(match, "bytes", list, "match")]
    if not spans:
        raise Refused("it has no byte ranges")
    low, high = reading.locate(spans[0][0], False), reading.locate(spans[-1][1], True)
    ranges, text = reading.ranges(low, high), reading.text[low:high]
    if ranges != merged(spans):
        raise Refused("its byte ranges are not one contiguous passage of the captions")
    if text != claim["text"]:
        raise Refused("the captions say “%s” there" % shown(text[:80]))
    if not any(character.isalnum() for character in text):
        raise Refused("it holds no letter or digit")
    if len({speaker for speaker in reading.speakers[low:high] if speaker}) > 1:
        raise Refused("it runs from one speaker to another")
    why = cut_in_word(reading.text[max(0, low - 8) : low], text, reading.text[high : high + 8])
    if why:
        raise Refused(why)
    cue, end_cue = reading.cue(low), reading.cue(high - 1)
    if [cue.start, cue.end] != match.get("cue_ms") or [end_cue.start, end_cue.end] != match.get("last_cue_ms"):
        raise Refused("the captions' times there are %d to %d ms, not those stated" % (cue.start, cue.end))
    claimed = need(claim, "claimed_ms", int, "claim")
    start, end = need_span(claim.get("time_bytes"), len(draft.data), "its time")
    stated = times_in(draft.cut(start, end))
    if claimed not in stated:
        raise Refused("the draft's “%s” does not mean %d ms" % (shown(draft.cut(start, end)[:40]), claimed))
    offset = claimed - cue.start if claimed < cue.start else max(0, claimed - cue.end)
    if offset != match.get("offset_ms") or abs(offset) > tolerance:
        raise Refused("its time is %d ms away from its cue" % offset)
    ending = claim.get("claimed_end_ms")
    if ending is not None and (ending not in stated or ending < end_cue.start - tolerance):
        raise Refused("the end of its time range does not fit")
    return "at %s, bytes %s" % (clock(cue.start), " ".join("%d-%d" % span for span in ranges))


def clock(ms):
    """Return a time as h:mm:ss.mmm."""
    sign, ms = ("-", -ms) if ms < 0 else ("", ms)
    return "%s%d:%02d:%02d.%03d" % (sign, ms // 3600000, ms // 60000 % 60, ms // 1000 % 60, ms % 1000)


def check_resolved(claim, entries):
    """Hold a resolved claim against the journal; raise Refused where the journal does not hold its resolution."""
    resolution = need(claim, "resolution", dict, "claim")
    entry = entries.get(resolution.get("entry"))
    if entry is None:
        raise Refused("the journal does not hold its resolution")
    for key in ("by", "at", "reason"):
        if entry.get(key, "") != resolution.get(key, ""):
            raise Refused("the journal's entry and the statement differ in %s" % key)
    if resolution.get("kind") not in ("not_a_quotation", "accept") or entry.get("kind") != "resolution":
        raise Refused("its resolution is of no kind that is recorded")
    if entry.get("resolution") != resolution["kind"] or entry.get("exception", "") != resolution.get("class", ""):
        raise Refused("the journal's entry is of another kind")
    if resolution["kind"] == "accept" and not resolution.get("reason", "").strip():
        raise Refused("it was accepted without a reason")
    return "%s by %s" % (resolution["kind"].replace("_", " "), shown(resolution.get("by", "")))


def is_exception(claim):
    """Return whether a resolved claim counts as an exception: accepted, or set aside though it has a time or many words."""
    if claim["resolution"]["kind"] == "accept":
        return True
    return bool(claim.get("has_own_time")) or count_words(claim["text"]) > 3


def count_words(text):
    """Return how many words a text has; in scripts written without spaces each character is one."""
    spaced = "".join(" " if is_unspaced(character) else character for character in text)
    return len(spaced.split()) + sum(1 for character in text if is_unspaced(character) and character.isalnum())


# --- The journal, the counts, the whole --------------------------------------------------------


def check_journal(payload, statement):
    """Return {digest: entry} of the journal; raise Refused where its chain is broken or its length another."""
    record = need(statement, "journal", dict, "predicate")
    data = payload.get("data/journal.jsonl", b"")
    if data and not data.endswith(b"\n"):
        raise Refused("the journal is cut short")
    previous = "0" * 64
    entries = {}
    lines = data.split(b"\n")[:-1]
    for number, line in enumerate(lines, 1):
        entry = strict_json(line, "line %d of the journal" % number)
        if not isinstance(entry, dict) or entry.get("previous") != previous:
            raise Refused("the journal's chain breaks at line %d" % number)
        previous = sha256(line)
        entries[previous] = entry
    if len(lines) != record.get("length") or previous != record.get("head"):
        raise Refused("the journal is not as long as recorded, or ends in another entry")
    return entries


def check_counts(statement, claims, problems):
    """Add the counts up again and hold the label's own words against them."""
    counts = need(statement, "counts", dict, "predicate")
    resolved = [claim for claim in claims if claim["state"] == "resolved"]
    exceptions = sum(1 for claim in resolved if is_exception(claim))
    exact = sum(1 for claim in claims if claim["state"] == "green")
    again = {
        "claims": len(claims), "exact": exact, "resolved": len(resolved), "exceptions": exceptions,
        "set_aside": len(resolved) - exceptions, "marks": len(statement["marks"]),
    }  # fmt: skip
    for key, value in again.items():
        if counts.get(key) != value:
            problems.append("the statement counts %s %s, there are %d" % (counts.get(key), key, value))
    label = "verified" if not exceptions else "verified with %d exception%s" % (exceptions, "" if exceptions == 1 else "s")
    if statement.get("label") != label:
        problems.append("the label should be “%s”, the statement says “%s”" % (label, shown(statement.get("label"))))
    if not exact:
        problems.append("no claim is exact: there is nothing to verify")
    gates = need(statement, "gates", dict, "predicate")
    if sorted(gates) != sorted(("lock", "inventory", "lossless", "order", "complete", "quotes", "checker")):
        problems.append("the statement does not name the seven gates")
    problems.extend("the gate %s is not open" % shown(name) for name, gate in gates.items() if gate.get("open") is not True)


def check_files(payload, document, statement):
    """Hold the files that the statement names against those that are there."""
    named = {"data/statement.json", "data/journal.jsonl"}
    subjects = need(document, "subject", list, "document")
    digests = {}
    for subject in subjects:
        name = need(subject, "name", str, "subject")
        digest = need(need(subject, "digest", dict, "subject"), "sha256", str, "subject's digest")
        if name in digests or not HEX.match(digest) or name not in payload or sha256(payload[name]) != digest:
            raise Refused("%s is not the file that the statement speaks of" % shown(name))
        digests[name] = digest
    wanted = {need(statement["draft"], "file", str, "draft")}
    wanted.update(need(track, "file", str, "track") for track in need(statement, "tracks", list, "predicate"))
    if wanted != set(digests):
        raise Refused("the statement's subjects are not its draft and its tracks")
    for part in [statement["draft"], *statement["tracks"]]:
        if part.get("sha256") != digests[part["file"]] or part.get("size") != len(payload[part["file"]]):
            raise Refused("%s has two digests or sizes in the statement" % shown(part["file"]))
    for name, record in need(statement, "files", dict, "predicate").items():
        file, digest = need(record, "file", str, name), need(record, "sha256", str, name)
        if file not in payload or sha256(payload[file]) != digest:
            raise Refused("%s is not the file that the statement speaks of" % shown(file))
        named.add(file)
    unnamed = set(payload) - named - set(digests) - {"data/statement.json.sig"}
    if unnamed:
        raise Refused("%s is in the bundle and the statement does not name it" % shown(sorted(unnamed)[0]))
    report = payload[statement["files"]["report"]["file"]].rstrip()
    if not report.endswith(("<!-- report whole: %d claims -->" % len(statement["claims"])).encode("ascii")):
        raise Refused("the report is cut short")


def check_signature(folder, payload, statement):
    """Return a sentence about the signature; raise Refused where one is promised or present and does not hold."""
    signature = payload.get("data/statement.json.sig")
    if signature is None:
        if statement.get("signature") != "unsigned":
            raise Refused("the statement says that it is signed, and there is no signature")
        return "unsigned"
    import shutil
    import subprocess

    tool = shutil.which("ssh-keygen")
    if tool is None:
        return "a signature is there; it was not checked, since ssh-keygen is not on this machine"
    command = [tool, "-Y", "check-novalidate", "-n", "quoteview", "-s", str(folder / "data" / "statement.json.sig")]
    done = subprocess.run(command, input=payload["data/statement.json"], capture_output=True, timeout=60)
    if done.returncode != 0:
        raise Refused("the signature does not fit the statement")
    return shown(done.stdout.decode("utf-8", "replace").strip())


def read_tracks(payload, statement):
    """Return {track id: Reading} for the reference track; a sentence instead where its format cannot be read again."""
    readings = {}
    for track in statement["tracks"]:
        if track.get("is_reference") is not True:
            continue
        form, encoding = need(track, "format", str, "track"), need(track, "encoding", str, "track")
        try:
            readings[track["id"]] = Reading(payload[track["file"]], encoding, form)
        except Refused as error:
            what = "the format %s: digest only" % shown(form) if str(error) == "digest only" else str(error)
            readings[track["id"]] = what
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, LookupError, RecursionError) as error:
            readings[track["id"]] = "its captions cannot be read again: %s" % shown(error)
    if len(readings) != 1 or need(statement, "reference", dict, "predicate").get("id") not in readings:
        raise Refused("the statement does not name one reference track")
    return readings


def check_claims(payload, statement, entries, problems, say):
    """Check every claim, print a line for each, and return them."""
    draft = Text(payload[statement["draft"]["file"]], need(statement["draft"], "encoding", str, "draft"))
    form = need(statement["draft"], "format", str, "draft")
    tolerance = need(statement, "tolerance_ms", int, "predicate")
    if not 0 <= tolerance <= 2000:
        raise Refused("the tolerance is larger than two seconds")
    readings = read_tracks(payload, statement)
    claims = need(statement, "claims", list, "predicate")
    for number, claim in enumerate(claims, 1):
        for key, kind in (("id", int), ("text", str), ("kind", str), ("state", str), ("verdict", str)):
            need(claim, key, kind, "claim %d" % number)
        if claim["id"] != number:
            raise Refused("the claims are not numbered one after the other")
    check_marks(draft, statement, {claim["id"]: claim for claim in claims}, problems)
    end = 0
    for claim in claims:
        try:
            check_claim_in_draft(draft, claim, form)
            if claim["outer"][0] < end:
                raise Refused("it overlaps the claim before it")
            end = claim["outer"][1]
            if claim["state"] == "green" and claim["verdict"] == "exact":
                told = check_exact(claim, readings, draft, tolerance)
            elif claim["state"] == "resolved":
                told = check_resolved(claim, entries)
            else:
                raise Refused("it is neither exact nor resolved")
            say("claim %d: ok, %s  “%s”" % (claim["id"], told, shown(claim["text"][:60])))
        except Refused as error:
            problems.append("claim %d" % claim["id"])
            say("claim %d: REFUSED, %s  “%s”" % (claim["id"], error, shown(claim["text"][:60])))
    return claims


def recheck(folder, say):
    """Check the bundle in a folder; `say` takes one line at a time. Returns the list of problems, empty when all holds."""
    payload = read_bag(folder)
    if "data/statement.json" not in payload:
        raise Refused("there is no statement in the bundle")
    document = strict_json(payload["data/statement.json"], "statement.json")
    if not isinstance(document, dict) or document.get("_type") != "https://in-toto.io/Statement/v1":
        raise Refused("statement.json is no in-toto statement")
    if document.get("predicateType") != "urn:quoteview:label:1":
        raise Refused("statement.json states something that this program does not know")
    statement = need(document, "predicate", dict, "document")
    if list(statement)[-1:] != ["end"] or statement["end"] != "statement whole":
        raise Refused("the statement is cut short")
    need(statement, "draft", dict, "predicate")
    need(statement, "claims", list, "predicate")
    check_files(payload, document, statement)
    entries = check_journal(payload, statement)
    problems = []
    signed = check_signature(folder, payload, statement)
    claims = check_claims(payload, statement, entries, problems, say)
    check_counts(statement, claims, problems)
    for problem in problems:
        if not problem.startswith("claim "):
            say("REFUSED: " + problem)
    if not problems:
        say("%s: %s, by %s, %s" % (statement["label"], shown(statement.get("sentence", "")), shown(statement.get("by", "")), signed))
    return problems


def main(arguments):
    """Check the bundle named on the command line, or the one this file lies in; return the exit status."""
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 1
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    folder = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    try:
        problems = recheck(folder, print)
    except Refused as error:
        print("REFUSED: %s" % error)
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        print("REFUSED: the bundle cannot be read: %s: %s" % (type(error).__name__, shown(error)))
        return 1
    print("FAILED: %d of the checks above" % len(problems) if problems else "PASSED: everything in this bundle was checked again from its bytes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
