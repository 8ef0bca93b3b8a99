"""The session's workers: what keeps its values up with what is typed, with the gates and with the disk.

Everything slow happens in a worker and comes back as a value, which is dropped where it is about a text or a
journal that is no longer the current one. One thread writes, in the order asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer

from quoteview.app import loading
from quoteview.app.board import EMPTY_BOARD, Board
from quoteview.app.excerpts import SHORT_BYTES
from quoteview.app.jobfile import ChangedOutside, JobFile
from quoteview.app.jobs import Jobs, Report
from quoteview.app.loading import Seen
from quoteview.app.provisional import judged_near
from quoteview.app.session_state import SessionState
from quoteview.app.settings import Settings
from quoteview.app.states import NOTHING, Changes, Outside, Phase, Progress
from quoteview.app.text_positions import DraftText
from quoteview.app.watching import FileWatch
from quoteview.core.drafts.draft import Patch
from quoteview.core.errors import Cancelled
from quoteview.core.gates import GATES, Gate
from quoteview.core.review import Review, rejudge_draft, rejudge_journal

_AUTOSAVE_MS = 1_200
"""Unsaved text reaches its recovery file this long after the last key."""

_REST_MS = 600
"""The draft is read whole and the gates are judged again this long after the last change: typing runs no gate."""

TRACK_GATES = 4
"""Lock, inventory, lossless and order: no draft bears on them."""

DRAFT_CHANGES = Changes.DRAFT | Changes.VERDICTS | Changes.RESOLUTIONS | Changes.GATES | Changes.SAVING | Changes.HISTORY
Written = TypeVar("Written")


class SessionWork(SessionState):
    """The session with its workers; its verbs are in `Session`."""

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(settings, parent)
        self._work = Jobs(2, self)
        self._writer = Jobs(1, self, after_painting=True)
        self._watch = FileWatch(self)
        self._rest = _timer(_REST_MS, self._settle, self)
        self._autosave = _timer(_AUTOSAVE_MS, self._keep_unsaved, self)
        self._is_provisional = False
        self._is_judged = False
        self._watch.touched.connect(self.look_outside)
        self._work.progressed.connect(lambda: self._tell(Changes.PROGRESS))
        self._writer.progressed.connect(lambda: self._tell(Changes.SAVING))

    def _reload(self, then: Callable[[], None]) -> None:
        folder, review = self.folder, self._review
        if folder is not None and review is not None:
            work = partial(loading.reload, folder, review)
            deliver = partial(self._on_reloaded, then)
            self._work.run(work, deliver, self._fail, sentence=self.tr("checking everything again"), name="reload")

    def _on_reloaded(self, then: Callable[[], None], fresh: Review) -> None:
        now = self._review
        if now is None:
            return
        self._adopt(fresh if self.is_read_only else loading.caught_up(fresh, now))  # what others record is seen only read-only
        then()
        self._tell(DRAFT_CHANGES | Changes.JOB | Changes.TRACKS | Changes.LOCK)

    def _adopt(self, review: Review, *, is_judged: bool = True) -> None:
        """Take a review that was made from the disk: phase, digests, track shown and gates follow it."""
        known = Phase.READY if is_judged else Phase.CHECKING
        self._phase = known if review.is_lock_whole else Phase.LOCK_BROKEN
        broken = {fault.file: fault.observed for fault in review.material.broken}
        self._digests = {
            record.lock.file: broken.get(record.lock.file, record.lock.sha256) for record in review.job.locked if record.lock
        }
        self._last_patches, self._is_provisional, self._is_judged = (), False, is_judged
        self._show(review)
        if self.track(self._shown_track) is None:
            self._shown_track = review.choice.track_id
        self._judge_gates()

    def _watched(self, file: JobFile) -> list[Path]:
        locks = [record.lock.file for record in file.job.locked if record.lock]
        return [*(file.draft_path(index) for index in range(len(file.job.drafts))), *(file.folder / lock for lock in locks)]

    def recheck(self) -> None:
        """Hash every locked file again and judge all gates afresh, in the background."""
        if self._review is not None and self._is_judged:
            self._digests = {}
            self._reload(lambda: None)

    def look_outside(self) -> None:
        """Look in the background whether another program changed a draft or a locked file."""
        folder = self.folder
        if folder is not None and self._is_judged and self._phase in (Phase.READY, Phase.LOCK_BROKEN):
            self._work.run(partial(loading.look, folder), self._on_looked, self._on_not_looked, sentence="", name="look")

    def _on_not_looked(self, error: Exception) -> None:
        """Show no gate as open where the job cannot be read any more: its folder is gone, or another has its name."""
        self._gates = ()
        self._work.drop("gates")
        self._tell(Changes.GATES)
        self._fail(error)

    def _on_looked(self, seen: Seen) -> None:
        review = self._review
        if review is None:
            return
        changes = NOTHING
        for index, content in enumerate(seen.drafts[: len(review.drafts)]):
            changes |= self._on_draft_seen(index, content)
        known = [(fault.file, fault.observed) for fault in review.material.broken]
        if [(fault.file, fault.observed) for fault in seen.broken] != known:
            self.recheck()
        elif not self._gates:  # it could not be read when it was looked at last
            self._judge_gates()
        file = self._file
        if changes and file is not None:
            self._watch.watch(self._watched(file))
        self._tell(changes)

    def _on_draft_seen(self, index: int, content: bytes | None) -> Changes:
        """Follow one draft's file: text that nobody changed here follows it, changed text is never touched unasked."""
        if content == self._on_disk.get(index):
            return NOTHING
        was_unsaved = self._is_unsaved(index)
        self._on_disk[index] = content
        if self.is_read_only and content is not None:
            return self._show_as_on_disk(index, content)
        path = self._review.job.drafts[index].path if self._review else ""
        mine = self._bytes(index)
        if content == mine:
            self._outside.pop(index, None)
        elif content is None:
            self._outside[index] = Outside(index, path, is_gone=True, has_conflict=was_unsaved)
        elif was_unsaved and mine is not None:
            self._outside[index] = Outside(index, path, is_gone=False, has_conflict=True)
        else:
            self._follow_outside(index)
            self._outside[index] = Outside(index, path, is_gone=False, has_conflict=False, is_taken=True)
        return Changes.DRAFT_OUTSIDE | Changes.SAVING

    def _show_as_on_disk(self, index: int, content: bytes) -> Changes:
        """Follow a draft's file where nothing is changed here; there is nothing to undo."""
        self._outside.pop(index, None)
        if index == self._index:
            self._set_text(content, ())
        elif self._review is not None:
            self._review = rejudge_draft(self._review, index, content)
        return DRAFT_CHANGES | Changes.DRAFT_OUTSIDE

    def _show(self, review: Review) -> None:
        """Make a review the current one, with the current draft's board and text."""
        self._review = review
        self._offered = {}
        has_draft = 0 <= self._index < len(review.drafts)
        self._board = Board(review.drafts[self._index]).after(self._board) if has_draft else EMPTY_BOARD
        content = self._bytes(self._index) if self._index >= 0 else None
        if content is None:
            self._text = None
        elif self._text is None or self._text.draft_bytes != content:
            self._text = _text_of(content)
            self._revision += 1

    def _set_text(self, content: bytes, patches: tuple[Patch, ...]) -> None:
        """Give the current draft other bytes: judged at once, provisionally where it is long."""
        review = self._review
        if review is None:
            return
        near = judged_near(review, self._index, content, patches) if len(content) > SHORT_BYTES else None
        self._is_provisional = near is not None
        self._last_patches = patches
        self._show(near or rejudge_draft(review, self._index, content))
        self._gates = self._gates[:TRACK_GATES]
        for name in ("read", "gates", "plant"):
            self._work.drop(name)
        self._rest.start()
        self._autosave.start()

    def _settle(self) -> None:
        """Read a long draft whole again after typing, then judge the gates."""
        review, index, content = self._review, self._index, self._bytes(self._index)
        if review is None or content is None:
            return
        if self._is_provisional:
            work: Callable[[Report], Review] = lambda _report: rejudge_draft(review, index, content)  # noqa: E731
            self._work.run(work, partial(self._on_read, content), self._fail, sentence="", name="read")
        else:
            self._judge_gates()

    def _on_read(self, content: bytes, whole: Review) -> None:
        if self._review is None or self._bytes(self._index) != content:
            return
        now = self._review
        self._is_provisional = False
        self._last_patches = ()
        drafts = (*now.drafts[: self._index], whole.drafts[self._index], *now.drafts[self._index + 1 :])
        self._show(rejudge_journal(replace(now, drafts=drafts), now.job))
        self._judge_gates()
        self._tell(Changes.VERDICTS | Changes.RESOLUTIONS | Changes.DRAFT)

    def _judge_gates(self) -> None:
        """Judge the gates in the background, the self-test last; a gate that is being judged is not shown."""
        review, index = self._review, self._index
        self._rest.stop()
        if review is None or index < 0 or not self._is_judged:
            self._gates = review.track_gates if review is not None else ()
            return
        if self._is_provisional:
            self._rest.start()
            return

        def judge(_report: Report) -> tuple[Review, tuple[Gate, ...]]:
            fresh = rejudge_journal(review, review.job)
            found = fresh.gates_for(index)
            is_last_to_come = fresh.is_plantable(index) and fresh.planting(index) is None
            return fresh, found[:-1] if is_last_to_come else found

        self._work.run(judge, partial(self._on_gates, review), self._fail, sentence="", name="gates")

    def _on_gates(self, asked: Review, judged: tuple[Review, tuple[Gate, ...]]) -> None:
        fresh, gates = judged
        if self._review is not asked:
            return
        self._review = fresh
        self._gates = gates
        self._tell(Changes.GATES)
        if len(gates) < len(GATES) and self._phase is Phase.READY:
            work = partial(loading.planted, fresh, self._index)
            done = partial(self._on_planted, fresh)
            self._work.run(work, done, self._fail, sentence=self.tr("testing the check on this job"), name="plant")

    def _on_planted(self, asked: Review, judged: Review) -> None:
        now = self._review
        if now is None:
            return
        self._review = replace(now, planted={**now.planted, **judged.planted})
        if now is asked:
            self._judge_gates()

    def _write(
        self,
        work: Callable[[Report], Written],
        deliver: Callable[[Written], None],
        fail: Callable[[Exception], None] | None = None,
    ) -> None:
        """Do a write in the one thread that writes, in the order asked for. Without `fail` the window says what went wrong."""
        if self.is_read_only:
            return

        def done(result: Written) -> None:
            self._has_failed = False
            deliver(result)

        self._writer.run(work, done, fail or self._on_not_written, sentence="")  # which tells by itself that it is saving

    def _on_not_written(self, error: Exception) -> None:
        self._has_failed = not isinstance(error, ChangedOutside)
        self._fail(error)
        self.look_outside()

    def _keep_unsaved(self) -> None:
        """Put unsaved text into its recovery file."""
        file, index, text = self._file, self._index, self._bytes(self._index) if self._index >= 0 else None
        # Before it is judged, its recovery file is the one that it was read from, and stays as it is.
        is_known = self._is_judged and not self.is_read_only
        if file is not None and text is not None and is_known and self._autosave.isActive() | self._is_unsaved(index):
            self._autosave.stop()
            base = self._on_disk.get(index)
            self._writer.run(lambda _report: file.keep(index, text, base), lambda _none: None, self._fail, sentence="")

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._fault = error
            self._tell(Changes.FAULT)

    def _named(self, act: Callable[[], None]) -> None:
        """Do an act that is recorded, once it is known who does it."""
        if self.is_read_only:
            return
        if self.reviewer:
            act()
        else:
            self._waiting = act
            self._tell(Changes.REVIEWER)

    def _reference_sha256(self) -> str:
        review = self._review
        record = review.job.track(review.choice.track_id) if review is not None else None
        return record.lock.sha256 if record is not None and record.lock else ""

    def _draft_path(self) -> str:
        review = self._review
        return review.job.drafts[self._index].path if review is not None and self._index >= 0 else ""

    def _tell(self, changes: Changes) -> None:
        if changes:
            self._stamp += bool(changes & ~(Changes.PROGRESS | Changes.SAVING))
            self.changed.emit(changes)
            self.told.emit()

    def _is_writing(self) -> bool:
        return not self._writer.is_idle

    def _is_idle(self) -> bool:
        return self._work.is_idle and not self._rest.isActive()

    def _running(self) -> Progress | None:
        return self._work.progress

    def _follow_outside(self, index: int) -> None:
        raise NotImplementedError


def _text_of(content: bytes) -> DraftText | None:
    try:
        return DraftText(content)
    except UnicodeDecodeError:
        return None


def _timer(interval_ms: int, slot: Callable[[], None], parent: QObject) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(slot)
    return timer
