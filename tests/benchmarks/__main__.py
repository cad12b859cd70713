"""How fast Pairlens scores, beside other tools on the same model and sentences, from one run: writes RESULTS.md.

    make bench                    all cases
    make bench PEERS=FOLDER       with the BabyLM pipeline in FOLDER/babylm, NLPScholar in FOLDER/nlpscholar and the
                                  multilingual StereoSet in FOLDER/stereoset; whole jobs beside them, too
    python -m tests.benchmarks --whole-blimp english-small      how long all of BLiMP takes with a model
    python -m tests.benchmarks --whole-blimp gpt2-small         the same with a shape and random weights

On a machine with a graphics card the last two measure it: single and half precision, shared beginnings and padded
rows, memory, and how decisions differ from those of the processor.

All systems of a case take turns in one process, in random order, on the same weights: others on the network as
transformers loads it. Tokenising is inside the time, loading outside. What is compared are ratios within this run:
digits change from machine to machine.
"""

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tests.benchmarks import growth, jobs, latency, machine, whole
from tests.benchmarks.cases import CASES, run_case
from tests.benchmarks.results import RESULTS, Line, write
from tests.benchmarks.texts import sentences_of


def main(
    only: Annotated[list[str] | None, typer.Option("--only", help="Cases, by their names; all by default.")] = None,
    data: Annotated[Path, typer.Option(help="Folder with blimp/data/*.jsonl.")] = Path("../shared/data"),
    peers: Annotated[Path | None, typer.Option(help="Folder with babylm/, nlpscholar/, stereoset/.")] = None,
    rounds: Annotated[int, typer.Option(help="How often every system takes its turn.", min=1)] = 5,
    threads: Annotated[int, typer.Option(help="Cores, and threads on them.", min=1)] = 2,
    sentences: Annotated[int, typer.Option(help="At most so many in a case: for a trial.", min=16)] = 1 << 20,
    whole_blimp: Annotated[str, typer.Option(metavar="MODEL", help="Score all of BLiMP with it only.")] = "",
    output: Annotated[Path, typer.Option(help="The table.")] = RESULTS,
) -> None:
    """Run the cases and write the table."""
    machine.pin(threads)
    texts = sentences_of(data)
    if whole_blimp:
        for line in whole.lines(texts, whole_blimp):
            typer.echo(line)
        return
    found: dict[str, list[Line]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        parts = {
            case.name: partial(
                run_case, replace(case, sentences=min(case.sentences, sentences)), texts, Path(scratch), peers, rounds
            )
            for case in CASES
        }
        parts["latency"] = partial(latency.lines, texts, Path(scratch), threads)
        parts["growth"] = partial(growth.lines, texts, Path(scratch))
        parts["jobs"] = partial(jobs.lines, texts, data, Path(scratch), peers, threads)
        for name, lines in parts.items():
            if not only or name in only:
                found[name] = lines()
                write(output, found, machine.described(threads), texts.source)  # what is done is not lost
    typer.echo(f"wrote {output}")


if __name__ == "__main__":
    typer.run(main)
