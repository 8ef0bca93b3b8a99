"""The player: plays the moment of a claim in the job's audio or video, where there is any.

QtMultimedia is imported when something is first played, since a system may lack its libraries; then,
and where the job has no media, `absence` says why nothing can be played.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QMediaPlayer

LEAD_IN_MS = 700
"""Played before a claim's cue: a word heard from its very start is hard to understand."""

BACK_MS = 2_000
SLOWER_RATE = 0.75
"""Going back also slows down: who goes back wants to hear it more exactly."""


class Player(QObject):
    """Plays one recording. `moved` says that `position_ms` is another, `changed` that anything else is."""

    moved = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._media: Path | None = None
        self._player: QMediaPlayer | None = None
        self._stop_at_ms: int | None = None
        self._loop_from_ms: int | None = None
        self._absence = ""
        self._position_ms = 0
        self.is_looping = False

    def set_media(self, media: Path | None) -> None:
        """Play this file from now on; None where the job has none."""
        self.stop()
        self._media = media
        if self._player is not None:
            self._player.setSource(QUrl.fromLocalFile(str(media)) if media else QUrl())
        self._position_ms = 0
        self.changed.emit()

    @property
    def absence(self) -> str:
        """Why nothing can be played, "" where something can."""
        if self._media is None:
            return self.tr("This job has no audio. Add it to the job to listen.")
        return self._absence

    @property
    def is_playing(self) -> bool:
        """Whether sound is coming."""
        return self._player is not None and self._player.isPlaying()

    @property
    def position_ms(self) -> int:
        """Where the player is; without audio the last moment that was asked for."""
        return self._position_ms

    @property
    def rate(self) -> float:
        """How fast it plays; 1.0 is as recorded."""
        return self._player.playbackRate() if self._player is not None else 1.0

    def play(self, start_ms: int, end_ms: int | None = None) -> None:
        """Play from a moment to another, or on to the end."""
        start_ms = max(0, start_ms - LEAD_IN_MS)
        self._stop_at_ms = end_ms
        self._loop_from_ms = start_ms
        player = self._ready()
        self._position_ms = start_ms
        if player is not None:
            player.setPlaybackRate(1.0)
            player.setPosition(start_ms)
            player.play()
        self.moved.emit()
        self.changed.emit()

    def toggle(self) -> None:
        """Pause, or play on from where it is."""
        player = self._ready()
        if player is not None:
            self._stop_at_ms = None
            if player.isPlaying():
                player.pause()
            else:
                player.play()
            self.changed.emit()

    def back(self) -> None:
        """Go back two seconds and play more slowly."""
        player = self._ready()
        if player is not None:
            player.setPlaybackRate(SLOWER_RATE)
            player.setPosition(max(0, player.position() - BACK_MS))
            player.play()
            self.changed.emit()

    def seek(self, moment_ms: int) -> None:
        """Go to a moment without starting to play."""
        self._position_ms = moment_ms
        if self._player is not None:
            self._player.setPosition(moment_ms)
        self.moved.emit()

    def stop(self) -> None:
        """Stop playing."""
        if self._player is not None:
            self._player.stop()
            self.changed.emit()

    def _ready(self) -> QMediaPlayer | None:
        if self._media is None or self._absence:
            return None
        if self._player is None:
            self._player = self._made(self._media)
        return self._player

    def _made(self, media: Path) -> QMediaPlayer | None:
        try:
            from PySide6.QtMultimedia import QAudioOutput, QMediaPlayer
        except ImportError as error:
            self._absence = self.tr("Sound cannot be played on this system: {reason}").format(reason=error)
            return None
        player = QMediaPlayer(self)
        player.setAudioOutput(QAudioOutput(self))
        player.setSource(QUrl.fromLocalFile(str(media)))
        player.positionChanged.connect(self._on_position)
        player.errorOccurred.connect(self._on_error)
        player.playbackStateChanged.connect(lambda _state: self.changed.emit())
        return player

    def _on_position(self, position_ms: int) -> None:
        self._position_ms = position_ms
        if self._player is not None and self._stop_at_ms is not None and position_ms >= self._stop_at_ms:
            if self.is_looping and self._loop_from_ms is not None:
                self._player.setPosition(self._loop_from_ms)
            else:
                self._stop_at_ms = None
                self._player.pause()
        self.moved.emit()

    def _on_error(self, _error: object, text: str) -> None:
        self._absence = self.tr("The audio cannot be played: {reason}").format(reason=text)
        self.changed.emit()
