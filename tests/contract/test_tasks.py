"""What every benchmark in core/tasks promises. A new file there is tested by existing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from core.metrics import METRICS
from core.rules import RULES
from core.tasks import TASKS
from core.types import Item

ROOT = Path(__file__).resolve().parents[2]
tasks = pytest.mark.parametrize("name", list(TASKS))


@pytest.fixture
def sample() -> Callable[[str], list[Item]]:
    """The items of `data/samples/<task>`, our own small data in the task's format."""

    def read(name: str) -> list[Item]:
        return list(TASKS[name].read(_sample_path(name)))

    return read


def _sample_path(name: str) -> Path:
    folder = ROOT / "data" / "samples" / name
    found = [path for path in folder.iterdir() if path.suffix not in (".md", ".toml")] if folder.is_dir() else []
    assert found, f"the task {name} has no sample: put a small file of our own in its format in data/samples/{name}"
    return found[0] if len(found) == 1 else folder


@tasks
def test_it_says_what_it_is(name: str) -> None:
    task = TASKS[name]
    assert task.name == name and task.version >= 1
    assert task.title and task.about.endswith("?"), "`about` is the question it asks, in one sentence"
    assert task.rule in RULES
    assert task.metrics and set(task.metrics) <= set(METRICS)
    assert len(set(task.groups)) == len(task.groups) > 0


@tasks
def test_its_sample_gives_well_formed_items(name: str, sample: Callable[[str], list[Item]]) -> None:
    items = sample(name)
    assert items and len({item.id for item in items}) == len(items)
    for item in items:
        labels = [candidate.label for candidate in item.candidates]
        assert len(labels) >= 2 and len(set(labels)) == len(labels)
        assert item.gold is None or item.gold in labels
        assert all(candidate.text.strip() for candidate in item.candidates)
        assert all(0 <= start < end <= len(c.text) for c in item.candidates for start, end in c.regions.values())
        assert set(TASKS[name].groups) <= set(item.groups)
        assert all(isinstance(value, str) for value in item.groups.values())


@tasks
def test_reading_twice_gives_the_same_items(name: str, sample: Callable[[str], list[Item]]) -> None:
    assert sample(name) == sample(name)


@tasks
@pytest.mark.parametrize("content", ["", "\n", "{", "[1, 2]", '{"a": 1}\n', "a,b\n1,2\n", "\x00\x01\x02"])
def test_a_file_in_another_format_is_one_sentence(name: str, content: str, tmp_path: Path) -> None:
    suffixes = _sample_path(name)
    file = suffixes if suffixes.is_file() else next(iter(sorted(suffixes.iterdir())))
    path = tmp_path / f"wrong{''.join(file.suffixes)}".removesuffix(".gz")
    path.write_text(content)
    with pytest.raises(InputError) as error:
        list(TASKS[name].read(path))
    assert "wrong" in str(error.value) and "\n" not in str(error.value)


@tasks
def test_a_missing_or_empty_place_is_one_sentence(name: str, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(InputError) as error:
            list(TASKS[name].read(path))
        assert "\n" not in str(error.value)
