"""A game in the browser: a server, and the page that it serves. Must not decide what is legal, nor word the position."""
