# ruff: noqa: E501  (captions are easier to read as they stand)
"""True material of many shapes, from which bundles are made that must pass every check: captions, drafts, resolutions."""

from __future__ import annotations

import json
from dataclasses import dataclass

from quoteview.core.acts import ExceptionClass


@dataclass(frozen=True)
class Resolved:
    """Claims with these texts, resolved in one act; without a class they are set aside."""

    texts: tuple[str, ...]
    exception: ExceptionClass | None = None
    reason: str = ""


@dataclass(frozen=True)
class Material:
    """A job's files and what a person resolves in it."""

    captions: dict[str, bytes]
    drafts: dict[str, bytes]
    resolved: tuple[Resolved, ...] = ()


LINES = (
    "The harbour was never meant to hold ships this size,",
    "and nobody told the pilots. “Trust the old chart,” they said.",
    "So we measured the café's quay again, and it had moved by 15 metres & a bit.",
    "She says the co-op won't pay 1,250 dollars (or 12%) for it.",
    "You cannot steer by a map of a place that is not there.",
)


def _times(number: int) -> tuple[int, int]:
    return 1_000 + number * 4_000, 5_000 + number * 4_000


def _clock(ms: int, dot: str = ".") -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1_000 % 60:02}{dot}{ms % 1_000:03}"


def webvtt(lines: tuple[str, ...] = LINES) -> bytes:
    cues = "".join(
        f"{_clock(_times(n)[0])} --> {_clock(_times(n)[1])}\n{line.replace('&', '&amp;')}\n\n" for n, line in enumerate(lines)
    )
    return f"WEBVTT\n\nNOTE checked\n\n{cues}".encode()


def voices() -> bytes:
    text = "WEBVTT - interview\n\n1\n00:01.000 --> 00:05.000 align:start\n<v Ines Halloran>The <i>harbour</i> was never\nmeant to hold"
    text += " ships this size,</v>\n\n2\n00:05.000 --> 00:09.000\n<v.loud Ines Halloran>and <c.x>nobody</c> told\r\nthe pilots. Tom &amp;&nbsp;I &lt;knew&gt;"
    text += "\n\n3\n00:09.000 --> 00:13.000\n<v Tom>You cannot steer by a map</v>\n\n4\n00:13.000 --> 00:17.000\n<v Tom>of a <00:14.000>place"
    return (text + " that is <ruby>not<rt>x</rt></ruby> there.</v>\n").encode()


def roll_up() -> bytes:
    words = (
        "the harbour was never meant",
        "to hold ships this size",
        "and nobody told the pilots",
        "trust the old chart they said",
    )
    out = ["WEBVTT\nKind: captions\nLanguage: en\n\n"]
    before = " "
    for n, line in enumerate(words):
        start, end = _times(n)
        first, *rest = line.split()
        timed = first + "".join(f"<{_clock(start + 200 * (k + 1))}><c> {word}</c>" for k, word in enumerate(rest))
        out.append(f"{_clock(start)} --> {_clock(end - 10)} align:start position:0%\n{before}\n{timed}\n\n")
        out.append(f"{_clock(end - 10)} --> {_clock(end)} align:start position:0%\n{line}\n \n\n")
        before = line
    return "".join(out).encode()


def subrip(lines: tuple[str, ...] = LINES, end: str = "\r\n") -> bytes:
    blocks = [
        f"{n + 1}\n{_clock(_times(n)[0], ',')} --> {_clock(_times(n)[1], ',')}\n<i>{line}</i>\n\n" for n, line in enumerate(lines)
    ]
    return "".join(blocks).replace("&", "&amp;").replace("\n", end).encode()


def sbv(lines: tuple[str, ...] = LINES) -> bytes:
    return "".join(
        f"{_clock(_times(n)[0])[1:]},{_clock(_times(n)[1])[1:]}\n{line.replace(', ', ',[br]', 1)}\n\n"
        for n, line in enumerate(lines)
    ).encode()


def json3(lines: tuple[str, ...] = LINES) -> bytes:
    events: list[object] = [{"tStartMs": 0, "dDurationMs": 100, "id": 1}]
    for n, line in enumerate(lines):
        start, end = _times(n)
        first, *rest = line.split(" ")
        segs = [{"utf8": first}] + [{"utf8": " " + word, "tOffsetMs": 100 * (k + 1)} for k, word in enumerate(rest)]
        events.append({"tStartMs": start, "dDurationMs": end - start, "segs": segs})
        events.append({"tStartMs": end - 10, "dDurationMs": 10, "aAppend": 1, "segs": [{"utf8": "\n"}]})
    return json.dumps({"wireMagic": "pb3", "events": events}, indent=1).encode()


def srv3(lines: tuple[str, ...] = LINES) -> bytes:
    rows = "".join(
        f'<p t="{_times(n)[0]}" d="4000">'
        + " ".join(f'<s t="{100 * k}">{w}</s>' if k % 2 else w for k, w in enumerate(line.replace("&", "&amp;").split(" ")))
        + "</p>\n"
        for n, line in enumerate(lines)
    )
    return (
        f'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n<head/>\n<body>\n{rows}</body>\n</timedtext>\n'.encode()
    )


def whisper(lines: tuple[str, ...] = LINES) -> bytes:
    rows = [
        {"id": n, "start": _times(n)[0] / 1000, "end": _times(n)[1] / 1000, "text": " " + line} for n, line in enumerate(lines)
    ]
    return json.dumps({"text": " ".join(lines), "segments": rows, "language": "en"}).encode()


