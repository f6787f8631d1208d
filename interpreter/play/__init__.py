"""One game: starting, playing, editing, explaining, and describing it as events and ledger."""
