"""The ``otherminds`` command. Thin: parse, call, print."""
