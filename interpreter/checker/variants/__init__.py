"""Apply a variant's change statements to the syntax trees of its base. Checks no types."""
