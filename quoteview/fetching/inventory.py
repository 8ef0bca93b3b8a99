"""The inventory: every caption track that a source offers, of which origin, and what will be fetched and why.

It is a pure function of the information that yt-dlp's extractor returns; nothing is asked of the network here.

- `subtitles` are people's, `automatic_captions` are not; where a site puts both in one place (Vimeo's `x-autogen`,
  YouTube's `kind=asr`), the address and the language tag tell them apart.
- YouTube lists a translation of one track into each of some 150 languages as automatic: `tlang=` in the address.
  `kind=asr` without it is the original recognition, listed as `en-orig` and again as `en`; an automatic entry
  with neither is a copy of the human track.
- Copies of one track (the same address but for the format) are one track.
- Chat replays, comments and danmaku are no caption tracks.
- All human tracks and the original automatic one are planned to be fetched, both even where they share a language;
  translations are only listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import parse_qsl, urlencode, urlsplit

from quoteview.core.captions.track import Origin
from quoteview.core.job import SourceRecord
from quoteview.fetching.recordings import NO_RECORDINGS, Recordings, recordings_of

_CHAT = frozenset({"live_chat", "rechat", "danmaku", "comments", "chat"})
_CHAT_PROTOCOLS = ("youtube_live_chat", "websocket")
_AUTOMATIC_FORMATS = ("json3", "vtt", "srv3", "ttml", "srt", "srv2", "srv1")
_HUMAN_FORMATS = ("vtt", "ttml", "dfxp", "srt", "ass", "ssa", "json3", "srv3", "sbv", "srv2", "srv1", "json")
_FORMAT_KEYS = frozenset({"fmt", "format", "ext"})


class Plan(StrEnum):
    """What will be done with a track that is offered."""

    FETCH = "fetch"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class OfferedFormat:
    """One format of a track. `address` "" where the extractor gives the text itself as `inline`."""

    ext: str
    address: str
    inline: str | None
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Offer:
    """One track that the source offers. `formats` are ordered, the one that keeps most first; `second` is read beside it.

    `key` is the source's own name for it (`en-orig`), `also_as` the keys of copies. `why` says in a sentence why it is
    fetched or only listed. `of` is the language it is translated from, "" for an original.
    """

    key: str
    origin: Origin
    language: str
    name: str
    formats: tuple[OfferedFormat, ...]
    plan: Plan
    why: str
    also_as: tuple[str, ...] = ()
    of: str = ""

    @property
    def best(self) -> OfferedFormat:
        """The format that will be locked."""
        return self.formats[0]

    @property
    def second(self) -> OfferedFormat | None:
        """A second format worth reading beside it: WebVTT of an automatic track that comes as json3."""
        if self.origin is not Origin.AUTOMATIC or self.best.ext != "json3":
            return None
        return next((offered for offered in self.formats if offered.ext == "vtt"), None)


@dataclass(frozen=True, slots=True)
class Video:
    """One video of a link to many: its address and title."""

    address: str
    title: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a source offers. `offers` are in the order human, automatic, translated; `videos` only for a link to many, which
    `is_list` says even where there is none in it. `recordings` are the files that the recording itself can be had as."""

    source: SourceRecord
    offers: tuple[Offer, ...]
    videos: tuple[Video, ...] = ()
    is_list: bool = False
    recordings: Recordings = NO_RECORDINGS

    @property
    def planned(self) -> tuple[Offer, ...]:
        """The tracks that will be fetched."""
        return tuple(offer for offer in self.offers if offer.plan is Plan.FETCH)

    def with_translated(self, keys: Collection[str]) -> Inventory:
        """Return the inventory with just these translations asked for, by the source's own keys."""
        asked = [
            _planned(offer, self.source.language, [offer.key] if offer.key in keys else [])
            if offer.origin is Origin.TRANSLATED
            else offer
            for offer in self.offers
        ]
        return replace(self, offers=tuple(asked))


def take_inventory(facts: Mapping[str, object], *, address: str = "", translated: Sequence[str] = ()) -> Inventory:
    """Return the inventory of what an extractor returned. `translated` are languages whose translations are asked for."""
    if facts.get("_type") in ("playlist", "multi_video"):
        return Inventory(_source(facts, address), (), tuple(_videos(facts)), is_list=True)
    found = [*_offers(facts, "subtitles"), *_offers(facts, "automatic_captions")]
    offers = _without_copies(found)
    spoken = next((offer.language for offer in offers if offer.origin is Origin.AUTOMATIC), "") or _text(facts, "language")
    order = [Origin.HUMAN, Origin.AUTOMATIC, Origin.TRANSLATED, Origin.UNKNOWN]
    planned = [_planned(offer, spoken, translated) for offer in offers]
    planned.sort(key=lambda offer: (order.index(offer.origin), offer.language != spoken, offer.key))
    source = replace(_source(facts, address), language=spoken)
    return Inventory(source, tuple(planned), recordings=recordings_of(facts))


