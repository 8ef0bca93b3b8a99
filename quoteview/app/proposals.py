"""What was dropped on the window, recognised: caption files with their format and digest, drafts, media.

Recognising reads and hashes files, so it runs in a worker. Whether a file is a caption track is told by
reading it as one; a Markdown or HTML file is a draft, and so is plain text that is no track or holds
quotation marks. A person confirms origin and language and may say otherwise before anything is locked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from quoteview.core.captions.reading import LARGEST_FILE, read_track
from quoteview.core.captions.track import CaptionFormat, Origin, Track
from quoteview.core.errors import EncodingUnclear, QuoteviewError, StoreError
from quoteview.core.locking import lock
from quoteview.core.store import refuse_taken

__all__ = ["NewJob", "Proposal", "Use", "as_use", "recognise", "recognise_one", "refuse_taken"]

_DRAFTS = frozenset({".md", ".markdown", ".html", ".htm", ".xhtml", ".docx", ".odt"})
_MEDIA = re.compile(r"\.(?:mp3|m4a|aac|og[gav]|opus|flac|wav|wma|mp4|m4v|mkv|webm|mov|avi|mpe?g|3gp)", re.IGNORECASE)
_QUOTES = re.compile('[“”„«»「『]|"[^"\n]{2,}"')
_LANGUAGE = re.compile(r"[._-]([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)(?=[._-])")
_ORIGINS = (
    (re.compile(r"[._-](?:auto|asr|automatic|orig)(?=[._-])", re.IGNORECASE), Origin.AUTOMATIC),
    (re.compile(r"[._-](?:human|manual)(?=[._-])", re.IGNORECASE), Origin.HUMAN),
    (re.compile(r"[._-](?:translated|translation|mt)(?=[._-])", re.IGNORECASE), Origin.TRANSLATED),
)
_NOT_LANGUAGES = frozenset({"auto", "asr", "orig", "srt", "vtt", "txt", "new", "old", "the", "mt"})


class Use(StrEnum):
    """What a dropped file is to the job."""

    CAPTIONS = "captions"
    DRAFT = "draft"
    MEDIA = "media"
    UNUSABLE = "unusable"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One dropped file. For captions: the format's word, how many cues, the digest that would be locked, what the
    name or the file says of origin and language, and encodings to choose from where it is unclear. `remark` says
    what a person should know, for an unusable file why."""

    path: Path
    use: Use
    size: int = 0
    format: str = ""
    cues: int = 0
    sha256: str = ""
    origin: Origin = Origin.UNKNOWN
    language: str = ""
    encoding: str | None = None
    likely_encodings: tuple[str, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be made at `folder`, as a person confirmed it. `proposals` hold captions, drafts and media;
    `source` is the recording's address, "" where none is known."""

    folder: Path
    title: str
    language: str
    source: str
    proposals: tuple[Proposal, ...]

    def of_use(self, use: Use) -> tuple[Proposal, ...]:
        """Return the files of one use, in order."""
        return tuple(proposal for proposal in self.proposals if proposal.use is use)


def recognise(paths: Sequence[Path], report: Callable[[int, int], None]) -> tuple[Proposal, ...]:
    """Return what each file is, in the order given. A file that cannot be used is one with its reason, never an error."""
    found = []
    for number, path in enumerate(paths):
        report(number, len(paths))
        found.append(recognise_one(path))
    return tuple(found)


def recognise_one(path: Path, encoding: str | None = None) -> Proposal:
    """Return what one file is; `encoding` is a person's choice for captions."""
    if _MEDIA.fullmatch(path.suffix):
        return Proposal(path, Use.MEDIA)
    try:
        content = _content(path)
    except StoreError as error:
        return Proposal(path, Use.UNUSABLE, remark=str(error))
    if path.suffix.lower() in _DRAFTS:
        return Proposal(path, Use.DRAFT, size=len(content))
    return _captions_or_draft(path, content, encoding)


def as_use(proposal: Proposal, use: Use) -> Proposal:
    """Return a proposal as a person says it is; captions are read again to learn format and digest."""
    if use is Use.CAPTIONS and not proposal.sha256:
        try:
            return _captions(proposal.path, _content(proposal.path), proposal.encoding)
        except QuoteviewError as error:
            return Proposal(proposal.path, Use.UNUSABLE, size=proposal.size, remark=str(error))
    return Proposal(proposal.path, use, size=proposal.size)


def _captions_or_draft(path: Path, content: bytes, encoding: str | None) -> Proposal:
    is_plain = path.suffix.lower() in (".txt", ".text", "")
    try:
        found = _captions(path, content, encoding)
    except EncodingUnclear as error:
        return Proposal(
            path, Use.UNUSABLE, size=len(content), likely_encodings=error.likely, remark=str(error), encoding=encoding
        )
    except QuoteviewError as error:
        if is_plain:
            return Proposal(path, Use.DRAFT, size=len(content))
        return Proposal(path, Use.UNUSABLE, size=len(content), remark=str(error))
    if is_plain and found.format == CaptionFormat.PLAIN_TIMED and _QUOTES.search(content.decode("utf-8", "ignore")):
        return Proposal(path, Use.DRAFT, size=len(content))
    return found


def _captions(path: Path, content: bytes, encoding: str | None) -> Proposal:
    source = lock(content, path.name)
    track = read_track(source, encoding=encoding)
    return Proposal(
        path,
        Use.CAPTIONS,
        size=len(content),
        format=str(track.format),
        cues=len(track.cues),
        sha256=source.lock.sha256,
        origin=_origin_of(path.name),
        language=_language_of(path.name, track),
        encoding=encoding,
    )


def _origin_of(name: str) -> Origin:
    return next((origin for pattern, origin in _ORIGINS if pattern.search(name)), Origin.UNKNOWN)


def _language_of(name: str, track: Track) -> str:
    if track.language:
        return track.language
    tags = [tag for tag in _LANGUAGE.findall(name) if tag.lower() not in _NOT_LANGUAGES]
    return tags[-1] if tags else ""


def _content(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise StoreError(str(path), "this is a folder", remedy="Drop the files in it.")
        if path.stat().st_size > LARGEST_FILE:
            raise StoreError(str(path), "the file is larger than any captions or draft", remedy="Drop the file itself.")
        return path.read_bytes()
    except OSError as error:
        raise StoreError(str(path), error.strerror or str(error), remedy="Choose a copy that can be read.") from error
