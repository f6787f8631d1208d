"""Batches of games between bots, in one process or several. Results do not depend on the number of processes."""
