"""The search of a draft as one function. Must not change its ends, their order or their ways."""
