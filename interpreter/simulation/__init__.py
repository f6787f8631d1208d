"""Many games between bots: seeds, single games, batches over several processes. Must not depend on how many."""
