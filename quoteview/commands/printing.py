"""Text output for people: one finding after another with its place in the draft, then the gates, then what follows from them.

A verdict is never colour alone: sign and word say the same. Captions and drafts are shown with control
characters spelled out.
"""

from __future__ import annotations

from collections.abc import Iterator

from quoteview.commands.console import Console, Style, in_one_line
from quoteview.commands.outcome import CheckedDraft, Finding, GateOutcome, Outcome
from quoteview.core.verdicts import DifferenceStep

_SIGNS = {"green": ("✓", Style.GREEN), "red": ("✗", Style.RED), "resolved": ("◆", Style.YELLOW)}
_DEFECTS_SHOWN = 8
"""Defects of one gate that are printed without --verbose; the rest are counted."""
_CLAIM_SHOWN = 300
"""Characters of a claim that are printed without --verbose."""


def print_outcome(console: Console, outcome: Outcome) -> None:
    """Print a check: each claim (with --quiet the red ones only), the gates, and whether a label is allowed."""
    console.line(console.styled(in_one_line(outcome.name), Style.BOLD))
    console.remark(f"Checked against {in_one_line(outcome.reference)}: {in_one_line(outcome.why)}")
    for draft in outcome.drafts:
        console.line()
        _print_draft(console, draft)
    console.line()
    for gate in outcome.gates:
        _print_gate(console, gate)
    console.line()
    console.line(_conclusion(console, outcome))


def _print_draft(console: Console, draft: CheckedDraft) -> None:
    counts: dict[str, int] = {}
    for finding in draft.findings:
        word = finding.word if finding.state != "resolved" else "resolved"
        counts[word] = counts.get(word, 0) + 1
    summary = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in counts.items())
    console.line(
        console.styled(f"{in_one_line(draft.file)}: {len(draft.findings)} quotations", Style.BOLD) + f" ({summary or 'none'})"
    )
    if draft.fault:
        console.line(f"  {in_one_line(draft.fault)}")
    elif not draft.findings:
        console.line("  No quotations found, so there is nothing to check.")
    for finding in draft.findings:
        if finding.state == "red" or not console.is_quiet:
            for line in _finding_lines(console, finding):
                console.line(line)


def _finding_lines(console: Console, finding: Finding) -> Iterator[str]:
    sign, style = _SIGNS[finding.state]
    verdict = finding.verdict
    classes = ", ".join(name.value for name in verdict.classes).replace("_", " ") if verdict else ""
    word = finding.word.replace("_", " ") + (f" ({classes})" if classes else "")
    text = in_one_line(finding.claim.text)
    if len(text) > _CLAIM_SHOWN and not console.is_verbose:
        text = f"{text[:_CLAIM_SHOWN]}… ({len(finding.claim.text):,} characters)"
    yield f"  {finding.place:>7}  {console.styled(f'{sign} {word}', style)}  “{text}”"
    if finding.sentence:
        yield f"           {in_one_line(finding.sentence)}"
    nearest = verdict.nearest if verdict else None
    if nearest is not None and finding.state == "red":
        difference = in_one_line(_difference(nearest.difference))
        if len(difference) <= _CLAIM_SHOWN * 2 or console.is_verbose:
            yield f"           {difference}"
    match = (verdict.match if verdict else None) or (nearest.match if nearest else None)
    if match is not None and console.is_verbose:
        ranges = ", ".join(f"{span.start}–{span.end}" for span in match.evidence.bytes)
        yield f"           {match.track}, cues {match.evidence.cues[0]}–{match.evidence.cues[1]}, bytes {ranges}"
        yield f"           … {in_one_line(match.before)} [{in_one_line(match.after)} …"


def _difference(steps: tuple[DifferenceStep, ...]) -> str:
    """Return a word difference: `[-the draft's-]` and `{+the captions'+}` words."""
    parts = []
    for step in steps:
        if step.kind == "equal":
            parts.append(step.draft)
            continue
        draft = f"[-{step.draft}-]" if step.draft else ""
        source = f"{{+{step.source}+}}" if step.source else ""
        parts.append(draft + source)
    return "".join(parts)


def _print_gate(console: Console, gate: GateOutcome) -> None:
    sign, style = _SIGNS["green" if gate.is_open else "red"]
    word = console.styled(f"{sign} {gate.name:<10}", style)
    console.line(f"{word} {'open  ' if gate.is_open else 'closed'}  {in_one_line(gate.evidence)}")
    if gate.acknowledgement:
        console.line(f"             {in_one_line(gate.acknowledgement)}")
    shown = gate.defects if console.is_verbose else gate.defects[:_DEFECTS_SHOWN]
    for defect in shown:
        console.line(f"             - {in_one_line(defect)}")
    if len(shown) < len(gate.defects):
        console.line(f"             - and {len(gate.defects) - len(shown)} more (--verbose shows all)")


def _conclusion(console: Console, outcome: Outcome) -> str:
    if outcome.is_allowed:
        return console.styled("Every gate is open: a label may be issued.", Style.GREEN)
    closed = ", ".join(gate.name for gate in outcome.gates if not gate.is_open)
    return console.styled(f"Blocked: {closed or 'nothing was checked'}.", Style.RED)
