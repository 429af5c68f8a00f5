"""Players of SymmToM."""
