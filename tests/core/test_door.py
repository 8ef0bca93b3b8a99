"""How deep JSON may nest, and that what people write between quotes does not count."""

from __future__ import annotations

import json

import pytest

from quoteview.core.door import fields_of
from quoteview.core.errors import JobError


@pytest.mark.parametrize("words", ["[" * 5000, '"[{' * 500, "\\[" * 500, "\\", 'a "quoted \\" [' * 300])
def test_brackets_in_a_text_are_no_nesting(words: str) -> None:
    data = json.dumps({"reason": words}).encode()
    assert fields_of(data, "journal.jsonl").text("reason") == words


@pytest.mark.parametrize("inner", ["[" * 5000 + "]" * 5000, '{"a":' * 5000 + "1" + "}" * 5000, '"\\"", [' + "[" * 5000])
def test_real_nesting_is_refused(inner: str) -> None:
    with pytest.raises(JobError, match="nested too deep"):
        fields_of(f'{{"a": {inner}}}'.encode(), "job.json")


def test_a_string_without_an_end_is_refused_at_once() -> None:
    with pytest.raises(JobError, match="not whole JSON"):
        fields_of(b'{"a": "' + b'\\"' * 300_000, "job.json")
