"""The errors that bad input raises: one tree, each with typed fields and a sentence for an editor.

A finding about a claim is a value (`Verdict`, `Gate`) and never raised. A programming error is a
built-in exception. Everything here means that an input could not be used: the message names the
file, the place in it, and the way out.
"""

from __future__ import annotations


class QuoteviewError(Exception):
    """Says in one sentence which input cannot be used, where it fails, and what to do."""


class LockBroken(QuoteviewError):
    """The bytes of a locked file are not those that were locked; `observed` is "" where the file is missing."""

    def __init__(self, file: str, expected: str, observed: str) -> None:
        self.file = file
        self.expected = expected
        self.observed = observed
        found = f"found {observed}" if observed else "the file is missing"
        super().__init__(
            f"{file} is not the file that was locked: expected {expected}, {found}. "
            "Put the locked file back; nothing can be verified until then."
        )


class CaptionError(QuoteviewError):
    """A file cannot be a caption track. `offset` counts bytes of the file; `line` is 1-based, 0 where unknown."""

    def __init__(self, file: str, reason: str, *, remedy: str, offset: int = 0, line: int = 0, format: str = "") -> None:
        self.file = file
        self.reason = reason
        self.remedy = remedy
        self.offset = offset
        self.line = line
        self.format = format
        place = f", line {line}" if line else (f", byte {offset}" if offset else "")
        super().__init__(f"{file}{place}: {reason}. {remedy}")


class EncodingUnclear(CaptionError):
    """A file is not UTF-8 and does not say what it is; `likely` names encodings to choose from, best first."""

    def __init__(self, file: str, reason: str, likely: tuple[str, ...], *, offset: int = 0, line: int = 0) -> None:
        self.likely = likely
        choice = ", ".join(likely) if likely else "its encoding"
        super().__init__(
            file,
            reason,
            remedy=f"Say which encoding it is (likely: {choice}), for example encoding={likely[0] if likely else 'cp1252'}.",
            offset=offset,
            line=line,
        )


class DraftError(QuoteviewError):
    """A draft cannot be read. `offset` counts bytes of the draft's file."""

    def __init__(self, file: str, reason: str, *, remedy: str, offset: int = 0) -> None:
        self.file = file
        self.reason = reason
        self.remedy = remedy
        self.offset = offset
        place = f", byte {offset}" if offset else ""
        super().__init__(f"{file}{place}: {reason}. {remedy}")


class StoreError(QuoteviewError):
    """A file of a job cannot be read or written; `path` names it."""

    def __init__(self, path: str, reason: str, *, remedy: str) -> None:
        self.path = path
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{path}: {reason}. {remedy}")


class JobError(QuoteviewError):
    """What a job's files say is not a job this version can use; `place` names the key or line."""

    def __init__(self, path: str, place: str, reason: str, *, remedy: str) -> None:
        self.path = path
        self.place = place
        self.reason = reason
        self.remedy = remedy
        super().__init__(f"{path}, {place}: {reason}. {remedy}" if place else f"{path}: {reason}. {remedy}")


class UsageError(QuoteviewError):
    """A request cannot be carried out as put; the sentence says what to put instead."""


class FetchError(QuoteviewError):
    """A source could not be asked or a track not be had; `detail` is the fetching library's own sentence.

    `is_passing` says that trying again later may help.
    """

    def __init__(self, address: str, reason: str, *, remedy: str, detail: str = "", is_passing: bool = False) -> None:
        self.address = address
        self.reason = reason
        self.remedy = remedy
        self.detail = detail
        self.is_passing = is_passing
        super().__init__(f"{address}: {reason}. {remedy}" + (f" ({detail})" if detail else ""))


class Cancelled(QuoteviewError):
    """A person stopped long work; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("Stopped as asked; nothing was changed.")
