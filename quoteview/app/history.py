"""The history: what was done, so that it can be taken back and done again, typing and resolving alike.

A step of text is kept as the bytes it replaced, so undo then redo is the identity on the draft's bytes.
Typing without a pause in one place is one step. A recorded step is undone by another journal entry, and
done again by recording anew: the journal only grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from quoteview.core.acts import Act
from quoteview.core.drafts.draft import Patch

_MOST_STEPS = 2_000
"""Some hours of work; a step of typing holds only the bytes that changed."""


@dataclass(frozen=True, slots=True)
class TextStep:
    """Bytes of one draft replaced: from `start`, `removed` became `inserted`. `place` is where in the draft to return to.

    `typed_at_s` is when the last key of typed text was pressed, None for anything else. `act` is what the
    journal holds of it, made when it is written; None for typing.
    """

    name: str
    draft: int
    start: int
    removed: bytes
    inserted: bytes
    place: int
    typed_at_s: float | None = None
    act: Callable[[], Act] | None = None
    serial: int = 0

    @property
    def forward(self) -> Patch:
        """The change itself."""
        return Patch(self.start, self.start + len(self.removed), self.inserted)

    @property
    def backward(self) -> Patch:
        """The change that takes it back."""
        return Patch(self.start, self.start + len(self.inserted), self.removed)


@dataclass(frozen=True, slots=True)
class RecordStep:
    """A journal entry about a draft. `serial` names it to the worker that wrote it; `place` is where to return to."""

    name: str
    draft: int
    act: Act
    place: int
    serial: int


Step = TextStep | RecordStep


@dataclass(frozen=True, slots=True)
class History:
    """Steps that can be undone, oldest first, and those that can be done again, the next one last. Immutable."""

    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    @property
    def undo_name(self) -> str:
        """What undo would take back, "" where nothing."""
        return self.done[-1].name if self.done else ""

    @property
    def redo_name(self) -> str:
        """What redo would do again, "" where nothing."""
        return self.undone[-1].name if self.undone else ""

    def with_step(self, step: Step) -> History:
        """Return the history after a step; what was undone before is forgotten, and typing in one place is joined."""
        if self.done and (joined := _joined(self.done[-1], step)) is not None:
            return History((*self.done[:-1], joined))
        return History((*self.done[-_MOST_STEPS + 1 :], step))

    def undo(self) -> History:
        """Return the history after undoing; raises IndexError where nothing can be."""
        return History(self.done[:-1], (*self.undone, self.done[-1]))

    def redo(self) -> History:
        """Return the history after doing again; raises IndexError where nothing can be."""
        return History((*self.done, self.undone[-1]), self.undone[:-1])

    def without_text_of(self, draft: int) -> History:
        """Return the history without one draft's steps of text: they no longer fit bytes that came from outside."""
        return History(
            tuple(step for step in self.done if not (isinstance(step, TextStep) and step.draft == draft)),
            tuple(step for step in self.undone if not (isinstance(step, TextStep) and step.draft == draft)),
        )


def text_step(
    name: str,
    draft: int,
    before: bytes,
    after: bytes,
    place: int,
    *,
    typed_at_s: float | None = None,
    act: Callable[[], Act] | None = None,
    serial: int = 0,
) -> TextStep:
    """Return the smallest step that turns the bytes before into those after."""
    limit = min(len(before), len(after))
    start = _common(before, after, limit)
    tail = _common(before[::-1], after[::-1], limit - start)
    removed, inserted = before[start : len(before) - tail], after[start : len(after) - tail]
    return TextStep(name, draft, start, removed, inserted, place, typed_at_s, act, serial)


def _common(one: bytes, other: bytes, limit: int) -> int:
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


_PAUSE_S = 1.5
"""After a pause this long, what is typed next is a step of its own."""


def _joined(last: Step, step: Step) -> TextStep | None:
    """Return two steps of typing as one where they are next to each other in place and time, else None."""
    if not isinstance(last, TextStep) or not isinstance(step, TextStep) or last.draft != step.draft:
        return None
    if last.typed_at_s is None or step.typed_at_s is None or step.typed_at_s - last.typed_at_s > _PAUSE_S:
        return None
    if b"\n" in step.inserted:
        return None
    if step.start == last.start + len(last.inserted) and not step.removed:
        return replace(last, inserted=last.inserted + step.inserted, typed_at_s=step.typed_at_s)
    is_backspace = not step.inserted and step.start + len(step.removed) == last.start + len(last.inserted)
    if is_backspace and len(step.removed) <= len(last.inserted):
        return replace(last, inserted=last.inserted[: -len(step.removed)], typed_at_s=step.typed_at_s)
    if is_backspace and not last.inserted:
        return replace(last, start=step.start, removed=step.removed + last.removed, typed_at_s=step.typed_at_s)
    return None
