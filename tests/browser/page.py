"""Drives the page of `pipeline serve` in a real Chromium and checks what a person sees.

Needs Playwright for Python and a Chromium; `tests/browser/run` brings both. Prints a line a check; exit code 1 if one fails.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time
import traceback
import urllib.request

from playwright.sync_api import sync_playwright

CHECKS = []


def check(function):
    """A check: it gets the `Browser` and raises if what it claims isn't so."""
    CHECKS.append(function)
    return function


def equal(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def holds(truth, what):
    if not truth:
        raise AssertionError(what)


class Browser:
    """What checks share: pages with their errors noted, questions to the server, positions."""

    def __init__(self, playwright, options):
        self.url = options.url.rstrip("/") + "/"
        self.pipeline = options.pipeline
        self.runs = pathlib.Path(options.runs) if options.runs else None
        self.shots = pathlib.Path(options.shots)
        self.shots.mkdir(parents=True, exist_ok=True)
        self.chromium = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        self.errors = []
        self.foreign = set()

    def page(self, address="", expected_errors=(), **context):
        context.setdefault("viewport", {"width": 1400, "height": 900})
        page = self.chromium.new_context(**context).new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: message.type == "error" and not any(word in message.text for word in expected_errors) and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: not request.url.startswith((self.url, "data:", "blob:")) and self.foreign.add(request.url))
        page.goto(self.url + address)
        page.wait_for_selector(".top nav a[aria-current]")
        if "#games" not in address and "#runs" not in address:
            page.wait_for_selector("#board [role=gridcell]")
            settle(page)
        return page

    def shot(self, page, name, whole=False):
        page.screenshot(path=self.shots / f"{name}.png", full_page=whole)

    def ask(self, path, body=None):
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def solve(self, positions):
        """The answers of `pipeline solve --json`."""
        lines = "".join(json.dumps(position) + "\n" for position in positions)
        answer = subprocess.run([self.pipeline, "solve", "--json"], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in answer.stdout.splitlines()]


def settle(page):
    """Waits until the analysis belongs to what is on the board."""
    page.wait_for_selector('#analysis[aria-busy="false"]', timeout=20_000)


def cell(page, index, grid="#board"):
    return page.locator(f'{grid} [data-index="{index}"]')


def looks(page, grid="#board"):
    """Class, text and share of every cell."""
    return page.eval_on_selector_all(f"{grid} [role=gridcell]", "all => all.map(one => ({look: one.className, text: one.textContent, share: one.share ?? null}))")


def new_game(page, board="beginner", seed=1, first_click="safe", **more):
    page.click("#new")
    page.select_option("#new-form [name=board]", board)
    for name, value in more.items():
        page.fill(f"#new-form [name={name}]", str(value))
    page.select_option("#new-form [name=first-click]", first_click)
    page.fill("#new-form [name=seed]", str(seed))
    page.click("#new-form [value=play]")
    settle(page)


def outcome(page):
    return page.text_content("#outcome")


def address(width, height, mines, rows):
    """The address of a position, written here a second time, one run a cell."""
    letters = "".join("H" if letter == "#" else letter if letter == "F" else "abcdefghi"[int(letter)] for letter in "".join(rows))
    return f"#board/{width}x{height}x{mines}/safe/{letters}"


def around(width, height, row, column):
    return [(r, c) for r in range(max(0, row - 1), min(height, row + 2)) for c in range(max(0, column - 1), min(width, column + 2)) if (r, c) != (row, column)]


def positions_of(replay):
    """The rows before each move of a game that are neither untouched nor lost."""
    width, height, field = replay["width"], replay["height"], replay["field"]
    cells = {}
    found = []
    for move in replay["moves"]:
        waiting = [tuple(one) for one in move["cells"]]
        while waiting:
            row, column = waiting.pop()
            if (row, column) in cells:
                continue
            if field[row][column] == "*":
                return found
            near = around(width, height, row, column)
            cells[row, column] = sum(field[r][c] == "*" for r, c in near)
            if cells[row, column] == 0:
                waiting += near
        found.append(["".join(str(cells.get((row, column), "#")) for column in range(width)) for row in range(height)])
    return found


@check
def loads_and_asks_no_other_host(browser):
    page = browser.page()
    equal(page.locator("#board [role=gridcell]").count(), 480, "cells of an expert board")
    equal(page.locator(".top nav a").all_text_contents(), ["Board", "Games", "Runs"], "tabs")
    for name in ("games", "runs", "board"):
        page.click(f"[data-tab={name}]")
        equal([tab.get_attribute("id") for tab in page.locator("main > section").all() if tab.is_visible()], [f"tab-{name}"], "visible tab")
    with urllib.request.urlopen(browser.url) as answer:
        policy = answer.headers.get("Content-Security-Policy", "")
    holds("default-src 'self'" in policy, f"no policy: {policy!r}")
    browser.shot(page, "first-sight")


