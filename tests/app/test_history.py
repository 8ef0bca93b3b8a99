from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.app.history import History, RecordStep, TextStep, text_step
from quoteview.core.acts import Waive
from quoteview.core.drafts.draft import patched


def typed(draft: bytes, at: int, character: bytes, when_s: float) -> TextStep:
    return text_step("typing", 0, draft, draft[:at] + character + draft[at:], at, typed_at_s=when_s)


def test_typing_in_one_place_is_one_step() -> None:
    history = History().with_step(typed(b"ab", 2, b"c", 1.0)).with_step(typed(b"abc", 3, b"d", 1.3))
    assert len(history.done) == 1
    step = history.done[0]
    assert isinstance(step, TextStep)
    assert patched(b"ab", [step.forward]) == b"abcd"
    assert patched(b"abcd", [step.backward]) == b"ab"


def test_typing_after_a_pause_or_elsewhere_is_another_step() -> None:
    first = History().with_step(typed(b"ab", 2, b"c", 1.0))
    assert len(first.with_step(typed(b"abc", 3, b"d", 9.0)).done) == 2
    assert len(first.with_step(typed(b"abc", 0, b"d", 1.1)).done) == 2


def test_a_repair_is_never_joined_with_typing() -> None:
    history = (
        History().with_step(typed(b"ab", 2, b"c", 1.0)).with_step(text_step("Move the comma outside", 0, b"abc", b"abcd", 3))
    )
    assert [step.name for step in history.done] == ["typing", "Move the comma outside"]


def test_backspacing_what_was_just_typed_shortens_the_step() -> None:
    history = History().with_step(typed(b"ab", 2, b"x", 1.0)).with_step(text_step("typing", 0, b"abx", b"ab", 0, typed_at_s=1.2))
    step = history.done[-1]
    assert isinstance(step, TextStep)
    assert patched(b"ab", [step.forward]) == b"ab"


def test_backspacing_on_joins_backwards() -> None:
    history = History().with_step(text_step("typing", 0, b"abcd", b"abc", 0, typed_at_s=1.0))
    history = history.with_step(text_step("typing", 0, b"abc", b"ab", 0, typed_at_s=1.2))
    assert len(history.done) == 1
    step = history.done[0]
    assert isinstance(step, TextStep)
    assert patched(b"ab", [step.backward]) == b"abcd"


def test_a_new_step_forgets_what_was_undone() -> None:
    history = History().with_step(RecordStep("Set aside", 0, Waive("x", "y"), 3, 1)).undo()
    assert (history.undo_name, history.redo_name) == ("", "Set aside")
    assert history.with_step(typed(b"", 0, b"a", 0)).redo_name == ""


def test_text_that_came_from_outside_takes_its_drafts_steps_away() -> None:
    history = History().with_step(text_step("a", 0, b"", b"a", 0)).with_step(text_step("b", 1, b"", b"a", 0))
    assert [step.name for step in history.without_text_of(0).done] == ["b"]


@settings(deadline=None)
@given(st.binary(max_size=20), st.binary(max_size=20))
def test_a_step_there_and_back_is_identity(before: bytes, after: bytes) -> None:
    step = text_step("x", 0, before, after, 0)
    assert patched(before, [step.forward]) == after
    assert patched(after, [step.backward]) == before


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["x", "é", "", "\n"])), max_size=12))
def test_any_typing_undone_step_by_step_is_identity(keys: list[tuple[int, str]]) -> None:
    draft, history = "abé“".encode(), History()
    start = draft
    for number, (at, typed_text) in enumerate(keys):
        text = draft.decode()
        at = min(at, len(text))
        after = (text[:at] + typed_text + text[at:] if typed_text else text[: max(0, at - 1)] + text[at:]).encode()
        if after != draft:
            history = history.with_step(text_step("typing", 0, draft, after, 0, typed_at_s=number * 0.1))
        draft = after
    end = draft
    while history.done:
        step = history.done[-1]
        assert isinstance(step, TextStep)
        draft = patched(draft, [step.backward])
        history = history.undo()
    assert draft == start
    while history.undone:
        step = history.undone[-1]
        assert isinstance(step, TextStep)
        draft = patched(draft, [step.forward])
        history = history.redo()
    assert draft == end
