"""What Inspect finds once the package is installed: ``inspect eval otherminds/tomi`` and ``otherminds/symmtom``."""

from otherminds.evals.inspect.symmtom import symmtom
from otherminds.evals.inspect.tomi import tomi

__all__ = ["symmtom", "tomi"]
