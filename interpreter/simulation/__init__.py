"""Many games between bots: seeds, single games, batches over several processes."""
