"""Checks of the tutor: hints, blunders and what is learnt from them, shared games, lessons, folders of games."""

from pathlib import Path

from browser import address, cell, check, equal, holds, looks, new_game, outcome, settle
from game_checks import reload_loses_nothing


def covered(page):
    """Returns the mine probability and the index of each covered cell without a flag."""
    settle(page)
    return [(one["share"], index) for index, one in enumerate(looks(page)) if one["share"] is not None and "flag" not in one["look"]]


@check
def a_hint_says_where_then_why_then_does_it(browser):
    page = browser.page(odds=False)
    new_game(page, seed=5, first_click="opening")
    equal([one["share"] for one in looks(page)], [None] * 81, "odds of a new user")
    cell(page, 40).click()
    page.wait_for_selector('#board [data-index="40"].open')
    settle(page)
    before = [one["look"] for one in looks(page)]
    page.keyboard.press("?")
    page.wait_for_selector('#board [data-light~="region"]')
    holds("hint 1 of 3" in page.text_content("#analysis"), "the first step of the hint is not named")
    page.keyboard.press("?")
    page.wait_for_selector(".proof-steps")
    words = page.text_content(".proof-steps")
    holds("(" not in words, f"words with coordinates: {words}")
    rings = page.locator('#board [data-light~="a"]')
    holds(rings.count() > 0 and all(text.isdigit() for text in rings.all_text_contents()), "no number has a ring")
    holds(page.locator('#board [data-light~="safe"]').count() > 0, "no cell is marked as safe")
    browser.shot(page, "hint")
    page.keyboard.press("?")
    settle(page)
    holds([one["look"] for one in looks(page)] != before and outcome(page) != "Lost", "the third step opens nothing, or a mine")
    page.keyboard.press("w")
    page.wait_for_selector("#analysis .tutor-head")


@check
def a_blunder_is_told_judged_and_learnt_from(browser):
    page = browser.page()
    page.check("#switch-coach")
    for seed in range(1, 20):
        new_game(page, seed=seed, first_click="opening")
        cell(page, 40).click()
        page.wait_for_selector('#board [data-index="40"].open')
        cells = covered(page)
        needless = [one for one in cells if 0 < one[0] < 0.5]
        if not needless or min(cells)[0] > 0:
            continue
        cell(page, min(needless)[1]).click()
        if outcome(page) != "Lost":
            page.wait_for_selector("#analysis >> text=A safe cell was proved")
            equal(page.locator("#analysis button >> text=Take it back").count(), 1, "ways to take a blunder back")
        for _ in range(80):
            if outcome(page):
                break
            cell(page, min(covered(page))[1]).click()
        break
    page.wait_for_function("() => document.querySelector('#end-marks').textContent.includes('??')", timeout=60_000)
    page.click("#learn")
    page.wait_for_selector(".learn #learn-show", timeout=60_000)
    holds("A cell was proved safe. Find it." in page.text_content(".learn"), "the task is not told")
    holds(page.locator("#viewer .drop.own").first.evaluate("one => one.checkVisibility()"), "no red drop is seen")
    page.wait_for_url("**!")
    at = page.url.removesuffix("!")
    browser.shot(page, "learn")
    page.reload()
    page.wait_for_selector(".learn #learn-show", timeout=60_000)
    page.click("#learn-show")
    page.wait_for_selector(".learn .proof-steps")
    equal(page.locator("#viewer .cell.better").count(), 1, "better cells that are shown")
    again = browser.page(at.removeprefix(browser.url))
    again.wait_for_selector("#viewer .side", timeout=60_000)
    equal(again.text_content("#viewer .side h3 .mark-sign"), "??", "mark of the step at which a game opens on another machine")
    page.click("[data-tab=review]")
    page.click("#own-games summary")
    equal(page.locator("#own-games .kept-game").count(), 1, "games that are kept")
    page.click("[data-tab=practice]")
    page.click("[data-part=mistakes]")
    page.click("#practice-mistakes button >> text=Start")
    page.wait_for_selector("#practice-mistakes #learn-show")


@check
def a_shared_game_is_played_on_another_machine(browser):
    page = browser.page()
    new_game(page, seed=6, first_click="opening")
    cell(page, 40).click()
    page.wait_for_selector('#board [data-index="40"].open')
    page.click("#share")
    game, position = page.locator("#share-body .share-line input").evaluate_all("all => all.slice(0, 2).map(one => one.value)")
    again = browser.page(game.removeprefix(browser.url))
    equal([one["text"] for one in looks(again) if " open " in one["look"]], [one["text"] for one in looks(page) if " open " in one["look"]], "the opened cells of a shared game")
    holds("a shared game" in again.text_content("#board-line"), "nothing says that the game is shared")
    for _ in range(80):
        if outcome(again):
            break
        cell(again, min(covered(again))[1]).click()
    holds(outcome(again) in ("Won", "Lost"), "the shared game can't be ended")
    again.keyboard.press("r")
    equal(outcome(again), "", "outcome after the same mines were started again")
    looked = browser.page(position.removeprefix(browser.url))
    before = [one["text"] for one in looks(looked)]
    index = covered(looked)[0][1]
    cell(looked, index).click()
    looked.wait_for_selector(".cell-why .trial")
    equal([one["text"] for one in looks(looked)], before, "a shared position after a click")
    looked.click(".cell-why .trial button >> text=1")
    settle(looked)
    equal(cell(looked, index).text_content(), "1", "the number that was tried")


