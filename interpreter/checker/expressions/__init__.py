"""Types of expressions. Must not change what was written."""
