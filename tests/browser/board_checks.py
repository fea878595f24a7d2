"""Checks of playing, editing and analysing on the board."""

import urllib.request

from playwright.sync_api import Error

from browser import address, around, cell, check, equal, holds, looks, new_game, outcome, positions_of, settle


@check
def loads_and_asks_no_other_host(browser):
    page = browser.page()
    equal(page.locator("#board [role=gridcell]").count(), 81, "cells of a beginner's board")
    equal(page.locator(".top nav a").all_text_contents(), ["Play", "Review", "Practice"], "places in the head")
    equal([one.text_content() for one in page.locator(".foot a").all() if one.is_visible()], ["Analyse a position", *["Lab"] * browser.has_server, "Help"], "links in the foot")
    sections = {"play": "board"}
    for name in [*browser.tabs[1:], "play"]:
        page.click(f"[data-tab={name}]")
        # The page changes when the address changes, and thus one event after the click.
        page.wait_for_function("id => !document.getElementById(id).hidden && document.querySelectorAll('main > section:not([hidden])').length == 1", arg=f"tab-{sections.get(name, name)}")
        equal([tab.get_attribute("id") for tab in page.locator("main > section").all() if tab.is_visible()], [f"tab-{sections.get(name, name)}"], "visible place")
    with urllib.request.urlopen(browser.url) as answer:
        policy = answer.headers.get("Content-Security-Policy", "") if browser.has_server else page.get_attribute("meta[http-equiv]", "content")
    holds("default-src 'self'" in policy, f"no policy: {policy!r}")
    browser.shot(page, "first-sight")


def click_on(page, best):
    """Plays a game: clicks safe cells, otherwise the cell that `best` picks from pairs (share, index)."""
    for _ in range(90):
        if outcome(page) in ("Won", "Lost"):
            return outcome(page)
        settle(page)
        covered = [(one["share"], index) for index, one in enumerate(looks(page)) if one["share"] is not None and "flag" not in one["look"]]
        holds(covered, "a game goes on without a cell to open")
        cell(page, best(covered)[1]).click()
    raise AssertionError("the game does not end")


@check
def a_game_is_played_to_its_end_by_clicking(browser):
    page = browser.page()
    ends = []
    for seed in range(1, 9):
        new_game(page, seed=seed)
        equal(page.text_content("#mines-left"), "10", "mines left")
        cell(page, 40).click()
        ends.append(click_on(page, min))
        shown = looks(page)
        covered = [one for one in shown if " n" not in one["look"]]
        if ends[-1] == "Won":
            equal(len(covered), 10, "cells that a won game leaves covered")
            equal(page.text_content("#mines-left"), "0", "mines left after a win")
            browser.shot(page, "won")
            break
    holds("Won" in ends, f"no win in {len(ends)} games of the safest cells")
    new_game(page, seed=3)
    cell(page, 0).click()
    settle(page)
    equal(click_on(page, lambda covered: max(pair for pair in covered)), "Lost", "end of a game of the likeliest mines")
    shown = looks(page)
    equal(sum("exploded" in one["look"] for one in shown), 1, "mines that blew up")
    equal(sum("mine" in one["look"].split() or "exploded" in one["look"] for one in shown), 10, "mines shown")
    browser.shot(page, "lost")


@check
def flags_and_chords_open_the_rest(browser):
    page = browser.page()
    for seed in range(1, 30):
        new_game(page, seed=seed, first_click="opening")
        cell(page, 40).click()
        settle(page)
        shown = looks(page)
        for index, one in enumerate(shown):
            near = [r * 9 + c for r, c in around(9, 9, *divmod(index, 9))]
            mines = [other for other in near if shown[other]["share"] == 1]
            rest = [other for other in near if shown[other]["share"] is not None and other not in mines]
            if one["text"].isdigit() and one["share"] is None and len(mines) == int(one["text"]) and rest:
                for mine in mines:
                    cell(page, mine).click(button="right")
                equal(page.text_content("#mines-left"), str(10 - len(mines)), "mines left after flags")
                cell(page, mines[0]).click()
                holds("flag" in looks(page)[mines[0]]["look"], "a click opened a flag")
                cell(page, index).click()
                after = looks(page)
                holds(all(" open " in after[other]["look"] for other in rest), "the chord left cells covered")
                return
    raise AssertionError("no chord to try in 29 games")


