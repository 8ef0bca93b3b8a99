"""Colours, fonts and sizes of the window, and the one place that says how each state of a claim looks and is called.

Light, dark and high contrast are palettes of their own, none the inversion of another. Text meets each
background it stands on with a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3); a test computes it for
every pair that `Palette.text_pairs` names. Actions are blue: green and red belong to verdicts. A state
is never told by colour alone: it has a shape (`quoteview.ui.signs`), a line style and a word.

Standard widgets are styled by a `role` property and one style sheet (`resources/theme.qss`): `pane`, `header`, `muted`,
`strong`, `title`, `mono`, `serif`, `key`, `tag`, `primary`, `link`, `tab`, `chip`, `banner`, `danger`.
Widgets that paint themselves read `Theme.palette`, `Theme.look` and `Theme.font`, and repaint on `Theme.changed`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette, QPixmap, QTextCharFormat
from PySide6.QtWidgets import QApplication, QWidget

from quoteview.app.states import ClaimState
from quoteview.core.resources import resource


class ThemeKind(StrEnum):
    """The themes to choose from; SYSTEM follows the desktop's light, dark or high contrast."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"


class FontRole(StrEnum):
    """What a text is for; `Theme.font` gives its font in the size chosen."""

    UI = "ui"
    STRONG = "strong"
    SMALL = "small"
    TITLE = "title"
    MONO = "mono"
    TRANSCRIPT = "transcript"
    DRAFT = "draft"
    QUOTE = "quote"


_FONTS: dict[FontRole, tuple[str, int, QFont.Weight]] = {
    FontRole.UI: ("sans", 13, QFont.Weight.Normal),
    FontRole.STRONG: ("sans", 13, QFont.Weight.DemiBold),
    FontRole.SMALL: ("sans", 12, QFont.Weight.Normal),
    FontRole.TITLE: ("sans", 17, QFont.Weight.DemiBold),
    FontRole.MONO: ("mono", 12, QFont.Weight.Normal),
    FontRole.TRANSCRIPT: ("sans", 15, QFont.Weight.Normal),
    FontRole.DRAFT: ("serif", 17, QFont.Weight.Normal),
    FontRole.QUOTE: ("serif", 17, QFont.Weight.Normal),
}
_FAMILIES = {
    "sans": ["Noto Sans", "Segoe UI", "Helvetica Neue", "Noto Sans CJK JP", "Noto Sans Arabic", "DejaVu Sans", "sans-serif"],
    "serif": ["Noto Serif", "Georgia", "Noto Serif CJK JP", "Noto Naskh Arabic", "DejaVu Serif", "serif"],
    "mono": ["Noto Sans Mono", "Consolas", "Menlo", "DejaVu Sans Mono", "monospace"],
}


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme as `#rrggbb`. A `…_soft` colour is the background of what the plain one marks."""

    window: str
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_pressed: str
    accent_soft: str
    focus: str
    exact: str
    exact_soft: str
    to_do: str
    to_do_soft: str
    set_aside: str
    set_aside_soft: str
    exception: str
    exception_soft: str
    to_verify: str
    to_verify_soft: str
    on_sign: str
    removed_frame: str
    added_frame: str
    waveform: str
    playhead: str

    def color(self, name: str) -> QColor:
        """Return a colour of the palette by its field's name."""
        return _color(str(getattr(self, name)))

    def text_pairs(self) -> tuple[tuple[str, str], ...]:
        """Return every pair of text colour and background that meet in the window, as names of fields."""
        plain = ("window", "surface", "raised", "accent_soft")
        softs = tuple(f"{state}_soft" for state in ClaimState)
        pairs = [(text, ground) for text in ("text", "muted") for ground in (*plain, *softs)]
        pairs += [(str(state), ground) for state in ClaimState for ground in (*plain, f"{state}_soft")]
        pairs += [("accent", ground) for ground in plain]
        pairs += [("on_accent", "accent"), ("on_accent", "accent_pressed")]
        pairs += [("on_sign", str(state)) for state in ClaimState]
        return tuple(pairs)


