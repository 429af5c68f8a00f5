"""What Inspect finds once the package is installed, such as ``inspect eval otherminds/tomi``."""

from otherminds.evals.inspect.decrypto import decrypto
from otherminds.evals.inspect.enacttom import enacttom
from otherminds.evals.inspect.symmtom import symmtom
from otherminds.evals.inspect.tomi import tomi

__all__ = ["decrypto", "enacttom", "symmtom", "tomi"]
