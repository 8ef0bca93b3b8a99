"""Makes the sample job's files from the script of the interview: captions, what a recogniser heard, and the drafts.

Run it from anywhere: `python packaging/sample/make.py [FOLDER]`. The same script gives the same bytes; a test compares
them with those in `resources/sample`. In a draft, `[@words]` becomes the time at which the cue that begins with
these words begins, and `[@+60 words]` that time and sixty seconds.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

MS_PER_CHARACTER = 74
"""About 140 words a minute, an unhurried talking pace."""
CUE_MS, TURN_MS = 260, 520
"""The breath after a cue, and the pause when the other one speaks."""
LONGEST_LINE = 34
"""Characters of a line of the automatic captions."""


class Spoken(NamedTuple):
    """One cue: who, the lines shown, and when in milliseconds."""

    speaker: str
    lines: tuple[str, ...]
    start_ms: int
    end_ms: int

    @property
    def words(self) -> str:
        """The cue's text on one line."""
        return " ".join(self.lines)


def main() -> None:
    """Write the sample's files into the folder named, else into the work tree."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "sample"
    for name, content in files().items():
        (folder / name).write_bytes(content)
    if len(sys.argv) == 1:
        (ROOT / "tests" / "data" / "working-day.md").write_bytes(working_day())


def files() -> dict[str, bytes]:
    """Return the sample's files by name."""
    spoken = _spoken((HERE / "script.txt").read_text("utf-8"))
    made = {"tide-book.human.vtt": _webvtt(spoken), "tide-book.auto.json3": _json3(spoken)}
    for name in ("draft-one.md", "draft-two.md"):
        made[name] = _timed((HERE / name).read_text("utf-8"), spoken)
    return {name: content.encode("utf-8") for name, content in made.items()}


def working_day() -> bytes:
    """Return the draft of 24 quotations, six of them red, that the window's journey walks through."""
    spoken = _spoken((HERE / "script.txt").read_text("utf-8"))
    return _timed((HERE / "working-day.md").read_text("utf-8"), spoken).encode("utf-8")


def _spoken(script: str) -> list[Spoken]:
    spoken: list[Spoken] = []
    at = 1_200
    for row in script.splitlines():
        speaker, _, text = row.partition(": ")
        lines = tuple(line.strip() for line in text.split("|"))
        if spoken and spoken[-1].speaker != speaker:
            at += TURN_MS
        laugh_ms = 1_400 if "[laughs]" in text else 0
        end = at + max(900, MS_PER_CHARACTER * len(text)) + laugh_ms
        spoken.append(Spoken(speaker, lines, at, end))
        at = end + CUE_MS
    return spoken


def _webvtt(spoken: list[Spoken]) -> str:
    head = "WEBVTT\n\nNOTE The harbour hour, “The tide book”. Transcribed by hand.\n"
    return head + "".join(
        f"\n{number}\n{_stamp(cue.start_ms)} --> {_stamp(cue.end_ms)}\n<v {cue.speaker}>" + "\n".join(cue.lines) + "\n"
        for number, cue in enumerate(spoken, 1)
    )


def _stamp(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def _heard(spoken: list[Spoken]) -> list[tuple[str, int]]:
    """Return what a recogniser heard, word by word with its time: lower case, hardly a mark, names and a number wrong."""
    rules = [row.split("=>") for row in (HERE / "misheard.txt").read_text("utf-8").splitlines()]
    heard: list[tuple[str, int]] = []
    for cue in spoken:
        text = cue.words.lower().replace("[laughs]", "[laughter]")
        for said, misheard in rules:
            text = re.sub(rf"(?<!\w){re.escape(said.strip())}", misheard.strip(), text)
        text = re.sub(r"(?<!\d)[.,:?]|[.,:?](?!\d)", "", text)
        words = text.split()
        span = cue.end_ms - cue.start_ms
        total = sum(len(word) + 1 for word in words)
        passed = 0
        for word in words:
            heard.append((word, cue.start_ms + 40 + span * passed // total))
            passed += len(word) + 1
    return heard


def _json3(spoken: list[Spoken]) -> str:
    rows: list[list[tuple[str, int]]] = [[]]
    for word, ms in _heard(spoken):
        if rows[-1] and len(" ".join(w for w, _ in rows[-1])) + 1 + len(word) > LONGEST_LINE:
            rows.append([])
        rows[-1].append((word, ms))
    length_ms = spoken[-1].end_ms + 1_500
    events: list[dict[str, object]] = [{"tStartMs": 0, "dDurationMs": length_ms, "id": 1, "wpWinPosId": 1, "wsWinStyleId": 1}]
    for number, row in enumerate(rows):
        start = row[0][1]
        after = rows[number + 2][0][1] if number + 2 < len(rows) else length_ms
        if number:
            break_ms = start - 10
            events.append(
                {"tStartMs": break_ms, "dDurationMs": after - break_ms, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\n"}]}
            )
        segs: list[dict[str, object]] = []
        for word, ms in row:
            seg: dict[str, object] = {"utf8": f" {word}" if segs else word}
            if segs:
                seg["tOffsetMs"] = ms - start
            segs.append(seg | {"acAsrConf": 0})
        events.append({"tStartMs": start, "dDurationMs": after - start, "wWinId": 1, "segs": segs})
    document = {
        "wireMagic": "pb3",
        "pens": [{}],
        "wsWinStyles": [{}, {"mhModeHint": 2, "juJustifCode": 0, "sdScrollDir": 3}],
        "wpWinPositions": [{}, {"apPoint": 6, "ahHorPos": 20, "avVerPos": 100, "rcRows": 2, "ccCols": 40}],
        "events": events,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _timed(draft: str, spoken: list[Spoken]) -> str:
    def time_of(found: re.Match[str]) -> str:
        starts = [cue.start_ms for cue in spoken if cue.words.startswith(found[2])]
        if len(starts) != 1:
            raise SystemExit(f"{len(starts)} cues begin with {found[2]!r}")
        seconds = starts[0] // 1000 + int(found[1] or 0)
        return f"[{seconds // 60}:{seconds % 60:02}]"

    return re.sub(r"\[@(?:\+(\d+) )?([^\]]+)\]", time_of, draft)


if __name__ == "__main__":
    main()
