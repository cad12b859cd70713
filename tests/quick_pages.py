"""AppTest without what it does again and again: import `quick_pages` where pages are drawn."""

import json
from collections.abc import Iterator
from functools import cache

import pytest
from altair.utils import schemapi
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner


@pytest.fixture(scope="session", autouse=True)
def quick_pages() -> Iterator[None]:
    """Every AppTest reads what is written about each installed package, in search of Streamlit components, and
    compiles the scripts anew; altair checks every chart of every run.
    """
    scripts = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: scripts)
        patch.setattr(local_script_runner, "require_widgets_deltas", _wait)
        patch.setattr(schemapi, "_get_errors_from_spec", _checked_once(schemapi._get_errors_from_spec))
        yield


def _wait(runner: LocalScriptRunner, _: float) -> None:
    """AppTest looks through all that a page has sent, a thousand times a second, for whether it has ended.

    And it gives up where the machine is busy.
    """
    runner._script_thread.join(300)
    assert not runner._script_thread.is_alive(), "a page does not end"


def _checked_once(check):
    sound = {}

    def check_once(spec: object, schema: dict, rootschema: dict | None = None) -> list:
        key = (id(schema), json.dumps(spec, sort_keys=True, default=repr))
        if key in sound:
            return []
        errors = check(spec, schema, rootschema=rootschema)
        if not errors:
            sound[key] = schema  # kept, or its id might be another's later
        return errors

    return check_once
