"""Modules register themselves: the listing of a folder is the list of features."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar, cast

from pairlens.errors import PolicyError, unknown

T = TypeVar("T")


class Registry(Mapping[str, T]):
    """The objects that the modules of a package expose under one constant, by module name.

    A module is imported on first access to its object, so listing names costs nothing. Modules whose name begins with
    an underscore are private helpers and are skipped. Names may be written with hyphens. `described` are more
    objects by name: those that are kept as data.
    """

    def __init__(
        self, package: str, path: list[str], constant: str, described: Mapping[str, T] = MappingProxyType({})
    ) -> None:
        self._package = package
        self._constant = constant
        self._described = described
        modules = (module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_"))
        self._names = tuple(sorted((*modules, *described)))

    def __getitem__(self, name: str) -> T:
        module = name.replace("-", "_")
        if module not in self._names:
            raise PolicyError(unknown(self._constant.lower(), name, self._names))
        if module in self._described:
            return self._described[module]
        loaded = importlib.import_module(f"{self._package}.{module}")
        return cast(T, getattr(loaded, self._constant))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.replace("-", "_") in self._names
