"""A check as SARIF 2.1.0 (OASIS): one run, a rule for each verdict and gate, a result for each red claim and closed gate."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from quoteview import __version__
from quoteview.commands.outcome import UNCHECKED, Outcome
from quoteview.core.verdicts import DifferenceClass, VerdictKind

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_VERDICTS = {
    VerdictKind.MISTIMED: "The words are in the captions, but not at the time claimed.",
    VerdictKind.UNTIMED: "The words are in the captions; no time is claimed.",
    VerdictKind.ALTERED: "The words are not in the captions in this form; a passage close to them is.",
    VerdictKind.NOT_FOUND: "Nothing close to the words is in the captions.",
    VerdictKind.UNCLOSED: "The quotation never ends.",
}
_GATES = ("lock", "inventory", "lossless", "order", "complete", "quotes", "checker")


def sarif(outcomes: Sequence[Outcome]) -> str:
    """Return outcomes as one SARIF log, indented, ending in a line end."""
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in _rules()]
    numbers = {str(rule["id"]): number for number, rule in enumerate(rules)}
    results = [result | {"ruleIndex": numbers[str(result["ruleId"])]} for outcome in outcomes for result in _results(outcome)]
    run = {
        "tool": {"driver": {"name": "quoteview", "semanticVersion": __version__, "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rules() -> Iterator[tuple[str, str]]:
    for kind, text in _VERDICTS.items():
        yield kind.value, text
    for difference in DifferenceClass:
        yield f"altered/{difference.value}", f"The words differ from the captions: {difference.value.replace('_', ' ')}."
    yield UNCHECKED, "There was no track to check the words against."
    for gate in _GATES:
        yield f"gate/{gate}", f"The gate “{gate}” is closed, so no label may be issued."


def _results(outcome: Outcome) -> Iterator[dict[str, object]]:
    for draft in outcome.drafts:
        for finding in draft.findings:
            if finding.state == "red":
                region = {
                    "startLine": finding.claim.line,
                    "startColumn": finding.claim.column,
                    "snippet": {"text": finding.claim.text},
                }
                yield _result(finding.rule, finding.sentence, draft.file, region)
    for gate in outcome.gates:
        if not gate.is_open:
            text = " ".join([gate.evidence, *gate.defects])
            yield _result(f"gate/{gate.name}", text, outcome.drafts[0].file if outcome.drafts else "", None)


def _result(rule: str, text: str, file: str, region: dict[str, object] | None) -> dict[str, object]:
    result: dict[str, object] = {"ruleId": rule, "level": "error", "kind": "fail", "message": {"text": text or rule}}
    if file:
        place: dict[str, object] = {"artifactLocation": {"uri": _uri(file)}}
        result["locations"] = [{"physicalLocation": place | ({"region": region} if region else {})}]
    return result


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
