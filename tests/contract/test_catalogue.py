"""The catalogues of translations: complete, current, and fed by everything that the sources mark."""

import ast
import re
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from pairlens.files.labels import PORTUGUESE
from pairlens.places import FOLDER as ROOT
from pairlens.text.languages import Language, catalogue_of
from workshop.catalogue import KEYWORDS, extracted, locales


@pytest.fixture(scope="module")
def sources():
    return extracted()


@pytest.fixture(scope="module", params=[*locales()])
def catalogue(request):
    with catalogue_of(request.param).open("rb") as file:
        return read_po(file, request.param)


def messages(catalogue):
    return [message for message in catalogue if message.id]


def test_portuguese_has_a_catalogue_and_files_may_call_labels_as_the_page_does():
    assert "pt" in locales()
    say = Language("pt")
    assert {label: say(label) for label in PORTUGUESE} == PORTUGUESE


@pytest.mark.slow
def test_a_catalogue_has_what_the_sources_say_and_nothing_else(catalogue, sources):
    said, known = ({message.id for message in messages(one)} for one in (sources, catalogue))
    assert said == known, "`make catalogue`, then translate what is new in locale/"


def test_everything_is_translated_with_its_placeholders(catalogue):
    for message in messages(catalogue):
        assert not message.fuzzy, message.id
        several = isinstance(message.string, tuple)
        assert several == message.pluralizable, message.id
        forms = message.string if several else (message.string,)
        assert len(forms) == (catalogue.num_plurals if several else 1) and all(forms), message.id
        expected = placeholders(message.id[0] if several else message.id)
        assert all(placeholders(form) == expected for form in forms), message.id


def placeholders(template):
    """Names and conversions; the format of a number may differ, its name may not. None where nothing is filled in."""
    try:
        return sorted((name, how or "") for _, name, _, how in Formatter().parse(template) if name is not None)
    except ValueError:
        return []


@pytest.mark.slow
def test_extraction_finds_every_marked_template_and_none_is_an_f_string(sources):
    known = {text for one in messages(sources) for text in ([one.id] if isinstance(one.id, str) else one.id)}
    marked = [*templates()]
    assert len([text for _, text in marked if text]) > 250
    assert not [f"{where}: {text}" for where, text in marked if text and text not in known]
    wrong = [where for where, text in marked if text is None]
    assert not wrong, f"arguments are given beside the template: {', '.join(wrong)}"


def templates():
    """Every template that is written where it is said: its place and text, None for an f-string."""
    for folder, keywords in KEYWORDS.items():
        texts = ((path, path.read_text("utf-8")) for path in sorted((ROOT / folder).rglob("*.py")))
        calls = re.compile(rf"\b(?:{'|'.join(keywords)})\s*\(")
        for path, tree in ((path, ast.parse(text)) for path, text in texts if calls.search(text)):
            for node in ast.walk(tree):
                if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords):
                    continue
                where = f"{path.relative_to(ROOT)}, line {node.lineno}"
                for place in keywords[node.func.id] or (1,):
                    template = node.args[place - 1] if len(node.args) >= place else None
                    if isinstance(template, ast.JoinedStr):
                        yield where, None
                    elif isinstance(template, ast.Constant):
                        yield where, template.value
