"""What all worlds share: ledger, episodes, registry, seeds, the player protocol."""
