"""Scripted minds of Decrypto. Start with ``seats`` and ``embedding``; ``choices`` has the search of all Alices."""
