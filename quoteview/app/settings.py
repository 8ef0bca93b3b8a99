"""What is kept between sessions: who reviews, theme, text size, keys, window and splitters, recent jobs' folders.

An INI file has only strings: in a new process `true` comes back as "true" and a number as its digits.
Each setting is therefore read and written through a typed property here and nowhere else. QUOTEVIEW_HOME
moves this file and the recovery files with everything else (`quoteview.core.places`).
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QSettings

from quoteview.app.states import Counts
from quoteview.core.places import settings_folder
from quoteview.fetching.client import FetchSettings

MOST_RECENT = 12
"""How many jobs the start page remembers."""


def recovery_folder() -> Path:
    """Return where unsaved text is kept until it is saved; made by whoever writes there first."""
    return settings_folder() / "recovery"


class Settings(QObject):
    """Typed settings over one INI file. What cannot be understood counts as not set."""

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = QSettings(str(file or settings_folder() / "settings.ini"), QSettings.Format.IniFormat, self)

    @property
    def reviewer(self) -> str:
        """Who resolves and acknowledges, "" until told."""
        return self._text("reviewer")

    @reviewer.setter
    def reviewer(self, name: str) -> None:
        self._store.setValue("reviewer", name)

    @property
    def theme(self) -> str:
        """The chosen theme's word, "system" at first."""
        return self._text("window/theme") or "system"

    @theme.setter
    def theme(self, kind: str) -> None:
        self._store.setValue("window/theme", kind)

    @property
    def text_percent(self) -> int:
        """The size of text in per cent, 70 to 250."""
        return max(70, min(250, self._number("window/text_percent", 100)))

    @text_percent.setter
    def text_percent(self, percent: int) -> None:
        self._store.setValue("window/text_percent", str(percent))

    @property
    def shows_all_ribbons(self) -> bool:
        """Whether ribbons of claims that are neither selected nor hovered are drawn faintly."""
        return self._text("window/all_ribbons") != "false"

    @shows_all_ribbons.setter
    def shows_all_ribbons(self, shown: bool) -> None:
        self._store.setValue("window/all_ribbons", "true" if shown else "false")

    @property
    def fetching(self) -> FetchSettings:
        """How sources are asked: cookies, proxy and rate limit, which stand here and in no job."""
        return FetchSettings(
            cookies_from_browser=self._text("fetching/browser"),
            cookie_file=self._text("fetching/cookie_file"),
            proxy=self._text("fetching/proxy"),
            rate=self._number("fetching/rate", 0),
        )

    @fetching.setter
    def fetching(self, chosen: FetchSettings) -> None:
        self._store.setValue("fetching/browser", chosen.cookies_from_browser)
        self._store.setValue("fetching/cookie_file", chosen.cookie_file)
        self._store.setValue("fetching/proxy", chosen.proxy)
        self._store.setValue("fetching/rate", str(chosen.rate))

    @property
    def recent_jobs(self) -> tuple[Path, ...]:
        """The folders of jobs opened lately, the latest first."""
        lines = self._text("recent/jobs").split("\n")
        return tuple(Path(line) for line in lines if line)

    def remember_job(self, folder: Path) -> None:
        """Put a job's folder in front of the recent ones."""
        others = [known for known in self.recent_jobs if known != folder]
        self._store.setValue("recent/jobs", "\n".join(str(path) for path in [folder, *others][:MOST_RECENT]))

    def forget_job(self, folder: Path) -> None:
        """Take a job's folder out of the recent ones; the job itself stays."""
        kept = [known for known in self.recent_jobs if known != folder]
        self._store.setValue("recent/jobs", "\n".join(str(path) for path in kept))

    def seen(self, folder: Path) -> tuple[str, Counts]:
        """Return a job's title and its counts when it was last open; "" and no counts where unknown."""
        title, _, numbers = self._text(f"seen/{_key(folder)}").rpartition("|")
        parts = numbers.split(" ")
        return (title, Counts(*map(int, parts))) if len(parts) == 5 and all(map(str.isdecimal, parts)) else ("", Counts())

    def remember_seen(self, folder: Path, title: str, counts: Counts) -> None:
        """Keep a job's title and counts for the start page. They are a reminder: opening the job judges afresh."""
        self._store.setValue(f"seen/{_key(folder)}", f"{title}|{' '.join(map(str, counts))}")

    def last_draft(self, folder: Path) -> str:
        """Return the path of the draft that was current when the job was last open, "" where unknown."""
        return self._text(f"drafts/{_key(folder)}")

    def remember_draft(self, folder: Path, path: str) -> None:
        """Keep which draft of a job is current."""
        self._store.setValue(f"drafts/{_key(folder)}", path)

    def keys(self, action: str) -> str | None:
        """Return a person's own key for an action, in portable form; None where the usual one holds, "" for no key."""
        name = f"keys/{action}"
        return self._text(name) if self._store.contains(name) else None

    def set_keys(self, action: str, sequence: str | None) -> None:
        """Keep a person's own key for an action, or go back to the usual one with None."""
        if sequence is None:
            self._store.remove(f"keys/{action}")
        else:
            self._store.setValue(f"keys/{action}", sequence)

    def geometry(self, name: str) -> QByteArray:
        """Return the saved geometry or state of a window or splitter, empty where none was kept."""
        return QByteArray.fromBase64(QByteArray(self._text(f"geometry/{name}").encode("ascii", "ignore")))

    def set_geometry(self, name: str, state: QByteArray) -> None:
        """Keep the geometry or state of a window or splitter."""
        self._store.setValue(f"geometry/{name}", bytes(state.toBase64().data()).decode("ascii"))

    def flush(self) -> None:
        """Write what is not yet written."""
        self._store.sync()

    def _text(self, name: str) -> str:
        found = self._store.value(name, "")
        if isinstance(found, list):  # QSettings splits what an older Qt wrote with commas
            return ", ".join(str(part) for part in found)
        return str(found)

    def _number(self, name: str, otherwise: int) -> int:
        text = self._text(name)
        return int(text) if text.isdecimal() else otherwise


def _key(folder: Path) -> str:
    return str(folder).replace("/", "|").replace("\\", "|")