# Returns the positions of the lessons whose proof is of another lesson.
LESSONS = """async () => {
  const from = (name) => new URL(`${document.querySelector('script[type=module]').src.replace(/[^/]*$/, '')}${name}`);
  const [{ fromRows }, { analysisOf }, { explain, lessonOf, shownProof }] = await Promise.all(['position.js', 'tutor.js', 'why.js'].map((name) => import(from(name))));
  const lines = (await (await fetch(from('lessons.txt'))).text()).trim().split('\\n');
  const misplaced = lines.length === 240 && new Set(lines).size === 240 ? [] : [lines.length];
  for (const [at, line] of lines.entries()) {
    const position = { width: 9, height: 9, mines: 12, firstClick: 'opening', cells: fromRows(line.split('/')) };
    const answer = await analysisOf(position);
    const lesson = Math.floor(at / 20);
    if (lessonOf(explain(shownProof(lesson, answer), position, answer).steps) !== lesson) misplaced.push(line);
  }
  return misplaced;
}"""


@check
def a_lesson_is_marked_and_proved(browser):
    page = browser.page("#practice/patterns/4")
    page.wait_for_selector("#practice-patterns >> text=Mark everything you can prove", timeout=60_000)
    page.click("#practice-patterns button >> text=Show the rest")
    holds(page.locator("#practice-patterns .proved-safe").count() > 0, "no cell is marked")
    holds("1-1" in page.text_content("#practice-patterns .proof-steps"), "the proof is not that of the lesson")
    misplaced = page.evaluate(LESSONS)
    equal(misplaced, [], "positions that are not of their lesson")
    browser.shot(page, "lesson")
    page.click("[data-part=first]")
    page.wait_for_selector("#practice-first [role=gridcell]")
    equal(page.locator("#practice-first [role=gridcell]").count(), 81, "cells of the first click")
    rows = [row.split(",") for row in (Path(__file__).parents[2] / "src/page/view/first-cells.csv").read_text().splitlines()]
    won, games = next(map(int, row[:2]) for row in rows if row[2:] == ["9", "9", "10", "opening", "3", "3"])
    label = page.locator("#practice-first [role=gridcell]").nth(40).get_attribute("aria-label")
    holds(f"wins {100 * won / games:.1f} of 100" in label, f"the middle of a beginner board is {label}")


@check
def the_few_ways_of_a_proof_are_leafed_through(browser):
    # Around three numbers the mines lie in a few ways, and the cell at the right end of the second row is safe in all of them.
    page = browser.page(address(5, 4, 6, ["#12##", "#1###", "##221", "###1#"]))
    cell(page, 9).click()
    page.wait_for_selector(".cell-why .proof-steps [aria-label=Next]")
    seen = set()
    for turn in range(2):
        page.click(".cell-why [aria-label=Next]")
        seen.add(tuple(page.locator('#board [data-light~="way"]').evaluate_all("all => all.map(one => one.dataset.index)")))
    holds(len(seen) == 2 and all(seen), f"the ways that are shown: {seen}")
    browser.shot(page, "ways")


@check
def a_folder_of_games_is_judged(browser):
    lines = browser.games.read_text().splitlines()
    page = browser.page(expected_errors=("400",))
    files = [{"name": f"{number}.json", "mimeType": "application/json", "buffer": line.encode()} for number, line in enumerate([*lines, "no game"])]
    for some, place in ((files[-2:], "No place from fewer than 3 games."), (files, "You guess ")):
        page.click("#open")
        page.set_input_files("#open-file", some)
        page.click("#open-form [type=submit]")
        games = len(some) - 1
        page.wait_for_selector(f"#opened-games >> text={games} game{'s' * (games > 1)} judged", timeout=120_000)
        totals = page.text_content(".ladder")
        holds("Lost by own mistakes" in totals and place in totals and (" ± " in totals.split("Luck")[0]) == (games > 2), f"the totals of {games} games: {totals}")
        equal(page.text_content("#opened-games details .soft"), f"{games} game{'s' * (games > 1)}", "games of a folder with a file that can't be read")
        equal(page.locator("#opened-games .kept-game").last.get_attribute("class").split(), ["kept-game"], "look of a file that can't be read")
    browser.shot(page, "folder", whole=True)
    holds(" ± " in page.text_content(".habits") or not page.text_content(".habits"), "habits without an error")
    page.locator("#opened-games .kept-game").first.click()
    page.wait_for_selector("#viewer .side")
    page.click("#viewer [aria-label=Back]")
    reload_loses_nothing(page)
