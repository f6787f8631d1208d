"""What a ruleset's cases are worth: one rule or one datum is changed at a time, and the cases say whether they notice.

`changing_rules` and `changing_data` list the changes, `trying` carries one out and runs the cases it can touch,
`watching` finds out which those are, `surveying` goes through all of them, `telling` says what came of it. Must not
write a file of the author's.
"""
