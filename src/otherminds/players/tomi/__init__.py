"""Minds of ToMi. Start with :mod:`otherminds.players.tomi.rules`; importing this package imports none of them."""

READER, RESULT = "reader.safetensors", "result.json"  # files that a finished training leaves
