"""The annotations keep the Web Annotation model's rules, and say no more than the exact claims."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.bundles import label, make_job, resolve
from tests.corpus import DRAFT, materials, webvtt

IRI = re.compile(r"(?:https?://|urn:)\S+\Z")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\Z")
FRAGMENT = re.compile(r"t=(\d+\.\d{3}),(\d+\.\d{3})\Z")


def page_of(folder: Path, source: str = "") -> dict[str, object]:
    job = make_job(folder, {"human.en.vtt": webvtt()}, {"draft.md": DRAFT.encode()}, source=source)
    issued, _ = label(job)
    page = json.loads(issued.files["data/annotations.jsonld"])
    assert isinstance(page, dict)
    return page


def faults(page: dict[str, object]) -> list[str]:
    """Return what in the page breaks a MUST of the W3C Recommendation of 2017, sections 3 and 4 (and 5 on collections)."""
    found: list[str] = []
    context = page.get("@context")
    if context != "http://www.w3.org/ns/anno.jsonld":
        found.append("a page must have the model's context")
    if page.get("type") != "AnnotationPage" or not IRI.match(str(page.get("id"))):
        found.append("a page must have an IRI and its type")
    items = page.get("items")
    ids: list[str] = []
    for item in items if isinstance(items, list) else [{}]:
        ids.append(str(item.get("id")))
        if not IRI.match(str(item.get("id"))) or item.get("type") != "Annotation" or "target" not in item:
            found.append("an annotation must have one id, its type and a target")
        if not TIMESTAMP.match(str(item.get("created"))):
            found.append("created must be an xsd:dateTime in UTC")
        for part in (item.get("body"), item.get("target")):
            if not isinstance(part, dict) or part.get("type") != "SpecificResource" or not IRI.match(str(part.get("source"))):
                found.append("a specific resource must have exactly one source")
                continue
            selector = part["selector"]
            if selector["type"] == "TextQuoteSelector" and not isinstance(selector.get("exact"), str):
                found.append("a TextQuoteSelector must have exactly one exact")
            if selector["type"] == "FragmentSelector" and not isinstance(selector.get("value"), str):
                found.append("a FragmentSelector must have exactly one value")
    if len(set(ids)) != len(ids):
        found.append("ids must differ")
    return found


def test_the_page_keeps_the_rules_and_a_page_without_a_target_does_not(tmp_path: Path) -> None:
    page = page_of(tmp_path / "job", "https://example.org/watch?v=1")
    assert faults(page) == []
    items = page["items"]
    assert isinstance(items, list)
    del items[0]["target"]
    assert faults(page)


def test_each_exact_claim_is_tied_to_its_moment_and_what_is_set_aside_is_not(tmp_path: Path) -> None:
    page = page_of(tmp_path / "job", "https://example.org/watch?v=1")
    items = page["items"]
    assert isinstance(items, list)
    assert [item["body"]["selector"]["exact"] for item in items][1] == "nobody told the pilots"
    assert items[1]["target"]["selector"]["value"] == "t=5.000,9.000"
    assert all(FRAGMENT.match(item["target"]["selector"]["value"]) for item in items)
    material = materials()["accepted"]
    job = make_job(tmp_path / "other", material.captions, material.drafts)
    for resolved in material.resolved:
        resolve(job, resolved.texts, exception=resolved.exception, reason=resolved.reason)
    issued, _ = label(job)
    quoted = [item["body"]["selector"]["exact"] for item in json.loads(issued.files["data/annotations.jsonld"])["items"]]
    assert quoted == ["nobody told the pilots", "You cannot steer by a map"]


def test_a_quotation_carries_the_words_around_it(tmp_path: Path) -> None:
    items = page_of(tmp_path / "job")["items"]
    assert isinstance(items, list)
    assert items[1]["body"]["selector"]["prefix"].endswith("She went on: ")