def click_on(page, best):
    """Clicks through a game: what is safe, else what `best` picks of (share, index)."""
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
def a_lost_game_is_judged(browser):
    page = browser.page()
    new_game(page, seed=3)
    cell(page, 0).click()
    settle(page)
    click_on(page, max)
    page.click("#judge")
    page.wait_for_selector("#viewer .side")
    holds("lost" in page.text_content("#viewer .side h3"), "the judged game is not lost")
    page.click("#viewer [aria-label=Last]")
    equal(sum("exploded" in one["look"] for one in looks(page, "#viewer")), 1, "mines that blew up in the judged game")
    browser.shot(page, "judged", whole=True)


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
    equal(page.get_attribute("#edit", "aria-pressed"), "true", "edit mode of a position without mines")
    equal(cell(page, 11).text_content(), "1", "the number of the address")
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
    equal(lit.count(), 1, "safe cell lit by its proof")
    equal(cell(page, int(lit.get_attribute("data-index"))).evaluate("one => one.share"), 0, "share of the proved cell")
    holds(len(first.text_content()) > 10, "the proof says nothing")
    holds(page.locator(".advice dt").count() >= 1, "no player says what it would do")


@check
def a_replay_is_stepped_through(browser):
    page = browser.page("#games")
    page.select_option("#game-form [name=player]", "4.0")
    page.select_option("#game-form [name=board]", "intermediate")
    page.fill("#game-form [name=seed]", "5")
    page.click("#game-form button[type=submit]")
    page.wait_for_selector("#viewer .side", timeout=60_000)
    wanted = browser.ask("api/game", {"width": 16, "height": 16, "mines": 40, "first_click": "safe", "seed": 5, "game": 0, "player": "4.0"})
    moves = len(wanted["moves"])
    equal(page.text_content(".position"), f"Move 0 of {moves}", "position at the start")
    positions = positions_of(wanted)
    for step in range(1, min(moves, 6)):
        page.click("#viewer [aria-label=Next]")
        shown = "".join("#" if "covered" in one["look"] else one["text"] or "0" for one in looks(page, "#viewer"))
        equal(shown, "".join(positions[step - 1]), f"board after {step} moves")
        chosen = {index for index, one in enumerate(looks(page, "#viewer")) if "chosen" in one["look"]}
        equal(chosen, {row * 16 + column for row, column in wanted["moves"][step]["cells"]}, f"cells marked for move {step}")
    page.click("#viewer [aria-label=Last]")
    equal(page.text_content(".position"), f"Move {moves} of {moves}", "position at the end")
    holds(("won" if wanted["won"] else "lost") in page.text_content(".sentence"), "the end of the game is not said")
    page.click("#viewer [aria-label=Back]")
    equal(page.text_content(".position"), f"Move {moves - 1} of {moves}", "position one back")
    curve = page.locator("#viewer polyline.line")
    known = sum(move["win"] is not None for move in wanted["moves"])
    equal(int(curve.get_attribute("data-points")), known + 1, "points of the curve")
    box = page.locator("#viewer .line-chart svg").bounding_box()
    page.mouse.click(box["x"] + 47, box["y"] + 60)
    equal(page.text_content(".position"), f"Move 0 of {moves}", "position after a click at the start of the curve")
    page.click("#viewer .play")
    page.wait_for_function("() => document.querySelector('.position').textContent.startsWith('Move 2 ')", timeout=10_000)
    page.click("#viewer .play")
    page.select_option(".beside select", "2.0")
    page.click(".beside button")
    page.wait_for_selector("#viewer.two", timeout=60_000)
    page.click("#viewer [aria-label=Next]")
    boards = [[one["text"] for one in looks(page, f"#viewer .s{side}")] for side in (0, 1)]
    equal(boards[0], boards[1], "boards after the same first cell on the same mines")
    page.fill(".controls input", str(moves // 2))
    browser.shot(page, "replay", whole=True)
    again = browser.page("#games/9x9x10/safe/1/0/4.0")
    again.wait_for_selector("#viewer .side", timeout=60_000)


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
    page.keyboard.press("e")
    cell(page, covered).focus()
    page.keyboard.press("7")
    equal(cell(page, covered).text_content(), "7", "a digit typed while editing")
    page.keyboard.press("Backspace")
    holds("covered" in cell(page, covered).get_attribute("class"), "Backspace left the number")


@check
def a_phone_shows_all_of_it(browser):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    page = browser.page(**phone)
    new_game(page, seed=4)
    cell(page, 40).tap()
    settle(page)
    holds(" open " in cell(page, 40).get_attribute("class"), "a tap opened nothing")
    covered = next(index for index, one in enumerate(looks(page)) if "covered" in one["look"])
    page.evaluate(
        """index => {
            const cell = document.querySelector(`#board [data-index="${index}"]`);
            const box = cell.getBoundingClientRect();
            const event = name => cell.dispatchEvent(new PointerEvent(name, {bubbles: true, pointerType: 'touch', clientX: box.x + 5, clientY: box.y + 5}));
            event('pointerdown');
            return new Promise(done => setTimeout(() => { event('pointerup'); done(); }, 600));
        }""",
        covered,
    )
    holds("flag" in cell(page, covered).get_attribute("class"), "a long press set no flag")
    browser.shot(page, "phone-board", whole=True)
    page.evaluate("location.hash = '#board/30x16x99/safe/480H'")
    page.wait_for_function("() => document.querySelectorAll('#board [role=gridcell]').length === 480")
    for name in ("board", "games", "runs"):
        page.click(f"[data-tab={name}]")
        if name == "games":
            page.select_option("#game-form [name=board]", "beginner")
            page.click("#game-form button[type=submit]")
            page.wait_for_selector("#viewer .side", timeout=60_000)
        page.wait_for_timeout(300)
        equal(page.evaluate("[document.documentElement.scrollWidth, innerWidth]"), [390, 390], f"widths of the tab {name}")
        browser.shot(page, f"phone-{name}-tab", whole=True)


CONTRAST = """selectors => {
    const parts = text => { const found = text.match(/[\\d.]+/g).map(Number); return text.startsWith('color(srgb') ? [...found.slice(0, 3).map(one => one * 255), found[3] ?? 1] : [found[0], found[1], found[2], found[3] ?? 1]; };
    const light = ([r, g, b]) => [r, g, b].map(one => one / 255).map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4).reduce((sum, one, index) => sum + one * [.2126, .7152, .0722][index], 0);
    const low = [];
    for (const element of document.querySelectorAll(selectors)) {
        if (!element.checkVisibility() || ![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()) || element.closest(':disabled')) continue;
        if (getComputedStyle(element).fontSize === '0px' || element.closest('.unseen')) continue;
        let back = element;
        while (back && parts(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
        const style = getComputedStyle(element);
        const [one, other] = [light(parts(element.ownerSVGElement ? style.fill : style.color)), light(parts(back ? getComputedStyle(back).backgroundColor : 'rgb(255, 255, 255)'))];
        const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
        if (ratio < 4.5) low.push(`${element.className.baseVal ?? element.className} ${element.textContent.slice(0, 20)}: ${ratio.toFixed(2)}`);
    }
    return [...new Set(low)];
}"""

EVERY_LOOK = """() => {
    const cells = [...document.querySelectorAll('#board [role=gridcell]')];
    const looks = [...Array(9).keys()].map(number => `cell open n${number}`).concat(['safe', ...Array(11).keys(), 'sure'].map(level => `cell covered heat h${level}`), [...Array(11).keys()].map(level => `cell covered heat h${level} far`), 'cell open n3 error');
    looks.forEach((look, index) => { cells[index].className = look; cells[index].textContent = '8'; });
}"""


@check
def text_has_contrast_in_light_and_dark(browser):
    for scheme in ("light", "dark"):
        page = browser.page("#board/9x9x10/safe/40Hb40H", color_scheme=scheme, reduced_motion="reduce")
        dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number).every(part => part < 60)")
        equal(dark, scheme == "dark", f"dark background in {scheme} mode")
        browser.shot(page, f"board-{scheme}")
        page.click(".players summary")
        page.click(".keys summary")
        page.evaluate(EVERY_LOOK)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 on the board, {scheme}")
        page.click("#new")
        equal(page.evaluate(CONTRAST, "dialog[open] *"), [], f"text below 4.5 : 1 in the dialog, {scheme}")
        page.keyboard.press("Escape")
        page.click("[data-tab=games]")
        page.select_option("#game-form [name=board]", "beginner")
        page.click("#game-form button[type=submit]")
        page.wait_for_selector("#viewer .side", timeout=60_000)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 in games, {scheme}")
        page.click("[data-tab=runs]")
        page.wait_for_timeout(700)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 in runs, {scheme}")
        browser.shot(page, f"runs-{scheme}", whole=True)


@check
def an_expert_board_is_drawn_in_milliseconds(browser):
    page = browser.page()
    times = page.evaluate(
        """async () => {
            const { Board } = await import('/assets/board.js');
            const place = document.body.appendChild(document.createElement('div'));
            const board = new Board(place, 'test');
            board.resize(30, 16);
            const cells = new Int8Array(480).fill(-1);
            const times = [];
            for (let turn = 0; turn < 60; turn++) {
                const shares = Array.from(cells, (_, index) => ((index * 7 + turn * 13) % 101) / 100);
                const start = performance.now();
                board.draw(cells, shares);
                times.push(performance.now() - start);
            }
            place.remove();
            return times.sort((one, other) => one - other);
        }"""
    )
    print(f"     drawing 480 changed cells: median {times[30]:.1f} ms, slowest {times[-1]:.1f} ms")
    holds(times[30] < 25, f"median {times[30]:.1f} ms")


@check
def a_position_is_analysed_while_one_looks(browser):
    replay = browser.ask("api/game", {"width": 30, "height": 16, "mines": 99, "first_click": "safe", "seed": 11, "game": 0, "player": "7.0"})
    hashes = [address(30, 16, 99, rows) for rows in positions_of(replay)][:40]
    page = browser.page()
    times = page.evaluate(
        """async hashes => {
            const panel = document.querySelector('#analysis');
            const times = [];
            for (const hash of hashes) {
                await new Promise(done => setTimeout(done, 120));
                const start = performance.now();
                let asked = false;
                const shown = new Promise(done => {
                    const watch = new MutationObserver(() => {
                        if (panel.getAttribute('aria-busy') === 'true') asked = true;
                        else if (asked) { watch.disconnect(); requestAnimationFrame(() => setTimeout(done)); }
                    });
                    watch.observe(panel, { attributeFilter: ['aria-busy'] });
                });
                location.hash = hash;
                await shown;
                times.push(performance.now() - start);
            }
            return times.sort((one, other) => one - other);
        }""",
        hashes,
    )
    print(f"     {len(times)} expert positions analysed and on screen: median {times[len(times) // 2]:.0f} ms, slowest {times[-1]:.0f} ms")
    holds(times[len(times) // 2] < 1000, f"median {times[len(times) // 2]:.0f} ms")


@check
def a_curve_grows_while_a_training_runs(browser):
    holds(browser.runs, "no --runs")
    run, stage = "live", "trees"
    metrics = browser.runs / run / stage / "metrics.jsonl"
    lines = metrics.read_text().splitlines()
    page = browser.page("#runs")
    page.wait_for_selector(f'[data-stage="{run}/{stage}"]')
    page.check(f'[data-stage="{run}/{stage}"]')
    line = page.locator("#curves polyline.line").first
    line.wait_for(state="attached", timeout=10_000)
    page.wait_for_function("count => Number(document.querySelector('#curves polyline.line').dataset.points) === count", arg=len(lines), timeout=10_000)
    for step in range(1, 4):
        with metrics.open("a") as file:
            file.write(json.dumps({"round": len(lines) + step, "validation_log_loss": 0.6 / (len(lines) + step)}) + "\n")
        page.wait_for_function("count => Number(document.querySelector('#curves polyline.line').dataset.points) === count", arg=len(lines) + step, timeout=10_000)
    others = page.locator("#run-list input[type=checkbox]")
    for index in range(others.count()):
        others.nth(index).check()
    page.wait_for_function("count => document.querySelectorAll('#curves polyline.line').length >= count", arg=others.count(), timeout=20_000)
    browser.shot(page, "curves", whole=True)
    equal(browser.page(page.url.removeprefix(browser.url)).locator("#run-list input").count() >= 0, True, "the address of the curves")


@check
def nothing_went_wrong_unseen(browser):
    equal(browser.errors, [], "errors of the console")
    equal(sorted(browser.foreign), [], "requests to other hosts")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--pipeline", required=True)
    parser.add_argument("--runs")
    parser.add_argument("--shots", default="target/browser-shots")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("--only", default="", help="checks with this word in their name")
    options = parser.parse_args()
    failed = 0
    chosen = [one for one in CHECKS if options.only in one.__name__ or one is nothing_went_wrong_unseen]
    with sync_playwright() as playwright:
        browser = Browser(playwright, options)
        for one in chosen:
            start = time.monotonic()
            try:
                one(browser)
                print(f"ok   {one.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAIL {one.__name__}: {error}", flush=True)
                print("".join(traceback.format_tb(error.__traceback__)[1:2]))
            for context in browser.chromium.contexts:
                context.close()
        browser.chromium.close()
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
