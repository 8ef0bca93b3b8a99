"""The bag's tag files hold every file, and escape what RFC 8493 has escaped."""

from __future__ import annotations

from pathlib import Path

import pytest

from quoteview.core.bundle.bag import bag_files, check_bag, manifest
from quoteview.core.errors import StoreError
from tests.bundles import write_bag

PAYLOAD = {"data/statement.json": b"{}\n", "data/tracks/en.vtt": b"WEBVTT\n"}


def test_a_bag_has_four_tag_files_and_counts_its_payload() -> None:
    files = bag_files(PAYLOAD, agent="quoteview 1", date="2027-03-03")
    assert set(files) - set(PAYLOAD) == {"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"}
    assert b"Payload-Oxum: 10.2\n" in files["bag-info.txt"]
    assert files["bagit.txt"] == b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"


def test_names_are_escaped_as_the_standard_has_it_and_ordered() -> None:
    listed = manifest({"data/b%.md": b"", "data/a\n.md": b""}).decode()
    assert [line.split("  ")[1] for line in listed.splitlines()] == ["data/a%0A.md", "data/b%25.md"]


def test_the_library_accepts_the_bag_and_refuses_it_with_one_byte_changed(tmp_path: Path) -> None:
    files = bag_files(PAYLOAD, agent="quoteview 1", date="2027-03-03")
    check_bag(write_bag(tmp_path / "whole", files))
    with pytest.raises(StoreError, match="does not hold"):
        check_bag(write_bag(tmp_path / "changed", {**files, "data/statement.json": b"{ }\n"}))
