"""Pictures of one game in a row: what they share is drawn once. Must not know a game's rules, nor write files."""
