"""Back ends: a program of the intermediate representation as code of a target. Must not know the rules language."""
