"""Entry point for Inspect, which makes ``inspect eval otherminds/tomi`` work."""

from otherminds.llm.contamination import tomi_contamination
from otherminds.llm.task import decrypto, enacttom, symmtom, tomi, world

__all__ = ["decrypto", "enacttom", "symmtom", "tomi", "tomi_contamination", "world"]
