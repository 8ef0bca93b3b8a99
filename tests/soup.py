"""Caption files made by chance, from a seed, out of what real files hold and what trips readers."""

from __future__ import annotations

import json
import random

WORDS = (
    *("map", "steer", "you", "“chart”", "it's", "1,250", "12%", "co-op", "café", "e\u0301t", "A", "-5", "3.5", "\x1f"),
    *("日本語", "です", "ไทย", "سلام", "\u200fשלום", "\u00a0", "\u2028", "\u3000", "\U0001f600"),
)
REFERENCES = (
    *("&amp;", "&lt;", "&nbsp;", "&#3;", "&#xFFFE;", "&#128;", "&#x80;", "&amp", "&copy", "&copyx;", "&notit;", "&#0;"),
    *("&#xD800;", "&#x110000;", "&#32;", "&apos;", "&hellip;", "&bogus;", "&", "&;", "&#;", "&#x;", "&#0000000000065;", "&rlm;"),
)
VTT_TAGS = (
    *(
        "<i>",
        "</i>",
        "<b>",
        "</b>",
        "<c.x>",
        "</c>",
        "<v Tom>",
        "<v Ines  Hall&amp;oran>",
        "<v.loud Jo>",
        "</v>",
        "<v>",
        "<v\tTab>",
    ),
    *("<ruby>", "<rt>", "</rt>", "</ruby>", "<00:00:02.000>", "<00:02.5>", "<lang en>", "</lang>", "<>", "</>", "<foo>", "<"),
    *("<3", "<b", "<i.a.b>", "</V>", "<I>", "<u\n>", "<v A\nB>", "<c\n", "<font color=x>", "<00:00:03.000", "<rt.x>", "--", "->"),
)
SRT_TAGS = (
    *(
        "<i>",
        "</i>",
        "<b>",
        '<FONT color="a">',
        "</font>",
        "{\\an8}",
        "{\\i1}",
        "[br]",
        "[BR]",
        "<foo>",
        "<",
        "<i",
        "{x}",
        "< i>",
    ),
    *("<s>", "</u>", "<font\tx>", "<i/>", "{\\a\\b}", "<v Tom>", "<br>"),
)
ESCAPES = (
    "\\u00e9",
    "\\n",
    "\\r",
    "\\t",
    '\\"',
    "\\\\",
    "\\/",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\u0003",
    "\\b",
    "\\u00a0",
    "\\u200f",
)
VTT_BLOCKS = (
    *("NOTE hi\nthere\n\n", "STYLE\n::cue{}\n\n", "REGION\nid:x\n\n", "stray words\n\n", "NOTE\nx --> y\n\n", "STYLE x\n\n"),
    *("bad --> x\nwords\n\n", "00:01.000 --> 5\nwords\n\n", "late words\n\n", "\nlate\nwords\n\n"),
)
SRT_BLOCKS = (
    *("late words\n\n", "7\n", "99\n\n", "late\n8\n", "00:00:01,5 -> 3\n", "0:1:2 --> 0:1:3\nx\n\n", "\n5\n\n"),
    "-00:00:01,000 --> 00:00:02,000\nnegative\n\n",
)
SPEAKERS = (
    *("", ',"speaker":"Tom"', ',"speaker":"Jos\\u00e9"', ',"speaker":" Ann  B "', ',"speaker":""', ',"speaker":null'),
    *(',"speaker":"A\\nB"', ',"speaker":7', ',"speaker":"&amp;"'),
)


