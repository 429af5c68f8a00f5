"""How teams do in the household: whether they act on what they know, whether they can say it, and what goes wrong."""
