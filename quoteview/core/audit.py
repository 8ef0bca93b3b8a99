"""The audit: ledger and working text held against the locked bytes by a program that shares nothing with the readers."""

from quoteview.core.auditing.decoders import decode_range as decode_range
