"""Two rulesets side by side, and what differs in words. Must not judge what a change means in play."""
