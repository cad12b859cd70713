"""The documentation as a site with search, in `build/site`: `make docs`. It asks for nothing from the network.

Written pages (README, docs/, CONTRIBUTING) are taken as they are, notebooks with their outputs; the references are
made from the source: calls from their docstrings, verbs from what `--help` says. Warnings are errors.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import griffe
from nbconvert import MarkdownExporter

from pairlens import api
from pairlens.places import FOLDER, environment, python

SOURCE = FOLDER / "build" / "docs"
"""Its pages as Markdown; `zensical.toml` names both folders."""
WRITTEN = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "data/README.md": "data.md",
    "tests/benchmarks/RESULTS.md": "speed.md",
    **{f"docs/{path.name}": path.name for path in sorted(FOLDER.glob("docs/*.md"))},
    **{
        f"docs/notebooks/{path.name}": f"notebooks/{path.stem}.md"
        for path in sorted(FOLDER.glob("docs/notebooks/*.ipynb"))
    },
}
"""Pages of the project, and where the site has them."""
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "Sentences": ("compare", "score", "words", "perplexity", "next_word", "expected"),
    "Test sets and experiments": ("benchmark", "experiment", "inside", "mean_map"),
    "Published studies": ("agreement", "stereoset", "nli"),
    "Stored runs": ("runs", "run", "bring", "paired", "compare_runs", "languages", "query"),
    "Choices": ("Choices", "recipe", "PRESETS", "take_home"),
    "What they return": ("evaluation.result.Run", "results.result.Result", "results.result.Table"),
    "Errors": ("errors",),
}
_LINK = re.compile(r"(?<!!)\[((?:[^\]\\]|\\.)+)\]\((?!https?://|#)([^)#\s]+)(#[^)\s]*)?\)")
_EXAMPLE = re.compile(r"(?m)^>>> .*(?:\n.+)*")


def main() -> int:
    """Write the pages and build the site; returns the exit status."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for source, page in WRITTEN.items():
        _write(page, _linked(_text(FOLDER / source), Path(source).parent, Path(page).parent))
    listed = (FOLDER / "zensical.toml").read_text("utf-8")
    if missing := [page for page in WRITTEN.values() if f'"{page}"' not in listed]:
        raise ValueError(f"zensical.toml lists no {', '.join(missing)}")
    for picture in (*FOLDER.glob("docs/*.png"), *FOLDER.glob("docs/*.svg")):
        shutil.copy(picture, SOURCE)
    _write("calls.md", "\n".join(_calls()))
    for page, text in _verbs():
        _write(page, text)
    command = python("zensical", "build", "--clean", "--strict", "--config-file", str(FOLDER / "zensical.toml"))
    return subprocess.run(command, cwd=FOLDER, env=environment(), check=False).returncode


def _write(page: str, content: str | bytes) -> None:
    path = SOURCE / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def _text(path: Path) -> str:
    """A page as Markdown; what a notebook shows stays HTML."""
    if path.suffix != ".ipynb":
        return path.read_text("utf-8").replace('"docs/', '"')
    text, parts = MarkdownExporter().from_filename(str(path))
    for name, content in parts["outputs"].items():
        _write(f"notebooks/{path.stem}/{name}", content)
        text = text.replace(f"]({name})", f"]({path.stem}/{name})")
    return str(text)


def _linked(text: str, source: Path, page: Path) -> str:
    """Links lead to the pages of the site; one to a file that it does not have becomes its words."""

    def replaced(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        named = (FOLDER / source / target).resolve().relative_to(FOLDER)
        if str(named) not in WRITTEN:
            return words
        return f"[{words}]({'../' * len(page.parts)}{WRITTEN[str(named)]}{anchor})"

    return _LINK.sub(replaced, text)


def _calls() -> Iterator[str]:
    """The reference of the library, by subject; each call under the name that users import."""
    yield "# Calls\n\nAll of `import pairlens`. [The library](python.md) says which call answers which question.\n"
    named = {name for names in SUBJECTS.values() for name in names}
    if forgotten := {*api.__all__} - named - {"Run"}:
        raise ValueError(f"name in the subjects of docs/build_site.py: {', '.join(sorted(forgotten))}")
    for subject, names in SUBJECTS.items():
        yield f"## {subject}\n"
        for name in names:
            yield f"::: pairlens.{name if '.' in name or name == 'errors' else f'api.{name}'}\n"


def _verbs() -> Iterator[tuple[str, str]]:
    """The reference of the command line, a page for each verb, and one that lists them."""
    command = python("typer", "pairlens.cli", "utils", "docs", "--name", "pairlens")
    whole = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True).stdout
    first, *pages = re.split(r"(?m)^## `pairlens ", whole)
    options, verbs = first.split("**Commands**:")
    listed = re.sub(r"(?m)^\* `([\w-]+)`", r"* [`\1`](\1.md)", verbs)
    yield "verbs/index.md", options.replace("# `pairlens`", "# All verbs") + listed
    for page in pages:
        name, _, text = page.partition("`")
        yield f"verbs/{name}.md", f"# pairlens {name}{text}".replace("\n### ", "\n## ")


class Examples(griffe.Extension):
    """Examples within docstrings become blocks of code."""

    def on_instance(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)


if __name__ == "__main__":
    sys.exit(main())