@check
def a_position_is_edited(browser):
    page = browser.page(address(4, 3, 2, ["####", "####", "###1"]), expected_errors=("422",))
    equal(cell(page, 11).text_content(), "1", "the number of the address")
    cell(page, 0).click()
    holds("covered" in cell(page, 0).get_attribute("class"), "a click wrote into a position that is looked at")
    page.click("#edit")
    cell(page, 0).click()
    cell(page, 0).click()
    equal(cell(page, 0).text_content(), "2", "two clicks")
    page.click('[data-tool="3"]')
    cell(page, 5).click()
    equal(cell(page, 5).text_content(), "3", "a number of the palette")
    page.click("#undo")
    holds("covered" in cell(page, 5).get_attribute("class"), "undo left the number")
    page.click("#redo")
    equal(cell(page, 5).text_content(), "3", "redo")
    page.click("#undo")
    page.fill("#edit-mines", "3")
    page.press("#edit-mines", "Enter")
    settle(page)
    equal(page.text_content("#mines-left"), "3", "mines left")
    position = {"id": None, "width": 4, "height": 3, "mines": 3, "rows": ["2###", "####", "###1"]}
    wanted = [share for row in browser.solve([position])[0]["mine_probability"] for share in row]
    equal([one["share"] for one in looks(page)], wanted, "overlay of the edited position")
    page.wait_for_timeout(400)
    holds("4x3x3" in page.url, f"the address {page.url} does not name the edited position")
    again = browser.page(page.url.removeprefix(browser.url))
    equal([one["text"] for one in looks(again)], [one["text"] for one in looks(page)], "the position at its address")
    page.click('[data-tool="8"]')
    cell(page, 0).click()
    settle(page)
    holds("error" in cell(page, 0).get_attribute("class"), "the impossible number is not outlined")
    holds(len(page.text_content(".refusal").split()) > 3, "no sentence about the contradiction")
    browser.shot(page, "contradiction")


def share_text(share):
    if share in (0, 1):
        return "+" if share == 0 else "×"
    value = share * 100
    return "<1" if value < 1 else ">99" if value > 99 else None


