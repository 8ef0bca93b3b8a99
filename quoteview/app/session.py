"""The session: the job under review, held as immutable values by one object that emits one signal.

Views connect to `changed` once, redraw from the properties (`SessionState`), keep no copy of the truth, and
call the verbs. Verbs return at once: nothing is hashed, read from or written to the disk in the GUI thread. A
resolution is written to the journal by a worker before any property shows it as done; until then `saving` is
WRITING and the claim keeps its state. Claims are named by their ids, which count from 1 in the order
of the current draft and change as the draft is edited; `Selection` follows them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from quoteview.app import loading
from quoteview.app import repairs as offers
from quoteview.app.board import EMPTY_BOARD
from quoteview.app.excerpts import excerpt_of
from quoteview.app.history import History, TextStep, text_step
from quoteview.app.jobs import Report
from quoteview.app.loading import Loaded
from quoteview.app.proposals import NewJob
from quoteview.app.session_acts import SessionActs
from quoteview.app.session_work import DRAFT_CHANGES
from quoteview.app.states import NOTHING, Alike, AlikeKind, Changes, ListedRepair, Outside, Phase, Repair, RepairKind
from quoteview.core.acts import Acknowledge, ChooseReference, ExceptionClass, ResolutionKind, Waive
from quoteview.core.checking import check_one
from quoteview.core.drafts import edits
from quoteview.core.drafts.draft import Claim, Draft, Patch, patched
from quoteview.core.errors import DraftError, UsageError
from quoteview.core.job import Job
from quoteview.core.labelling import Label
from quoteview.core.review import Review, rejudge_draft, rejudge_journal
from quoteview.core.verdicts import Verdict
from quoteview.fetching.changes import Change

_EVERYTHING = (
    DRAFT_CHANGES | Changes.JOB | Changes.TRACKS | Changes.SWITCHED | Changes.LOCK | Changes.SELECT | Changes.DRAFT_OUTSIDE
)
EditOf = Callable[[Draft, Claim], tuple[Patch, ...]]


class Session(SessionActs):
    """The one object that views observe and whose verbs they call."""

    def open(self, folder: Path) -> None:
        """Open a job in the background; what was open is closed first, its unsaved text kept for recovery."""
        self._open_with(partial(loading.load, folder), self.tr("opening and checking"))

    def open_read_only(self, folder: Path) -> None:
        """Open a job only to look at it, whoever has it open: nothing of it, nor beside it, is written."""
        self._open_with(partial(loading.look_at, folder), self.tr("opening and checking"))

    def open_for_editing(self) -> None:
        """Try to have the job that is open read-only for writing; where that fails it stays open as it is."""
        folder = self.folder
        if folder is None or not self.is_read_only:
            return

        def loaded(found: Loaded) -> None:
            self._leave(lambda: self._on_loaded(found))

        sentence = self.tr("opening and checking")
        self._work.run(partial(loading.load, folder), loaded, self._fail, sentence=sentence, name="open", let_go=_release)

    def open_sample(self) -> None:
        """Open a fresh copy of the sample job."""
        self._open_with(loading.load_sample, self.tr("opening the sample"))

    def new_job(self, proposal: NewJob) -> None:
        """Make a job in the background, lock its files, and open it."""
        self._open_with(partial(loading.create, proposal), self.tr("locking and checking"))

    def add_drafts(self, files: Sequence[Path]) -> None:
        """Add drafts to the job and switch to the first of them."""
        file = self._file
        if file is not None and self.may_change and files:
            first = len(file.job.drafts)
            self._write(lambda _report: file.add_drafts(files), lambda _job: self._reload(partial(self._on_added, first)))

    def ask_end_mark(self, mark: str, deliver: Callable[[], None], fail: Callable[[Exception], None]) -> None:
        """Say in what every draft of the job must end, "" for nothing; `deliver` is called once all are judged by it, `fail` with
        the error where it could not be written."""
        file, job = self._file, self.job
        if file is None or job is None or file.is_read_only or mark.strip() == job.policy.end_mark:
            deliver()
            return
        self._write(lambda _report: file.ask_end_mark(mark), lambda _job: self._reload(deliver), fail)

    def take_change(self, change: Change, deliver: Callable[[], None], fail: Callable[[Exception], None]) -> None:
        """Take what was found at the source as a further track, in the background; the locked ones stay as they are."""
        file = self._file
        if file is None or not self.may_change:
            return

        def taken(_job: Job) -> None:
            self._watch.watch(self._watched(file))
            self._reload(deliver)

        self._write(lambda _report: file.take(change), taken, fail)

    def close_job(self) -> None:
        """Close the job; unsaved text stays in its recovery file."""
        self._leave(lambda: None)

    def switch_draft(self, index: int) -> None:
        """Make another draft of the job current."""
        review, folder = self._review, self.folder
        if review is None or folder is None or index == self._index or not 0 <= index < len(review.drafts):
            return
        self._keep_unsaved()
        self._index = index
        self._settings.remember_draft(folder, review.job.drafts[index].path)
        self._last_patches = ()
        self._show(review)
        self._suggest_from(0)
        self._judge_gates()
        self._tell(DRAFT_CHANGES | Changes.SWITCHED | Changes.SELECT)

    def show_track(self, track_id: str) -> None:
        """Show another locked track in the transcript; the reference stays as it is."""
        if self.track(track_id) is not None and track_id != self._shown_track:
            self._shown_track = track_id
            self._tell(Changes.TRACKS)

    def set_reviewer(self, name: str) -> None:
        """Set and keep the name under which resolutions are recorded; an act that waited for it goes on."""
        self._settings.reviewer = name.strip()
        waiting, self._waiting = self._waiting, None
        self._tell(Changes.REVIEWER)
        if waiting is not None and name.strip():
            waiting()

    def cancel(self) -> None:
        """Stop the long work that runs."""
        self._work.cancel()

    def shut_down(self) -> None:
        """Finish writing and stop everything else, for the program's end; unsaved text goes to its recovery file."""
        file = self._file
        self._keep_unsaved()
        self._work.stop()
        self._writer.wait()
        self._writer.stop()
        self._remember()
        if file is not None:
            file.release()

    def edit(self, position: int, removed: int, inserted: str) -> None:
        """Replace document positions (UTF-16 units) of the current draft: what a `contentsChange` reports.

        Typing in one place without a pause is one step of undo.
        """
        if self._text is not None and self.may_change:
            patch = self._text.patch(position, removed, inserted)
            self._change(self.tr("typing"), (patch,), patch.start, typed_at_s=time.monotonic())

    def edit_claim(self, claim_id: int, text: str) -> None:
        """Replace a claim's text; where the draft does not allow it, `Changes.FAULT` says why."""
        self._edit_claim(claim_id, RepairKind.EDIT, self.tr("edit quotation"), lambda d, c: edits.replace_text(d, c, text))

    def apply(self, claim_id: int, repair: Repair) -> None:
        """Make a repair's edit, record it, check again, and suggest the next claim to do."""
        if repair.is_edit and self.may_change:
            if not repair.patches:
                self._fail(UsageError(self.tr("The draft does not allow this here. Edit the quotation instead.")))
                return
            self._named(lambda: self._resolve_by_edit((claim_id,), repair.kind, repair.label, repair.patches))

    def apply_safe_repairs(self, listed: Sequence[ListedRepair]) -> None:
        """Make several repairs in one step of undo and one journal entry."""
        patches = offers.apart([one.repair.patches for one in listed])
        if patches and self.may_change:
            name = self.tr("{count} safe repairs").format(count=len(listed))
            ids = tuple(one.claim for one in listed)
            kinds = {one.repair.kind for one in listed}
            kind = RepairKind.TIME if kinds == {RepairKind.TIME} else RepairKind.SOURCE_WORDS
            self._named(lambda: self._resolve_by_edit(ids, kind, name, patches))

    def use_source_words(self, claim_id: int) -> None:
        """Put the captions' words in the place of a claim's text."""
        self._apply_kind(claim_id, RepairKind.SOURCE_WORDS)

    def correct_time(self, claim_id: int, moment_ms: int | None = None) -> None:
        """Write the time of an occurrence (None: the nearest) in the draft's own notation, or insert it."""
        self._apply_kind(claim_id, RepairKind.TIME, moment_ms)

    def split(self, claim_id: int) -> None:
        """Split an elided quotation at the cut into two and write the second one's time."""
        self._apply_kind(claim_id, RepairKind.SPLIT)

    def narrow(self, claim_id: int) -> None:
        """Move the marks around the longest exact run."""
        self._apply_kind(claim_id, RepairKind.NARROW)

    def retract(self, claim_id: int, *, keep_words: bool) -> None:
        """Take the quote marks away and keep the words as paraphrase, or cut the whole span."""
        kind = RepairKind.RETRACT if keep_words else RepairKind.CUT_OUT
        self._edit_claim(claim_id, kind, self.tr("retract"), lambda d, c: edits.retract(d, c, keep_words))

    def preview(self, claim_id: int, text: str) -> Verdict | None:
        """Return the verdict a claim would have if its text were this one; None where it would be no claim any more."""
        claim, review = self.claim(claim_id), self._review
        if claim is None or review is None or review.reference is None or not text:
            return None
        tolerance_ms = review.job.policy.tolerance_ms
        return check_one(review.reference, replace(claim, text=text, is_closed=True), tolerance_ms=tolerance_ms)

    def save(self) -> None:
        """Write the current draft's text to its file, off the GUI thread; never over what another program wrote unasked."""
        file, index, text = self._file, self._index, self._bytes(self._index)
        if file is None or text is None or not self._is_judged:
            return  # until it is judged nothing can be typed, and it is not yet said whether another program wrote the file
        if index in self._outside and not self._outside[index].is_taken:
            self._tell(Changes.DRAFT_OUTSIDE)
            return
        expected = self._on_disk.get(index)
        self._write(lambda _report: file.save(index, text, expected), lambda _none: self._on_saved(index, text))

    def take_outside(self, draft_index: int) -> None:
        """Take the text that another program wrote; what stood here stays one undo away."""
        self._outside.pop(draft_index, None)
        content = self._on_disk.get(draft_index)
        if content is not None and draft_index == self._index:
            self._replace_all(content, self.tr("take the file's text"))
        elif content is not None and self._review is not None:
            self._review = rejudge_draft(self._review, draft_index, content)
            self._history = self._history.without_text_of(draft_index)
        self._tell(Changes.DRAFT_OUTSIDE | Changes.SAVING | Changes.HISTORY)

    def keep_mine(self, draft_index: int) -> None:
        """Keep the text here; the next save overwrites the other program's."""
        self._outside.pop(draft_index, None)
        self._tell(Changes.DRAFT_OUTSIDE | Changes.SAVING)

    def set_aside(self, claim_id: int, reason: str = "") -> None:
        """Record that a claim is not a quotation of this recording."""
        self._resolve((claim_id,), ResolutionKind.NOT_A_QUOTATION, self.tr("set aside"), reason=reason)

    def accept(self, claim_id: int, exception: ExceptionClass, reason: str) -> None:
        """Record an exception; the reason must not be empty."""
        self._resolve((claim_id,), ResolutionKind.ACCEPT, self.tr("accept"), reason=reason, exception=exception)

    def resolve_alike(self, alike: Alike, claims: Sequence[int], reason: str = "") -> None:
        """Do for the claims that stayed ticked what the group stands for, in one step of undo and one journal entry."""
        kept = [(claim, repair) for claim, repair in zip(alike.claims, alike.repairs, strict=True) if claim in claims]
        edited = [ListedRepair(claim, repair) for claim, repair in kept if repair is not None]
        recorded = tuple(claim for claim, repair in kept if repair is None)
        if edited:
            self.apply_safe_repairs(edited)
        elif recorded and alike.kind is AlikeKind.REOPENED_BY_SURROUNDINGS:
            self._reconfirm(recorded)
        elif recorded:
            self._resolve(recorded, ResolutionKind.NOT_A_QUOTATION, self.tr("set aside"), reason=reason)

    def acknowledge(self, gate: str, reason: str) -> None:
        """Record that a person saw what keeps a gate closed and lets it pass."""
        found = next((one for one in self._gates if one.name == gate), None)
        if found is not None and found.to_acknowledge:
            self._record(self.tr("acknowledge"), Acknowledge(gate, found.to_acknowledge, reason), None)

    def waive(self, track_id: str, reason: str) -> None:
        """Record that a track that could not be obtained is done without, by name."""
        self._record(self.tr("waive a track"), Waive(track_id, reason), None)

    def choose_reference(self, track_id: str, reason: str) -> None:
        """Record a person's choice of the reference track."""
        self._record(self.tr("choose the reference"), ChooseReference(track_id, reason), None)

    def prepare_label(self, deliver: Callable[[Label], None], fail: Callable[[Exception], None], key: Path | None = None) -> None:
        """Read everything from the disk again and judge every gate, in the background; nothing is written.

        `deliver` gets the label that would be given, `fail` the error that says which gates are closed.
        """
        folder, index, by = self.folder, self._index, self.reviewer
        if folder is not None and index >= 0:
            work = partial(loading.label, folder, index, by, key)
            self._work.run(work, deliver, fail, sentence=self.tr("judging every gate afresh"), name="label")

    def keep_label(self, label: Label, deliver: Callable[[Path], None]) -> None:
        """Write a label's bundle and record it in the journal; `deliver` gets the place of the bundle."""
        file = self._file
        if file is not None:
            self._serial += 1
            serial = self._serial
            self._write(lambda _report: file.keep_label(label, serial), lambda place: self._on_label_kept(place, deliver))

    def _on_label_kept(self, place: Path, deliver: Callable[[Path], None]) -> None:
        file, review = self._file, self._review
        if file is not None and review is not None:
            self._show(rejudge_journal(review, file.job))
        self._tell(Changes.LABEL | Changes.RESOLUTIONS)
        deliver(place)

    def undo(self) -> None:
        """Take the last act back; a recorded one by another journal entry."""
        self._replay(is_undo=True)

    def redo(self) -> None:
        """Do again what was undone last."""
        self._replay(is_undo=False)

    def _open_with(self, load: Callable[[Report], Loaded], sentence: str) -> None:
        def begin() -> None:
            self._phase = Phase.LOADING
            self._work.run(load, self._on_loaded, self._on_not_loaded, sentence=sentence, name="open", let_go=_release)
            self._tell(_EVERYTHING)

        self._leave(begin)

    def _leave(self, then: Callable[[], None]) -> None:
        """Close what is open, and go on once its writes are done and it is released; the last one asked for goes on."""
        self._keep_unsaved()
        self._remember()
        self._rest.stop()
        self._autosave.stop()
        for name in ("open", "check", "reload", "look", "read", "gates", "plant"):
            self._work.drop(name)
        file, self._file = self._file, None
        self._watch.watch(())
        self._phase, self._review, self._board, self._text, self._index = Phase.EMPTY, None, EMPTY_BOARD, None, -1
        self._on_disk, self._outside, self._gates, self._digests, self._offered = {}, {}, (), {}, {}
        self._history, self._shown_track, self._suggested, self._last_patches = History(), "", None, ()
        self._has_failed = self._is_judged = False
        self._then = then
        self._tell(_EVERYTHING)
        if file is not None and not file.is_read_only:
            self._is_leaving = True
            self._writer.run(lambda _report: file.release(), lambda _none: self._on_left(), self._on_not_left, sentence="")
        elif not self._is_leaving:
            self._on_left()

    def _on_left(self) -> None:
        self._is_leaving = False
        then, self._then = self._then, None
        if then is not None:
            then()

    def _on_not_left(self, error: Exception) -> None:
        self._fail(error)
        self._on_left()

    def _remember(self) -> None:
        folder, job = self.folder, self.job
        if folder is not None and job is not None and self._phase is Phase.READY:
            self._settings.remember_seen(folder, job.title, self.counts)

    def _on_loaded(self, loaded: Loaded) -> None:
        """Show the job as read, and judge it: until then every claim is to verify, and nothing can be done to one."""
        self._file, review = loaded.file, loaded.read
        self._on_disk = dict(enumerate(loaded.on_disk))
        self._settings.remember_job(loaded.file.folder)
        wanted = self._settings.last_draft(loaded.file.folder)
        paths = [record.path for record in review.job.drafts]
        self._index = paths.index(wanted) if wanted in paths else (0 if paths else -1)
        for index, (found, unsaved) in enumerate(zip(loaded.on_disk, loaded.unsaved, strict=True)):
            if found is not None and unsaved is not None:
                step = text_step(self.tr("unsaved text from last time"), index, found, unsaved.text, 0)
                self._history = self._history.with_step(step)
        self._adopt(review, is_judged=False)
        sentence = self.tr("checking the quotations")
        work, deliver = partial(loading.judge, review), partial(self._on_judged, loaded)
        self._work.run(work, deliver, self._on_not_judged, sentence=sentence, name="check")
        self._tell(_EVERYTHING)

    def _on_judged(self, loaded: Loaded, review: Review) -> None:
        for index, unsaved in enumerate(loaded.unsaved):
            if unsaved is not None and unsaved.has_conflict:
                self._outside[index] = Outside(index, review.job.drafts[index].path, False, True)
        self._adopt(review)
        self._suggest_from(0)
        self._watch.watch(self._watched(loaded.file))
        self._tell(_EVERYTHING & ~(Changes.SWITCHED | Changes.TRACKS))

    def _on_not_judged(self, error: Exception) -> None:
        """Close a job that could not be judged, or whose check was stopped: nothing half known stays open."""
        self._leave(lambda: None)
        self._on_not_loaded(error)

    def _on_not_loaded(self, error: Exception) -> None:
        self._phase = Phase.EMPTY
        self._fail(error)
        self._tell(_EVERYTHING)

    def _on_added(self, first: int) -> None:
        file, review = self._file, self._review
        if file is not None and review is not None:
            for index in range(first, len(review.drafts)):
                self._on_disk[index] = self._bytes(index)
            self._watch.watch(self._watched(file))
            self.switch_draft(first)

    def _apply_kind(self, claim_id: int, kind: RepairKind, moment_ms: int | None = None) -> None:
        for repair in self.repairs(claim_id):
            if repair.kind is kind and moment_ms in (None, repair.moment_ms):
                self.apply(claim_id, repair)
                return

    def _edit_claim(self, claim_id: int, kind: RepairKind, name: str, edit: EditOf) -> None:
        draft, claim = self.draft, self.claim(claim_id)
        if draft is None or claim is None or not self.may_change:
            return
        part = excerpt_of(draft, claim)
        try:
            made = edit(part.draft, part.claim)
        except DraftError as error:
            self._fail(error)
            return
        patches = tuple(Patch(one.start + part.start, one.end + part.start, one.replacement) for one in made)
        self._named(lambda: self._resolve_by_edit((claim_id,), kind, name, patches))

    def _replay(self, *, is_undo: bool) -> None:
        steps = self._history.done if is_undo else self._history.undone
        if not steps or not self.may_change:
            return
        step = steps[-1]
        if step.draft != self._index and step.draft >= 0:
            self.switch_draft(step.draft)
        self._history = self._history.undo() if is_undo else self._history.redo()
        if isinstance(step, TextStep):
            content = self._bytes(self._index)
            if content is not None:
                patch = step.backward if is_undo else step.forward
                self._set_text(patched(content, (patch,)), (patch,))
        self._write_again(step, is_undo=is_undo)
        self._suggest_at(step.place)
        self._tell(DRAFT_CHANGES | (Changes.SELECT if step.place >= 0 else NOTHING))

    def _on_saved(self, index: int, text: bytes) -> None:
        self._on_disk[index] = text
        self._tell(Changes.SAVING | Changes.DRAFT_OUTSIDE)

    def _follow_outside(self, index: int) -> None:
        self.take_outside(index)


def _release(loaded: Loaded) -> None:
    loaded.file.release()
