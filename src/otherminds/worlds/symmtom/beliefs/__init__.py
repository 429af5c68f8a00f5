"""Beliefs of agents about what others know: rules over bit masks, Bayesian beliefs, and orders of theory of mind."""
