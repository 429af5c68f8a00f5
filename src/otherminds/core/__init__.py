"""What all worlds share: the interfaces of worlds and minds, the match loop, the ledger, records, registry and seeds.

Start with :mod:`otherminds.core.world` and :mod:`otherminds.core.mind`.
"""
