"""The exported bundle: evidence that anyone can check again."""
