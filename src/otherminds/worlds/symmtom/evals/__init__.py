"""Results of SymmToM: tables and figures of the paper, the battery, and records of trained runs."""
