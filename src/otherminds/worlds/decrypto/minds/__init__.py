"""Scripted minds of Decrypto. Start with ``scripted`` and ``embedding``; ``rsa_search`` is the search of Alices."""
