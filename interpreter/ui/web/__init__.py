"""Browser interface for playing a game: an HTTP server and its page."""
