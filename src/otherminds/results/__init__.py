"""Statistics with intervals, the one table of results, and the style of figures, for all worlds."""
