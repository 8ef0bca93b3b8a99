"""Fetching: which tracks a source offers, of which origin, their bytes, and the recording on request."""
