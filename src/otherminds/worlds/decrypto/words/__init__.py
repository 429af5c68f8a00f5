"""Words of Decrypto: keywords, hint words and their vectors."""
