"""How a draft's structure looks: headings larger, quotations set apart, code in a fixed font; the text stays the file's own."""

from __future__ import annotations

import re

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from quoteview.core.drafts.draft import Draft, DraftFormat
from quoteview.ui.theme import FontRole, Theme

QUOTATION = 2
"""The block state of a line of a block quotation; the editor draws a bar beside it."""

_PLAIN, _FENCE = 0, 1
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
_FENCED = re.compile(r" {0,3}(```|~~~)")
_INLINE = (
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), "bold"),
    (re.compile(r"(?<![\w*])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*])"), "italic"),
    (re.compile(r"(`+)(.+?)\1"), "code"),
    (re.compile(r"\]\([^()\s]*(?:\s+\"[^\"]*\")?\)|https?://\S+|<!--.*?-->|</?[a-zA-Z][^<>]*>"), "quiet"),
)


class DraftStructure(QSyntaxHighlighter):
    """Shows Markdown's structure; in HTML it makes tags quiet; plain text is left alone."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._format = DraftFormat.PLAIN

    def use(self, draft: Draft | None) -> None:
        """Show the structure of this draft's format from now on."""
        self._format = draft.format if draft is not None else DraftFormat.PLAIN
        self.rehighlight()

    def restyle(self) -> None:
        """Take the theme's fonts and colours again."""
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Give one line its formats, and remember whether a code fence is open after it."""
        self.setCurrentBlockState(_PLAIN)
        if self._format is DraftFormat.PLAIN:
            return
        if self._format is DraftFormat.MARKDOWN and self._is_block_styled(text):
            return
        for pattern, style in _INLINE if self._format is DraftFormat.MARKDOWN else _INLINE[3:]:
            for match in pattern.finditer(text):
                self.setFormat(match.start(), match.end() - match.start(), self._style(style))

    def _is_block_styled(self, text: str) -> bool:
        is_in_fence = self.previousBlockState() == _FENCE
        if _FENCED.match(text):
            self.setCurrentBlockState(_PLAIN if is_in_fence else _FENCE)
            self.setFormat(0, len(text), self._style("code"))
            return True
        if is_in_fence:
            self.setCurrentBlockState(_FENCE)
            self.setFormat(0, len(text), self._style("code"))
            return True
        heading = _HEADING.match(text)
        if heading:
            self.setFormat(0, len(text), self._heading(len(heading[1])))
            self.setFormat(heading.start(1), heading.end(1) - heading.start(1), self._style("quiet"))
            return True
        if text.lstrip(" ").startswith(">"):
            self.setCurrentBlockState(QUOTATION)
            self.setFormat(0, len(text) - len(text.lstrip(" >")), self._style("quiet"))
        return False

    def _heading(self, level: int) -> QTextCharFormat:
        style = QTextCharFormat()
        font = self._theme.font(FontRole.DRAFT)
        font.setPixelSize(round(font.pixelSize() * {1: 1.5, 2: 1.3, 3: 1.15}.get(level, 1.0)))
        font.setWeight(QFont.Weight.DemiBold)
        style.setFont(font)
        return style

    def _style(self, name: str) -> QTextCharFormat:
        style = QTextCharFormat()
        match name:
            case "bold":
                style.setFontWeight(QFont.Weight.Bold)
            case "italic":
                style.setFontItalic(True)
            case "code":
                style.setFont(self._theme.font(FontRole.MONO))
            case _:
                style.setForeground(self._theme.palette.color("muted"))
        return style
