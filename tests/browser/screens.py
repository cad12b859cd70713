"""Pictures of every page, light and dark, wide and as on a phone: `python -m tests.browser.screens FOLDER`.

The dashboard starts with an empty home unless PAIRLENS_HOME names one.
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import product
from pathlib import Path

from tests.browser.dashboard import ROOT, serve
from tests.browser.visitor import Visitor, start

WIDTHS = (1280, 390)
THEMES = ("light", "dark")
TITLES = {
    "compare": "Compare", "next_word": "Next word", "lesson": "Lesson", "train": "Train", "zero_shot": "Benchmarks",
    "agreement": "Agreement", "stereoset": "Stereotypes", "minimal_pairs": "Your experiment", "nli": "Entailment",
    "results": "Results", "data": "Data", "models": "Models",
}  # fmt: skip
"""What the menu calls each page."""


def addresses() -> dict[str, str]:
    """Every page by name, with its path: the default page answers only at the root."""
    names = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
    return {name: "/" if name == "compare" else f"/{name}" for name in names}


def photograph(visitor: Visitor, folder: Path, name: str, path: str) -> None:
    """One picture of the whole page per theme and width."""
    for theme, width in product(THEMES, WIDTHS):
        visitor.theme(theme)
        visitor.width(width)
        visitor.open(path)
        visitor.whole(width)
        visitor.driver.save_screenshot(str(folder / f"{name}-{theme}-{width}.png"))


def main(folder: Path) -> None:
    """Photograph all pages into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(os.environ.get("PAIRLENS_HOME", scratch))
        driver = start(Path(scratch) / "profile")
        try:
            with serve(home) as address:
                for name, path in addresses().items():
                    photograph(Visitor(driver, address), folder, name, path)
        finally:
            driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
