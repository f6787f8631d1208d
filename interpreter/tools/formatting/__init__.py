"""Files of a ruleset in one layout, meaning and comments untouched. Must not judge what they say."""
