"""Words of Decrypto: keywords, hints and what is known of their meaning."""