def _offers(facts: Mapping[str, object], where: str) -> Iterator[Offer]:
    listed = facts.get(where)
    for key, entries in listed.items() if isinstance(listed, Mapping) else ():
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            continue
        formats = [offered for entry in entries if isinstance(entry, Mapping) and (offered := _format(entry)) is not None]
        if not formats or str(key) in _CHAT or any(_is_chat(entry) for entry in entries):
            continue
        origin, of = _origin(str(key), formats[0], is_listed_as_automatic=where == "automatic_captions")
        best_first = _AUTOMATIC_FORMATS if origin is not Origin.HUMAN else _HUMAN_FORMATS
        formats.sort(key=lambda offered: best_first.index(offered.ext) if offered.ext in best_first else len(best_first))
        name = next((str(entry["name"]) for entry in entries if isinstance(entry, Mapping) and entry.get("name")), "")
        yield Offer(str(key), origin, _language(str(key)), name, tuple(formats), Plan.LIST, "", of=of)


def _format(entry: Mapping[str, object]) -> OfferedFormat | None:
    address, inline = _text(entry, "url"), entry.get("data")
    if not address and not isinstance(inline, str):
        return None
    ext = _text(entry, "ext") or address.rsplit("?", 1)[0].rpartition(".")[2].lower() or "vtt"
    return OfferedFormat(ext, address, inline if isinstance(inline, str) else None, entry)


def _is_chat(entry: object) -> bool:
    return isinstance(entry, Mapping) and _text(entry, "protocol").startswith(_CHAT_PROTOCOLS)


def _origin(key: str, offered: OfferedFormat, *, is_listed_as_automatic: bool) -> tuple[Origin, str]:
    """Return a track's origin, and the language it is translated from."""
    query = dict(parse_qsl(urlsplit(offered.address).query))
    if query.get("tlang"):
        return Origin.TRANSLATED, query.get("lang", "")
    if query.get("kind") == "asr" or "autogen" in key:
        return Origin.AUTOMATIC, ""
    if is_listed_as_automatic and not _is_timedtext(offered.address):
        return Origin.AUTOMATIC, ""
    return Origin.HUMAN, ""


def _is_timedtext(address: str) -> bool:
    """Whether an address is of YouTube's caption service, whose parameters tell the origin."""
    return urlsplit(address).path.endswith("/timedtext")


def _language(key: str) -> str:
    """Return the language tag of a source's key: `en-orig` and `en-x-autogen` are `en`."""
    return key.removesuffix("-orig").partition("-x-")[0].removeprefix("a.").replace("_", "-")


def _without_copies(found: Sequence[Offer]) -> list[Offer]:
    """Return each track once, the first listed; people's come first, so a copy of theirs does not hide them."""
    kept: dict[tuple[str, str], Offer] = {}
    for offer in found:
        identity = (offer.origin, _same_but_format(offer.formats[0]) or f"inline:{offer.key}")
        if identity in kept:
            first = kept[identity]
            kept[identity] = replace(first, also_as=(*first.also_as, offer.key))
        else:
            kept[identity] = offer
    return list(kept.values())


def _same_but_format(offered: OfferedFormat) -> str:
    """Return an address without what only chooses the format, parameters in order."""
    parts = urlsplit(offered.address)
    query = sorted((key, value) for key, value in parse_qsl(parts.query, keep_blank_values=True) if key not in _FORMAT_KEYS)
    path = parts.path
    if not parts.query and "." in path.rpartition("/")[2]:
        path = path.rpartition(".")[0]
    return f"{parts.netloc}{path}?{urlencode(query)}" if offered.address else ""


def _planned(offer: Offer, spoken: str, translated: Sequence[str]) -> Offer:
    match offer.origin:
        case Origin.HUMAN:
            other = bool(spoken) and _primary(offer.language) != _primary(spoken)
            why = f"made by people; a translation, since {spoken} is spoken" if other else "made by people"
            return replace(offer, plan=Plan.FETCH, why=why)
        case Origin.AUTOMATIC:
            return replace(offer, plan=Plan.FETCH, why="speech recognition in the spoken language")
        case _:
            if offer.language in translated or offer.key in translated:
                return replace(offer, plan=Plan.FETCH, why="a machine translation that was asked for")
            return replace(offer, plan=Plan.LIST, why="a machine translation of another track; fetched only on request")


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _source(facts: Mapping[str, object], address: str) -> SourceRecord:
    seconds = facts.get("duration")
    length = round(seconds * 1000) if isinstance(seconds, int | float) and not isinstance(seconds, bool) else None
    return SourceRecord(
        address=public_address(_text(facts, "webpage_url") or address),
        title=_text(facts, "title"),
        duration_ms=length,
        language=_text(facts, "language"),
        asked_human=True,
        asked_automatic=True,
    )


def _videos(facts: Mapping[str, object]) -> Iterator[Video]:
    entries = facts.get("entries")
    for entry in entries if isinstance(entries, Sequence) else ():
        if isinstance(entry, Mapping):
            address = _text(entry, "webpage_url") or _text(entry, "url")
            if address:
                yield Video(address, _text(entry, "title") or address)


def public_address(address: str) -> str:
    """Return an address as it may be recorded: without user and password."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=f"{host}{port}").geturl() if parts.username or parts.password else address


def _text(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
