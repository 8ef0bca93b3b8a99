"""Drafts: claims, quote marks and timestamps, each mapped to the draft's own bytes."""
