"""The bag: a bundle's files with the tag files of BagIt 1.0 (RFC 8493), as bytes, so that one atomic write makes it.

The bagit library's own writer changes the working directory of the whole process and declares version
0.97; so the four small tag files are made here, and the library checks every bag before it is handed out
(`check_bag`), as any archive's tools would.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quoteview.core.errors import StoreError
from quoteview.core.locking import sha256_hex

_DECLARATION = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"


def bag_files(payload: Mapping[str, bytes], *, agent: str, date: str) -> dict[str, bytes]:
    """Return every file of the bag by its name. Payload names begin with `data/`; `date` is YYYY-MM-DD."""
    total = sum(len(content) for content in payload.values())
    info = f"Bag-Software-Agent: {agent}\nBagging-Date: {date}\nPayload-Oxum: {total}.{len(payload)}\n"
    tags = {
        "bagit.txt": _DECLARATION,
        "bag-info.txt": info.encode("utf-8"),
        "manifest-sha256.txt": manifest(payload),
    }
    return {**payload, **tags, "tagmanifest-sha256.txt": manifest(tags)}


def manifest(files: Mapping[str, bytes]) -> bytes:
    """Return a manifest: digest, two spaces, name, in the order of names; RFC 8493 escapes CR, LF and % in names."""
    lines = []
    for name in sorted(files):
        escaped = name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")
        lines.append(f"{sha256_hex(files[name])}  {escaped}\n")
    return "".join(lines).encode("utf-8")


def check_bag(folder: Path) -> None:
    """Hold a bag on disk against its manifests with the bagit library; raises `StoreError` where it does not hold."""
    import bagit  # type: ignore[import-untyped]  # imported where a bag is made: it costs start-up time

    try:
        bagit.Bag(str(folder)).validate()
    except bagit.BagError as error:
        raise StoreError(str(folder), f"the bag does not hold: {error}", remedy="Write the bundle again.") from error
