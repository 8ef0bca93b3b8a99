"""The audit's own decoders, grammars and derivations. Nothing here imports a reader or what readers share."""
