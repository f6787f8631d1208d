"""The intermediate representation: typed records, printer, verifier, effects. Must not know rules, nor a target."""
