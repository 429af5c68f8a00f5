"""Task files: reading, checking, writing and generating them. The shipped tasks are in ``files``."""
