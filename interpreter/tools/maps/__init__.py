"""Draw maps as pictures and as text, independent of any game's rules."""
