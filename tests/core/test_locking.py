from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoteview.core.errors import LockBroken
from quoteview.core.locking import Lock, LockedSource, lock, reopen, sha256_hex


def test_fresh_bytes_are_locked_with_their_digest_and_size() -> None:
    source = lock(b"WEBVTT\n", "tracks/a.vtt")
    assert source.lock == Lock("tracks/a.vtt", sha256_hex(b"WEBVTT\n"), 7)
    assert source.data == b"WEBVTT\n"


def test_the_same_bytes_open_again() -> None:
    recorded = lock(b"WEBVTT\n", "a.vtt").lock
    assert reopen(recorded, b"WEBVTT\n").data == b"WEBVTT\n"


def test_other_bytes_say_what_was_expected_and_found() -> None:
    recorded = lock(b"WEBVTT\n", "a.vtt").lock
    with pytest.raises(LockBroken) as caught:
        reopen(recorded, b"WEBVTT\r")
    assert (caught.value.expected, caught.value.observed) == (recorded.sha256, sha256_hex(b"WEBVTT\r"))


def test_a_recorded_size_that_differs_breaks_the_lock_though_the_digest_fits() -> None:
    with pytest.raises(LockBroken):
        reopen(Lock("a.vtt", sha256_hex(b"abc"), 4), b"abc")


def test_there_is_no_other_door() -> None:
    with pytest.raises(TypeError):
        LockedSource(object(), Lock("a", sha256_hex(b""), 0), b"")


def test_locked_bytes_do_not_follow_a_buffer_that_changes() -> None:
    buffer = bytearray(b"abc")
    source = lock(bytes(buffer), "a")
    buffer[0] = 0
    assert source.data == b"abc"


@given(st.binary(min_size=1, max_size=200), st.data())
def test_flipping_any_bit_breaks_the_lock(data: bytes, draw: st.DataObject) -> None:
    recorded = lock(data, "a").lock
    place = draw.draw(st.integers(0, len(data) - 1))
    changed = bytearray(data)
    changed[place] ^= 1 << draw.draw(st.integers(0, 7))
    with pytest.raises(LockBroken):
        reopen(recorded, bytes(changed))
