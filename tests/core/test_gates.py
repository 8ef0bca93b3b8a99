from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quoteview.core.acts import Acknowledge, Act, ChooseReference, ExceptionClass, ResolutionKind, Waive, Withdraw
from quoteview.core.captions.track import Origin
from quoteview.core.errors import LockBroken
from quoteview.core.gates import GATES, Gate, GateName, checker_gate, inventory_gate, lock_gate, lossless_gate
from quoteview.core.importing import CaptionFile, ImportedTrack, import_track
from quoteview.core.job import DraftRecord, Job, Policy, SourceRecord, Standing, TrackRecord, with_act
from quoteview.core.journal import Journal, JournalRecord, split_lines
from quoteview.core.locking import Lock, lock, reopen
from quoteview.core.material import Material
from quoteview.core.planting import Plant, PlantingReport
from quoteview.core.reference_choice import choose_reference
from quoteview.core.resolving import Acknowledged, resolution_of
from quoteview.core.review import Review, review
from quoteview.core.witness import WitnessDifference, WitnessReport

AT = "2027-03-03T10:00:00Z"
VTT = b"WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nthe harbour was frozen\n\n00:00:03.000 --> 00:00:05.000\nuntil the spring came\n"
DRAFT = "She said “the harbour was frozen” (0:01) that year.\n"
CAUGHT = PlantingReport(7, (Plant("a", "a byte", "lock"),), (), 0)


def material(
    *captions: bytes,
    drafts: tuple[str, ...] = (DRAFT,),
    origin: Origin | None = Origin.HUMAN,
    duration_ms: int | None = 6_000,
    journal: Journal | None = None,
) -> Material:
    """Return a job of imported files in memory."""
    imported: list[ImportedTrack] = []
    for number, data in enumerate(captions or (VTT,)):
        imported.append(import_track(CaptionFile(f"{number}.vtt", data, origin, "en"), [each.record.id for each in imported]))
    known = journal or Journal()
    job = Job(
        "Talk",
        SourceRecord(duration_ms=duration_ms),
        "en",
        tuple(each.record for each in imported),
        tuple(DraftRecord(f"drafts/{number}.md") for number in range(len(drafts))),
        Policy(),
        known,
    )
    sources = {each.record.id: each.source for each in imported}
    return Material(job, sources, tuple(draft.encode() for draft in drafts), known.record)


def acted(before: Material, *acts: Act, draft: str = "drafts/0.md", by: str = "Ada") -> Material:
    """Return a job with these acts recorded under its reference."""
    job = before.job
    track = job.track(choose_reference(job).track_id)
    digest = track.lock.sha256 if track and track.lock else ""
    for act in acts:
        job = with_act(job, act, by=by, at=AT, track=digest, draft=draft)
    return replace(before, job=job, record=job.journal.record)


def gate(found: Review | Material, name: str) -> Gate:
    """Return one gate over all drafts."""
    judged = found if isinstance(found, Review) else review(found)
    return next(each for each in judged.gates if each.name == name)


def acknowledging(before: Material, name: str, reason: str = "seen") -> Material:
    """Return the job after a person acknowledged what closes a gate now."""
    return acted(before, Acknowledge(name, gate(before, name).to_acknowledge, reason))


def with_source(before: Material, **changes: object) -> Material:
    """Return a job whose source has other facts."""
    return replace(before, job=replace(before.job, source=replace(before.job.source, **changes)))  # type: ignore[arg-type]


def test_a_good_job_has_every_gate_open_but_the_self_test_that_was_not_run() -> None:
    found = review(material())
    assert tuple(each.name for each in found.gates) == GATES
    assert [each.name for each in found.gates if not each.is_open] == ["checker"]
    assert all(each.evidence for each in found.gates)


