"""Host side of a module: calls it and copies positions into and out of its memory."""
