"""PDDL problems with knowledge goals: imported as household tasks, and audited. Start with ``read``."""
