"""Commands of SymmToM: train, sweep, tables, figures and scenarios."""
