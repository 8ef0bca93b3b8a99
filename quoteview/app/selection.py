"""The selection: which claim and which cue are looked at, the same in every view.

A claim's ids change as the draft is edited; the selection holds on to the claim by following the
session's suggestions and, where there is none, the claim at the same place of the draft.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from quoteview.app.session import Session
from quoteview.app.states import Changes


class Selection(QObject):
    """The claim, the hovered claim and the cue that are looked at.

    `claim_changed` is also emitted when the same claim is chosen again, so that views bring it into view.
    """

    claim_changed = Signal()
    hover_changed = Signal()
    cue_changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._claim_id: int | None = None
        self._hovered_id: int | None = None
        self._cue_index: int | None = None
        self._place = 0
        self._has_news = False
        session.changed.connect(self._on_session_changed)
        session.told.connect(self._on_session_told)

    @property
    def claim_id(self) -> int | None:
        """The selected claim of the current draft, or None."""
        return self._claim_id

    @property
    def hovered_id(self) -> int | None:
        """The claim under the pointer, in whichever view, or None."""
        return self._hovered_id

    @property
    def cue_index(self) -> int | None:
        """The selected cue of the track shown (file order), or None."""
        return self._cue_index

    def select_claim(self, claim_id: int | None) -> None:
        """Select a claim and the first cue of its match; None selects nothing."""
        claim = self._session.claim(claim_id) if claim_id is not None else None
        self._claim_id = claim.id if claim else None
        self._place = claim.outer.start if claim else 0
        match = self._session.match(claim.id) if claim else None
        if match is not None and match.track == self._session.shown_track_id:
            self._set_cue(match.evidence.cues[0])
        self.claim_changed.emit()

    def select_cue(self, cue_index: int) -> None:
        """Select a cue, and the first claim whose match touches it, where there is one."""
        self._set_cue(cue_index)
        if self._session.shown_track_id != self._session.reference_id:
            return
        touching = self._session.claims_at_cue(cue_index)
        if touching and self._claim_id not in touching:
            self._claim_id = touching[0]
            self._remember_place()
            self.claim_changed.emit()

    def hover(self, claim_id: int | None) -> None:
        """Say which claim is under the pointer."""
        if claim_id != self._hovered_id:
            self._hovered_id = claim_id
            self.hover_changed.emit()

    def next_to_do(self) -> None:
        """Select the next claim to do after the selected one, going round at the end."""
        to_do = self._session.to_do()
        if to_do:
            here = self._claim_id or 0
            self.select_claim(next((claim for claim in to_do if claim > here), to_do[0]))

    def previous_to_do(self) -> None:
        """Select the claim to do before the selected one, going round at the start."""
        to_do = self._session.to_do()
        if to_do:
            here = self._claim_id or 0
            self.select_claim(next((claim for claim in reversed(to_do) if claim < here), to_do[-1]))

    def next_claim(self) -> None:
        """Select the claim after the selected one, whatever its state."""
        self._step(1)

    def previous_claim(self) -> None:
        """Select the claim before the selected one, whatever its state."""
        self._step(-1)

    def _step(self, by: int) -> None:
        count = len(self._session.claims)
        if count:
            here = self._claim_id if self._claim_id is not None else (0 if by > 0 else count + 1)
            self.select_claim(max(1, min(count, here + by)))

    def _set_cue(self, cue_index: int) -> None:
        if cue_index != self._cue_index:
            self._cue_index = cue_index
            self.cue_changed.emit()

    def _remember_place(self) -> None:
        claim = self._session.claim(self._claim_id) if self._claim_id is not None else None
        self._place = claim.outer.start if claim else 0

    def _on_session_changed(self, changes: Changes) -> None:
        """Follow the claim at once, so that views redraw with the right one; they are told to show it afterwards."""
        if changes & (Changes.JOB | Changes.TRACKS):
            self._cue_index = None
        if Changes.SELECT in changes:
            self.hover(None)
            self._claim_id = self._session.suggested
            self._remember_place()
            self._has_news = True
        elif changes & (Changes.DRAFT | Changes.SWITCHED | Changes.JOB):
            self.hover(None)
            self._has_news |= self._hold_on()

    def _on_session_told(self) -> None:
        if self._has_news:
            self._has_news = False
            self.select_claim(self._claim_id)

    def _hold_on(self) -> bool:
        """Stay on the claim at the place where it was, and return whether its number is another one now."""
        place = self._session.moved(self._place)
        claims = self._session.claims
        here = next((claim for claim in claims if claim.outer.end > place), claims[-1] if claims else None)
        before = self._claim_id
        self._claim_id = here.id if here and before is not None else None
        self._remember_place()
        return before != self._claim_id
