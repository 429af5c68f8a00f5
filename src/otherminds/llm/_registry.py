"""What Inspect finds once the package is installed, such as ``inspect eval otherminds/tomi``."""

from otherminds.llm.contamination import tomi_contamination
from otherminds.llm.task import decrypto, enacttom, symmtom, tomi, world

__all__ = ["decrypto", "enacttom", "symmtom", "tomi", "tomi_contamination", "world"]
