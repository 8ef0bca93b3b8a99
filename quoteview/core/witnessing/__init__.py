"""How pysubs2's second reading is lined up with ours, and how what it is known to simplify is undone."""
