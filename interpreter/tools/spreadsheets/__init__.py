"""Export charts to spreadsheets and import them again; ambiguous cells are reported, never guessed."""
