"""What a person can record: resolutions, withdrawals, acknowledgements, waivers and choices, as values.

- Use the source's words, correct the time, split, narrow, edit and retract change the draft, and the claim
  is checked again: what is recorded of them is history and decides nothing.
- Not a quotation of this recording, and accept as it is, hold for the claims they list: each by its text,
  its claimed time, its place (32 characters each side, other claims' text left out) and the reference.
- Undoing is another act, which names the entry it withdraws.
- An acknowledgement names by digest what the person saw; anything new is not acknowledged.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from quoteview.core.door import Fields, is_digest
from quoteview.core.drafts.draft import Claim


class ResolutionKind(StrEnum):
    """The ways to resolve a red claim."""

    SOURCE_WORDS = "source_words"
    CORRECT_TIME = "correct_time"
    SPLIT = "split"
    NARROW = "narrow"
    EDIT = "edit"
    RETRACT = "retract"
    NOT_A_QUOTATION = "not_a_quotation"
    ACCEPT = "accept"

    @property
    def is_standing(self) -> bool:
        """Whether it holds for the claim by itself; the others changed the draft and are only history."""
        return self in (ResolutionKind.NOT_A_QUOTATION, ResolutionKind.ACCEPT)


class ExceptionClass(StrEnum):
    """What kind of exception an accepted claim is."""

    CUT = "cut"
    TRANSLATION = "translation"
    HOUSE_STYLE = "house_style"
    WORDING = "wording"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ClaimBasis:
    """What a resolution is bound to. `nth` counts, from 0, the claims of the draft that are alike in all the rest."""

    text: str
    claimed_ms: int | None
    claimed_end_ms: int | None
    before: str
    after: str
    nth: int = 0

    @property
    def digest(self) -> str:
        """The SHA-256 of the basis as canonical JSON."""
        return hashlib.sha256(canonical(_basis_json(self))).hexdigest()


@dataclass(frozen=True, slots=True)
class Resolve:
    """Claims resolved in one act with one reason. `passage` names, for a translation, what it translates."""

    kind: ResolutionKind
    claims: tuple[ClaimBasis, ...]
    exception: ExceptionClass | None = None
    reason: str = ""
    note: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The entry with this digest holds no longer; where `claims` are named by digest, only for those."""

    entry: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """A person saw what keeps a gate closed and lets it pass. `seen` are digests of the defects (see `gates`)."""

    gate: str
    seen: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Waive:
    """A track that could not be obtained is done without, by name."""

    track_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ChooseReference:
    """A person chose the reference track; an empty id goes back to the rule."""

    track_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class ChooseEncoding:
    """A person said in which encoding a track is."""

    track_id: str
    encoding: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class IssueLabel:
    """A label was issued: its words, the statement's digest, the draft's, and where the bundle was written."""

    label: str
    statement_sha256: str
    draft_sha256: str
    bundle: str = ""


Act = Resolve | Withdraw | Acknowledge | Waive | ChooseReference | ChooseEncoding | IssueLabel


def bases_of(claims: Sequence[Claim]) -> tuple[ClaimBasis, ...]:
    """Return the basis of each claim of a draft, in order. All claims of the draft are needed to count those that are alike."""
    seen: Counter[ClaimBasis] = Counter()
    bases: list[ClaimBasis] = []
    for claim in claims:
        claimed = claim.claimed
        first = ClaimBasis(
            claim.text,
            claimed.start_ms if claimed else None,
            claimed.end_ms if claimed else None,
            claim.before,
            claim.after,
        )
        nth = seen[first]
        seen[first] += 1
        bases.append(
            ClaimBasis(first.text, first.claimed_ms, first.claimed_end_ms, first.before, first.after, nth) if nth else first
        )
    return tuple(bases)


def canonical(value: object) -> bytes:
    """Return JSON as one line of UTF-8 with sorted keys and no spaces: the same value always gives the same bytes."""
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        # Half of a surrogate pair was typed: only as an escape can it be kept as typed.
        return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")