@check
def the_overlay_equals_solve_on_fifty_positions(browser):
    positions = []
    for width, height, mines, wanted in ((9, 9, 10, 15), (16, 16, 40, 15), (30, 16, 99, 20)):
        found = []
        seed = 0
        while len(found) < wanted:
            seed += 1
            replay = browser.ask("api/game", {"width": width, "height": height, "mines": mines, "first_click": "safe", "seed": seed, "game": 0, "player": "3.0"})
            played = positions_of(replay)
            found += played[:: max(1, len(played) // 4)][:4]
        positions += [{"width": width, "height": height, "mines": mines, "rows": rows} for rows in found[:wanted]]
    answers = browser.solve([{"id": None, **position} for position in positions])
    page = browser.page()
    for position, answer in zip(positions, answers):
        page.evaluate("hash => (location.hash = hash)", address(position["width"], position["height"], position["mines"], position["rows"]))
        page.wait_for_function("cells => document.querySelectorAll('#board [role=gridcell]').length === cells", arg=position["width"] * position["height"])
        page.wait_for_timeout(20)
        settle(page)
        wanted = [share for row in answer["mine_probability"] for share in row]
        shown = looks(page)
        equal([one["share"] for one in shown], wanted, f"overlay of {position['rows']}")
        for one, share in zip(shown, wanted):
            if share is not None:
                sign = share_text(share)
                holds(one["text"] == sign if sign else abs(int(one["text"]) - share * 100) <= 0.5, f"{share} is shown as {one['text']}")
    equal(len(positions), 50, "positions compared")
    browser.shot(page, "overlay")


@check
def candidates_and_proofs_light_up_cells(browser):
    page = browser.page("#board/9x9x10/safe/40Hb40H")
    row = page.locator(".candidates tbody tr").first
    row.hover()
    lit = page.locator('#board [data-light="target"]')
    equal(lit.get_attribute("data-index"), row.get_attribute("data-cell"), "cell of the row under the pointer")
    page.mouse.move(5, 5)
    equal(lit.count(), 0, "cells lit without a pointer")
    row.locator("button").focus()
    equal(lit.count(), 1, "cells lit by the focus")
    page.evaluate("hash => (location.hash = hash)", address(4, 3, 2, ["01##", "01##", "01##"]))
    page.wait_for_selector(".proofs")
    settle(page)
    first = page.locator(".proofs li").first
    first.hover()
    equal(page.locator('#board [data-light~="safe"]').evaluate_all("all => [...new Set(all.map(one => one.share))]"), [0], "shares of the cells lit by their proof")
    first.locator("button").click()
    holds(len(page.text_content(".cell-why .proof-steps")) > 20, "the proof says nothing")
    holds(page.locator(".advice dt").count() >= 1, "no player says what it would do")


@check
def text_is_opened_and_shared(browser):
    page = browser.page(expected_errors=("400", "422"))
    page.click("#open")
    page.fill("#open-text", "no board at all")
    page.click("#open-form [type=submit]")
    page.wait_for_function("() => document.querySelector('#open-error').textContent.length > 10")
    page.fill("#open-text", "5x3x3\n##1##\n#####\n##2##\n")
    page.click("#open-form [type=submit]")
    page.wait_for_function("() => document.querySelectorAll('#board [role=gridcell]').length === 15")
    settle(page)
    equal([one["text"] for one in looks(page)][2::10], ["1", "2"], "numbers of the opened text")
    page.click("#share")
    page.wait_for_selector("#share-body textarea")
    holds("##1##" in page.input_value("#share-body textarea").replace("H", "#"), "the shared text lacks the rows")
    link = page.input_value("#share-body .share-line input")
    again = browser.page(link.removeprefix(browser.url))
    equal([one["text"] for one in looks(again)], [one["text"] for one in looks(page)], "the position of the shared link")
    browser.shot(page, "share")


@check
def the_keyboard_plays(browser):
    page = browser.page(expected_errors=("422",))
    new_game(page, seed=2, first_click="opening")
    cell(page, 0).focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    equal(page.evaluate("document.activeElement.dataset.index"), "21", "cell reached by arrow keys")
    page.keyboard.press("Space")
    settle(page)
    holds(" n0" in cell(page, 21).get_attribute("class"), "the first cell was not opened by the space bar")
    covered = next(index for index, one in enumerate(looks(page)) if "covered" in one["look"])
    cell(page, covered).focus()
    page.keyboard.press("f")
    holds("flag" in cell(page, covered).get_attribute("class"), "f set no flag")
    page.keyboard.press("Control+z")
    holds("flag" not in cell(page, covered).get_attribute("class"), "Ctrl Z left the flag")
    equal(page.locator('#board [role=gridcell][tabindex="0"]').count(), 1, "cells in the order of the Tab key")
    page.click("[data-tab=board]")
    page.wait_for_selector("#edit:visible")
    page.keyboard.press("e")
    cell(page, covered).focus()
    page.keyboard.press("7")
    equal(cell(page, covered).text_content(), "7", "a digit typed while editing")
    page.keyboard.press("Backspace")
    holds("covered" in cell(page, covered).get_attribute("class"), "Backspace left the number")


@check
def an_answer_to_an_earlier_position_is_dropped(browser):
    page = browser.page()
    earlier, later = ["##1##", "#####"], ["####2", "#####"]

    def late(route):
        slow = route.request.post_data_json["rows"] == earlier
        if slow:
            page.wait_for_timeout(1200)
        try:
            route.continue_()
        except Error:
            holds(slow, "the later question was given up")

    page.route("**/api/analyse", late)
    page.evaluate("hash => (location.hash = hash)", address(5, 2, 3, earlier))
    page.wait_for_timeout(150)
    page.evaluate("hash => (location.hash = hash)", address(5, 2, 3, later))
    page.wait_for_timeout(2500)
    settle(page)
    wanted = browser.solve([{"id": None, "width": 5, "height": 2, "mines": 3, "rows": later}])[0]["mine_probability"]
    equal([one["share"] for one in looks(page)], [share for row in wanted for share in row], "overlay after two quick changes")


@check
def an_answer_is_dropped_while_the_next_question_waits(browser):
    page = browser.page(address(4, 3, 2, ["####", "####", "###1"]))
    page.click("#edit")
    settle(page)
    page.wait_for_timeout(200)
    # Two changes happen in one task. The page requests the analysis of the first at once, and that of the second a moment later.
    shown = page.evaluate(
        """async () => {
          const analysis = document.getElementById('analysis');
          const cell = (index) => document.querySelector(`#board [data-index="${index}"]`);
          const shown = [];
          const watch = new MutationObserver(() => analysis.ariaBusy === 'false' && shown.push(cell(5).textContent));
          watch.observe(analysis, { attributeFilter: ['aria-busy'] });
          cell(0).click();
          cell(5).click();
          await new Promise((done) => setTimeout(done, 1500));
          watch.disconnect();
          return shown;
        }"""
    )
    equal(shown, ["1"], "what was on the second cell each time an analysis came")
    wanted = browser.solve([{"id": None, "width": 4, "height": 3, "mines": 2, "rows": ["1###", "#1##", "###1"]}])[0]["mine_probability"]
    equal([one["share"] for one in looks(page)], [share for row in wanted for share in row], "overlay after two changes at once")


@check
def a_game_goes_on_after_loading_again(browser):
    page = browser.page()
    new_game(page, seed=6, first_click="opening")
    cell(page, 40).click()
    settle(page)
    seconds = lambda: sum(int(part) * unit for part, unit in zip(page.text_content("#time").split(":"), (60, 1)))
    page.wait_for_function("() => document.querySelector('#time').textContent >= '0:03'")
    before, time = [one["look"] for one in looks(page)], seconds()
    page.reload()
    page.wait_for_selector("#board [role=gridcell]")
    settle(page)
    equal([one["look"] for one in looks(page)], before, "the board after loading again")
    equal(page.get_attribute("#edit", "aria-pressed"), "false", "edit mode after loading again")
    page.wait_for_timeout(1100)
    holds(seconds() > time, f"the clock stands after loading again: {time} and {seconds()} seconds")
    end = click_on(page, max)
    equal(end, "Lost", "end of a game of the likeliest mines")
    page.wait_for_function("() => document.querySelector('#end-marks').textContent.includes('??')", timeout=60_000)
    shown = lambda: [outcome(page), page.text_content("#time"), [one["look"] for one in looks(page)], page.evaluate("localStorage.getItem('mineflow.games')")]
    before = shown()
    page.reload()
    page.wait_for_selector("#learn", timeout=60_000)
    equal(shown(), before, "a game that has ended, after loading again")
    page.click(".end button >> text=Take it back")
    equal(outcome(page), "", "outcome after the last move was taken back")


@check
def a_board_without_guesses_is_won_by_what_is_safe(browser):
    page = browser.page()
    page.click("#new")
    page.select_option("#new-form [name=level]", "any")
    page.keyboard.press("Escape")
    new_game(page, seed=1, first_click="opening")
    cell(page, 40).click()
    settle(page)
    holds("no guess needed" in page.text_content("#board-line"), "the board does not say that it needs no guess")

    def safe(covered):
        holds(min(covered)[0] == 0, "a guess is needed")
        return min(covered)

    equal(click_on(page, safe), "Won", "end of a game of certain cells")
