"""A saved game on other rules than its own: how far it goes, what stops it, which change did. Must not play it on."""
