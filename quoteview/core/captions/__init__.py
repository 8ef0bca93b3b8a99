"""Readers: one file a caption format, each turning locked bytes into a track and a ledger."""
