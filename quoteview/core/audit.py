"""The audit: ledger and working text held against the locked bytes by a program that shares nothing with the readers.

Reading twice with the same reader proves nothing. This one takes the ledger and the bytes, decodes with
decoders of its own, knows each format by a small grammar of its own, and asks:

(1) do the entries lie end to end, from the first byte of the file to the last;
(2) is each `text` entry, decoded as it says, the working text at its place, borders between lines included;
(3) is `layout` nothing but white space, line ends and direction marks;
(4) does each `repeat` say again what it repeats;
(5) does each `timing` parse to the cue's times, and has every cue its own;
(6) does each `markup` entry fit the format's grammar of tags and settings, and is `metadata` what the
    format declares as such, so that no text hides there.

It imports no reader and nothing that readers share but the plain types of a track.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quoteview.core.auditing.decoders import decode_range
from quoteview.core.auditing.sheet import Defects, Sheet, sheet_of
from quoteview.core.auditing.texts import NOT_JSON, XML, Glue, check_repeats, compare, rebuilt
from quoteview.core.captions.track import CaptionFormat, Cue, Track

__all__ = ["AuditReport", "audit", "audited_text", "decode_range"]

_Check = Callable[[Sheet, tuple[Cue, ...]], None]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What does not fit, each as a sentence with the byte of the file; nothing where ledger, bytes and working text agree."""

    defects: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing was found."""
        return not self.defects


def audit(track: Track, *, data: bytes | None = None, working: Sequence[str] | None = None) -> AuditReport:
    """Hold a track against bytes (the locked ones, unless others are given) and return every defect.

    `working` are the texts that are shown, searched and exported, one a cue in file order; by default the track's own.
    """
    defects = Defects()
    sheet = sheet_of(track, track.source.data if data is None else data, defects)
    if sheet is None:
        return AuditReport(defects.all())
    if any(cue.index != place for place, cue in enumerate(track.cues)):
        defects.add("The cues are not numbered in the order of the file.")
        return AuditReport(defects.all())
    check, is_glued = _grammar(sheet)
    texts = rebuilt(sheet, track, is_glued=is_glued)
    check_repeats(sheet, track)
    check(sheet, track.cues)
    compare(sheet, texts, [cue.text for cue in track.cues] if working is None else working)
    return AuditReport(defects.all())


def audited_text(track: Track) -> tuple[str, ...]:
    """Return the text of each cue in file order, made from the ledger and the locked bytes alone.

    Raises ValueError where the ledger does not fit the file, since nothing can be said of its text then.
    """
    defects = Defects()
    sheet = sheet_of(track, track.source.data, defects)
    if sheet is None:
        raise ValueError(defects.all()[0])
    return tuple(rebuilt(sheet, track, is_glued=_grammar(sheet)[1]))


def _grammar(sheet: Sheet) -> tuple[_Check, Glue]:
    """Return the check for a sheet's format and the word on which strings are glued; imported where needed, for a quick start."""
    if sheet.format not in NOT_JSON:
        from quoteview.core.auditing.notation import Notation

        notation = Notation(sheet)
        return notation.check, notation.is_glued
    return _markup_check(sheet.format), _nothing_is_glued


def _markup_check(format: CaptionFormat) -> _Check:
    if format in XML:
        from quoteview.core.auditing import elements

        return elements.check
    if format is CaptionFormat.SAMI:
        from quoteview.core.auditing import tagsoup

        return tagsoup.check_sami
    if format is CaptionFormat.SUBSTATION:
        from quoteview.core.auditing import events

        return events.check_substation
    from quoteview.core.auditing import lines

    match format:
        case CaptionFormat.WEBVTT:
            return lines.check_webvtt
        case CaptionFormat.SUBRIP:
            return lines.check_subrip
        case CaptionFormat.SBV:
            return lines.check_sbv
    return lines.check_plain


def _nothing_is_glued(_position: int) -> bool:
    return False
