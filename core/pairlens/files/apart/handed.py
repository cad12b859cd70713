"""Objects from one process to another without pickle: lines of JSON, and Arrow streams for tables.

Besides what JSON has there are tuples, paths, messages, data frames, Arrow tables, and the data classes, named tuples
and functions of our own modules, by name. Mappings arrive as `dict`, iterators and arrays as lists, and what a column
of objects may hold besides (dates, bytes) as text.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pairlens.messages import Message, packed, unpacked

if TYPE_CHECKING:
    import pandas as pd

_AT_ONCE = 500
"""Elements of a list in one line: to decode more at once would make other threads wait."""
_ARROW = b"arrow\n"
"""The line before a stream."""
_OURS = ("pairlens", "pages", "tests")
_PLAIN = frozenset((str, int, float, bool, type(None)))
_AS_TEXT = ("datetime", "decimal", "pandas", "uuid")


def hand_over(value: object, file: IO[bytes], n_bytes: int) -> None:
    sender = _Sender(file, n_bytes)
    sender.line(sender.plain(value))


def received(file: IO[bytes], between: Callable[[], object] = lambda: None) -> Any:
    parts: list[Any] = []
    for line in iter(file.readline, b""):
        parts.append(_stream(file) if line == _ARROW else _value(json.loads(line), parts))
        between()
    return parts[-1]


def in_one_text(value: object) -> str:
    hand_over(value, file := io.BytesIO(), 1 << 20)
    return file.getvalue().decode()


def of_one_text(text: str) -> Any:
    return received(io.BytesIO(text.encode()))


class _Sender:
    """Writes parts, one a line or a stream; a value names the parts before it that it needs."""

    def __init__(self, file: IO[bytes], n_bytes: int) -> None:
        self._file, self._room, self._n = file, n_bytes, 0

    def line(self, plain: object) -> int:
        self._write(json.dumps(plain).encode() + b"\n")
        self._n += 1
        return self._n - 1

    def plain(self, value: Any) -> Any:
        """A value as JSON has it: whatever is no text or number is a list that begins with its kind."""
        kind: Any = type(value)
        if kind in _PLAIN:
            return value
        if kind in (list, tuple) or (isinstance(value, Iterator) and not hasattr(value, "schema")):
            return self._listed(value)
        if kind is not type and (names := _names(kind)):
            return [_name(kind), *(self.plain(getattr(value, name)) for name in names)]
        if isinstance(value, Mapping):
            if len(value) <= _AT_ONCE and all(type(k) is str and type(v) in _PLAIN for k, v in value.items()):
                return dict(value)
            return ["dict", self.plain([*value]), self.plain([*value.values()])]
        if isinstance(value, Message):
            return ["message", packed(value)]
        if isinstance(value, Path):
            return ["path", str(value)]
        if hasattr(value, "schema"):  # tables and readers of record batches
            return ["part", self._stream(value)]
        if hasattr(value, "iloc"):
            return self._frame(value)
        return self._other(value)

    def _listed(self, values: Iterable[Any]) -> list[Any]:
        kind = "tuple" if isinstance(values, tuple) else "list"
        if isinstance(values, list | tuple) and len(values) <= _AT_ONCE:
            return [kind, *[value if type(value) in _PLAIN else self.plain(value) for value in values]]
        several = iter(values)
        pieces = iter(lambda: [*islice(several, _AT_ONCE)], [])
        return [f"long {kind}", *(self.line(self._listed(piece)) for piece in pieces)]

    def _frame(self, frame: pd.DataFrame) -> list[Any]:
        """Columns of objects are lists, all others a table."""
        import pyarrow as pa

        names, objects = (
            [*frame.columns],
            [dtype.kind == "O" and not hasattr(dtype, "na_value") for dtype in frame.dtypes],
        )
        lists = {place: frame.iloc[:, place].tolist() for place in range(len(names)) if objects[place]}
        content = [*map(self.plain, (frame.attrs, names, lists))]
        frame = frame.set_axis([f"{place}" for place in range(len(names))], axis=1)
        frame.attrs = {}
        table = pa.Table.from_pandas(frame.loc[:, [not is_object for is_object in objects]])
        return ["frame", *content, ["part", self._stream(table)]]

    def _other(self, value: Any) -> Any:
        if hasattr(value, "tolist"):
            return self.plain(value.tolist())
        if owner := getattr(value, "__self__", None):
            return ["method", self.plain(owner), value.__name__]
        if isinstance(value, bytes) or type(value).__module__.partition(".")[0] in _AS_TEXT:
            return str(value)
        return ["name", _name(value)]

    def _stream(self, table: Any) -> int:
        import pyarrow as pa

        self._write(_ARROW)
        with pa.ipc.new_stream(self._file, table.schema) as stream:
            for batch in table.to_batches() if hasattr(table, "to_batches") else table:
                self._take(batch.nbytes)
                stream.write_batch(batch)
        self._n += 1
        return self._n - 1

    def _write(self, content: bytes) -> None:
        self._take(self._file.write(content))

    def _take(self, n_bytes: int) -> None:
        self._room -= n_bytes
        if self._room < 0:
            raise MemoryError


def _stream(file: IO[bytes]) -> Any:
    import pyarrow as pa

    return pa.ipc.open_stream(file).read_all()


def _value(plain: Any, parts: list[Any]) -> Any:
    if type(plain) is not list:
        return plain
    kind, *values = plain
    if kind.startswith("long "):
        values = [value for number in values for value in _taken(parts, number)]
        return values if kind == "long list" else tuple(values)
    if kind != "message":
        values = [_value(value, parts) if type(value) is list else value for value in values]
    if kind in _MADE_OF:
        return _MADE_OF[kind](values)
    if kind == "part":
        return _taken(parts, *values)
    return _maker(kind)(*values)


def _taken(parts: list[Any], number: int) -> Any:
    part, parts[number] = parts[number], None
    return part


def _framed(attrs: dict[str, Any], names: list[Any], lists: dict[int, list[Any]], table: Any) -> pd.DataFrame:
    import pandas as pd

    frame: pd.DataFrame = table.to_pandas()
    for place, values in lists.items():
        frame.insert(place, f"{place}", pd.Series(values, frame.index, object))
    frame = frame.set_axis(names, axis=1)
    frame.attrs |= attrs
    return frame


@cache
def _name(thing: Any) -> str:
    """`pairlens.types:Item`; TypeError for what is not ours."""
    if getattr(thing, "__module__", "").partition(".")[0] not in _OURS or "<" in getattr(thing, "__qualname__", "<"):
        raise TypeError(f"{thing!r} cannot be handed over")
    return f"{thing.__module__}:{thing.__qualname__}"


@cache
def _named(name: str) -> Any:
    module, _, thing = name.partition(":")
    if module.partition(".")[0] not in _OURS:
        raise TypeError(f"{name} cannot be received")
    return getattr(import_module(module), thing)


@cache
def _maker(name: str) -> Callable[..., Any]:
    cls, names = _named(name), _names(_named(name))
    by_name = is_dataclass(cls) and any(field.kw_only for field in fields(cls))
    return (lambda *values: cls(**dict(zip(names, values, strict=True)))) if by_name else cls


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return (
        tuple(field.name for field in fields(cls) if field.init) if is_dataclass(cls) else getattr(cls, "_fields", ())
    )


_MADE_OF: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "dict": lambda keys_and_values: dict(zip(*keys_and_values, strict=True)),
    "path": lambda path: Path(*path),
    "method": lambda owner_and_name: getattr(*owner_and_name),
    "name": lambda name: _named(*name),
    "message": lambda message: unpacked(*message),
    "frame": lambda frame: _framed(*frame),
}
