"""A check as JUnit XML: one suite for each draft with a case for each claim, and one suite for the gates.

Attributes are those that both common schemas (Jenkins' and Ant's) know, so that neither refuses the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from quoteview.commands.outcome import CheckedDraft, Finding, GateOutcome, Outcome

# What XML 1.0 can't hold in any way, not even as a reference.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(outcomes: Sequence[Outcome], *, at: datetime | None = None) -> str:
    """Return outcomes as one XML document. A red claim and a closed gate are failures, anything else passes."""
    stamp = (at or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S")
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    number = 0
    for outcome in outcomes:
        for name, cases in _suites(outcome):
            failures = sum("<failure" in case for case in cases)
            lines.append(
                f"  <testsuite name={_attribute(name)} id={_attribute(str(number))} package={_attribute(outcome.name)}"
                f' tests="{len(cases)}" failures="{failures}" errors="0" time="0" timestamp="{stamp}" hostname="localhost">'
            )
            lines += ["    <properties/>", *cases, "    <system-out/>", "    <system-err/>", "  </testsuite>"]
            number += 1
    return "\n".join([*lines, "</testsuites>", ""])


def _suites(outcome: Outcome) -> Iterator[tuple[str, list[str]]]:
    for draft in outcome.drafts:
        yield draft.file, [_claim_case(draft, finding) for finding in draft.findings]
    yield "gates", [_gate_case(outcome, gate) for gate in outcome.gates]


def _claim_case(draft: CheckedDraft, finding: Finding) -> str:
    words = finding.claim.text
    shown = words if len(words) <= 60 else words[:59] + "…"
    name = f"{finding.place} “{shown}”"
    if finding.state != "red":
        return _case(draft.file, name, "", "", "")
    details = f"{draft.file}:{finding.place}: {finding.rule}\n“{words}”\n{finding.sentence}"
    return _case(draft.file, name, finding.rule, finding.sentence, details)


def _gate_case(outcome: Outcome, gate: GateOutcome) -> str:
    if gate.is_open:
        return _case(f"{outcome.name} gates", gate.name, "", "", "")
    return _case(f"{outcome.name} gates", gate.name, "closed", gate.evidence, "\n".join(gate.defects))


def _case(suite: str, name: str, kind: str, message: str, details: str) -> str:
    head = f'    <testcase classname={_attribute(suite)} name={_attribute(name)} time="0"'
    if not kind:
        return head + "/>"
    text = escape(_NOT_XML.sub("\ufffd", details))
    return f"{head}>\n      <failure type={_attribute(kind)} message={_attribute(message)}>{text}</failure>\n    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
