"""The words of a label: the fact first, no more than was checked, and never “was said”, “authentic” or “fact-checked”.

- Without an exception: “Quotations match the captions.” and how many of how many do, in which captions, within what time.
- With exceptions: “Quotations compared with the captions: 21 of 23 match, 2 exceptions (1 cut, 1 wording).”
- Always what was not checked, who says so, when, and whether it is signed. What narrows the proof is said with it: bytes
  that could not be read, times known only to a long cue, captions brought as a file, a reference that a person chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from quoteview.core.statement import StatedCounts, StatedTrack

_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NOT_CHECKED = "Not checked: whether the captions are right, who spoke, the context, other facts."
_CLASSES = {"cut": "cut", "translation": "translation", "house_style": "house style", "wording": "wording", "other": "other"}


def label_sentence(
    counts: StatedCounts,
    track: StatedTrack,
    *,
    tolerance_ms: int,
    by: str,
    at: str,
    is_signed: bool,
    unread_bytes: int = 0,
    reference_choice: str = "",
) -> str:
    """Return the label's sentences, as they stand in the statement, the report and the window."""
    sentences = [_match_sentence(counts, track, tolerance_ms)]
    if counts.set_aside:
        phrases = "1 other marked phrase was" if counts.set_aside == 1 else f"{counts.set_aside} other marked phrases were"
        sentences.append(f"{phrases} set aside as not from this recording.")
    if counts.long_cues:
        of = "1 of them lies in a cue" if counts.long_cues == 1 else f"{counts.long_cues} of them lie in cues"
        sentences.append(f"{of} longer than 15 s: the time is known only to that.")
    if unread_bytes:
        sentences.append(f"{unread_bytes:,} bytes of the captions were not read.")
    if track.is_imported:
        sentences.append("The captions were brought as a file: what else the source offers is unknown.")
    if reference_choice:
        sentences.append(f"The captions to compare with were chosen by a person: {reference_choice}.")
    sentences.append(_NOT_CHECKED)
    sentences.append(f"By {by}, {day(at)}, {'signed' if is_signed else 'unsigned'}.")
    return " ".join(sentences)


def published_line(counts: StatedCounts, recording: str, draft_sha256: str, *, by: str, at: str, bundle_sha256: str = "") -> str:
    """Return the line to print under a published piece."""
    what = recording or "the recording"
    if counts.exceptions:
        total = counts.exact + counts.exceptions
        matching = f"{counts.exact} of {total} quotations from {what} in the checked draft of this article match its captions"
        head = f"{matching} at the stated times; {exceptions_words(counts)}."
    else:
        number = "The one quotation" if counts.exact == 1 else f"All {counts.exact} quotations"
        verb = "matches" if counts.exact == 1 else "match"
        head = f"{number} from {what} in the checked draft of this article {verb} its captions at the stated times."
    covers = f"Covers draft {draft_sha256[:8]}…, not later changes."
    evidence = f" Evidence {bundle_sha256[:8]}…." if bundle_sha256 else ""
    return f"{head} Not checked: the captions' accuracy, who spoke, context. {by}, {day(at)}. {covers}{evidence}"


def exceptions_words(counts: StatedCounts) -> str:
    """Return `2 exceptions (1 cut, 1 wording)`."""
    classes = ", ".join(f"{count} {_CLASSES.get(name, name.replace('_', ' '))}" for name, count in counts.by_class)
    word = "exception" if counts.exceptions == 1 else "exceptions"
    return f"{counts.exceptions} {word} ({classes})" if classes else f"{counts.exceptions} {word}"


def captions_words(track: StatedTrack) -> str:
    """Return `locked English captions (human, as stated)`."""
    language = _LANGUAGES.get(track.language.split("-")[0].lower(), track.language)
    origin = {"translated": "machine translation", "unknown": "origin unknown"}.get(track.origin, track.origin)
    stated = ", as stated" if track.is_imported else ""
    return " ".join(word for word in ("locked", language, f"captions ({origin}{stated})") if word)


def day(at: str) -> str:
    """Return `3 March 2027` of an ISO time; the text itself where it is none."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return at
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def _match_sentence(counts: StatedCounts, track: StatedTrack, tolerance_ms: int) -> str:
    seconds = f"{tolerance_ms / 1000:g} second{'' if tolerance_ms == 1000 else 's'}"
    if counts.exceptions:
        total = counts.exact + counts.exceptions
        head = f"Quotations compared with the captions: {counts.exact} of {total} match, {exceptions_words(counts)}."
        return (
            f"{head} The matching ones stand in the {captions_words(track)} word for word, within {seconds} of the stated times."
        )
    noun, verb = ("quotation", "matches") if counts.exact == 1 else ("quotations", "match")
    return (
        f"Quotations match the captions. {counts.exact} of {counts.exact} {noun} {verb} the {captions_words(track)} "
        f"word for word, within {seconds} of the stated times."
    )


def by_class(names: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return how often each class of exception occurs, in the order of the classes; set aside counts as `other`."""
    order = list(_CLASSES)
    counted = [name if name in _CLASSES else "other" for name in names]
    return tuple((name, counted.count(name)) for name in order if name in counted)
