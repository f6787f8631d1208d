"""What comes after a game: replays and reports of saved games. Must not change one."""