LIGHT = Palette(
    window="#f5f7f9",
    surface="#ffffff",
    raised="#f7f9fb",
    border="#d5dce3",
    text="#1d2126",
    muted="#566069",
    accent="#0a5fcb",
    on_accent="#ffffff",
    accent_pressed="#084a9f",
    accent_soft="#e0f0fe",
    focus="#0a5fcb",
    exact="#176f34",
    exact_soft="#dcf7e2",
    to_do="#bf1f2d",
    to_do_soft="#fde3e1",
    set_aside="#0a5fcb",
    set_aside_soft="#def0fd",
    exception="#855300",
    exception_soft="#fcefcf",
    to_verify="#58626c",
    to_verify_soft="#eceff2",
    on_sign="#ffffff",
    removed_frame="#bf1f2d",
    added_frame="#176f34",
    waveform="#c3ccd5",
    playhead="#1d2126",
)

DARK = Palette(
    window="#14181d",
    surface="#1b2027",
    raised="#232a32",
    border="#38424d",
    text="#e7ebf0",
    muted="#a3aeb9",
    accent="#79b4ff",
    on_accent="#0c1a2b",
    accent_pressed="#a5cdff",
    accent_soft="#1c3350",
    focus="#79b4ff",
    exact="#5cce79",
    exact_soft="#17341f",
    to_do="#ff8f8a",
    to_do_soft="#46201f",
    set_aside="#79b4ff",
    set_aside_soft="#18314d",
    exception="#e8b54a",
    exception_soft="#3b2e10",
    to_verify="#a3aeb9",
    to_verify_soft="#2a3038",
    on_sign="#12161a",
    removed_frame="#ff8f8a",
    added_frame="#5cce79",
    waveform="#46515d",
    playhead="#e7ebf0",
)

HIGH_CONTRAST = Palette(
    window="#000000",
    surface="#000000",
    raised="#101010",
    border="#ffffff",
    text="#ffffff",
    muted="#f0f0f0",
    accent="#ffe14d",
    on_accent="#000000",
    accent_pressed="#ffffff",
    accent_soft="#30300a",
    focus="#ffe14d",
    exact="#6dff8e",
    exact_soft="#002b0c",
    to_do="#ff9b9b",
    to_do_soft="#3a0000",
    set_aside="#8fd0ff",
    set_aside_soft="#00243d",
    exception="#ffc966",
    exception_soft="#332200",
    to_verify="#e0e0e0",
    to_verify_soft="#1c1c1c",
    on_sign="#000000",
    removed_frame="#ff9b9b",
    added_frame="#6dff8e",
    waveform="#8a8a8a",
    playhead="#ffffff",
)


@dataclass(frozen=True, slots=True)
class Look:
    """How one state of a claim looks and is called. `word` is translated; `underline` and `pen` are its line style."""

    word: str
    color: QColor
    soft: QColor
    underline: QTextCharFormat.UnderlineStyle
    pen: Qt.PenStyle


_LINES = {
    ClaimState.EXACT: (QTextCharFormat.UnderlineStyle.SingleUnderline, Qt.PenStyle.SolidLine),
    ClaimState.TO_DO: (QTextCharFormat.UnderlineStyle.DashUnderline, Qt.PenStyle.DashLine),
    ClaimState.SET_ASIDE: (QTextCharFormat.UnderlineStyle.DotLine, Qt.PenStyle.DotLine),
    ClaimState.EXCEPTION: (QTextCharFormat.UnderlineStyle.DashDotLine, Qt.PenStyle.DashDotLine),
    ClaimState.TO_VERIFY: (QTextCharFormat.UnderlineStyle.DashDotDotLine, Qt.PenStyle.DashDotDotLine),
}


def state_word(state: ClaimState) -> str:
    """Return the translated word for a state: exact, to do, set aside, exception, to verify."""
    words = {
        ClaimState.EXACT: QCoreApplication.translate("ClaimState", "exact"),
        ClaimState.TO_DO: QCoreApplication.translate("ClaimState", "to do"),
        ClaimState.SET_ASIDE: QCoreApplication.translate("ClaimState", "set aside"),
        ClaimState.EXCEPTION: QCoreApplication.translate("ClaimState", "exception"),
        ClaimState.TO_VERIFY: QCoreApplication.translate("ClaimState", "to verify"),
    }
    return words[state]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two `#rrggbb` colours, 1 to 21, as WCAG 2.2 defines it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


