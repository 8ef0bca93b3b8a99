"""What one check came to, in the form that the text, JUnit and SARIF writers share."""

from __future__ import annotations

from dataclasses import dataclass

from quoteview.core.drafts.draft import Claim
from quoteview.core.verdicts import Verdict

UNCHECKED = "unchecked"
"""What a claim is called that could not be checked, for want of a track that can be read and is what was locked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim with its verdict, None where there was nothing to check it against.

    `state` is green, red or resolved; `sentence` says it in words.
    """

    claim: Claim
    verdict: Verdict | None
    state: str
    sentence: str

    @property
    def rule(self) -> str:
        """The verdict's word, for an altered claim with its most harmful class: `altered/number`."""
        if self.verdict is None:
            return UNCHECKED
        classes = self.verdict.classes
        return f"{self.verdict.kind.value}/{classes[0].value}" if classes else self.verdict.kind.value

    @property
    def word(self) -> str:
        """The verdict's word."""
        return self.verdict.kind.value if self.verdict is not None else UNCHECKED

    @property
    def place(self) -> str:
        """Line and column in the draft, 1-based: `12:5`."""
        return f"{self.claim.line}:{self.claim.column}"


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft with its findings in the order of the file; `fault` says why it could not be read, "" where it was."""

    file: str
    findings: tuple[Finding, ...]
    fault: str = ""


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """A gate as judged: one sentence of evidence, then every defect; `acknowledgement` is "" where nobody had to."""

    name: str
    is_open: bool
    evidence: str
    defects: tuple[str, ...]
    acknowledgement: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One job or set of files, checked. `name` is what the person named it by."""

    name: str
    reference: str
    why: str
    drafts: tuple[CheckedDraft, ...]
    gates: tuple[GateOutcome, ...]

    @property
    def is_allowed(self) -> bool:
        """Whether every gate is open, so that a label may be issued. No gate at all is not a pass."""
        return bool(self.gates) and all(gate.is_open for gate in self.gates)
