"""One game: started, played, edited, explained, told as events and ledger. Must not know files, bots or screens."""
