"""Names, types, flow and citations of the rules: syntax in, checked model and diagnostics out. Must not run."""
