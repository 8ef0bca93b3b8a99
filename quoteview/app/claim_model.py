"""The claims as a list model, and the proxy that sorts and filters them by tab, class and speaker."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from quoteview.app.session import Session
from quoteview.app.states import Changes, ClaimState
from quoteview.app.times import clock
from quoteview.core.drafts.draft import Claim
from quoteview.core.verdicts import VerdictKind

_MOST_RUNS = 16
AnyIndex = QModelIndex | QPersistentModelIndex


class ClaimRole(IntEnum):
    """What a row gives besides its text (`DisplayRole`, in the draft's own words without the marks).

    CLAIM_ID: int. STATE: `ClaimState`. TIME: the claimed time as `12:34`, "" without one. WORD: the verdict or
    most harmful class, as the word of the rules. MOMENT_MS: the claimed time or the match's, -1 where
    neither is known. SPEAKER: who says it in the captions.
    """

    CLAIM_ID = Qt.ItemDataRole.UserRole
    STATE = Qt.ItemDataRole.UserRole + 1
    TIME = Qt.ItemDataRole.UserRole + 2
    WORD = Qt.ItemDataRole.UserRole + 3
    MOMENT_MS = Qt.ItemDataRole.UserRole + 4
    SPEAKER = Qt.ItemDataRole.UserRole + 5


class ClaimSort(StrEnum):
    """How the list may be sorted."""

    DRAFT = "draft"
    TIME = "time"
    WORD = "word"


class ClaimModel(QAbstractListModel):
    """One row a claim of the current draft, in the draft's order: row and id differ by one."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._claims: tuple[Claim, ...] = session.claims
        self._rows = self._facts()
        session.changed.connect(self._on_session_changed)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - the signature of Qt
        """Return the number of claims."""
        return 0 if parent.isValid() else len(self._claims)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return one of a claim's facts by role."""
        if not index.isValid() or index.row() >= len(self._claims):
            return None
        claim = self._claims[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return claim.text
            case ClaimRole.CLAIM_ID:
                return claim.id
            case ClaimRole.STATE:
                return self._session.state(claim.id)
            case ClaimRole.TIME:
                return _claimed(claim)
            case ClaimRole.WORD:
                return verdict_word(self._session, claim.id)
            case ClaimRole.MOMENT_MS:
                return _moment_ms(self._session, claim)
            case ClaimRole.SPEAKER:
                found = self._session.match(claim.id)
                return ", ".join(found.evidence.speakers) if found else ""
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(claim)
        return None

    def row_of(self, claim_id: int) -> int:
        """Return the row of a claim, -1 where there is none."""
        return claim_id - 1 if 0 < claim_id <= len(self._claims) else -1

    def _spoken(self, claim: Claim) -> str:
        time = _claimed(claim)
        claimed = self.tr("claimed {time}").format(time=time) if time else self.tr("no time claimed")
        return self.tr("quotation {number} of {total}, {verdict}, {claimed}: {text}").format(
            number=claim.id,
            total=len(self._claims),
            verdict=verdict_word(self._session, claim.id).replace("_", " "),
            claimed=claimed,
            text=claim.text,
        )

    def state_at(self, row: int) -> ClaimState:
        """Return the state of the claim in a row."""
        return self._session.state(row + 1)

    def _on_session_changed(self, changes: Changes) -> None:
        claims = self._session.claims
        if len(claims) != len(self._claims) or changes & (Changes.JOB | Changes.SWITCHED):
            self.beginResetModel()
            self._claims = claims
            self._rows = self._facts()
            self.endResetModel()
        elif claims is not self._claims or changes & (Changes.VERDICTS | Changes.RESOLUTIONS | Changes.LOCK):
            before, self._claims = self._rows, claims
            self._rows = self._facts()
            changed = [row for row, (old, new) in enumerate(zip(before, self._rows, strict=True)) if old != new]
            for first, last in _runs(changed):
                self.dataChanged.emit(self.index(first), self.index(last))

    def _facts(self) -> list[tuple[str, int | None, ClaimState, int]]:
        """Return what a row shows, for finding those that changed: typing in a long draft changes one of a thousand."""
        claims, states = self._claims, self._session.states
        verdicts = self._session.verdicts or (None,) * len(claims)
        times = [claim.claimed_ms for claim in claims]
        return list(zip([claim.text for claim in claims], times, states, map(id, verdicts), strict=True))


class ClaimFilter(QSortFilterProxyModel):
    """Shows the claims of one tab (None: all), one word and one speaker ("" for any), sorted as asked."""

    def __init__(self, model: ClaimModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._state: ClaimState | None = None
        self._word = ""
        self._speaker = ""
        self._order = ClaimSort.DRAFT
        self.setSourceModel(model)
        self.sort(0)

    def show_only(self, state: ClaimState | None, word: str = "", speaker: str = "") -> None:
        """Show the claims of a state that have a word and a speaker."""
        if (state, word, speaker) != (self._state, self._word, self._speaker):
            self.beginFilterChange()
            self._state, self._word, self._speaker = state, word, speaker
            self.endFilterChange()

    @property
    def order(self) -> ClaimSort:
        """How the claims are sorted."""
        return self._order

    def order_by(self, order: ClaimSort) -> None:
        """Sort by the draft's order, by time, or by the verdict's word and then the draft's order."""
        self._order = order
        self.invalidate()

    def filterAcceptsRow(self, source_row: int, source_parent: AnyIndex) -> bool:
        """Return whether a claim is shown."""
        if self._state is not None and self._model.state_at(source_row) is not self._state:
            return False
        if not self._word and not self._speaker:
            return True
        index = self._model.index(source_row)
        if self._word and index.data(ClaimRole.WORD) != self._word:
            return False
        return not self._speaker or index.data(ClaimRole.SPEAKER) == self._speaker

    def lessThan(self, left: AnyIndex, right: AnyIndex) -> bool:
        """Return whether one claim comes before the other."""
        match self._order:
            case ClaimSort.TIME:
                one, other = left.data(ClaimRole.MOMENT_MS), right.data(ClaimRole.MOMENT_MS)
            case ClaimSort.WORD:
                one, other = left.data(ClaimRole.WORD), right.data(ClaimRole.WORD)
            case ClaimSort.DRAFT:
                one = other = None
        return bool(left.row() < right.row() if one == other else one < other)


def verdict_word(session: Session, claim_id: int) -> str:
    """Return the verdict's word, for an altered claim its most harmful class, "to_verify" while nothing is known."""
    verdict = session.verdict(claim_id)
    if verdict is None:
        return str(ClaimState.TO_VERIFY)
    if verdict.kind is VerdictKind.ALTERED and verdict.classes:
        return str(verdict.classes[0])
    return str(verdict.kind)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Return rows that follow one another as first and last; where there are many such runs, one over all of them."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs if len(runs) <= _MOST_RUNS else [(rows[0], rows[-1])]


def _claimed(claim: Claim) -> str:
    return clock(claim.claimed_ms) if claim.claimed_ms is not None else ""


def _moment_ms(session: Session, claim: Claim) -> int:
    if claim.claimed and claim.claimed.start_ms is not None:
        return claim.claimed.start_ms
    found = session.match(claim.id)
    return found.evidence.time.start_ms if found else -1
