"""Language models in every world, on the Inspect harness. Needs ``otherminds[llm]``; imported only when asked for."""
