"""Stories from skeletons to families of twins, by preset; and stories as the original programs make them.

Start with ``generate``. ``original`` and ``tom_babi`` reproduce the published sets.
"""
