"""Checks of opened positions: the page shows the cells of the text, and only conclusions from these cells."""

import pathlib
from random import Random

from browser import check, equal, holds, looks, settle

POSITIONS = pathlib.Path(__file__).parent.parent / "data" / "positions"

EDGES = {
    "contradiction": "3x2x1\nH8H\n0FH\n",
    "covered": "4x2x2\nHHHH\nHHHH\n",
    "flags": "4x2x2\nHFHH\nHHHF\n",
    "no mines": "3x1x0\nHHH\n",
    "all mines": "2x2x4\nHH\nHH\n",
    "wide": "1200x1x3\n" + "0H1" * 400 + "\n",
}


def open_text(page, text):
    page.click("#open")
    page.fill("#open-text", text)
    page.click("#open-form [type=submit]")
    page.wait_for_selector("#open-dialog", state="hidden")
    settle(page)


def shown(page):
    return "".join("F" if "flag" in one["look"].split() else "#" if "covered" in one["look"].split() else one["text"] or "0" for one in looks(page))


@check
def a_wrong_address_is_told(browser):
    for wrong in ("#nothing", "#practice/patterns/99", "#practice/guesses/none", "#practice/none", "#review/own/16x16x40/safe/zz", "#play/none", "#board/none"):
        page = browser.page("#help")
        page.evaluate("wrong => (location.hash = wrong)", wrong)
        page.wait_for_selector("#notice:not([hidden])")
        holds(page.text_content("#notice").startswith("The address names n"), f"what is said of {wrong}: {page.text_content('#notice')}")


@check
def a_position_is_shown_as_it_stands(browser):
    texts = {file.stem: file.read_text() for file in sorted(POSITIONS.glob("*.mine"))} | EDGES
    holds(len(texts) == 9, f"positions: {list(texts)}")
    page = browser.page(expected_errors=("422",))
    for name, text in texts.items():
        open_text(page, text)
        size, *rows = text.split()
        wanted = "".join(rows).replace("H", "#").replace("?", "#")
        equal(shown(page), wanted, f"{name}, opened")
        page.click("#share")
        page.wait_for_selector("#share-body textarea")
        equal(page.input_value("#share-body textarea").split(), [size, *[row.replace("?", "H") for row in rows]], f"{name}, shared as a text")
        own, other = page.locator("#share-body .share-line input").evaluate_all("all => all.map(one => one.value)")
        page.keyboard.press("Escape")
        again = browser.page(own.removeprefix(browser.url), expected_errors=("422",))
        equal(shown(again), wanted, f"{name}, opened from {own}")
        again.context.close()
        open_text(page, EDGES["covered"])
        open_text(page, other)
        equal(shown(page), wanted, f"{name}, opened from {other}")


@check
def a_position_has_the_layouts_of_its_cells(browser):
    page = browser.page()
    for name, words in (("zero-beside-covered", "4\u202f368 layouts"), ("jumanji-position", "2.41 × 1011 layouts")):
        open_text(page, (POSITIONS / f"{name}.mine").read_text())
        holds(words in page.text_content(".layouts"), f"{name}: {page.text_content('.layouts')}")
        browser.shot(page, name)


@check
def a_won_position_is_called_won(browser):
    page = browser.page()
    for text in ("3x2x1\nH10\n110\n", "3x2x1\nF10\n110\n", "2x2x0\n00\n00\n"):
        open_text(page, text)
        equal(page.text_content(".verdict h2"), "The game is won", f"verdict of {text!r}")
        holds("can’t say" not in page.text_content("#analysis"), "a player is asked for a move")
        holds("layout" not in page.text_content(".verdict"), "the layouts of a won game are counted")
    browser.shot(page, "won-position")


@check
def a_board_too_hard_to_count_shows_what_its_numbers_prove(browser):
    # Without proofs, the user of such a board would see a refusal and nothing else.
    random = Random(5)
    side, count = 60, 1630
    cells = [divmod(index, side) for index in range(side * side)]
    mines = set(random.sample(cells, count))
    around = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    number = lambda row, column: sum((row + down, column + right) in mines for down, right in around)
    rows = ["".join("#" if (row, column) in mines or random.random() < 0.45 else str(number(row, column)) for column in range(side)) for row in range(side)]
    page = browser.page("#board")
    page.click("#open")
    page.fill("#open-text", f"{side}x{side}x{count}\n" + "\n".join(rows))
    page.click("#open-form [type=submit]")
    page.wait_for_selector("text=only what single numbers and pairs of numbers prove is known", timeout=60_000)
    holds("cells are safe" in page.text_content(".verdict"), "the proved cells are not told")
    page.click(".proofs button >> nth=0")
    holds(page.text_content(".cell-why .proof-steps"), "no proof is told")
    browser.shot(page, "too-hard")
