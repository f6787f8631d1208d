"""Do the translations fit the rules: every text is one of theirs, every hole one of the text's, none is missing.

Findings but one are warnings: where a translation does not fit, the first language is shown. Must not change the
model.
"""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.model.ruleset import Locale, Translation
from interpreter.model.templates import holes_of
from interpreter.model.wording import known_names, labelled, rule_texts, shown_names
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean


def check_translations(model: c.CheckedModel, sink: Sink) -> None:
    """Report translations of nothing, holes that the original lacks, and what a complete language lacks."""
    if not model.ruleset.locales:
        return
    texts, names = [x.text for x in rule_texts(model)], known_names(model)
    for locale in model.ruleset.locales.values():
        for text, translation in locale.texts.items():
            if text in texts:
                _check_holes(text, translation, sink)
            elif _is_own(model, translation):
                sink.warning("unknown-text", f"`{text}` matches no text of the rules", translation.key,
                             help=_close(text, texts) or "write it exactly as it stands there between the quotes")
        _check_labels(model, locale, sink)
        for name, translation in locale.names.items():
            if name not in names and _is_own(model, translation):
                sink.warning("unknown-text", f"`{name}` is no name of this ruleset", translation.key,
                             help=_close(name, names) or "look at its spelling, or take the line out")
        _check_completeness(model, locale, sink)


def _check_labels(model: c.CheckedModel, locale: Locale, sink: Sink) -> None:
    known = labelled(model)
    for name, label in locale.labels.items():
        if name not in known:
            if _is_own(model, label):
                sink.warning("unknown-text", f"`{name}` is neither an option that has arguments and no words in the "
                             "rules, nor a draft", label.key, help=_close(name, frozenset(known)) or "write the "
                             "option's name, or decision.option")
            continue
        for hole in holes_of(label.text):
            if not any(hole in arguments for arguments in known[name]):
                sink.error("unknown-hole", f"`{name}` has no argument {{{hole}}}", label.span,
                           help="it has " + ", ".join(f"{{{x}}}" for x in dict.fromkeys(sum(known[name], ()))))


def _is_own(model: c.CheckedModel, translation: Translation) -> bool:
    """A variant may well drop texts that its base translates: then only its own translations are looked at."""
    own = {source.name for source in model.ruleset.changes} | {model.ruleset.root.span.file}
    return model.ruleset.extends is None or translation.key.file in own


def _close(word: str, known: list[str] | frozenset[str]) -> str:
    hint = did_you_mean(word, known)
    return hint if hint.startswith("did you mean") else ""


def _check_holes(text: str, translation: Translation, sink: Sink) -> None:
    known = holes_of(text)
    for hole in holes_of(translation.text):
        if hole not in known:
            sink.error("unknown-hole", f"the original has no hole {{{hole}}}", translation.span,
                       help="its holes are " + ", ".join(f"{{{h}}}" for h in known) if known
                       else "the original has no holes, so its translation can have none")


def missing_translations(model: c.CheckedModel, language: str) -> tuple[list[str], list[str]]:
    """Texts and names that have no translation into a language; `roll.check` will do for `check`."""
    locale = model.ruleset.locales.get(language) or Locale(language, {}, {})
    texts = [x.text for x in rule_texts(model) if x.text not in locale.texts and any(y.isalpha() for y in x.text)]
    named = {part for name in locale.names for part in (name, name.rpartition(".")[2])}
    return texts, [x for x in shown_names(model, language) if x not in named]


def _check_completeness(model: c.CheckedModel, locale: Locale, sink: Sink) -> None:
    if locale.complete is None or model.ruleset.extends is not None:
        return
    texts, names = missing_translations(model, locale.language)
    told = [f"{len(x)} {what}{'s' if len(x) != 1 else ''} (`{x[0]}`{' ...' if len(x) > 1 else ''})"
            for what, x in (("text", texts), ("name", names)) if x]
    if told:
        sink.warning("missing-translation", f"{' and '.join(told)} of the ruleset "
                     f"{'have' if len(texts) + len(names) > 1 else 'has'} no translation into `{locale.language}`",
                     locale.complete,
                     help=f"`grognard show RULESET texts {locale.language}` lists them, ready to be filled in")
