"""The keys of a YAML file, each read as its type; errors are one sentence that names file and key."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import yaml

from pairlens.errors import InputError, unknown

_LONGEST = 1 << 16
_KINDS = {dict: "a group of keys", list: "a list", bool: "True or False", int: "a number", float: "a number"}


class Keys:
    """The keys of a file that have a value; InputError if it cannot be read, is not YAML, or has a key twice."""

    def __init__(self, path: Path) -> None:
        self._file, self._values = path.name, _read(path)

    def check_known(self, known: Collection[str]) -> None:
        for key in self._values:
            if key not in known:
                raise InputError(unknown("key", str(key), known), self._file)

    def __contains__(self, key: str) -> bool:
        return self.value(key) is not None

    def wrong(self, key: str, reason: str) -> InputError:
        return InputError(reason, f"{self._file}, {key}")

    def value(self, key: str) -> Any:
        return self._values.get(key)

    def text(self, key: str, default: str = "") -> str:
        """A text, or a number as text."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            raise self._expected(key, "a text")
        return default if value is None else str(value).strip() or default

    def choice(self, key: str, choices: Sequence[str], default: str = "") -> str:
        """One of the choices, by default the first. YAML 1.1 takes an unquoted no for False: here it is a word."""
        word = "no" if self.value(key) is False and "no" in choices else self.text(key, default or choices[0])
        if word not in choices:
            raise self.wrong(key, unknown(key, word, choices))
        return word

    def number(self, key: str) -> float:
        """A number, 0 if there is none. YAML 1.1 takes 5e-5, without a point, for a text: here it is one."""
        value = self.value(key)
        try:
            return float("no number" if isinstance(value, bool | list | dict) else 0 if value is None else value)
        except OverflowError:
            raise self.wrong(key, "this number is too large.") from None
        except (ValueError, TypeError):
            raise self._expected(key, "a number") from None

    def whole(self, key: str) -> int:
        """A whole number, 0 if there is none."""
        number = self.number(key)
        if not math.isfinite(number) or number != int(number):
            raise self._expected(key, "a whole number")
        return int(number)

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.value(key)
        if not isinstance(value, bool | None):
            raise self._expected(key, "True or False")
        return default if value is None else value

    def names(self, key: str) -> tuple[str, ...]:
        """Names with commas between them, or a list of names."""
        value = self.value(key)
        if value is None:
            return ()
        parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
        if not all(isinstance(part, str | int | float) for part in parts):
            raise self._expected(key, "names with commas between them")
        return tuple(name for part in parts if (name := str(part).strip()))

    def path(self, key: str) -> Path | None:
        """A path, relative to the working directory."""
        text = self.text(key)
        if "\0" in text:
            raise self._expected(key, "a path")
        return Path(text).expanduser() if text else None

    def file(self, key: str) -> Path | None:
        path = self.path(key)
        if path is not None and not path.is_file():
            hint = " Data sets are not downloaded: name a file." if ":" in str(path) else ""
            raise self.wrong(key, f"there is no file {path}.{hint}")
        return path

    def group(self, key: str, known: Collection[str]) -> dict[str, list[str]]:
        """A group of keys with a name or a list of names each."""
        group = self.value(key) or {}
        if not isinstance(group, dict):
            raise self._expected(key, f"a group of keys ({', '.join(known)})")
        lists = {name: [names] if isinstance(names, str) else names or [] for name, names in group.items()}
        for name, names in lists.items():
            if name not in known:
                raise self.wrong(key, unknown("key", str(name), known))
            if not isinstance(names, list) or not all(isinstance(entry, str | int | float) for entry in names):
                raise self.wrong(f"{key}, {name}", "expected a list of names.")
        return {name: [str(entry).strip() for entry in names] for name, names in lists.items()}

    def _expected(self, key: str, what: str) -> InputError:
        value = self._values[key]
        written = f"'{value[:40]}'" if isinstance(value, str) else _KINDS.get(type(value), "something else")
        return self.wrong(key, f"expected {what}, found {written}.")


class _Plain(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Without merge keys (`<<`), with which a few lines can exhaust the memory."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Leave the keys as they are written."""


def _read(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LONGEST:
            raise InputError("this is too long for a configuration.", path.name)
        text = path.read_text("utf-8-sig")
        values, node = yaml.load(text, _Plain), yaml.compose(text, yaml.SafeLoader)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}.", str(path)) from None
    except UnicodeDecodeError:
        raise InputError("this is not text in UTF-8.", path.name) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path.name}, line {mark.line + 1}" if mark else path.name
        raise InputError(f"this is not YAML: {getattr(error, 'problem', None) or 'it is damaged'}.", where) from None
    if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
        raise InputError("expected keys and values, one 'key: value' per line.", path.name)
    keys = Counter(str(key.value) for key, _ in node.value)
    if twice := next((key for key, times in keys.items() if times > 1), ""):
        raise InputError(f"the key '{twice}' is there twice: keep one.", path.name)
    return values
