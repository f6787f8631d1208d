"""Back ends: from the intermediate representation to code for a target."""
