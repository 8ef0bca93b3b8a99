"""How an act of the reviewer changes what the session holds: the draft's text, the history, the journal, what is next.

Text changes at once and its journal entry follows; an act that is only recorded changes nothing until the journal
has it. Every act has a serial number, by which undo finds its entry. After each act a claim to do is suggested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from quoteview.app.history import RecordStep, Step, TextStep, text_step
from quoteview.app.jobs import Report
from quoteview.app.session_work import DRAFT_CHANGES, TRACK_GATES, SessionWork
from quoteview.app.settings import Settings
from quoteview.app.states import Changes, RepairKind
from quoteview.core.acts import Act, ExceptionClass, ResolutionKind
from quoteview.core.drafts.draft import Patch, patched
from quoteview.core.errors import UsageError
from quoteview.core.job import Job
from quoteview.core.resolving import resolution_of
from quoteview.core.review import Review, rejudge_journal

_KINDS = {
    RepairKind.SOURCE_WORDS: ResolutionKind.SOURCE_WORDS,
    RepairKind.MARK_OUT: ResolutionKind.SOURCE_WORDS,
    RepairKind.TIME: ResolutionKind.CORRECT_TIME,
    RepairKind.SPLIT: ResolutionKind.SPLIT,
    RepairKind.NARROW: ResolutionKind.NARROW,
    RepairKind.CLOSE: ResolutionKind.EDIT,
    RepairKind.EDIT: ResolutionKind.EDIT,
    RepairKind.RETRACT: ResolutionKind.RETRACT,
    RepairKind.CUT_OUT: ResolutionKind.RETRACT,
}


class SessionActs(SessionWork):
    """The session with what its acts do; the verbs that views call are in `Session`."""

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(settings, parent)
        self._serial = 0

    def _change(
        self,
        name: str,
        patches: Sequence[Patch],
        place: int,
        *,
        typed_at_s: float | None = None,
        act: Callable[[], Act] | None = None,
        is_quiet: bool = False,
    ) -> bool:
        """Change the current draft's text in one step of undo; return whether anything changed. `is_quiet` tells nobody."""
        before = self._bytes(self._index)
        if before is None or self._review is None or self.is_read_only:
            return False
        after = patched(before, patches)
        if after == before:
            return False
        self._serial += 1
        step = text_step(name, self._index, before, after, place, typed_at_s=typed_at_s, act=act, serial=self._serial)
        self._history = self._history.with_step(step)
        self._set_text(after, tuple(sorted(patches)))
        if not is_quiet:
            self._tell(DRAFT_CHANGES)
        return True

    def _replace_all(self, content: bytes, name: str) -> None:
        before = self._bytes(self._index)
        if before is not None and before != content:
            step = text_step(name, self._index, before, content, 0)
            self._change(name, (step.forward,), step.start)

    def _resolve_by_edit(self, ids: tuple[int, ...], kind: RepairKind, name: str, patches: Sequence[Patch]) -> None:
        """Change the draft, record in the journal what was done to which claims, and suggest what to do next."""
        first = self.claim(ids[0])
        if first is None:
            return
        place, total = first.outer.start, len(self.claims)
        act = partial(resolution_of, self.claims, ids, _KINDS[kind])  # made by the worker: it looks at every claim
        if self._change(name, patches, place, act=act, is_quiet=True):
            serial = self._serial
            is_gone = len(self.claims) < total
            self._suggest_from(self.moved(place), stays=len(ids) == 1 and not is_gone)
            self._tell(DRAFT_CHANGES | Changes.SELECT)  # at once, so that every view is drawn but one time
            self._append(act, serial)

    def _resolve(
        self,
        ids: tuple[int, ...],
        kind: ResolutionKind,
        name: str,
        *,
        reason: str = "",
        exception: ExceptionClass | None = None,
    ) -> None:
        if self.may_change and all(self.claim(claim_id) is not None for claim_id in ids):
            try:
                act = resolution_of(self.claims, ids, kind, exception=exception, reason=reason)
            except UsageError as error:
                self._fail(error)
                return
            self._record(name, act, max(ids))

    def _reconfirm(self, ids: tuple[int, ...]) -> None:
        """Record again, as it was, what only the words around some claims reopened; one entry for each way they were resolved."""
        ways: dict[tuple[ResolutionKind, ExceptionClass | None, str, str], list[int]] = {}
        for claim_id in ids:
            lost = self._board.reopened(claim_id)
            if lost is not None:
                was = lost.resolution
                ways.setdefault((was.kind, was.exception_class, was.reason, was.passage), []).append(claim_id)
        for (kind, exception, reason, passage), claims in ways.items():
            act = resolution_of(self.claims, claims, kind, exception=exception, reason=reason, passage=passage)
            self._record(self.tr("reconfirm"), act, max(claims))

    def _record(self, name: str, act: Act, claim_id: int | None) -> None:
        if self._is_judged:
            self._named(lambda: self._record_named(name, act, claim_id))

    def _record_named(self, name: str, act: Act, claim_id: int | None) -> None:
        claim = self.claim(claim_id) if claim_id is not None else None
        place = claim.outer.start if claim is not None else -1
        self._serial += 1
        step = RecordStep(name, self._index, act, place, self._serial)

        def done(review: Review) -> None:
            self._history = self._history.with_step(step)
            self._on_recorded(review, claim.id if claim is not None else None)

        self._write_act(act, self._serial, done)

    def _write_act(self, act: Act | None, serial: int, deliver: Callable[[Review], None]) -> None:
        """Record an act, or with None the withdrawal of an earlier one, and judge in the same worker what stands by it."""
        file, review = self._file, self._review
        by, track, draft = self.reviewer, self._reference_sha256(), self._draft_path()
        if file is None or review is None:
            return

        def write(_report: Report) -> Review:
            if act is None:
                job = file.withdraw(serial, by=by, track=track, draft=draft)
            else:
                job = file.record(act, serial, by=by, track=track, draft=draft)
            return rejudge_journal(review, job)

        def done(judged: Review) -> None:
            now = self._review
            if now is not None:
                deliver(judged if now is review else rejudge_journal(now, judged.job))

        self._write(write, done)

    def _append(self, act: Callable[[], Act], serial: int) -> None:
        """Record what was done to the draft: history, by which no claim's standing changes."""
        file, by, track, draft = self._file, self.reviewer, self._reference_sha256(), self._draft_path()
        if file is not None:
            self._write(lambda _report: file.record(act(), serial, by=by, track=track, draft=draft), self._on_appended)

    def _on_appended(self, job: Job) -> None:
        review = self._review
        if review is not None:
            self._review = replace(review, material=replace(review.material, job=job, record=job.journal.record))
            self._gates = self._gates[:TRACK_GATES]
            self._rest.start()
            self._tell(Changes.GATES)

    def _on_recorded(self, judged: Review, claim_id: int | None) -> None:
        before = self.reference_id
        self._last_patches = ()
        self._show(judged)
        self._gates = self._gates[:TRACK_GATES]
        self._judge_gates()
        changes = Changes.RESOLUTIONS | Changes.VERDICTS | Changes.GATES | Changes.HISTORY | Changes.SAVING
        if self.reference_id != before:
            self._shown_track = self.reference_id
            changes |= Changes.TRACKS
        if claim_id is not None:
            self._suggest_after(claim_id)
            changes |= Changes.SELECT
        self._tell(changes)

    def _write_again(self, step: Step, *, is_undo: bool) -> None:
        """Record that a step was taken back, or made again."""
        match step:
            case RecordStep():
                self._write_act(None if is_undo else step.act, step.serial, lambda judged: self._on_recorded(judged, None))
            case TextStep(act=None):
                return
            case TextStep(act=act) if act is not None:
                if is_undo:
                    file, by, track, draft = self._file, self.reviewer, self._reference_sha256(), self._draft_path()
                    if file is not None:
                        serial = step.serial
                        self._write(lambda _report: file.withdraw(serial, by=by, track=track, draft=draft), self._on_appended)
                else:
                    self._append(act, step.serial)

    def _suggest_from(self, place: int, *, stays: bool = False) -> None:
        """Suggest the first claim to do at or behind a byte, going round; with `stays` the very claim there, if it is to do."""
        to_do = self.to_do()
        behind = [claim_id for claim_id in to_do if (c := self.claim(claim_id)) and c.outer.start >= place]
        if stays and behind:
            here = next((c.id for c in self.claims if c.outer.start >= place), None)
            self._suggested = here if here == behind[0] else behind[0]
        else:
            self._suggested = next(iter((*behind, *to_do)), None)

    def _suggest_after(self, claim_id: int) -> None:
        to_do = self.to_do()
        self._suggested = next((one for one in to_do if one > claim_id), to_do[0] if to_do else None)

    def _suggest_at(self, place: int) -> None:
        """Suggest the claim at a byte, whatever its state: where an undone act was."""
        at = next((claim.id for claim in self.claims if claim.outer.end > place), None)
        self._suggested = at if at is not None else (len(self.claims) or None)
