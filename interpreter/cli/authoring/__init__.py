"""The commands of those who write rulesets, a module for each as in `commands`. Must not play.

`main` finds them here too; what is said of a module there holds here.
"""
