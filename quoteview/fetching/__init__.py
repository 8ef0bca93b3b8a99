"""Fetching: which tracks a source offers, of which origin, and their bytes."""
