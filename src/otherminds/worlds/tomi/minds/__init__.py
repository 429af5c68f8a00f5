"""Minds of ToMi. Start with :mod:`otherminds.worlds.tomi.minds.rules`; importing this package imports none of them."""

READER, RESULT = "reader.safetensors", "result.json"  # files that a finished training leaves
