"""Commands of Decrypto: tables, experiments and figures."""
