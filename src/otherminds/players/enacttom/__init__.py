"""Players of EnactToM."""
