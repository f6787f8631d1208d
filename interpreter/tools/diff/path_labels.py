"""Labels for paths in the documents: "Green Hill: height", "rung.broken: name"."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.documents.reading.entry_mappings import is_container
from interpreter.documents.reading.tree import MappingNode, Node, ScalarNode
from interpreter.i18n.translator import Translator
from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.ruleset_names import with_names
from interpreter.tools.describe.value_format import name_with_id


@dataclass(frozen=True, slots=True)
class PathLabels:
    """Formatter of paths in one language: entries by their names, keys in their original spelling."""

    say: Translator
    lang: str

    def subject(self, section: str, path: tuple[str, ...], nodes: tuple[Node, ...]) -> tuple[str, str]:
        """Return (label, keys): the labels of a path's entries, and the keys below them: ("Green Hill", "height").

        `section`: the kind of document; `nodes`: the nodes at each key of the path.
        """
        names: list[str] = []
        keys: list[str] = []
        for depth, key in enumerate(path):
            if is_container(section, path[:depth]):
                names.append(self.label_of(key, nodes[depth]))
                keys.clear()
            else:
                keys.append(key)
        return ", ".join(names) or section, "" if keys == ["value"] else " ".join(map(self.say.name_of, keys))

    def label_of(self, key: str, node: Node) -> str:
        """Return the label of an entry: "Green Hill (hill)" if it has a name, else its id."""
        label = node.get("name") or node.get("title") if isinstance(node, MappingNode) else None
        if isinstance(label, MappingNode):
            return name_with_id(key, self.label(label))
        if isinstance(label, ScalarNode) and label.value is not None:
            return name_with_id(key, self.say.names.get(key, label.text))
        return self.say.name_of(key)

    def label(self, node: Node | None) -> str:
        """Return the text of a label in the language, else in its first language; '' if it has none."""
        if isinstance(node, MappingNode):
            said = node.text(self.lang) or next((e.value.text for e in node if isinstance(e.value, ScalarNode)), "")
        else:
            said = node.text if isinstance(node, ScalarNode) and node.value is not None else ""
        return " ".join(said.split())


def path_words(ruleset: Ruleset, lang: str, say: Translator) -> PathLabels:
    """Return the labels of paths for a ruleset in a language."""
    return PathLabels(with_names(say, ruleset, lang), lang)
