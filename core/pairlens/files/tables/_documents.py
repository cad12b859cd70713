"""JSON lines as a stream of records; JSON documents as they are; both as tables; and XML documents.

XML may have no document types and entities, with which a small file could fill the memory or read others.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from xml.etree.ElementTree import Element

from pairlens.errors import InputError
from pairlens.files import row_mistakes
from pairlens.files.tables._source import MB, chunks, ending, existing, in_line, label, lines, shown
from pairlens.files.tables._texts import encoding_of
from pairlens.messages import Message
from pairlens.settings import settings

if TYPE_CHECKING:
    import pandas as pd

_ASSOCIATIONS = re.compile(r'\ufeff?\s*\{\s*"(?:targ|attr)[12]"\s*:')
"""How a test of SEAT or WEAT begins: its ending is .jsonl, though it is one indented object."""
_DOCUMENT = re.compile(r"\s*[\[{]\s*")
_KINDS = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}


def read_records(path: Path, *, nan: bool = False) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of a JSON lines file with their line numbers, read as a stream; blank lines are skipped.

    JSON is UTF-8: only an encoding that is set makes a file be read otherwise. InputError for a line that is not one
    JSON object, and for duplicate names, NaN and Infinity, which JSON does not have; with `nan` these numbers are
    read, because Python programs write them. No message quotes the line, which may be confidential.
    """
    start = next(chunks(existing(path)), b"")
    encoding = "utf-16" if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8"
    if settings().encoding != "auto":
        encoding = encoding_of(path)
    _refuse_associations(start.decode(encoding, "ignore"), path)
    empty = True
    for number, line in lines(path, encoding):
        if line.isspace():
            continue
        where = partial(in_line, number, path)
        if empty and _DOCUMENT.fullmatch(line):
            raise InputError(
                Message(
                    "a JSON document over several lines; expected one JSON object per line. Save it as JSON lines, "
                    "or name it .json if it is a list of objects."
                ),
                where(),
            )
        empty = False
        try:
            record = _parse(line, where, nan)
            if not isinstance(record, dict):
                raise InputError(f"expected a JSON object {{...}}, found {kind(record)}.", where())
        except InputError as error:
            row_mistakes.note(number, error)
        else:
            yield number, record
    if empty:
        raise InputError(Message("the file is empty. Expected one JSON object per line."), label(path))


def kind(value: object) -> str:
    if value is None:
        return "nothing (null)"
    return "an empty text" if isinstance(value, str) and not value.strip() else _KINDS[type(value)]


def read_tabular_json(path: Path) -> pd.DataFrame:
    from pairlens.files.tables._rows import table_of_records

    if ending(path) == ".json":
        return table_of_records(enumerate(_array(path), start=1), path)
    return table_of_records(read_records(path), path)


def read_json(path: Path, expected: str, *, nan: bool = False) -> Any:
    """The value in a .json file; `expected` describes it in messages, `nan` is as in `read_records`."""
    content = _whole(existing(path))
    if not content.strip():
        raise InputError(Message("the file is empty. Expected {expected}.", expected=expected), label(path))
    try:
        text = content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start + 1} is not UTF-8 text. Save the file as UTF-8.", label(path)) from None
    _refuse_associations(text, path)
    limit = settings().max_rows
    if text.count(",") + text.count("[") > limit:
        raise InputError(
            f"may hold more than {limit:,} values. Save it as JSON lines, one object per line.", label(path)
        )
    return _parse(text, partial(label, path), nan)


def _refuse_associations(text: str, path: Path) -> None:
    if _ASSOCIATIONS.match(text):
        raise InputError(
            Message(
                "an association test (SEAT, WEAT): two sets of targets and two of attributes, whose vectors are "
                "compared. Pairlens compares probabilities and does not compute it; for stereotypes in pairs of "
                "sentences there are the tasks stereoset and crows_pairs."
            ),
            label(path),
        )


def _array(path: Path) -> list[dict[str, Any]]:
    document = read_json(path, "a JSON array of objects")
    if not isinstance(document, list) or not all(isinstance(record, dict) for record in document):
        raise InputError(
            f"expected a JSON array of objects [{{...}}, ...], found {shown(json.dumps(document))}.", label(path)
        )
    return document


def _whole(path: Path) -> bytes:
    limit = settings().max_document_mb
    content = bytearray()
    for chunk in chunks(path):
        content += chunk
        if len(content) > limit * MB:
            raise InputError(
                f"longer than {limit} MB, the limit for one JSON document (max_document_mb). "
                "Save it as JSON lines, one object per line.",
                label(path),
            )
    return bytes(content)


def _parse(text: str, where: Callable[[], str], nan: bool) -> Any:
    try:
        value = (_WITH_NAN if nan else _DECODER).decode(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = Message("column {column}", column=error.colno)
        if error.lineno > 1:
            place = Message("line {line}, column {column}", line=error.lineno, column=error.colno)
        raise InputError(Message("not JSON: {why} ({place}).", why=error.msg, place=place), where()) from None
    except RecursionError:
        raise InputError(Message("not usable JSON: nested too deeply."), where()) from None
    except UnicodeEncodeError:
        problem = Message("not usable JSON: half a character (a lone surrogate such as \\ud83d).")
        raise InputError(problem, where()) from None
    except ValueError as error:
        raise InputError(Message("not usable JSON: {why}.", why=str(error)), where()) from None
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value, write null")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        first: dict[str, int] = {}
        place, name = next(
            (place, name) for place, (name, _) in enumerate(pairs, 1) if first.setdefault(name, place) < place
        )
        raise ValueError(f"field {place} has the name of field {first[name]}")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_WITH_NAN = json.JSONDecoder(object_pairs_hook=_unique)


def read_xml(path: Path, expected: str) -> Element:
    """The root of an .xml file, `expected` in words; InputError, with line and column, for what may not be read."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    limit, size = settings().max_document_mb, 0
    most, tags = 2 * settings().max_rows, 0
    parser = DefusedXMLParser(forbid_dtd=True)
    try:
        for chunk in chunks(existing(path)):
            size += len(chunk)
            if size > limit * MB:
                raise InputError(
                    f"longer than {limit} MB, the limit for one document (max_document_mb).", label(path)
                )
            tags += chunk.count(b"<")
            if tags > most:
                raise InputError(f"more than {most:,} tags, the limit (twice max_rows).", label(path))
            parser.feed(chunk)
        root: Element = parser.close()
    except ParseError as error:
        line, column = error.position
        reason = str(error).partition(": ")[0]
        problem = Message(
            "not XML: {reason} (line {line}, column {column}). Expected {expected}.",
            reason=reason, line=line, column=column + 1, expected=expected,
        )  # fmt: skip
        raise InputError(problem, label(path)) from None
    except DefusedXmlException:
        raise InputError(
            Message(
                "has a document type or entities of its own (<!DOCTYPE ...>), which are not read. Take them out."
            ),
            label(path),
        ) from None
    except (LookupError, ValueError):
        raise InputError("names an encoding that is not known. Save it as UTF-8.", label(path)) from None
    return root
