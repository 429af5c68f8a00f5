"""Players of Decrypto."""
