"""Tasks that language models write: a workbench of tools, a pool of what passed, and a council of judging models.

Start with ``workbench``, which needs no model; ``session`` puts a model to it, and ``write`` fills a pool.
"""
