"""Decrypto: Alice hints a secret code to Bob, and Eve listens."""
