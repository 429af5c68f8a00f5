"""Experiments with Decrypto: who is asked what and when, after which change; scores; matrices of minds."""
