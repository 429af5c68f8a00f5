"""Language models in any world, on the Inspect harness: one task factory, one solver, one scorer.

Start with :mod:`otherminds.llm.models` to seat models at a table, and with :mod:`otherminds.llm.run` for whole
evaluations that can be resumed. Everything here needs ``otherminds[llm]`` and is imported only when asked for.
"""
