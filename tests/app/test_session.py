"""The session as views use it: what it shows after each verb, and what lies on the disk then."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from quoteview.app.session import Session
from quoteview.app.states import AlikeKind, Changes, ClaimState, Phase, RepairKind, Saving
from quoteview.core.acts import ExceptionClass, ResolutionKind, Resolve, Withdraw
from quoteview.core.errors import UsageError
from quoteview.core.store import open_job as open_on_disk
from quoteview.core.verdicts import VerdictKind

DRAFT = (
    "He said “the mill is shut” (0:05) and “it didn’t open” (0:10), then “the tide” and “never said this at all” (0:20).\n"
).encode()
OpenJob = Callable[..., Session]
Settle = Callable[[Session], None]


def draft_file(session: Session) -> Path:
    folder, job = session.folder, session.job
    assert folder is not None
    assert job is not None
    return folder / job.drafts[session.draft_index].path


def text(session: Session) -> bytes:
    assert session.text is not None
    return session.text.draft_bytes


def acts(session: Session) -> list[object]:
    assert session.folder is not None
    return [entry.act for entry in open_on_disk(session.folder).job.journal.entries]


def states(session: Session) -> list[ClaimState]:
    return [session.state(claim.id) for claim in session.claims]


def position(session: Session, words: str) -> int:
    assert session.text is not None
    return session.text.position_of_byte(text(session).index(words.encode()))


def test_opening_judges_every_claim_and_suggests_the_first_to_do(open_job: OpenJob) -> None:
    session = open_job(DRAFT)
    assert states(session) == [ClaimState.EXACT, ClaimState.TO_DO, ClaimState.TO_DO, ClaimState.TO_DO]
    assert session.suggested == 2
    assert session.counts.to_do == 3
    assert session.saving is Saving.SAVED


def test_gates_are_judged_in_the_background_and_the_self_test_last(open_job: OpenJob, settle: Settle) -> None:
    session = open_job(DRAFT)
    settle(session)
    assert [gate.name for gate in session.gates] == ["lock", "inventory", "lossless", "order", "complete", "quotes", "checker"]
    assert session.label_refusal == "3 to do."


def test_a_repair_turns_the_claim_green_and_goes_to_the_next(open_job: OpenJob, settle: Settle) -> None:
    session = open_job(DRAFT)
    repair = session.first_repair(2)
    assert repair is not None
    assert (repair.kind, repair.is_safe) == (RepairKind.SOURCE_WORDS, True)
    assert (repair.before, repair.after) == ("“it didn’t open”", "“it didn't open”")
    session.apply(2, repair)
    assert session.state(2) is ClaimState.EXACT
    assert session.suggested == 3
    assert text(session) == DRAFT.replace("’".encode(), b"'")
    settle(session)
    assert [act.kind for act in acts(session) if isinstance(act, Resolve)] == [ResolutionKind.SOURCE_WORDS]


def test_undo_then_redo_is_identity_for_text_and_another_entry_in_the_journal(open_job: OpenJob, settle: Settle) -> None:
    session = open_job(DRAFT)
    session.use_source_words(2)
    after = text(session)
    assert session.undo_name == "Use the captions’ sign"
    session.undo()
    assert text(session) == DRAFT
    assert session.state(2) is ClaimState.TO_DO
    assert session.suggested == 2
    session.redo()
    assert text(session) == after
    settle(session)
    assert [type(act).__name__ for act in acts(session)] == ["Resolve", "Withdraw", "Resolve"]


def test_words_that_differ_are_first_to_be_listened_to_never_rewritten(open_job: OpenJob) -> None:
    session = open_job("“we measured 24 m of water” (0:20) “the mill was shut” (0:05)".encode())
    for claim in session.claims:
        kinds = [repair.kind for repair in session.repairs(claim.id)]
        assert kinds[0] is RepairKind.LISTEN
        assert kinds[-1] is RepairKind.ACCEPT or kinds[-2] is RepairKind.ACCEPT
    assert not session.safe_repairs()


def test_a_time_is_offered_as_safe_only_where_the_words_occur_once(open_job: OpenJob) -> None:
    session = open_job("He said “we measured 42 m” (0:50).\n\nThen “the mill is shut” here.\n".encode())
    once, twice = session.first_repair(1), session.first_repair(2)
    assert once is not None
    assert twice is not None
    assert (once.kind, once.label, once.is_safe) == (RepairKind.TIME, "Use 0:20", True)
    assert twice.kind is RepairKind.LISTEN
    assert [repair.label for repair in session.repairs(2) if repair.kind is RepairKind.TIME] == ["Insert 0:05", "Insert 0:30"]


def test_setting_aside_is_shown_only_once_it_is_in_the_journal(open_job: OpenJob, qtbot: QtBot) -> None:
    session = open_job(DRAFT)
    session.set_aside(3)
    assert session.state(3) is ClaimState.TO_DO
    assert session.saving is Saving.WRITING
    qtbot.waitUntil(lambda: session.state(3) is ClaimState.SET_ASIDE)
    assert len(acts(session)) == 1
    assert session.suggested == 4
    resolution = session.resolution(3)
    assert resolution is not None
    assert resolution.by == "Ada"


def test_a_long_or_timed_claim_is_set_aside_only_with_a_reason(open_job: OpenJob, qtbot: QtBot, settle: Settle) -> None:
    session = open_job(DRAFT)
    assert session.needs_reason(4)
    assert not session.needs_reason(3)
    session.set_aside(4)
    assert isinstance(session.fault, UsageError)
    settle(session)
    assert acts(session) == []
    session.set_aside(4, "from another talk")
    qtbot.waitUntil(lambda: session.state(4) is ClaimState.EXCEPTION)


def test_nothing_is_recorded_without_a_name(open_job: OpenJob, qtbot: QtBot, settle: Settle) -> None:
    session = open_job(DRAFT, reviewer="")
    with qtbot.waitSignal(session.changed, check_params_cb=lambda changes: Changes.REVIEWER in changes):
        session.set_aside(3)
    assert session.waits_for_reviewer
    settle(session)
    assert acts(session) == []
    session.set_reviewer("Grace")
    qtbot.waitUntil(lambda: session.state(3) is ClaimState.SET_ASIDE)
    found = session.resolution(3)
    assert found is not None
    assert found.by == "Grace"


def test_an_undone_resolution_is_another_entry(open_job: OpenJob, qtbot: QtBot, settle: Settle) -> None:
    session = open_job(DRAFT)
    session.accept(4, ExceptionClass.WORDING, "she asked for it")
    qtbot.waitUntil(lambda: session.state(4) is ClaimState.EXCEPTION)
    session.undo()
    qtbot.waitUntil(lambda: session.state(4) is ClaimState.TO_DO)
    session.redo()
    qtbot.waitUntil(lambda: session.state(4) is ClaimState.EXCEPTION)
    settle(session)
    assert [type(act) for act in acts(session)] == [Resolve, Withdraw, Resolve]


def test_acts_asked_for_quickly_are_all_written_in_order(open_job: OpenJob, settle: Settle) -> None:
    session = open_job("“mill” “tide” “sea” and “the mill is shut” (0:05).".encode())
    for claim_id in (1, 2, 3):
        session.set_aside(claim_id)
    settle(session)
    assert states(session) == [ClaimState.SET_ASIDE] * 3 + [ClaimState.EXACT]
    assert len(acts(session)) == 3


def test_short_terms_are_set_aside_in_one_act_with_one_entry(open_job: OpenJob, settle: Settle) -> None:
    session = open_job("A “mole”. A “tide”. A “sea level”. He said “the mill is shut” (0:05).".encode())
    group = next(group for group in session.alike(1) if group.kind is AlikeKind.SHORT_TERMS)
    assert group.claims == (1, 2, 3)
    session.resolve_alike(group, [1, 3])
    settle(session)
    assert states(session) == [ClaimState.SET_ASIDE, ClaimState.TO_DO, ClaimState.SET_ASIDE, ClaimState.EXACT]
    assert len(acts(session)) == 1
    session.undo()
    settle(session)
    assert session.counts.set_aside == 0


def test_resolutions_reopened_by_their_surroundings_are_reconfirmed_together(open_job: OpenJob, settle: Settle) -> None:
    session = open_job("a “mill” b “tide” c. “the mill is shut” (0:05).".encode())
    session.set_aside(1)
    session.set_aside(2)
    settle(session)
    session.edit(position(session, "b “tide"), 1, "between")
    settle(session)
    assert states(session)[:2] == [ClaimState.TO_DO, ClaimState.TO_DO]
    assert "only the words around it" in session.reopened(1)
    group = next(group for group in session.alike(1) if group.kind is AlikeKind.REOPENED_BY_SURROUNDINGS)
    session.resolve_alike(group, group.claims)
    settle(session)
    assert states(session)[:2] == [ClaimState.SET_ASIDE, ClaimState.SET_ASIDE]


def test_a_repair_says_before_which_resolution_it_would_reopen_and_a_far_one_says_nothing(
    open_job: OpenJob, settle: Settle
) -> None:
    filler = "They went on about it for a very long while without any words of the recording.\n\n"
    near = "She said “the  mill is shut” [0:05], a “sluice” too. "
    session = open_job((near + filler + "He said “the  mill is shut” [0:30] at last.").encode())
    session.set_aside(2)
    settle(session)
    first, last = session.first_repair(1), session.first_repair(3)
    assert first is not None and first.reopens == ()  # other claims' text is no part of a place
    close_by = next(one for one in session.repairs(1) if one.kind is RepairKind.RETRACT)
    assert close_by.reopens == (2,)
    assert "reopen quote 2" in session.consequences(1)
    assert last is not None and session.consequences(3) == ""
    session.apply(1, close_by)
    settle(session)
    assert "its time has changed since" in session.reopened(1)


def test_typing_changes_only_its_own_bytes_and_unsaved_text_is_said(open_job: OpenJob) -> None:
    draft = "« Combien\xa0? » [0:10]\r\nfin\u2028x\r\n".encode()
    session = open_job(draft)
    session.edit(position(session, "fin"), 0, "x")
    assert text(session) == draft.replace(b"fin", b"xfin")
    session.edit(position(session, "xfin"), 1, "")
    assert text(session) == draft
    assert not session.drafts[0].is_unsaved
    session.edit(0, 0, "\u2029")
    assert text(session) == b"\r\n" + draft
    assert session.saving is Saving.UNSAVED


def test_saving_writes_the_very_bytes(open_job: OpenJob, settle: Settle) -> None:
    session = open_job(DRAFT)
    session.edit(0, 0, "😀")
    session.save()
    settle(session)
    assert draft_file(session).read_bytes() == "😀".encode() + DRAFT
    assert session.saving is Saving.SAVED
    assert not session.drafts[0].is_unsaved


def test_a_draft_replaced_outside_is_followed_where_nothing_is_unsaved(open_job: OpenJob, qtbot: QtBot, tmp_path: Path) -> None:
    session = open_job("“the mill is shut” (0:05)".encode())
    other = "“the mill is open” (0:05)".encode()
    for content, state in ((other, ClaimState.TO_DO), (b"\xe2\x80\x9cthe mill is shut\xe2\x80\x9d (0:05)", ClaimState.EXACT)):
        fresh = tmp_path / "fresh"
        fresh.write_bytes(content)
        fresh.replace(draft_file(session))
        qtbot.waitUntil(lambda s=state: session.state(1) is s, timeout=3000)  # type: ignore[misc]
        assert session.outside[0].is_taken
    file, content = draft_file(session), draft_file(session).read_bytes()
    file.unlink()
    qtbot.waitUntil(lambda: bool(session.outside) and session.outside[0].is_gone, timeout=3000)
    file.write_bytes(content)
    qtbot.waitUntil(lambda: not session.outside, timeout=3000)


def test_unsaved_text_is_never_overwritten_and_never_overwrites_unasked(open_job: OpenJob, qtbot: QtBot, settle: Settle) -> None:
    session = open_job(DRAFT)
    session.edit(0, 0, "mine ")
    draft_file(session).write_bytes(b"theirs")
    qtbot.waitUntil(lambda: bool(session.outside), timeout=3000)
    assert session.outside[0].has_conflict
    session.save()
    settle(session)
    assert draft_file(session).read_bytes() == b"theirs"
    assert text(session) == b"mine " + DRAFT
    session.keep_mine(0)
    session.save()
    settle(session)
    assert draft_file(session).read_bytes() == b"mine " + DRAFT


def test_taking_the_files_text_is_one_undo_away(open_job: OpenJob, qtbot: QtBot) -> None:
    session = open_job(DRAFT)
    session.edit(0, 0, "mine ")
    draft_file(session).write_bytes(b"theirs")
    qtbot.waitUntil(lambda: bool(session.outside), timeout=3000)
    session.take_outside(0)
    assert text(session) == b"theirs"
    session.undo()
    assert text(session) == b"mine " + DRAFT


def test_a_save_that_races_another_program_writes_nothing(open_job: OpenJob, qtbot: QtBot, settle: Settle) -> None:
    session = open_job(DRAFT)
    session.edit(0, 0, "mine ")
    draft_file(session).write_bytes(b"theirs")
    session.save()
    qtbot.waitUntil(lambda: bool(session.outside), timeout=3000)
    settle(session)
    assert draft_file(session).read_bytes() == b"theirs"


def test_unsaved_text_comes_back_after_a_crash(open_job: OpenJob, settle: Settle, tmp_path: Path) -> None:
    session = open_job(DRAFT)
    folder = session.folder
    assert folder is not None
    session.edit(0, 0, "unsaved ")
    session.shut_down()
    again = open_job(folder)
    assert text(again) == b"unsaved " + DRAFT
    assert again.saving is Saving.UNSAVED
    again.undo()
    assert text(again) == DRAFT


def test_a_broken_lock_makes_nothing_green_and_mends_when_the_file_is_back(
    open_job: OpenJob, qtbot: QtBot, settle: Settle
) -> None:
    session = open_job(DRAFT)
    settle(session)
    folder, job = session.folder, session.job
    assert folder is not None
    assert job is not None
    lock = job.tracks[0].lock
    assert lock is not None
    file = folder / lock.file
    whole = file.read_bytes()
    file.chmod(stat.S_IRUSR | stat.S_IWUSR)
    file.write_bytes(whole.replace(b"shut", b"open"))
    qtbot.waitUntil(lambda: session.phase is Phase.LOCK_BROKEN, timeout=5000)
    assert set(states(session)) == {ClaimState.TO_VERIFY}
    assert session.repairs(2) == ()
    assert session.broken_locks[0].expected == lock.sha256
    assert session.label_refusal
    file.write_bytes(whole)
    qtbot.waitUntil(lambda: session.phase is Phase.READY, timeout=5000)
    assert session.state(1) is ClaimState.EXACT


def test_another_window_on_the_job_is_told_who_has_it(open_job: OpenJob, qtbot: QtBot) -> None:
    first = open_job(DRAFT)
    assert first.folder is not None
    second = Session(first._settings)
    second.open(first.folder)
    qtbot.waitUntil(lambda: second.fault is not None)
    assert "open elsewhere" in str(second.fault)
    assert second.phase is Phase.EMPTY
    second.shut_down()


def test_switching_drafts_keeps_the_text_of_each(sample: Session, settle: Settle) -> None:
    sample.edit(0, 0, "first ")
    sample.switch_draft(1)
    assert sample.counts.to_do == 0
    assert sample.drafts[0].is_unsaved
    sample.edit(0, 0, "second ")
    sample.switch_draft(0)
    assert text(sample).startswith(b"first ")
    sample.undo()
    assert sample.draft_index == 1
    assert not text(sample).startswith(b"second ")


def test_the_green_draft_has_every_gate_open(sample: Session, settle: Settle) -> None:
    sample.switch_draft(1)
    settle(sample)
    assert [gate.name for gate in sample.gates if not gate.is_open] == []
    assert sample.label_refusal == ""


def test_safe_repairs_are_one_step_of_undo(sample: Session, settle: Settle) -> None:
    before = text(sample)
    listed = sample.safe_repairs()
    assert len(listed) > 2
    assert all(one.repair.before != one.repair.after for one in listed)
    to_do = sample.counts.to_do
    sample.apply_safe_repairs(listed)
    assert sample.counts.to_do == to_do - len(listed)
    sample.undo()
    assert text(sample) == before


def test_every_edit_a_repair_offers_does_what_it_says(sample: Session) -> None:
    for claim_id in sample.to_do():
        for repair in sample.repairs(claim_id):
            if repair.is_edit and repair.patches:
                before = text(sample)
                sample.apply(claim_id, repair)
                assert repair.after.encode() in text(sample)
                sample.undo()
                assert text(sample) == before


def test_a_split_gives_two_exact_quotations(sample: Session) -> None:
    claim_id = next(one for one in sample.to_do() if any(r.kind is RepairKind.SPLIT for r in sample.repairs(one)))
    sample.split(claim_id)
    assert [sample.state(claim_id), sample.state(claim_id + 1)] == [ClaimState.EXACT, ClaimState.EXACT]


def test_a_preview_judges_words_that_are_not_in_the_draft_yet(open_job: OpenJob) -> None:
    session = open_job(DRAFT)
    found = session.preview(2, "it didn't open")
    assert found is not None
    assert found.kind is VerdictKind.EXACT
    near = session.preview(2, "it did open")
    assert near is not None
    assert near.kind is VerdictKind.ALTERED
    assert text(session) == DRAFT


def test_editing_a_quotation_writes_its_words(open_job: OpenJob) -> None:
    session = open_job(DRAFT)
    session.edit_claim(2, "it didn't open in the morning")
    assert session.state(2) is ClaimState.EXACT


def test_a_long_draft_shows_at_once_what_the_whole_reading_says(open_job: OpenJob, settle: Settle) -> None:
    filler = "\n\n".join(f"Paragraph {number} says “the mill is shut” (0:05) again." for number in range(200))
    session = open_job(f"{filler}\n\nAnd “it didn’t open” (0:10) there.\n\n{filler}\n".encode())
    claim_id = session.to_do()[0]
    session.use_source_words(claim_id)
    at_once = [(claim.id, claim.text, claim.outer, claim.line, session.state(claim.id)) for claim in session.claims]
    assert session.counts.to_do == 0
    settle(session)
    assert at_once == [(claim.id, claim.text, claim.outer, claim.line, session.state(claim.id)) for claim in session.claims]
    session.undo()
    settle(session)
    assert session.to_do() == (claim_id,)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_stay_as_the_draft_has_them(open_job: OpenJob, end: str) -> None:
    draft = f"one{end}“the mill is shut” (0:05){end}two{end}".encode()
    session = open_job(draft)
    session.edit(position(session, "two"), 0, "\n")
    assert text(session) == draft.replace(b"two", end.encode() + b"two")


def test_a_repair_at_the_draft_s_end_says_that_it_would_undo_an_acknowledgement_and_a_far_one_says_nothing(
    open_job: OpenJob, settle: Settle
) -> None:
    filler = "They went on about it for a very long while without any words of the recording. " * 4
    session = open_job(f"He said “the  mill is shut” [0:05] first. {filler}And “the  mill is shut” [0:30] then".encode())
    settle(session)
    assert not any(one.loses_acknowledgement for one in session.repairs(2))  # nothing was acknowledged yet
    session.acknowledge("complete", "it goes on in print")
    settle(session)
    assert next(gate for gate in session.gates if gate.name == "complete").is_open
    assert not any(one.loses_acknowledgement for one in session.repairs(1))
    assert session.consequences(1) == ""
    last = next(one for one in session.repairs(2) if one.is_edit)
    assert last.loses_acknowledgement
    assert "acknowledged of the draft’s end" in session.consequences(2)
    session.apply(2, last)
    settle(session)
    assert not next(gate for gate in session.gates if gate.name == "complete").is_open
    session.undo()
    settle(session)
    assert next(gate for gate in session.gates if gate.name == "complete").is_open


def test_no_gate_is_shown_as_open_while_the_job_s_folder_is_gone_and_all_are_judged_again_when_it_is_back(
    open_job: OpenJob, settle: Settle
) -> None:
    session = open_job("He said “the mill is shut” [0:05].\n".encode())
    settle(session)
    assert session.label_refusal == ""
    folder = session.folder
    assert folder is not None
    away = folder.rename(folder.with_name("away"))
    session.look_outside()
    settle(session)
    assert session.gates == ()
    assert session.label_refusal != ""
    away.rename(folder)
    session.look_outside()
    settle(session)
    assert session.label_refusal == ""
