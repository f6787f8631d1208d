"""Where the time of play goes, in the author's own lines, and what never refuses. Must not change what is played."""
