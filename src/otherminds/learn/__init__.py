"""Learning: one outer loop over compiled chunks, and what each world's learners are made of."""
