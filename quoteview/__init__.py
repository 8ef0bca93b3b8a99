"""quoteview proves every quotation of a draft against the locked captions of its recording."""

__version__ = "0.1.0"
