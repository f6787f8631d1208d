"""How the words of a ruleset stand in messages. Must not know what they mean."""

from interpreter.words.speech import mark as _


def article(word: str) -> str:
    """The word with `a` or `an` before it, where it takes one."""
    if word.startswith(("one of", "set of", "list of", "result of", "unknown")):
        return word
    vowel = word[:1] in "aeiou" and not word.startswith(("uni", "use", "eu", "one"))
    return _("an {word}", word=word) if vowel else _("a {word}", word=word)
