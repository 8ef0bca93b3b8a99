"""The W3C suite for WebVTT: cues, identifiers and times written down by hand from the specification, text from its trees."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from quoteview.core.captions.track import OrderFault, Track
from quoteview.core.errors import CaptionError
from quoteview.core.joins import LAYOUT_CHARACTERS
from tests.builders import track
from tests.readings import REAL_FILES, proven

SUITE = REAL_FILES / "11-conformance" / "wpt-webvtt.js"
HOUR = 3_600_000

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="QUOTEVIEW_CAPTION_FILES names no folder with the W3C suite")


def seconds(count: int) -> list[tuple[str, int, int]]:
    """Cues without an identifier that last a second each and follow each other."""
    return [("", 1000 * number, 1000 * (number + 1)) for number in range(count)]


def same(*identifiers: str) -> list[tuple[str, int, int]]:
    """Cues with these identifiers that all last from 0 to 1 s."""
    return [(identifier, 0, 1000) for identifier in identifiers]


SETTINGS_LINE = {
    11: "Number.MAX_VALUE",
    12: "-1 * Number.MAX_VALUE",
    13: "Number.MIN_VALUE",
    14: "Less than Number.MIN_VALUE",
    33: "Greater than Number.MAX_VALUE",
    34: "Less than -1 * Number.MAX_VALUE",
    35: "exponential notation",
    44: "Number.MIN_VALUE %",
    45: "Less than Number.MIN_VALUE %",
}

CUES: dict[str, list[tuple[str, int, int]]] = {
    "arrows": same("", "", "", "", "", ""),
    "entities": seconds(25),
    "header-garbage": same(""),
    "header-space": same(""),
    "header-tab": same(""),
    "header-timings": same(""),
    "ids": same(" leading space", "trailing space ", "-- >", "->", " "),
    "newlines": same("cr", "lf", "crlf", "lfcr"),
    # The specification turns a NUL into U+FFFD before it parses; here it stays, which is the one deviation.
    "nulls": same("", "\0 (null in id)", "\ufffd (null in cue data)", "", "", "", ""),
    "regions-id": same(*[""] * 4),
    "regions-lines": same(*[""] * 13),
    "regions-old": same("", ""),
    "regions-regionanchor": same(*[""] * 20),
    "regions-scroll": same(*[""] * 6),
    "regions-viewportanchor": same(*[""] * 20),
    "settings-align": same(*[""] * 13),
    "settings-line": same(*(SETTINGS_LINE.get(number, "") for number in range(46))),
    "settings-multiple": same("id0", "id1"),
    "settings-position": same(*[""] * 22),
    "settings-region": same(*[""] * 9),
    "settings-size": same(*[""] * 16),
    "settings-vertical": same(*[""] * 8),
    "signature-bom": [],
    "signature-no-newline": [],
    "signature-space": [],
    "signature-space-no-newline": [],
    "signature-tab": [],
    "signature-tab-no-newline": [],
    "signature-timings": [],
    "stylesheets": same("foo", "bar"),
    "tags": seconds(28),
    "text": seconds(5),
    "timestamps": seconds(10),
    "timings-60": [("", 0, 60 * HOUR + 1000), ("", 60 * HOUR, 60 * HOUR + 1000)],
    "timings-eof": [],
    "timings-garbage": [],
    "timings-negative": [("", 0, 0), ("", 1000, 999), ("", 60_000, 59_999), ("", HOUR, HOUR - 1)],
    "timings-omitted-hours": same("", "", ""),
    "timings-too-long": same("", ""),
    "timings-too-short": same("", ""),
    "tree-building": seconds(9),
    "whitespace-chars": same("spaces", "tabs", "form feed"),
}
"""Identifier, start and end of every cue that the specification's parser makes of each file, in order."""


def read(path: Path) -> Track:
    return proven(track(path.read_bytes(), file=path.name))


def test_every_file_of_the_suite_stands_in_the_table() -> None:
    assert sorted(path.stem for path in SUITE.glob("*.vtt")) == sorted(CUES)


@pytest.mark.parametrize("name", [name for name, cues in CUES.items() if cues])
def test_cues_identifiers_and_times_are_the_specifications(name: str) -> None:
    found = read(SUITE / f"{name}.vtt")
    # An end before the start counts as the start, and is reported.
    assert [(cue.identifier, *cue.time) for cue in found.cues] == [(i, start, max(start, end)) for i, start, end in CUES[name]]
    early = [number for number, (_, start, end) in enumerate(CUES[name]) if end < start]
    assert [defect.cue for defect in found.order if defect.fault is OrderFault.ENDS_EARLY] == early


@pytest.mark.parametrize("name", [name for name, cues in CUES.items() if not cues])
def test_a_file_in_which_the_specification_finds_no_cue_is_refused(name: str) -> None:
    with pytest.raises(CaptionError) as refused:
        read(SUITE / f"{name}.vtt")
    assert refused.value.reason and refused.value.remedy


@pytest.mark.parametrize("name", ["entities", "tags", "text", "timestamps", "tree-building"])
def test_text_is_that_of_the_expected_trees(name: str) -> None:
    expected = [text_of_tree(case["expectedTree"]) for case in json.loads((SUITE / f"{name}.json").read_text("utf-8"))]
    found = [cue.text.replace("\0", "\ufffd") for cue in read(SUITE / f"{name}.vtt").cues]
    assert found == expected


@pytest.mark.parametrize("name", ["timings-60", "timings-too-long", "timings-too-short", "nulls", "whitespace-chars"])
def test_what_the_suite_calls_invalid_is_unread_and_not_lost(name: str) -> None:
    found = read(SUITE / f"{name}.vtt")
    assert not any("invalid" in cue.text for cue in found.cues)
    assert sum(found.ledger.totals()[kind] for kind in ("unread",)) >= found.source.data.count(b"invalid") * len(b"invalid")


def text_of_tree(tree: str) -> str:
    """Return the text of an expected tree without the readings in its `rt` elements, as lines joined by a space."""
    text, reading = "", None
    for node in re.finditer(r'^\| ( *)(?:"(.*?)"|<(\w+)>|[^"<\n][^\n]*|<\?[^\n]*)\n(?=\||\Z)', tree, re.MULTILINE | re.DOTALL):
        depth = len(node[1])
        if reading is not None and depth <= reading:
            reading = None
        if node[3] == "rt" and reading is None:
            reading = depth
        if reading is None and node[2] is not None:
            text += node[2]
    return " ".join(filter(None, (line.strip(LAYOUT_CHARACTERS) for line in text.split("\n"))))
