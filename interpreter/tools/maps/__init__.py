"""Maps drawn as pictures and with characters. Must not know a game's rules."""