class Theme(QObject):
    """The theme in use. `changed` is emitted after another theme or text size was applied to the application.

    `pictures` are signs as `quoteview.ui.signs` drew them in this theme.
    """

    changed = Signal()

    def __init__(self, kind: ThemeKind = ThemeKind.SYSTEM, text_percent: int = 100, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._text_percent = text_percent
        self._palette = self._resolve()
        self._looks: dict[ClaimState, Look] = {}
        self._fonts: dict[FontRole, QFont] = {}
        self.pictures: dict[tuple[str, int, int], QPixmap] = {}
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._on_system_scheme_changed)

    @property
    def kind(self) -> ThemeKind:
        """The theme as chosen."""
        return self._kind

    @property
    def palette(self) -> Palette:
        """The colours in use."""
        return self._palette

    @property
    def is_dark(self) -> bool:
        """Whether light text stands on a dark ground."""
        return _luminance(self._palette.window) < 0.5

    @property
    def text_percent(self) -> int:
        """The size of all text, in per cent of the usual one: 70 to 250."""
        return self._text_percent

    def look(self, state: ClaimState) -> Look:
        """Return how a state of a claim looks and is called."""
        if state not in self._looks:
            underline, pen = _LINES[state]
            color, soft = self._palette.color(state), self._palette.color(f"{state}_soft")
            self._looks[state] = Look(state_word(state), color, soft, underline, pen)
        return self._looks[state]

    def font(self, role: FontRole) -> QFont:
        """Return the font of a role in the size chosen."""
        if role not in self._fonts:
            family, size, weight = _FONTS[role]
            font = QFont()
            font.setFamilies(_FAMILIES[family])
            font.setPixelSize(self.pixels(size))
            font.setWeight(weight)
            self._fonts[role] = font
        return QFont(self._fonts[role])

    def pixels(self, usual: int) -> int:
        """Return a length that grows with the text, in logical pixels."""
        return max(1, round(usual * self._text_percent / 100))

    def choose(self, kind: ThemeKind) -> None:
        """Use another theme from now on."""
        self._kind = kind
        self.apply()

    def set_text_percent(self, percent: int) -> None:
        """Use another text size from now on."""
        self._text_percent = max(70, min(250, percent))
        self.apply()

    def apply(self) -> None:
        """Give the application this theme's colours, fonts and style sheet."""
        self._palette = self._resolve()
        self._looks, self._fonts, self.pictures = {}, {}, {}
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setFont(self.font(FontRole.UI))
            application.setPalette(_qt_palette(self._palette))
            application.setStyleSheet(_style_sheet(self))
        self.changed.emit()

    def _resolve(self) -> Palette:
        match self._kind:
            case ThemeKind.LIGHT:
                return LIGHT
            case ThemeKind.DARK:
                return DARK
            case ThemeKind.HIGH_CONTRAST:
                return HIGH_CONTRAST
            case ThemeKind.SYSTEM:
                return _system_palette()

    def _on_system_scheme_changed(self) -> None:
        if self._kind is ThemeKind.SYSTEM:
            self.apply()


def set_role(widget: QWidget, role: str) -> None:
    """Give a standard widget one of the style sheet's roles, and restyle it where it had another."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def _system_palette() -> Palette:
    hints = QGuiApplication.styleHints()
    accessibility = hints.accessibility() if hasattr(hints, "accessibility") else None
    if accessibility is not None and accessibility.contrastPreference() == Qt.ContrastPreference.HighContrast:
        return HIGH_CONTRAST
    return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT


@lru_cache(maxsize=256)
def _color(value: str) -> QColor:
    return QColor(value)


def _luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _qt_palette(colors: Palette) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "raised",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "raised",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "on_accent",
        QPalette.ColorRole.ToolTipBase: "raised",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.Mid: "border",
        QPalette.ColorRole.Dark: "border",
        QPalette.ColorRole.Light: "surface",
    }
    for role, name in roles.items():
        palette.setColor(role, colors.color(name))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, colors.color("muted"))
    return palette


def _style_sheet(theme: Theme) -> str:
    values = {field.name: str(getattr(theme.palette, field.name)) for field in fields(theme.palette)}
    for role in FontRole:
        family, size, weight = _FONTS[role]
        names = ", ".join(f'"{name}"' for name in _FAMILIES[family])
        values[f"font_{role}"] = f"font-family: {names}; font-size: {theme.pixels(size)}px; font-weight: {weight.value};"
    sheet = resource("theme.qss").read_text(encoding="utf-8")
    for name in sorted(values, key=len, reverse=True):
        sheet = sheet.replace(f"@{name};", values[name] if name.startswith("font_") else values[name] + ";")
    return sheet
