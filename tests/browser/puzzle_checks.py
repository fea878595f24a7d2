"""Checks of the puzzles: the user's guesses and the answers."""

from browser import cell, check, equal, holds, looks


def opened(page):
    page.wait_for_selector("#puzzle [role=gridcell]")


@check
def a_puzzle_is_guessed_and_explained(browser):
    puzzles = browser.ask("api/puzzles")
    equal(len(puzzles), 100, "puzzles")
    page = browser.page("#practice/guesses")
    opened(page)
    equal(page.locator("#puzzle-list li").count(), len(puzzles), "puzzles in the list")
    listed = {player["name"] for player in browser.ask("api/about")["players"]}
    for at, puzzle in enumerate(puzzles[:3]):
        page.locator("#puzzle-list button").nth(at).click()
        equal(page.text_content("#puzzle h2"), puzzle["name"], "the puzzle's name")
        shown = "".join("#" if "covered" in one["look"] else one["text"] or "0" for one in looks(page, "#puzzle"))
        equal(shown, "".join(puzzle["rows"]), "the board of the puzzle")
        equal(page.text_content(".puzzle-answer"), "", "told before the guess")
        indices = [row * puzzle["width"] + column for row, column in puzzle["best"]]
        wrong = next(one for one in puzzle["candidates"] if one["cell"] not in puzzle["best"] and (one.get("behind") or [1])[0] > 0)["cell"]
        guess = indices[0] if at == 0 else wrong[0] * puzzle["width"] + wrong[1]
        cell(page, guess, "#puzzle").click()
        page.wait_for_selector(".puzzle-answer table")
        verdict = page.text_content(".puzzle-answer h3")
        holds(verdict.startswith("Right") == (at == 0), f"{verdict} of {'the best' if at == 0 else 'another'} cell")
        holds(puzzle["shows"] in page.text_content(".puzzle-answer"), "what the puzzle shows is not said")
        marked = {index for index, one in enumerate(looks(page, "#puzzle")) if "better" in one["look"] or "chosen" in one["look"]}
        equal(marked, {*indices, guess}, "cells that are marked")
        wins = [float(text.strip("<>")) for text in page.locator(".puzzle-answer td.strong").all_text_contents()]
        equal(wins, sorted(wins, reverse=True), "the order of the candidates")
        equal(page.locator(".puzzle-answer tr.best").count(), len(indices), "best candidates in the table")
        who = " ".join(page.locator(".puzzle-answer .who").all_text_contents())
        holds(all((player in who.replace(",", " ").split()) == (player in listed) for player, chosen in puzzle["choices"].items() if chosen), f"not every player is in {who}")
    page.wait_for_function("() => document.querySelector('#puzzle .heat')")
    browser.shot(page, "puzzle", whole=True)
    page.reload()
    opened(page)
    equal(page.text_content("#puzzle h2"), puzzles[2]["name"], "the puzzle that the address names")
    holds("found" in page.locator("#puzzle-list button").nth(0).text_content(), "the list forgot what was found")
    page.click("#puzzle button >> text=Show the answer")
    page.click("#puzzle a >> text=Analyse")
    page.wait_for_function("() => !document.querySelector('#tab-board').hidden")


@check
def puzzles_are_filtered_and_answered_by_keyboard(browser):
    puzzles = browser.ask("api/puzzles")
    page = browser.page("#practice/guesses")
    opened(page)
    for kind in {kind for puzzle in puzzles for kind in puzzle["kinds"]}:
        page.select_option("#puzzle-filter [name=kind]", kind)
        equal(page.locator("#puzzle-list li").count(), sum(kind in puzzle["kinds"] for puzzle in puzzles), f"puzzles of kind {kind}")
    page.select_option("#puzzle-filter [name=kind]", "")
    page.select_option("#puzzle-filter [name=known]", "roll-outs")
    by_roll_outs = [puzzle for puzzle in puzzles if puzzle["known"]["by"] == "roll-outs"]
    equal(page.locator("#puzzle-list li").count(), len(by_roll_outs), "puzzles by roll-outs")
    row, column = by_roll_outs[0]["best"][0]
    page.locator("#puzzle [role=gridcell][tabindex='0']").focus()
    for key, times in (("ArrowDown", row), ("ArrowRight", column)):
        for _ in range(times):
            page.keyboard.press(key)
    page.keyboard.press("Space")
    page.wait_for_selector(".puzzle-answer table")
    holds(page.text_content(".puzzle-answer h3").startswith("Right"), "the keyboard did not reach the best cell")
    page.click("#puzzle button >> text=Next")
    equal(page.text_content("#puzzle h2"), by_roll_outs[1]["name"], "the next puzzle")
    page.click("#puzzle button >> text=Show the answer")
    holds(page.text_content(".puzzle-answer h3").startswith("Best"), "the answer is not shown")
