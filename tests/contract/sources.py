"""Our modules, tests aside, and what each of them imports: every file is parsed once."""

import ast
from dataclasses import dataclass
from functools import cache

from pairlens.places import FOLDER as ROOT

FOLDERS = ("core", "pages", "workshop")


@dataclass(frozen=True)
class Import:
    """`module` imports `imported`; `typing` if only a type checker does, `inside` if in a function."""

    module: str
    imported: str
    typing: bool
    inside: bool
    line: int

    def __str__(self):
        return f"{self.module}, line {self.line}: {self.imported}"


@cache
def modules():
    """The files of all modules by name."""
    files = [ROOT / "app.py", *(file for name in FOLDERS for file in sorted(ROOT.glob(f"{name}/**/*.py")))]
    names = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    plain = (name.removesuffix(".__init__").removeprefix("core.") for name in names)
    return dict(zip(plain, files, strict=True))


@cache
def imports():
    """Every import of core, pages, workshop and app.py, at any depth of any function."""
    return tuple(one for module, file in modules().items() for one in imports_of(module, file))


def imports_of(module, file):
    ahead = [(ast.parse(file.read_text("utf-8")), False, False)]
    while ahead:
        node, typing, inside = ahead.pop()
        for imported in names(node):
            yield Import(module, imported, typing, inside, node.lineno)
        typing |= isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        inside |= isinstance(node, ast.FunctionDef)
        ahead += [(child, typing, inside) for child in ast.iter_child_nodes(node)]


def names(node):
    """What a statement imports: modules where it names modules, else the module that holds the names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.module and not node.level, "imports are absolute"
        full = {f"{node.module}.{alias.name}" for alias in node.names}
        return sorted({name if name in modules() else node.module for name in full})
    return []
