"""What a ruleset holds, as data, words and charts. Must not play."""
