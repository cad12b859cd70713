"""Settings: what is allowed is read, all else is refused in one sentence with the variable, the value and what is."""

import math
from dataclasses import fields

import pytest
from hypothesis import example, given
from hypothesis import settings as properties
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.settings import Settings, settings

NUMBERS = [one for one in fields(Settings) if one.type in ("int", "float")]
WORDS = [one for one in fields(Settings) if one.name in ("offline", "encoding", "device", "shared", "sql")]
TYPED = st.one_of(
    st.floats().map(str), st.integers().map(str),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1),
)  # fmt: skip


@pytest.fixture
def environment(monkeypatch):
    with monkeypatch.context() as patch:
        yield patch
    settings.cache_clear()


def read(environment, setting, text):
    """The value, or the sentence that refuses it."""
    with environment.context() as patch:
        patch.setenv(f"PAIRLENS_{setting.name.upper()}", text)
        settings.cache_clear()
        try:
            return getattr(settings(), setting.name)
        except InputError as refused:
            return str(refused)


def is_refusal(said, setting, text):
    refusal = f"Environment variable PAIRLENS_{setting.name.upper()}: {text[:40]!r} is not allowed; allowed is "
    return str(said).startswith(refusal)


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda one: one.name)
@properties(max_examples=properties.default.max_examples // 4)
@given(text=TYPED)
@example(text="1")
@example(text="-1")
@example(text="inf")
@example(text="1e20")
@example(text="nan")
@example(text="9" * 30)
def test_a_number_is_finite_and_bounded_or_refused(environment, setting, text):
    value = read(environment, setting, text)
    if isinstance(value, str):
        assert is_refusal(value, setting, text) and "number from 0" in value.replace("from 1", "from 0")
    else:
        assert type(value).__name__ == setting.type and math.isfinite(value) and 0 <= value <= 1e9
        may_be_none = ("days", "minutes", "_mb", "jobs", "interactive", "hub")
        assert value or not setting.default or any(part in setting.name for part in may_be_none)


@pytest.mark.parametrize("setting", WORDS, ids=lambda one: one.name)
@given(text=TYPED)
@example(text="maybe")
@example(text="hex")
@example(text="1")
@example(text=" ON ")
def test_a_word_is_a_known_one_or_refused(environment, setting, text):
    value = read(environment, setting, text)
    known = {
        "offline": {True, False}, "shared": {"auto", "on", "off"}, "sql": {"auto", "on", "off"},
        "device": {"auto", "cpu", "cuda", "mps", "spread"}, "encoding": {text},
    }[setting.name]  # fmt: skip
    assert value in known or is_refusal(value, setting, text)
    if setting.name == "encoding" and value == text != "auto":
        assert "a".encode(text)


def test_every_default_may_be_written(environment):
    for setting in (*NUMBERS, *WORDS):
        assert read(environment, setting, str(setting.default)) == setting.default


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("SQL_SECONDS", "inf", "a number from 0.001 to 10,000,000"),
        ("THREADS", "-1", "a whole number from 0 to 1,024"),
        ("SHARED", "maybe", "one of auto, on, 1, true, off, 0, false, proxied"),
    ],
)
def test_the_command_line_refuses_it_before_it_does_anything(name, value, allowed, environment, cli):
    environment.setenv(f"PAIRLENS_{name}", value)
    settings.cache_clear()
    said = f"pairlens: Environment variable PAIRLENS_{name}: '{value}' is not allowed; allowed is {allowed}.\n"
    assert cli("doctor") == (2, "", said)
