"""EnactToM: household tasks with private information and scarce messages.

Read ``types``, ``ground``, ``rules`` and ``observe`` first; ``session`` plays an episode, ``world`` opens it.
"""