def podcast(lines: tuple[str, ...] = LINES) -> bytes:
    rows = [
        {"speaker": "Ines", "startTime": _times(n)[0] / 1000, "endTime": _times(n)[1] / 1000, "body": line}
        for n, line in enumerate(lines)
    ]
    return json.dumps({"version": "1.0.0", "segments": rows}, ensure_ascii=False).encode()


DRAFT = """# The quay

The engineer was blunt: “The harbour was never meant to hold ships this size” (0:02).
She went on: “nobody told the pilots” (0:05), and then “we measured the café's quay again” [0:09].
Her rule is short. “You cannot steer by a map of a place that is not there” (0:18).
"""

MARKDOWN = """---
title: "The 'old' quay"
---
# The quay's book

It wasn't *hers*, the dogs' bowls, the ’90s, 5'10" tall, `"code"` and [a "link"](https://x.org/?q="a" "ti'tle").

“The *harbour* was never
meant to hold [ships](https://x.org) this size” (0:02).

> and nobody told the pilots. “Trust the old chart,” they said.
>
> — Ines Halloran, 0:06

“we measured the caf&eacute;'s quay again[^1], and it had moved by 15 metres \\& a bit” [0:09]

```
"fenced" 'code'
```

“She says the co-op won't pay 1,250 dollars

“(or 12%) for it” (0:14). <!-- "hidden" --> A "term" here and a 'second' one.

    indented "code" it's

“You cannot steer by a `map` of a place that is not there” (0:18).

[^1]: Ask her again.
"""

HTML = """<!doctype html><html><head><title>It's "the" quay</title><style>q:before{content:'"'}</style></head>
<body><!-- "hidden" --><h1 title="a 'b'">The quay</h1>
<p>It wasn&rsquo;t hers. <q cite="x">The <em>harbour</em> was never meant to hold
ships this size</q> (0:02).</p>
<p>&ldquo;nobody told&nbsp;the pilots&rdquo; (0:06) and “we measured the caf&eacute;'s <b>quay</b> again” (0:10)</p>
<blockquote><p>You cannot steer by a map of a place that is not there.</p><p>— Ines, 0:18</p></blockquote>
<p hidden>"gone" 'too'</p><pre>"code"</pre><p>A &quot;term&quot; of &#8216;art&#8217;.</p>
</body></html>
""".replace("told&nbsp;the", "told the")

VOICES_DRAFT = """“The harbour was never meant to hold ships this size, and nobody told the pilots.” 0:02

“You cannot steer by a map of a place that is not there.” 0:10
"""

ROLL_DRAFT = """“to hold ships this size and nobody told the pilots” (0:06) and “the old chart they said” (0:14).
"""

TERMS = Resolved(("term", "second", "link"))
ACCEPTED = """“The harbour was never meant to hold ships that size” (0:02), ‘nobody told the pilots’ (0:05).
A “dark horse”, a “dark horse” again, and “words from another place altogether” – “You cannot steer by a map” (0:18).
"""


def materials() -> dict[str, Material]:
    """Return every material by a name."""
    h = "human.en.vtt"
    plain = {"draft.md": DRAFT.encode()}
    return {
        "webvtt": Material({h: webvtt()}, plain),
        "voices": Material({h: voices()}, {"d.txt": VOICES_DRAFT.encode()}),
        "roll-up": Material({"automatic.en.vtt": roll_up()}, {"d.txt": ROLL_DRAFT.encode()}),
        "srt": Material({"human.en.srt": subrip()}, plain),
        "srt-lf": Material({"human.en.srt": subrip(end="\n")}, plain),
        "sbv": Material({"human.en.sbv": sbv()}, plain),
        "json3": Material({"automatic.en.json3": json3()}, plain),
        "srv3": Material({"automatic.en.srv3": srv3()}, plain),
        "whisper": Material({"automatic.en.json": whisper()}, plain),
        "podcast": Material({"human.en.json": podcast()}, plain),
        "bom": Material({h: b"\xef\xbb\xbf" + webvtt()}, {"draft.md": b"\xef\xbb\xbf" + DRAFT.encode()}),
        "utf-16": Material(
            {"human.en.srt": subrip().decode().encode("utf-16")}, {"draft.txt": DRAFT.replace("# ", "").encode("utf-16")}
        ),
        "crlf": Material({h: webvtt().replace(b"\n", b"\r\n")}, {"draft.md": DRAFT.replace("\n", "\r\n").encode()}),
        "markdown": Material({h: webvtt()}, {"draft.md": MARKDOWN.encode()}, (TERMS,)),
        "markdown-crlf": Material({h: webvtt()}, {"draft.md": MARKDOWN.replace("\n", "\r\n").encode()}, (TERMS,)),
        "html": Material({h: webvtt()}, {"draft.html": HTML.encode()}, (Resolved(("term", "art")),)),
        "accepted": Material(
            {h: webvtt(), "automatic.en.json3": json3()},
            {"draft.md": ACCEPTED.encode()},
            (
                Resolved(
                    ("The harbour was never meant to hold ships that size",), ExceptionClass.WORDING, "She corrected herself."
                ),
                Resolved(("dark horse",)),
                Resolved(("words from another place altogether",), None, "Said by telephone."),
            ),
        ),
    }
