"""Type checking of expressions. The syntax trees are read only."""
