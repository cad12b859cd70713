"""What the documents say can be typed: every command is understood, every block of code is run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib

import pytest
import typer
import yaml

from pairlens import cli as program
from pairlens.errors import InputError
from pairlens.places import FOLDER, IN_CLONE
from pairlens.plans import cells

pytestmark = pytest.mark.skipif(not IN_CLONE, reason="documents are not installed")
DOCUMENTS = [FOLDER / "README.md", FOLDER / "CONTRIBUTING.md", *sorted(FOLDER.glob("docs/*.md"))] if IN_CLONE else []
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
TYPED = re.compile(r"(?<!`)`(pairlens [^`]+)`(?!`)|\bpairlens ((?:plan|doctor) [^#\n&]+)")
PLACEHOLDERS = {"VERB", "<name>", "..."}
ELSEWHERE = (
    "--engine ray", "gpt2", "--address", "/mnt/", "s3://", "dashboard", "FILE", "train-classifier", "ORG/NAME",
    "http://", "data get", "ladder/", "RUN",
)  # fmt: skip
"""Of commands that run for long, or that need other machines, models of other people or files that are no tables."""
OTHER_TONGUES = re.compile(r"make |#SBATCH|streamlit run|systemctl|podman|\{noun:sg\}|python3 -m venv|pages/ ")
"""Blocks of nothing that is ours to run here: the operator's machine, templates, a drawing."""


def blocks(tongue):
    for path in DOCUMENTS:
        for number, (name, text) in enumerate(FENCE.findall(path.read_text("utf-8"))):
            if name == tongue:
                yield pytest.param(text, id=f"{path.stem}-{number}")


def commands(text):
    """The lines that call Pairlens, a continued one as one."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line.partition("  #")[0].strip() for line in lines if line.strip().startswith("pairlens ")]


def typed():
    """Every command that a document names, in a line of text or in a block."""
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        named = {"".join(one).strip() for one in TYPED.findall(FENCE.sub("", text))}
        named |= {line for _, block in FENCE.findall(text) for line in commands(block)}
        yield from (pytest.param(" ".join(line.split()), id=f"{path.stem}: {line[:40]}") for line in sorted(named))


@pytest.mark.parametrize("line", typed())
def test_verbs_and_options_that_a_document_names_exist(line):
    command, words = typer.main.get_command(program.app), shlex.split(line)[1:]
    while words and hasattr(command, "commands") and words[0] not in PLACEHOLDERS and not words[0].startswith("-"):
        assert words[0] in command.commands, f"there is no verb '{words[0]}'"
        command = command.commands[words.pop(0)]
    known = {"--help", *(option for one in command.params for option in (*one.opts, *one.secondary_opts))}
    assert {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} <= known


def test_every_block_is_run_or_said_not_to_be():
    for path in DOCUMENTS:
        for tongue, text in FENCE.findall(path.read_text("utf-8")):
            understood = tongue in ("python", "sql", "toml", "yaml") or commands(text)
            assert understood or OTHER_TONGUES.search(text), f"{path.name}:\n{text}"
            assert tongue != "toml" or tomllib.loads(text)


@pytest.fixture
def desk(tmp_path, monkeypatch, few_examples):
    """A folder with files of the names that the documents use."""
    nli = FOLDER / "data" / "samples" / "nli"
    (tmp_path / "data").symlink_to(FOLDER / "data")
    shutil.copy(nli / "assin2.xml", tmp_path / "assin2-test.xml")
    shutil.copy(nli / "sick.txt", tmp_path / "SICK_BR.txt")
    (tmp_path / "pairs.csv").write_text("good,bad\nLes filles sont là.,Les filles est là.\n", "utf-8")
    (tmp_path / "votes.csv").write_text("step,choice,votes\n1,A,3\n1,B,1\n", "utf-8")
    (lesson,) = (text for text in map(lambda one: one.values[0], blocks("toml")) if "[[step]]" in text)
    (tmp_path / "lesson.toml").write_text(lesson, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.model
@pytest.mark.parametrize("block", [*blocks(""), *blocks("sh")])
def test_commands_run_one_after_another(block, cli, desk):
    for line in commands(block):
        if not any(mark in line for mark in ELSEWHERE):
            status, _, said = cli(*shlex.split(line)[1:])
            assert status == 0, f"{line}\n{said}"


@pytest.mark.model
@pytest.mark.parametrize("block", blocks("python"))
def test_programs_run(block, desk, capsys):
    exec(compile(block, "a document", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("block", blocks("sql"))
def test_queries_are_answered(block, cli, desk):
    status, answer, said = cli("query", block)
    assert status == 0 and "value" in answer, said


@pytest.mark.parametrize("block", blocks("yaml"))
def test_plans_can_be_read(block, tmp_path):
    document = yaml.safe_load(block)
    if "entrypoint" in json.dumps(document):
        assert document["spec"]["entrypoint"].startswith("pairlens plan run")
        return
    (tmp_path / "plan.yaml").write_text(block, "utf-8")
    plan = cells.read(tmp_path / "plan.yaml")
    assert len(plan.models) == len(document["models"]) and len(plan.tasks) == len(document["tasks"])
    with pytest.raises(
        InputError, match=r"entry \d: blimp: this data set is not here"
    ):  # but for its models and data
        cells.expand(plan)
