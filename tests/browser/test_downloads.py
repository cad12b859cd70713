"""The Download menu in a real browser: opened, a figure named and taken away, on a phone too."""

from __future__ import annotations


def test_a_figure_is_named_and_taken_away(visitor, tmp_path):
    visitor.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    visitor.width(390, 844)
    visitor.open("/")
    assert not [one for one in visitor.all('[data-testid="stDownloadButton"]') if one.is_displayed()]
    visitor.press("Download")
    visitor.type("Title", "Agreement in one pair")
    visitor.settle()
    visitor.press("SVG")
    made = tmp_path / "comparison.svg"
    visitor.until(made.exists, reason="no drawing")
    visitor.until(lambda: "Agreement in one pair" in made.read_text("utf-8"), reason="the title is not drawn")
    assert 'width="8.5cm"' in made.read_text("utf-8")
    visitor.press("PDF")
    visitor.until((tmp_path / "comparison.pdf").exists, reason="no PDF")
    assert visitor.overflow() <= 0


def test_a_page_is_left_while_the_menu_is_open(visitor):
    visitor.open("/")
    visitor.press("Download")
    visitor.until(lambda: visitor.all('[data-testid="stPopoverBody"]'), reason="no menu")
    visitor.settle()
    visitor.go("Results")
    assert visitor.all("h1")[0].text == "Results"