# -- lock ------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.data())
def test_flipping_any_bit_of_a_locked_file_closes_lock_and_nothing_is_green(draw: st.DataObject) -> None:
    whole = material()
    record = whole.job.tracks[0]
    assert record.lock is not None
    changed = bytearray(VTT)
    changed[draw.draw(st.integers(0, len(VTT) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    try:
        reopen(record.lock, bytes(changed))
        raise AssertionError("the lock did not see it")
    except LockBroken as error:
        broken = replace(whole, sources={record.id: error})
    found = review(broken)
    closed = {each.name for each in found.gates if not each.is_open}
    assert {"lock", "lossless", "order", "complete", "quotes"} <= closed
    assert all(state != "green" for judged in found.drafts for state in judged.states())


def test_another_tracks_broken_lock_leaves_nothing_green_either() -> None:
    whole = material(VTT, VTT + b"\n")
    other = whole.job.tracks[1]
    assert other.lock is not None
    broken = replace(whole, sources={**whole.sources, other.id: LockBroken(other.lock.file, other.lock.sha256, "")})
    found = review(broken)
    assert found.drafts[0].verdicts[0].is_green
    assert [state.value for state in found.drafts[0].states()] == ["red"]
    assert "missing" in gate(found, "lock").defects[0] and not gate(found, "quotes").is_open


def test_a_file_locked_anew_is_not_what_the_job_records() -> None:
    whole = material()
    forged = replace(whole, sources={"en.human": lock(VTT.replace(b"frozen", b"thawed"), "tracks/en.human.vtt")})
    assert not lock_gate(forged).is_open


def test_bytes_that_were_not_read_and_a_job_without_tracks_close_lock() -> None:
    assert not lock_gate(replace(material(), sources={})).is_open
    empty = Material(Job("", SourceRecord(), "", (), (), Policy(), Journal()), {}, ())
    assert not lock_gate(empty).is_open


def journalled() -> Material:
    """Return a job with four entries."""
    return acted(material(), *(Acknowledge("order", (), f"reason {number}") for number in range(4)))


def test_a_journal_changed_dropped_swapped_or_cut_closes_lock() -> None:
    whole = journalled()
    assert lock_gate(whole).is_open
    a, b, c, d = whole.job.journal.lines
    for lines in (
        (a, b, c.replace(b"reason 2", b"reason X"), d),
        (a, c, d),
        (b, a, c, d),
        (a, b, c),
        (a, b, c, d, d),
        (a, b, c, d[:-1]),
    ):
        changed = replace(whole, job=replace(whole.job, journal=Journal(lines)))
        found = lock_gate(changed)
        assert not found.is_open and found.defects


@settings(max_examples=60)
@given(st.data())
def test_flipping_any_bit_of_the_journal_closes_lock(draw: st.DataObject) -> None:
    whole = journalled()
    data = bytearray(whole.job.journal.data)
    data[draw.draw(st.integers(0, len(data) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
    journal, rest = split_lines(bytes(data))
    defects = ("journal.jsonl ends in the middle of a line.",) if rest else ()
    assert not lock_gate(replace(whole, job=replace(whole.job, journal=journal), journal_defects=defects)).is_open


def test_all_defects_of_the_lock_are_listed_at_once() -> None:
    whole = replace(journalled(), sources={}, record=JournalRecord(9, "0" * 64))
    assert len(lock_gate(whole).defects) == 2


# -- inventory -------------------------------------------------------------------------------


def fetched(*records: TrackRecord, asked_human: bool = True, asked_automatic: bool = True) -> Material:
    """Return a job whose tracks come from a source: a locked human one, and these."""
    whole = with_source(material(), asked_human=asked_human, asked_automatic=asked_automatic, address="https://example.org/v")
    human = replace(whole.job.tracks[0], is_imported=False)
    return replace(whole, job=replace(whole.job, tracks=(human, *records)))


def offered(track_id: str, standing: Standing, reason: str = "", *, is_passing: bool = False, copy_of: str = "") -> TrackRecord:
    """Return a track of the source that is not locked."""
    origin = Origin(track_id.partition(".")[2])
    return TrackRecord(track_id, origin, "en", standing, reason=reason, is_passing=is_passing, copy_of=copy_of)


def inventory(whole: Material) -> Gate:
    """Return the gate alone."""
    return inventory_gate(whole, choose_reference(whole.job))


def test_a_source_that_was_asked_for_both_is_inventoried() -> None:
    assert inventory(fetched()).is_open


@pytest.mark.parametrize(("human", "automatic", "named"), [(False, True, "human"), (True, False, "automatic")])
def test_a_source_not_asked_for_one_of_both_is_not(human: bool, automatic: bool, named: str) -> None:
    found = inventory(fetched(asked_human=human, asked_automatic=automatic))
    assert not found.is_open and named in found.defects[0]


def test_a_throttled_track_closes_it_until_fetched_or_waived_by_name() -> None:
    throttled = offered("en.automatic", Standing.NOT_OBTAINED, "the server asked to wait (429)", is_passing=True)
    whole = fetched(throttled)
    assert not inventory(whole).is_open
    assert not inventory(acted(whole, Waive("en.human", "not that one"))).is_open
    waived = acted(whole, Waive("en.automatic", "a day without luck"))
    found = inventory(waived)
    assert found.is_open and found.acknowledged == Acknowledged("Ada", AT, "a day without luck")
    assert not inventory(acted(waived, Withdraw(waived.job.journal.head))).is_open


def test_a_track_refused_for_good_is_recorded_and_closes_nothing_but_without_a_reason_it_does() -> None:
    assert inventory(fetched(offered("en.automatic", Standing.NOT_OBTAINED, "behind a sign-in"))).is_open
    assert not inventory(fetched(offered("en.automatic", Standing.NOT_OBTAINED))).is_open


def test_translations_and_copies_that_are_only_listed_close_nothing_and_a_human_track_does() -> None:
    listed = (offered("de.translated", Standing.LISTED), offered("en.automatic", Standing.LISTED, copy_of="en.human"))
    assert inventory(fetched(*listed)).is_open
    assert not inventory(fetched(replace(offered("en.human", Standing.LISTED), id="fr.human"))).is_open


def test_imported_files_need_a_stated_origin_and_unknown_can_be_stated() -> None:
    assert not inventory(material(origin=None)).is_open
    stated = inventory(material(origin=Origin.UNKNOWN))
    assert stated.is_open and "not known" in stated.evidence and "unknown: 1" in stated.evidence


def test_a_machine_translation_is_no_reference_even_by_choice() -> None:
    whole = material(origin=Origin.TRANSLATED)
    assert not inventory(whole).is_open
    assert not inventory(acted(whole, ChooseReference("en.translated", "there is nothing else"))).is_open


def test_the_choice_is_explained_in_the_evidence() -> None:
    assert choose_reference(material().job).why in inventory(material()).evidence


# -- lossless and order ----------------------------------------------------------------------

UNREAD = VTT + b"\n00:00:05.000 --> 00:00:06.000\nand \xff thawed \xc3\xa9\xc3\xa9\xc3\xa9\n"


def test_an_unread_byte_closes_lossless_until_acknowledged_with_a_reason() -> None:
    whole = material(UNREAD)
    found = gate(whole, "lossless")
    assert not found.is_open and "1 byte not read" in found.defects[0] and found.to_acknowledge
    assert not gate(acted(whole, Acknowledge("lossless", found.to_acknowledge, "  ")), "lossless").is_open
    assert not gate(acted(whole, Acknowledge("order", found.to_acknowledge, "seen")), "lossless").is_open
    passed = gate(acknowledging(whole, "lossless", "a broken letter, far from every quotation"), "lossless")
    assert passed.is_open and passed.defects == found.defects
    assert passed.acknowledged == Acknowledged("Ada", AT, "a broken letter, far from every quotation")


def test_an_acknowledgement_of_other_bytes_is_none() -> None:
    known = gate(material(UNREAD), "lossless").to_acknowledge
    other = material(UNREAD.replace(b"and \xff", b"and\xff\xff"))
    assert not gate(acted(other, Acknowledge("lossless", known, "seen")), "lossless").is_open


def test_each_of_several_is_acknowledged_or_the_gate_stays_closed() -> None:
    both = material(UNREAD, UNREAD + b"\n")
    known = gate(both, "lossless").to_acknowledge
    assert len(known) == 2
    half = acted(both, Acknowledge("lossless", known[:1], "seen"))
    assert gate(half, "lossless").to_acknowledge == known[1:]
    assert gate(acknowledging(half, "lossless"), "lossless").is_open


def test_a_disagreeing_audit_cannot_be_acknowledged() -> None:
    whole = review(material())
    assert whole.tracks[0].audit is not None
    judged = replace(whole.tracks[0], audit=replace(whole.tracks[0].audit, defects=("byte 5 reads otherwise",)))
    found = lossless_gate((judged,), "en.human", Journal())
    assert not found.is_open and found.to_acknowledge == ()


def test_an_unexplained_difference_of_the_witness_is_acknowledged_as_it_was_seen_and_an_explained_one_closes_nothing() -> None:
    judged = review(material()).tracks[0]
    explained = WitnessDifference(1, "entities", "pysubs2 decodes no entities", True)
    unexplained = WitnessDifference(1, "unexplained", "“frozen” against “froze”", False)
    assert lossless_gate((replace(judged, witness=WitnessReport((explained,))),), "en.human", Journal()).is_open
    differing = (replace(judged, witness=WitnessReport((explained, unexplained))),)
    found = lossless_gate(differing, "en.human", Journal())
    assert not found.is_open and len(found.defects) == 1 and "“frozen” against “froze”" in found.defects[0]
    seen = Journal().appended(Acknowledge("lossless", found.to_acknowledge, "looked at it"), by="Ada", at=AT)
    assert lossless_gate(differing, "en.human", seen).is_open
    more = (replace(judged, witness=WitnessReport((unexplained, unexplained._replace(cue=0)))),)
    assert not lossless_gate(more, "en.human", seen).is_open


def test_what_was_not_audited_not_witnessed_or_not_there_is_not_lossless() -> None:
    judged = review(material()).tracks[0]
    assert lossless_gate((judged,), "en.human", Journal()).is_open
    assert not lossless_gate((replace(judged, audit=None),), "en.human", Journal()).is_open
    assert not lossless_gate((replace(judged, witness=None),), "en.human", Journal()).is_open
    assert not lossless_gate((), "", Journal()).is_open


def test_a_track_that_became_unreadable_closes_it_and_only_a_side_track_can_be_let_pass() -> None:
    whole = material()
    page = lock(b"<!doctype html><html><body>wait</body></html>", "tracks/en.automatic.vtt")
    side = TrackRecord("en.automatic", Origin.AUTOMATIC, "en", Standing.LOCKED, page.lock, is_imported=True)
    two = replace(
        whole,
        job=replace(whole.job, tracks=(*whole.job.tracks, side)),
        sources={**whole.sources, side.id: page},
    )
    assert not gate(two, "lossless").is_open and not gate(two, "order").is_open
    passed = acknowledging(two, "lossless")
    assert gate(passed, "lossless").is_open and gate(passed, "order").is_open
    alone = replace(whole, job=replace(whole.job, tracks=(side,)), sources={side.id: page})
    assert gate(alone, "lossless").to_acknowledge == ()


BACK = (
    b"WEBVTT\n\n00:00:04.000 --> 00:00:05.000\nuntil the spring came\n\n00:00:01.000 --> 00:00:03.000\nthe harbour was frozen\n"
)


def test_cues_that_go_back_close_order_until_the_list_is_acknowledged() -> None:
    whole = material(BACK)
    found = gate(whole, "order")
    assert not found.is_open and "cue 1" in found.defects[0]
    passed = acknowledging(whole, "order")
    assert gate(passed, "order").is_open and gate(passed, "order").acknowledged is not None
    changed = material(BACK + b"\n00:00:00.000 --> 00:00:01.000\nx\n", journal=passed.job.journal)
    assert not gate(changed, "order").is_open


# -- complete --------------------------------------------------------------------------------


def test_a_draft_that_stops_in_the_middle_closes_complete_until_acknowledged() -> None:
    whole = material(drafts=("She said “the harbour was frozen” (0:01) and then\n",))
    found = gate(whole, "complete")
    assert not found.is_open and found.to_acknowledge
    passed = acknowledging(whole, "complete")
    assert gate(passed, "complete").is_open
    longer = replace(passed, drafts=(b"An opening. " + passed.drafts[0],)) if isinstance(passed.drafts[0], bytes) else passed
    assert not gate(longer, "complete").is_open, "the last 200 characters are others now"


def test_what_changes_before_the_last_200_characters_keeps_the_acknowledgement() -> None:
    text = "Opening words.\n\n" + "It was cold. " * 30 + "She said “the harbour was frozen” (0:01) and then\n"
    passed = acknowledging(material(drafts=(text,)), "complete")
    assert gate(replace(passed, drafts=(text.replace("Opening", "First").encode(),)), "complete").is_open
    assert not gate(replace(passed, drafts=(text.replace("and then", "and thus").encode(),)), "complete").is_open


def test_a_transcript_that_ends_early_closes_complete() -> None:
    assert not gate(material(duration_ms=65_001), "complete").is_open
    assert gate(material(duration_ms=65_000), "complete").is_open


# -- quotes ----------------------------------------------------------------------------------


def test_a_red_claim_closes_quotes_with_its_place_and_a_resolution_opens_it() -> None:
    text = DRAFT + "\nShe never said “the sea was warm that whole long winter” to us.\n"
    whole = material(drafts=(text,))
    found = gate(whole, "quotes")
    assert not found.is_open and found.defects == ("drafts/0.md:3:17: “the sea was warm that whole long winter” is not found.",)
    claims = review(whole).drafts[0].claims
    act = resolution_of(claims, [2], ResolutionKind.ACCEPT, exception=ExceptionClass.OTHER, reason="from a letter")
    resolved = acted(whole, act)
    assert gate(resolved, "quotes").is_open and "1 of 2 quotations exact, 1 resolved" in gate(resolved, "quotes").evidence
    assert not gate(acted(whole, act, draft="drafts/other.md"), "quotes").is_open


def test_all_resolved_and_none_exact_is_not_a_pass() -> None:
    whole = material(drafts=("She spoke of “a tide” then.\n",))
    act = resolution_of(review(whole).drafts[0].claims, [1], ResolutionKind.NOT_A_QUOTATION)
    found = gate(acted(whole, act), "quotes")
    assert not found.is_open and "not one quotation is exact" in found.defects[0]


def test_no_quotations_and_no_draft_are_not_a_pass() -> None:
    assert "nothing is proven" in gate(material(drafts=("No quotations here.\n",)), "quotes").defects[0]
    assert not gate(material(drafts=()), "quotes").is_open
    assert not gate(material(drafts=()), "complete").is_open


def test_each_draft_is_judged_for_itself_and_all_together() -> None:
    found = review(material(drafts=(DRAFT, "She said “the harbour was frozen” (9:59).\n")))
    by_draft = [{each.name: each.is_open for each in found.gates_for(index)}["quotes"] for index in range(2)]
    assert by_draft == [True, False]
    assert not gate(found, "quotes").is_open


def test_a_mark_without_a_role_closes_quotes() -> None:
    found = review(material())
    judged = found.drafts[0]
    assert judged.draft is not None
    marks = (judged.draft.marks[0]._replace(role=None), *judged.draft.marks[1:])
    changed = replace(found, drafts=(replace(judged, draft=replace(judged.draft, marks=marks)),))
    assert not gate(changed, "quotes").is_open and "has no role" in gate(changed, "quotes").defects[0]


# -- checker ---------------------------------------------------------------------------------


def test_the_self_test_opens_checker_only_where_it_ran_and_caught_all() -> None:
    missed = PlantingReport(7, (Plant("c", "a letter of the working copy", ""),), (), 0)
    assert checker_gate((CAUGHT,)).is_open
    assert not checker_gate((None,)).is_open
    assert not checker_gate((CAUGHT, None)).is_open
    assert not checker_gate(()).is_open
    assert not checker_gate((PlantingReport(7, (), ("(f) no journal",), 0),)).is_open
    assert "a letter of the working copy" in checker_gate((CAUGHT, missed)).defects[0]


def test_kinds_that_were_not_tried_are_said() -> None:
    assert "(f) no journal" in checker_gate((replace(CAUGHT, not_tried=("(f) no journal.",)),)).evidence


def test_gate_names_are_the_rules() -> None:
    assert [name.value for name in GateName] == ["lock", "inventory", "lossless", "order", "complete", "quotes", "checker"]


def test_a_lock_record_of_the_wrong_size_is_seen() -> None:
    whole = material()
    record = whole.job.tracks[0]
    assert record.lock is not None
    wrong = replace(record, lock=Lock(record.lock.file, record.lock.sha256, record.lock.size + 1))
    assert not lock_gate(replace(whole, job=replace(whole.job, tracks=(wrong,)))).is_open
