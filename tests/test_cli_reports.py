"""A check as text, JUnit and SARIF, each held against the shape that its readers ask for."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import jsonschema  # type: ignore[import-untyped]
import pytest

from quoteview.commands.console import Console
from quoteview.commands.junit import junit
from quoteview.commands.outcome import CheckedDraft, Finding, GateOutcome, Outcome
from quoteview.commands.printing import print_outcome
from quoteview.commands.sarif import sarif
from quoteview.core.drafts.draft import Claim, ClaimKind, ClaimPiece
from quoteview.core.spans import ByteSpan
from quoteview.core.verdicts import DifferenceClass, Verdict, VerdictKind

# The parts of the SARIF 2.1.0 schema that concern what we write, by its own section numbers.
SARIF_SCHEMA: dict[str, object] = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription"],
                                            "properties": {"shortDescription": {"required": ["text"]}},
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
                                "message": {"type": "object", "required": ["text"]},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "additionalProperties": False,
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "properties": {
                                                    "artifactLocation": {
                                                        "required": ["uri"],
                                                        "properties": {"uri": {"pattern": "^[!-~]+$"}},
                                                    },
                                                    "region": {
                                                        "properties": {
                                                            "startLine": {"type": "integer", "minimum": 1},
                                                            "startColumn": {"type": "integer", "minimum": 1},
                                                        }
                                                    },
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def claim(number: int, text: str, line: int) -> Claim:
    start = 10 * number
    piece = ClaimPiece(text, start, start + len(text.encode()), True)
    return Claim(number, ClaimKind.MARKS, text, (piece,), ByteSpan(start, start + 5), None, None, True, line, 7, None, "", "")


def outcome(*, text: str = "so it is") -> Outcome:
    red = Finding(
        claim(1, text, 3), Verdict(VerdictKind.ALTERED, (DifferenceClass.NUMBER, DifferenceClass.CASE)), "red", "You write ‘3’."
    )
    green = Finding(claim(2, "and so", 4), Verdict(VerdictKind.EXACT), "green", "Matches the captions.")
    aside = Finding(claim(3, "term", 5), Verdict(VerdictKind.NOT_FOUND), "resolved", "Set aside.")
    gates = (
        GateOutcome("lock", True, "Two files, as locked.", (), ""),
        GateOutcome("quotes", False, "1 of 3 quotations is to do.", ("claim 1 is altered", "b <&> c"), ""),
    )
    return Outcome("talk.quoteview", "en.human", "the only track", (CheckedDraft("my drafts/ä.md", (red, green, aside)),), gates)


def test_junit_has_a_case_for_each_claim_and_gate() -> None:
    root = ET.fromstring(junit([outcome()], at=datetime(2027, 3, 3, 12, 30, tzinfo=UTC)))
    assert root.tag == "testsuites" and root.attrib == {}
    draft, gates = root
    assert draft.attrib["tests"] == "3" and draft.attrib["failures"] == "1" and draft.attrib["timestamp"] == "2027-03-03T12:30:00"
    assert gates.attrib["tests"] == "2" and gates.attrib["failures"] == "1"
    failure = draft.find("testcase/failure")
    assert failure is not None and failure.attrib == {"type": "altered/number", "message": "You write ‘3’."}
    assert "my drafts/ä.md:3:7" in (failure.text or "")


def test_junit_keeps_to_the_order_and_attributes_of_both_schemas() -> None:
    suites = ET.fromstring(junit([outcome(), outcome()]))
    assert [suite.attrib["id"] for suite in suites] == ["0", "1", "2", "3"]
    for suite in suites:
        tags = [child.tag for child in suite]
        assert tags[0] == "properties" and tags[-2:] == ["system-out", "system-err"]
        assert set(tags[1:-2]) == {"testcase"}
        assert set(suite.attrib) == {"name", "id", "package", "tests", "failures", "errors", "time", "timestamp", "hostname"}
        for case in suite.iter("testcase"):
            assert set(case.attrib) == {"classname", "name", "time"}
            assert [child.tag for child in case] in ([], ["failure"])


def test_junit_survives_characters_that_xml_has_not() -> None:
    root = ET.fromstring(junit([outcome(text='a\x00\x1b"<b>&\ufffe c]]>')]))
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None and '“a\ufffd\ufffd"<b>&\ufffd c]]>”' in (failure.text or "")


def test_sarif_fits_its_schema() -> None:
    log = json.loads(sarif([outcome(), outcome()]))
    jsonschema.validate(log, SARIF_SCHEMA)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert [result["ruleId"] for result in run["results"]] == ["altered/number", "gate/quotes"] * 2
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_sarif_points_at_line_and_column() -> None:
    place = json.loads(sarif([outcome()]))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20drafts/%C3%A4.md"
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (3, 7)


def test_text_has_place_sign_word_and_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcome(Console(), outcome())
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "3:7  ✗ altered (number, case)  “so it is”" in out and "You write ‘3’." in out
    assert "✓ exact" in out and "◆ not found" in out
    assert "✗ quotes" in out and "- claim 1 is altered" in out and "Blocked: quotes." in out


def test_quiet_text_has_the_red_claims_alone(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcome(Console(is_quiet=True), outcome())
    out = capsys.readouterr().out
    assert "✗ altered" in out and "✓ exact" not in out and "Blocked: quotes." in out


def test_a_claim_of_50_000_characters_is_shown_cut(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcome(Console(), outcome(text="word " * 10_000))
    assert "(50,000 characters)" in capsys.readouterr().out


def test_nothing_checked_is_not_a_pass() -> None:
    assert not Outcome("job", "", "", (), ()).is_allowed
