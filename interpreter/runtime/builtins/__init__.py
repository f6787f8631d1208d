"""The functions of the rules' language: declared, and carried out. Must not know a position but by what it is given."""
