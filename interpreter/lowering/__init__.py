"""Lowering: the checked rules become the intermediate representation. Must not know any target."""
