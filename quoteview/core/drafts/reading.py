"""Reads a draft: bytes in, claims and the role of every quote mark out.

The format is known by the file name's ending (`.md`, `.markdown`, `.html`, `.htm`, `.txt`), for other names by
the content. Word files are not read yet, and refused with a way out.
"""

from __future__ import annotations

import hashlib
import re

from quoteview.core.drafts.claims import make_claims
from quoteview.core.drafts.draft import Draft, DraftFormat
from quoteview.core.drafts.ending import defects
from quoteview.core.drafts.plain import render_plain
from quoteview.core.drafts.rendering import Rendering
from quoteview.core.drafts.source import SourceText, decode_draft

_ENDINGS: dict[str, DraftFormat] = {
    "md": DraftFormat.MARKDOWN,
    "markdown": DraftFormat.MARKDOWN,
    "mdown": DraftFormat.MARKDOWN,
    "mkd": DraftFormat.MARKDOWN,
    "html": DraftFormat.HTML,
    "htm": DraftFormat.HTML,
    "xhtml": DraftFormat.HTML,
    "txt": DraftFormat.PLAIN,
    "text": DraftFormat.PLAIN,
}
_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|article|p|div|h[1-6]|blockquote)\b", re.I | re.S)
_MARKDOWN = re.compile(r"\A---\r?\n|^(?:#{1,6} |> |```|~~~|\* |- \[[ x]\] )|\]\([^)\s]+\)|\*\*\w", re.M)
_SNIFFED = 4096


def read_draft(data: bytes, file: str, *, source_address: str = "", end_mark: str = "") -> Draft:
    """Return the draft as read. An empty file is a draft without claims.

    `source_address` is the recording that links in the draft are held against; `end_mark` the text that a job wants at
    a whole draft's end. Raises `DraftError` for a packed or binary file and for another encoding than UTF-8 or marked UTF-16.
    """
    source = decode_draft(data, file)
    format = format_of(source.text, file)
    rendering = render(source, format)
    claims, marks = make_claims(rendering, source_address)
    return Draft(
        file=file,
        format=format,
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        encoding=source.encoding,
        claims=claims,
        marks=marks,
        defects=defects(rendering, claims, end_mark, format),
    )


def format_of(text: str, file: str) -> DraftFormat:
    """Return a draft's format: by the name's ending, else by what the text looks like."""
    stem, dot, ending = file.rpartition(".")
    known = _ENDINGS.get(ending.lower()) if dot and stem else None
    if known is not None:
        return known
    head = text[:_SNIFFED]
    if _HTML.match(head):
        return DraftFormat.HTML
    return DraftFormat.MARKDOWN if _MARKDOWN.search(head) else DraftFormat.PLAIN


def render(source: SourceText, format: DraftFormat) -> Rendering:
    """Return what a reader of the draft sees, with the way back to its characters."""
    match format:
        case DraftFormat.PLAIN:
            return render_plain(source)
        case DraftFormat.MARKDOWN:
            from quoteview.core.drafts.markdown import render_markdown

            return render_markdown(source)
        case DraftFormat.HTML:
            from quoteview.core.drafts.html import render_html

            return render_html(source)
