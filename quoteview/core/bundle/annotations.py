"""Web Annotations (W3C Recommendation of 2017): each quotation of the draft, tied to its moment of the recording.

The body names the quotation in the draft by a TextQuoteSelector; the target is the recording, by a media fragment
(`#t=start,end`, in seconds) where the recording has an address, else the locked track's file.
"""

from __future__ import annotations

from quoteview.core.statement import StatedClaim, Statement, laid_out

CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def annotations_bytes(statement: Statement) -> bytes:
    """Return `annotations.jsonld`: an AnnotationPage with one annotation for each exact claim, in the draft's order."""
    exact = [claim for claim in statement.claims if claim.match is not None and claim.state == "green"]
    page = {
        "@context": CONTEXT,
        "id": f"urn:sha256:{statement.draft.sha256}#annotations",
        "type": "AnnotationPage",
        "items": [_annotation(statement, claim) for claim in exact],
    }
    return laid_out(page, 2)


def _annotation(statement: Statement, claim: StatedClaim) -> dict[str, object]:
    assert claim.match is not None
    start, end = claim.match.cue_ms[0], claim.match.last_cue_ms[1]
    source = statement.source or f"urn:sha256:{statement.reference.file.sha256}"
    return {
        "id": f"urn:sha256:{statement.draft.sha256}#claim-{claim.id}",
        "type": "Annotation",
        "motivation": "linking",
        "created": statement.at,
        "creator": {"type": "Person", "name": statement.by},
        "body": {
            "type": "SpecificResource",
            "source": f"urn:sha256:{statement.draft.sha256}",
            "selector": {
                "type": "TextQuoteSelector",
                "exact": claim.text,
                "prefix": claim.prefix,
                "suffix": claim.suffix,
            },
        },
        "target": {
            "type": "SpecificResource",
            "source": source,
            "selector": {
                "type": "FragmentSelector",
                "conformsTo": "http://www.w3.org/TR/media-frags/",
                "value": f"t={max(0, start) / 1000:.3f},{max(0, end) / 1000:.3f}",
            },
        },
    }
