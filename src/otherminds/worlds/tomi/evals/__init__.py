"""Results of ToMi: the audit for shortcuts and the tables of the paper."""
