"""SymmToM: alike agents gather, tell and forget pieces of information."""
