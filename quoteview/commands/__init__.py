"""The commands, one module each; `quoteview.cli` imports the one that was asked for and no other."""