class Soup:
    """A source of files; the same seed gives the same."""

    def __init__(self, seed: str) -> None:
        self._chance = random.Random(seed)

    def file(self, format: str) -> bytes:
        """Return a file of a format, named as tracks name it."""
        made = {
            "webvtt": self._webvtt,
            "srt": self._srt,
            "sbv": self._sbv,
            "json3": self._json3,
            "whisper-json": self._whisper,
            "podcast-json": self._podcast,
            "srv3": self._srv3,
        }[format]()
        return made.encode()

    def _one(self, *things: str) -> str:
        return self._chance.choice(things)

    def _is(self, likely: float) -> bool:
        return self._chance.random() < likely

    def _text(self, tags: tuple[str, ...] = (), most: int = 9) -> str:
        found = []
        for _ in range(self._chance.randint(1, most)):
            kind = self._chance.random()
            if kind < 0.55 or (not tags and kind < 0.8):
                found.append(self._one(*WORDS))
            elif kind < 0.68:
                found.append(self._one(*REFERENCES))
            elif kind < 0.9 and tags:
                found.append(self._one(*tags))
            else:
                found.append(self._one(*WORDS) + "\n" + self._one(*WORDS))
            found.append(self._one(" ", " ", " ", "", "  ", "\t"))
        return "".join(found)

    def _times(self) -> list[tuple[int, int]]:
        at, found = self._chance.randint(0, 5000), []
        for _ in range(self._chance.randint(1, 6)):
            lasts = self._chance.randint(0, 4000)
            found.append((at, at + lasts))
            at += self._chance.choice((lasts, lasts, lasts + 10, lasts + 500, lasts // 2, 0, -300 if at > 400 else 0))
        return found

    def _payloads(self, count: int, tags: tuple[str, ...]) -> list[str]:
        """Texts of cues; at times each begins with the line that the one before ended with, as roll-up has it."""
        is_roll_up, found = self._is(0.3), list[str]()
        for _ in range(count):
            text = self._text(tags).replace("\n\n", "\n")
            if is_roll_up and found and self._is(0.8):
                text = found[-1].split("\n")[-1] + "\n" + text
            found.append(text)
        return found

    def _webvtt(self) -> str:
        made = self._one("WEBVTT", "\ufeffWEBVTT", "WEBVTT - x", "WEBVTT\nKind: captions") + "\n\n"
        times = self._times()
        for (start, end), text in zip(times, self._payloads(len(times), VTT_TAGS), strict=True):
            made += self._one(*VTT_BLOCKS) if self._is(0.2) else ""
            made += self._one("1\n", "id x\n", "NOTE\n") if self._is(0.2) else ""
            arrow, settings = self._one(" --> ", "-->", "\t-->  "), self._one("", " align:start", " x:1", " ")
            made += clock(start) + arrow + clock(end) + settings + "\n" + text
            made += self._one("\n\n", "\n\n\n", "\n", " \n\n", "\n \n\n")
        return made.replace("\n", self._one("\n", "\r\n", "\r"))

    def _srt(self) -> str:
        made, times = self._one("", "\ufeff"), self._times()
        for number, ((start, end), text) in enumerate(zip(times, self._payloads(len(times), SRT_TAGS), strict=True), 1):
            made += self._one(f"{number}\n", f"{number}\n", "", f"{number} \n")
            made += clock(start, self._one(",", ",", ".")) + " --> " + clock(end, ",") + self._one("", " X1:3") + "\n" + text
            made += self._one("\n\n", "\n", "\n\n\n", " \n\n")
            made += self._one(*SRT_BLOCKS) if self._is(0.2) else ""
        return made.replace("\n", self._one("\n", "\r\n", "\r"))

    def _sbv(self) -> str:
        made = self._one("", "", "[HEADER]\n", "\ufeff", "junk\n\n")
        for start, end in self._times():
            made += f"{clock(start)[1:]},{clock(end)[1:]}\n{self._text(SRT_TAGS)}" + self._one("\n\n", "\n", "\n\n\n")
            made += self._one("late words\n\n", "[x]\n", "\n", "0:00:1.5,0:0:2.25\ny[BR]z\n\n") if self._is(0.2) else ""
        return made

    def _string(self, most: int = 9) -> str:
        raw = json.dumps(self._text(most=most), ensure_ascii=self._is(0.5))[1:-1]
        for _ in range(self._chance.randint(0, 2)):
            at = self._chance.randint(0, len(raw))
            while 0 < at < len(raw) and "\\" in raw[max(0, at - 6) : at]:
                at -= 1
            raw = raw[:at] + self._one(*ESCAPES) + raw[at:]
        return f'"{raw}"'

    def _json3(self) -> str:
        events = []
        for start, end in self._times():
            segs = []
            for number in range(self._chance.randint(1, 4)):
                more = self._one("", f',"tOffsetMs":{number * 200}', ',"acAsrConf":0')
                segs.append(f'{{"utf8":{self._string(3)}{more}}}')
            lasts = f',"dDurationMs":{end - start}' if self._is(0.75) else ""
            events.append(f'{{"tStartMs":{start}{lasts},"segs":[{self._one(",", ", ").join(segs)}]}}')
            if self._is(0.3):
                events.append(f'{{"tStartMs":{start},"dDurationMs":100,"aAppend":1,"segs":[{{"utf8":"\\n"}}]}}')
        return self._one("", "", "\ufeff", "\n ") + '{"wireMagic":"pb3","events":[' + ",".join(events) + "]}"

    def _whisper(self) -> str:
        rows = []
        for start, end in self._times():
            begin = self._one(f"{start / 1000:.3f}", f"{start / 1000:.1f}", repr(start / 1000), f"{start}e-3")
            stop = self._one(f"{end / 1000:.3f}", f"{end / 1000:.2f}", "null", f'"{end / 1000:.2f}"', f'"{end / 1000:.3f}s"')
            rows.append(f'{{"start":{begin},"end":{stop},"text":{self._string()}{self._one(*SPEAKERS)}}}')
        return self._one("", "", "\ufeff", " \n") + '{"text":"x","segments":[' + ",".join(rows) + '],"language":"en"}'

    def _podcast(self) -> str:
        rows = [
            f'{{"startTime":{start / 1000},"endTime":{end / 1000},"body":{self._string()}{self._one(*SPEAKERS)}}}'
            for start, end in self._times()
        ]
        return '{"version":"1.0.0","segments":[' + ",".join(rows) + "]}"

    def _srv3(self) -> str:
        references = ("&amp;", "&lt;", "&#128;", "&#65;", "&#x41;", "&#xA0;", "&quot;", "&apos;", "&#10;", "&gt;")
        words = tuple(word for word in WORDS if word != "\x1f")
        made = '<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">\n<head><pen id="9" rb="5"/></head><body>\n'
        for start, end in self._times():
            inner = ""
            for _ in range(self._chance.randint(1, 4)):
                text = "".join(
                    self._one(*(words if self._is(0.8) else references)) + self._one(" ", " ", "", "\n")
                    for _ in range(self._chance.randint(1, 5))
                )
                inner += self._one(text, f"<s>{text}</s>", f'<s t="200" ac="0">{text}</s>', "<br/>", f'<s p="9">{text}</s>')
            lasts = f' d="{end - start}"' if self._is(0.75) else ""
            made += f'<p t="{start}"{lasts}>{inner}</p>\n'
        return made + "</body></timedtext>"


def clock(ms: int, dot: str = ".") -> str:
    """Return a time as `hh:mm:ss.mmm`."""
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1_000 % 60:02}{dot}{ms % 1_000:03}"
