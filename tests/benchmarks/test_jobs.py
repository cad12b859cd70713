"""The jobs that are timed beside other programs, done by Pairlens alone on a few pairs."""

from dataclasses import replace

import pytest

from tests.benchmarks import jobs
from tests.benchmarks.cases import OURS
from tests.benchmarks.texts import Texts

PAIRS = [
    ("Craig explored that shop.", "Craig explored that shops."),
    ("She cleans these sinks.", "She cleans these sink."),
]
TEXTS = Texts("ours", {jobs.PARADIGM: PAIRS})


@pytest.mark.model
@pytest.mark.slow
def test_every_job_of_pairs_is_done_and_its_figure_is_read(tmp_path):
    done = {job.name: job for job in jobs.jobs(TEXTS, tmp_path, tmp_path)}
    for name in ("whole BLiMP to the report", "NLPScholar, evaluate and analyze"):
        own = replace(done[name], programs={OURS: done[name].programs[OURS]})
        [line] = jobs._lines(own, tmp_path, tmp_path, 1)
        assert (line.case, line.system, line.sentences, line.ratio) == (name, OURS, 4, 1.0)
        assert line.status.startswith("says ") and line.seconds > 0


def test_a_program_that_fails_is_named_with_what_it_printed(tmp_path):
    with pytest.raises(RuntimeError, match="pairlens nothing ended with 2: pairlens"):
        jobs._run(("pairlens nothing",), tmp_path, tmp_path, 1)
