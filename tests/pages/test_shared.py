"""A shared dashboard: no link opens a file that its operator did not name, and what is closed is not offered."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared import frame, rights
from pairlens import sharing
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests import hostile_links
from tests.on_page import errors, uploaders, words
from tests.thinned import thinned

DOORS = [(page, door) for page, doors in hostile_links.PAGES.items() for door in doors]
LEADING = [
    (page, door)
    for page, door in DOORS
    if page not in ("results", "data") and door not in ({"corpus": "Upload"}, {"run": ""})
]
"""Those by which a link leads to files or models, where the dashboard is not shared."""
THE_APP_FIRST = frame._let_the_app_run_first
CLOSED = "files on the server are read only from folders that its operator names (PAIRLENS_ALLOWED)"


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """A dashboard that has just started, and has seen nothing yet."""
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)


@pytest.fixture
def share(monkeypatch):
    """Share it: its operator allows this."""

    def share(*allowed: object, choice: str = "on") -> None:
        monkeypatch.setenv("PAIRLENS_SHARED", choice)
        monkeypatch.setenv("PAIRLENS_ALLOWED", ",".join(map(str, allowed)))
        settings.cache_clear()

    return share


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A folder that the operator names, one that nobody named, and the ways from one to the other, by their names."""
    allowed, outside = (tmp_path_factory.mktemp("places").resolve() / name for name in ("allowed", "outside"))
    outside.mkdir()
    return allowed, outside, hostile_links.attacks(allowed, outside)


@pytest.fixture
def places(folders, monkeypatch):
    """The same, where the server's user lives in the folder that nobody named."""
    monkeypatch.setenv("HOME", str(folders[1]))
    return folders


def test_every_parameter_of_a_link_is_known():
    found = hostile_links.parameters()
    assert found == hostile_links.KNOWN, "list a new parameter in KNOWN; in MODELS if it names a model"


def refuses(page, door, places, home, names=()) -> None:
    """The door stays closed to the attacks of these names, or to all."""
    _, outside, attacks = places
    for name in names or attacks:
        with hostile_links.opened_in(outside) as opened:
            shown = hostile_links.visit(page, hostile_links.link(door, attacks[name]))
        assert not opened, f"{name}: {attacks[name]}"
        assert not shown.exception, name
        assert not [line for line in errors(shown) if str(home) in line or "Traceback" in line]


@pytest.mark.parametrize(("page", "door"), DOORS, ids=str)
def test_no_link_opens_what_the_operator_did_not_name(page, door, places, share, home):
    """The plain path at every door, and one of the others in turn."""
    allowed, _, attacks = places
    share(allowed)
    plain, *others = attacks
    refuses(page, door, places, home, (plain, others[DOORS.index((page, door)) % len(others)]))


@pytest.mark.soak
@pytest.mark.parametrize(("page", "door"), DOORS, ids=str)
def test_no_attack_opens_it_at_any_door(page, door, places, share, home):
    share(places[0])
    refuses(page, door, places, home)


@pytest.mark.parametrize(("page", "door"), thinned(LEADING, 6), ids=str)
def test_the_same_links_open_it_where_everybody_is_trusted(page, door, places, share):
    attacks = places[2]
    share(choice="off")
    with hostile_links.opened_in(places[1]) as opened:
        hostile_links.visit(page, hostile_links.link(door, attacks["absolute"]))
    assert opened


@pytest.mark.parametrize(
    ("page", "given", "path"),
    [
        ("zero_shot", {"task": "pairs", "data": "Path"}, "path"),
        ("nli", {"data": "path"}, "path"),
        ("train", {"corpus": "Path"}, "corpus_path"),
    ],
)
def test_a_folder_that_is_named_is_read(page, given, path, places, share):
    allowed, outside, _ = places
    share(allowed, "train")
    with hostile_links.opened_in(allowed) as opened:
        page_of_it = hostile_links.visit(page, {**given, path: str(allowed / "own.csv")})
    assert f"{allowed}/own.csv" in opened
    assert not any(CLOSED in line for line in errors(page_of_it))
    assert CLOSED in words(hostile_links.visit(page, {**given, path: str(outside / "canary.csv")}))


def test_without_folders_paths_are_not_offered(share):
    share()
    for page, control in (("zero_shot", "data"), ("nli", "nli_data"), ("train", "corpus")):
        share("train")
        shown = hostile_links.visit(page, {})
        (choice,) = [one for one in shown.get("button_group") if one.key == control]
        assert not {"Path", "path", "Caminho"} & set(choice.options), page
    assert CLOSED in words(hostile_links.visit("zero_shot", {"data": "Path", "path": "/etc/passwd"}))


