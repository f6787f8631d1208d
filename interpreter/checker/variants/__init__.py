"""A variant's change statements, carried out in the syntax of its base. Must not check it."""
