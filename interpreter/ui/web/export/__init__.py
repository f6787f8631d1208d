"""Export of a game as files that any browser opens without a server of this program."""
