"""Language server for rulesets and its features. Reports exactly the findings of `check`."""
