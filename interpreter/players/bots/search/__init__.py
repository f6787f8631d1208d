"""The bot that searches, and its tree. Must not see what dice will fall."""
