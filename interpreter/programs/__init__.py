"""Programs: caches on disk of checked rules and of programs in each form."""
