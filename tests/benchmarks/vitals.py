"""What a visitor waits for, in a real browser: the web's vitals for a fresh server, a typed pair and every page.

    python -m tests.benchmarks.vitals          prints the table; good: 2.5 s, 200 ms, 0.1

*answer* is the time from the address, the click or the last key to the drawn answer, *LCP* the largest contentful
paint, *delay* the longest time until the page reacted to a click or a key, *shift* the layout shift that no input
explains.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.browser.dashboard import serve
from tests.browser.visitor import Visitor, start

_WATCH = """
window.vitals = {lcp: 0, delay: 0, shift: 0};
const seen = (type, take, more) => new PerformanceObserver(list => list.getEntries().forEach(take))
    .observe({type, buffered: true, ...more});
seen('largest-contentful-paint', entry => { vitals.lcp = entry.startTime; });
seen('layout-shift', entry => {
    if (!entry.hadRecentInput) vitals.shift += entry.value;
});
seen('event', entry => {
    if (entry.interactionId) vitals.delay = Math.max(vitals.delay, entry.duration);
}, {durationThreshold: 16});
"""
_TYPED = ("The boys near the river were cold.", "The boys near the river was cold.")
_PAGES = (
    "Next word", "Train", "Benchmarks", "Agreement", "Stereotypes", "Your experiment", "Entailment", "Results",
    "Data", "Models", "Compare",
)  # fmt: skip
_JOB = """
import sys
from core.store import jobs
if sys.argv[1:]:
    jobs.cancel(sys.argv[1])
    sys.exit()
arguments = ["zero-shot", "--task", "blimp", "--data_path", {data!r}, "--model_path_or_name", "english-small"]
print(jobs.start(arguments, "BLiMP").id)
"""


def main(data: str = "../shared/data/blimp/data") -> None:
    """Print a line for every wait, at last while somebody else's benchmark runs on `data`."""
    print(f"{'':44}{'answer s':>9}{'LCP s':>8}{'delay ms':>9}{'shift':>7}")
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as profile:
        driver = start(Path(profile))
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _WATCH})
        try:
            with serve(Path(home), PAIRLENS_THREADS="0") as address:
                visitor = Visitor(driver, address)
                visitor.width(1280)
                _quiet(visitor)
                if Path(data).is_dir():
                    _busy(visitor, data, home)
        finally:
            driver.quit()


def _quiet(visitor: Visitor) -> None:
    _line("a fresh server's first answer", visitor, lambda: visitor.open("/"), fresh=True)
    _line("the first pair that one types", visitor, lambda: _type(visitor, *_TYPED))
    _line("the next pair", visitor, lambda: _type(visitor, *(text.replace("boys", "girls") for text in _TYPED)))
    for page in _PAGES:
        _line(f"a click on {page}", visitor, lambda page=page: visitor.go(page))  # type: ignore[misc]
    _line("a reload", visitor, visitor.reload, fresh=True)


def _busy(visitor: Visitor, data: str, home: str) -> None:
    program = [sys.executable, "-c", _JOB.format(data=str(Path(data).resolve()))]
    own = {**os.environ, "PAIRLENS_HOME": home}
    job = subprocess.run(program, env=own, check=True, capture_output=True, text=True).stdout.strip()
    time.sleep(10)  # the job has loaded its model
    _line("a pair while a benchmark runs", visitor, lambda: _type(visitor, "The cats sleep.", "The cats sleeps."))
    for page in ("Benchmarks", "Data", "Compare"):
        _line(f"a click on {page} meanwhile", visitor, lambda page=page: visitor.go(page))  # type: ignore[misc]
    subprocess.run([*program, job], env=own, check=True)


def _type(visitor: Visitor, first: str, second: str) -> None:
    visitor.type("A", first)
    visitor.type("B", second)
    visitor.settle()


def _line(what: str, visitor: Visitor, act: Callable[[], object], *, fresh: bool = False) -> None:
    before = {} if fresh else visitor.driver.execute_script("vitals.delay = 0; return {...vitals}")
    began = time.perf_counter()
    act()
    seconds = time.perf_counter() - began
    found = visitor.driver.execute_script("return vitals")
    painted = f"{found['lcp'] / 1000:8.2f}" if fresh else " " * 8
    shift = found["shift"] - before.get("shift", 0)
    print(f"{what:44}{seconds:9.2f}{painted}{found['delay']:9.0f}{shift:7.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
