"""Commands of ToMi: generate, audit, relabel, train, sweep and table."""