def act_to_json(act: Act) -> dict[str, object]:
    """Return an act's own keys, `kind` among them."""
    match act:
        case Resolve():
            return {
                "kind": "resolution",
                "resolution": act.kind.value,
                "exception": act.exception.value if act.exception else "",
                "reason": act.reason,
                "note": act.note,
                "passage": act.passage,
                "claims": [{**_basis_json(basis), "sha256": basis.digest} for basis in act.claims],
            }
        case Withdraw():
            return {"kind": "withdrawal", "entry": act.entry, "claims": list(act.claims)}
        case Acknowledge():
            return {"kind": "acknowledgement", "gate": act.gate, "seen": list(act.seen), "reason": act.reason}
        case Waive():
            return {"kind": "waiver", "track_id": act.track_id, "reason": act.reason}
        case ChooseReference():
            return {"kind": "reference", "track_id": act.track_id, "reason": act.reason}
        case ChooseEncoding():
            return {"kind": "encoding", "track_id": act.track_id, "encoding": act.encoding, "reason": act.reason}
        case IssueLabel():
            return {
                "kind": "label",
                "label": act.label,
                "statement_sha256": act.statement_sha256,
                "draft_sha256": act.draft_sha256,
                "bundle": act.bundle,
            }


_KINDS = ("resolution", "withdrawal", "acknowledgement", "waiver", "reference", "encoding", "label")


def act_from_json(fields: Fields) -> Act:
    """Return the act that a journal's line records, or raise `JobError`."""
    kind = fields.word("kind", _KINDS)
    if kind == "resolution":
        return _resolve(fields)
    if kind == "withdrawal":
        return Withdraw(fields.digest("entry"), _digests(fields, "claims"))
    if kind == "acknowledgement":
        return Acknowledge(fields.text("gate"), _digests(fields, "seen"), fields.text("reason"))
    if kind == "waiver":
        return Waive(fields.text("track_id"), fields.text("reason"))
    if kind == "reference":
        return ChooseReference(fields.text("track_id"), fields.text("reason"))
    if kind == "encoding":
        return ChooseEncoding(fields.text("track_id"), fields.text("encoding"), fields.text("reason", ""))
    return IssueLabel(
        fields.text("label"), fields.digest("statement_sha256"), fields.digest("draft_sha256"), fields.text("bundle", "")
    )


def _resolve(fields: Fields) -> Resolve:
    exception = fields.text("exception", "")
    if exception and exception not in list(ExceptionClass):
        raise fields.refuse("exception", f"is “{exception[:40]}”, no class of exception")
    bases = []
    for each in fields.children("claims"):
        basis = ClaimBasis(
            each.text("text"),
            each.optional_integer("claimed_ms"),
            each.optional_integer("claimed_end_ms"),
            each.text("before"),
            each.text("after"),
            each.integer("nth", 0),
        )
        if basis.digest != each.digest("sha256"):
            raise each.refuse("sha256", "is not the digest of this claim")
        bases.append(basis)
    if not bases:
        raise fields.refuse("claims", "names no claim")
    return Resolve(
        ResolutionKind(fields.word("resolution", list(ResolutionKind))),
        tuple(bases),
        ExceptionClass(exception) if exception else None,
        fields.text("reason", ""),
        fields.text("note", ""),
        fields.text("passage", ""),
    )


def _digests(fields: Fields, key: str) -> tuple[str, ...]:
    found = fields.texts(key)
    if not all(map(is_digest, found)):
        raise fields.refuse(key, "must be a list of SHA-256 digests")
    return found


def _basis_json(basis: ClaimBasis) -> dict[str, object]:
    return {
        "text": basis.text,
        "claimed_ms": basis.claimed_ms,
        "claimed_end_ms": basis.claimed_end_ms,
        "before": basis.before,
        "after": basis.after,
        "nth": basis.nth,
    }