def test_models_of_the_hub_are_those_that_are_named(share):
    for allowed, opens in ((), False), (("some-lab/tiny",), True), (("hub",), True), (("some-lab/other",), False):
        share(*allowed)
        shown = hostile_links.visit("compare", {"model": "some-lab/tiny"})
        said = "\n".join(errors(shown))
        assert ("Models on the hub cannot be named here" in said) is not opens
        assert ("Pairlens is offline" in said) is opens


def test_a_mistake_in_the_setting_is_said_on_every_page_and_nothing_is_opened(share):
    share("trian")
    for page in hostile_links.PAGES:
        (said,) = errors(hostile_links.visit(page, {}))
        assert "PAIRLENS_ALLOWED: There is no right 'trian'. Did you mean 'train'?" in said


def test_what_is_closed_is_not_offered(share, unigram):
    for allowed, offered in ((), False), (("import", "housekeeping", "train", "fetch"), True):
        share(*allowed)
        results = hostile_links.visit("results", {"view": "upkeep"})
        assert ("Housekeeping is closed here" in words(results)) is not offered
        (views,) = [one for one in results.get("button_group") if one.key == "view_shown"]
        assert ("Housekeeping" in views.options) is offered
        runs = hostile_links.visit("results", {})
        assert any(one.label == "Bring scores" for one in runs.button) is offered
        brought = hostile_links.visit("results", {"view": "bring"})
        assert bool(uploaders(brought)) is offered
        train = hostile_links.visit("train", {})
        assert ("Models cannot be trained here" in words(train)) is not offered
        assert any(one.label == "Start training" for one in train.button) is offered
        public = hostile_links.visit("data", {"shelf": "Public sets"})
        assert ("Data sets cannot be fetched here" in words(public)) is not offered


def test_a_click_after_the_dashboard_was_seen_to_be_shared_does_nothing(share):
    share(choice="auto")
    page = hostile_links.visit("results", {})
    assert any(one.label == "Bring scores" for one in page.button), "it is this machine's user's"
    sharing.share("a test")
    assert not any(one.label == "Bring scores" for one in page.run().button)


def test_paths_of_the_server_are_cut_off(share, home):
    share()
    rights.is_shared()
    assert sharing.without_places(f"The manifest is damaged: delete the folder {home}/store/runs/x.") == (
        "The manifest is damaged: delete the folder store/runs/x."
    )
    assert sharing.without_places("and/or") == "and/or"


def test_what_was_seen_once_holds_until_the_server_ends(monkeypatch, caplog, share):
    share(choice="auto")
    assert not rights.is_shared()
    monkeypatch.setattr(rights, "by_request", lambda *_: "a visitor came from another machine")
    assert not rights.is_shared(), "the same run of the page: it is not asked again"
    assert rights.is_admitted() and rights.is_shared(), "the next run"
    monkeypatch.undo()
    assert rights.is_shared()
    assert len([one for one in caplog.messages if "This dashboard is shared: a visitor came" in one]) == 1


@pytest.mark.parametrize(
    ("page", "value"),
    [
        ("agreement", "x\0y"),
        ("agreement", ".."),
        ("zero_shot", "x/../../y"),
        ("results", "x" * 100_000),
        ("results", "a\x01\x7fb"),
        ("results", ".."),
        ("compare", "x\0y"),
        ("nli", "x\0y"),
    ],
    ids=lambda value: ascii(value[:9]),
)
def test_a_run_that_no_store_can_hold_is_one_sentence(page, value):
    shown = hostile_links.visit(page, {"run": value, "view": "runs"})
    assert not shown.exception and len(errors(shown)) == (page not in ("compare", "nli"))


def test_what_no_text_can_hold_is_left_out_of_a_link_and_said(monkeypatch):
    monkeypatch.setattr(frame, "_let_the_app_run_first", THE_APP_FIRST)  # which looks at the link
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run().switch_page("pages/next_word.py")
    for name, value in {"prefix": "The keys", "forms": "are \0 is", "run\0": "1", "reader": "english-small"}.items():
        page.query_params[name] = value
    page.run()
    refused = [line for line in errors(page) if "holds a character that no text has: it was left out." in line]
    assert len(refused) == 2 and "'forms'" in refused[0] and r"'run\x00'" in refused[1]
    assert page.text_area(key="prefix").value == "The keys" and not errors(page.run())


def test_a_suite_whose_files_visitors_would_share_is_not_offered(share):
    share()
    page = AppTest.from_file(str(ROOT / "pages" / "zero_shot.py"), default_timeout=300)
    page.query_params["task"] = "babylm-2025"
    page.run()
    assert "Suites are run where Pairlens is one's own" in words(page) and not errors(page)
    assert not page.get("download_button") and not page.dataframe
