"""Files on this machine: what ships, what is kept, what a stranger wrote. Must not know what they mean."""
