"""Python back end: prints the intermediate representation as the Python that plays a ruleset."""
