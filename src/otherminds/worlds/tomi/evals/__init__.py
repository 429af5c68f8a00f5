"""Results of ToMi: the audit for shortcuts, the tables of the paper and the contamination test."""
