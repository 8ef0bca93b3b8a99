"""Which track is the reference: a rule that can be read off the record, unless a person chose another.

- Never a machine translation. Then the language spoken in the recording (the original automatic track's, or the
  source's word), where it is known, else the job's stated language. Then human over automatic over unknown. Then the id.
- A track whose language nobody stated comes after those in the spoken one, and before those in another.
- A human track in another language than the spoken one is a translation, and is called so.
- A person can choose another locked track; that choice is in the journal with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from quoteview.core.captions.track import Origin
from quoteview.core.job import Job, TrackRecord
from quoteview.core.resolving import chosen_reference

_RANKS = {Origin.HUMAN: 0, Origin.AUTOMATIC: 1, Origin.UNKNOWN: 2, Origin.TRANSLATED: 3}
NO_TRACK = "There is no locked track that is not a machine translation."


@dataclass(frozen=True, slots=True)
class ReferenceChoice:
    """The reference track's id ("" where none can be) and a sentence that says why it is the one.

    For a person's choice `by`, `at` and `reason` are from the journal, or "" where it was made for one check only.
    """

    track_id: str
    why: str
    is_persons_choice: bool = False
    by: str = ""
    at: str = ""
    reason: str = ""


def choose_reference(job: Job, *, wanted: str = "") -> ReferenceChoice:
    """Return the reference track of a job. `wanted` is a choice for this check only, and goes before the journal's.

    An id that is no locked track of the job is passed over, and the sentence says so.
    """
    locked = {record.id: record for record in job.locked}
    if wanted in locked:
        return ReferenceChoice(wanted, f"{_described(job, locked[wanted])}: named for this check.", True)
    chosen = chosen_reference(job.journal)
    if chosen is not None and chosen[0] in locked and not wanted:
        track_id, who = chosen
        why = f"{_described(job, locked[track_id])}: chosen by {who.by} on {who.at[:10]}: {who.reason}"
        return ReferenceChoice(track_id, why, True, *who)
    passed_over = wanted or (chosen[0] if chosen else "")
    remark = f" The track “{passed_over}” that was chosen is not locked." if passed_over else ""
    return _by_rule(job, remark)


def spoken_language(job: Job) -> tuple[str, str]:
    """Return the language spoken in the recording and what says so; ("", "") where nothing does."""
    originals = sorted((record for record in job.tracks if _is_original_automatic(record)), key=lambda record: record.id)
    automatic = {_primary(record.language): record.language for record in originals}
    automatic.pop("", None)
    if len(automatic) == 1:
        return next(iter(automatic.values())), "the automatic track's language"
    if job.source.language:
        return job.source.language, "the source's word"
    return (job.language, "the job's stated language") if job.language else ("", "")


def is_translation(job: Job, record: TrackRecord) -> bool:
    """Return whether a track is a translation: by a machine, or a human one in another language than the spoken one."""
    if record.origin is Origin.TRANSLATED:
        return True
    return record.origin is Origin.HUMAN and _language_rank(record, spoken_language(job)[0]) == 2


def _by_rule(job: Job, remark: str) -> ReferenceChoice:
    spoken, says = spoken_language(job)
    candidates = [record for record in job.locked if record.origin is not Origin.TRANSLATED]
    if not candidates:
        return ReferenceChoice("", NO_TRACK + remark)
    best = min(candidates, key=lambda record: (_language_rank(record, spoken), _RANKS[record.origin], record.id))
    if len(candidates) == 1:
        why = "the only locked track that is not a machine translation"
    elif spoken and _language_rank(best, spoken) == 0:
        why = f"in the spoken language ({spoken}, {says}), human before automatic before unknown"
    elif spoken:
        why = f"none is known to be in the spoken language ({spoken}, {says}); human before automatic before unknown"
    else:
        why = "the spoken language is not known; human before automatic before unknown"
    return ReferenceChoice(best.id, f"{_described(job, best)}: {why}.{remark}")


def _described(job: Job, record: TrackRecord) -> str:
    kind = f"{record.origin.value} track" if record.origin is not Origin.UNKNOWN else "track of unknown origin"
    language = f" in {record.language}" if record.language else ""
    if record.origin is Origin.HUMAN and is_translation(job, record):
        return f"{record.id}, a {kind}{language} (a translation)"
    return f"{record.id}, {'an' if kind[0] in 'a' else 'a'} {kind}{language}"


def _is_original_automatic(record: TrackRecord) -> bool:
    return record.origin is Origin.AUTOMATIC and not record.copy_of


def _language_rank(record: TrackRecord, spoken: str) -> int:
    if not spoken:
        return 0
    if not record.language:
        return 1
    return 0 if _primary(record.language) == _primary(spoken) else 2


def _primary(tag: str) -> str:
    """Return a language tag's first part in lower case; an `-orig` and a region are set aside."""
    return tag.replace("_", "-").split("-")[0].casefold()
