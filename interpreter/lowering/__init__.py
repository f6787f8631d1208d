"""Lowering: from checked rules to the intermediate representation, independent of the target."""
