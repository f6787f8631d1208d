"""The documents of a ruleset as they go with an exported game, so that its visitors can try changes.

They are laid out as a shipped ruleset with its variants, wherever the author keeps them.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field

from interpreter.api.bundle import pack_pictures
from interpreter.api.rules import Rules
from interpreter.diagnostics.diagnostic import RulesetError, Sink
from interpreter.documents.reading.folder import LEARNING, list_ruleset_files, read_file, read_folder
from interpreter.documents.reading.tree import ScalarNode
from interpreter.documents.target import Variant, find_target
from interpreter.files.assets import format_target_name, list_shipped_parts, list_shipped_rulesets

_TIME = (2020, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Sources:
    """The documents as a zip archive, the target in it, and the name under which a variant extends it.

    `pictures` are not in the archive: the path at which each belongs, mapped to its name in the bundle of the game.
    """

    archive: bytes
    target: str
    extends: str
    pictures: Mapping[str, str] = field(default_factory=dict)


def pack_sources(target: str, rules: Rules) -> Sources:
    """Return the documents of a target, which was loaded as `rules`. Raises RulesetError if they cannot be read."""
    sink = Sink()
    source = find_target(target, sink)
    if source is None:
        raise RulesetError(sink.list_sorted())
    folder = read_folder(source.root, sink)
    home = f"rulesets/{source.root.name}"
    names = list_ruleset_files(source.root, sink, below=LEARNING, apart=())
    learning = (read_file(source.root, name, sink) for name in names)
    parts = (*folder.documents, *folder.rules, *folder.locales, *filter(None, learning))
    files = {f"{home}/{file.inside}": file.data for file in parts}
    name = home
    for number, variant in enumerate(source.variants, 1):
        base = f"./base-{number - 1}.yaml" if number > 1 else ".."
        name = f"{home}/variants/base-{number}.yaml"
        files[name] = _replace_base(variant, base).encode()
    if source.scenario is not None:
        files[f"{home}/scenarios/{source.scenario.file.path.name}"] = source.scenario.file.data
    packed = pack_pictures(rules.documents().drawing).values()
    pictures = {f"{home}/{picture.name}": picture.path for picture in packed}
    return Sources(_build_archive(files), name, get_variant_base_name(target, rules.id), pictures)


def get_variant_base_name(target: str, own_id: str) -> str:
    """Return the name that a visitor's variant of `target` extends: a shipped ruleset's name, else `own_id`."""
    name = format_target_name(target)
    return name if name in list_shipped_rulesets() or name in list_shipped_parts() else own_id


def _replace_base(variant: Variant, base: str) -> str:
    """Return the text of a variant with its `extends` replaced by `base`."""
    text = variant.file.source.text
    node = variant.document.root.get("extends")
    assert isinstance(node, ScalarNode), "a variant that was found extends something"
    return f'{text[: node.span.start]}"{base}"{text[node.span.end :]}'


def _build_archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _TIME), files[name])
    return out.getvalue()
