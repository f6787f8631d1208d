"""A game in the browser: a server and its page. Must not decide what is legal, nor word a position."""
