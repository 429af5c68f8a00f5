"""Experiments with Decrypto: ``read`` loads them, ``matrix`` plays them, ``measures`` and ``results`` score them."""
