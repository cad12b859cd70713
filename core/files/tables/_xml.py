"""XML documents from untrusted users: no document types, no entities, no references to other files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.tables._source import MB, chunks, existing, label
from core.messages import Message
from core.settings import settings

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_xml(path: Path, expected: str) -> Element:
    """The root element of an .xml file; `expected` describes the file in messages.

    Raises InputError, with line and column, for what is not XML, and for document types, entities and references to
    other files, with which a small file could fill the memory or read other files.
    """
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
        said = Message(
            "not XML: {reason} (line {line}, column {column}). Expected {expected}.",
            reason=reason, line=line, column=column + 1, expected=expected,
        )  # fmt: skip
        raise InputError(said, label(path)) from None
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
