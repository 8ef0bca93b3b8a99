"""The door for JSON that comes from disk: every key is checked here for its kind before anything believes it.

A document that is not JSON, names a key twice or one that nobody knows, or holds another kind of value than it
must raises `JobError` with the place (`tracks[2].lock.sha256`) and what would have been right. A key that nobody
knows may be a known one that was damaged: to pass over it would be to take the default for what was recorded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from quoteview.core.errors import JobError

LARGEST_INTEGER = 2**53
"""Beyond this other programs' JSON readers lose digits, and no size or time is as large."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A string; one that never closes goes on to the end, where the reader of JSON stops as well."""

_BRACKET = re.compile(r"[\[\]{}]")

_DEEPEST = 64


class Fields:
    """One JSON object with the place it stands at. Each method returns the value of a key or raises `JobError`."""

    __slots__ = ("_values", "path", "place")

    def __init__(self, values: Mapping[str, object], path: str, place: str) -> None:
        self._values = values
        self.path = path
        self.place = place

    def only(self, *keys: str) -> Fields:
        """Return these fields, which may have no other keys than these."""
        for key in self._values:
            if key not in keys:
                raise self.refuse(key[:60], "is no key that is known here")
        return self

    def has(self, key: str) -> bool:
        """Return whether the key is there with a value other than null."""
        return self._values.get(key) is not None

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; without a default it must be there."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.refuse(key, "must be text")
        return value

    def word(self, key: str, words: Sequence[str]) -> str:
        """Return a string that is one of `words`."""
        value = self.text(key)
        if value not in words:
            raise self.refuse(key, f"is “{value[:40]}”, not one of {', '.join(words)}")
        return value

    def digest(self, key: str, *, may_be_empty: bool = False) -> str:
        """Return a SHA-256 in lower-case hexadecimal digits."""
        value = self.text(key, "" if may_be_empty else None)
        if (may_be_empty and not value) or is_digest(value):
            return value
        raise self.refuse(key, "must be a SHA-256 in 64 lower-case hexadecimal digits")

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, "must be true or false")
        return value

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number of ordinary size."""
        value = self._value(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or abs(value) > LARGEST_INTEGER:
            raise self.refuse(key, "must be a whole number")
        return value

    def optional_integer(self, key: str) -> int | None:
        """Return a whole number, or None where the key is absent or null."""
        return self.integer(key) if self.has(key) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; an absent key is an empty one."""
        values = self._list(key)
        found = tuple(value for value in values if isinstance(value, str))
        if len(found) != len(values):
            raise self.refuse(key, "must be a list of texts")
        return found

    def child(self, key: str) -> Fields:
        """Return a JSON object."""
        value = self._value(key, None)
        if not isinstance(value, dict):
            raise self.refuse(key, "must be an object")
        return Fields(value, self.path, self._place(key))

    def children(self, key: str) -> Iterator[Fields]:
        """Yield the objects of a list; an absent key is an empty one."""
        for number, value in enumerate(self._list(key)):
            if not isinstance(value, dict):
                raise self.refuse(f"{key}[{number}]", "must be an object")
            yield Fields(value, self.path, self._place(f"{key}[{number}]"))

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return an object of strings as pairs in its order; an absent key is an empty one."""
        if not self.has(key):
            return ()
        inner = self.child(key)
        return tuple((name, inner.text(name)) for name in inner._values)

    def refuse(self, key: str, reason: str) -> JobError:
        """Return the error that says what is wrong at a key."""
        return JobError(
            self.path,
            self._place(key),
            reason,
            remedy="Take the file from a backup; it was changed or damaged outside quoteview.",
        )

    def _value(self, key: str, default: object) -> object:
        value = self._values.get(key, default)
        if value is None:
            raise self.refuse(key, "is missing")
        return value

    def _list(self, key: str) -> list[object]:
        value = self._value(key, [])
        if not isinstance(value, list):
            raise self.refuse(key, "must be a list")
        return value

    def _place(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key


def fields_of(data: bytes, path: str, place: str = "") -> Fields:
    """Return the one JSON object that data holds; `place` is said in errors (“line 3”)."""
    try:
        text = data.decode("utf-8")
        if _depth(text) > _DEEPEST:
            raise ValueError("it is nested too deep")
        value: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise JobError(path, place, f"this is not whole JSON ({error})", remedy="Take the file from a backup.") from error
    if not isinstance(value, dict):
        raise JobError(path, place, "this is JSON, but not an object", remedy="Take the file from a backup.")
    return Fields(value, path, place)


def is_digest(text: str) -> bool:
    """Return whether a text is a SHA-256 as it is written here: 64 digits of 0–9 and a–f."""
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key is named twice")
    return values


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no number")


def _depth(text: str) -> int:
    """Return how deep brackets nest at most: what people wrote between quotes may hold any number of them."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        if bracket in "[{":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth = max(0, depth - 1)
    return deepest
