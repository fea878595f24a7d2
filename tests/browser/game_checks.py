"""Checks of stepping through games."""

from board_checks import click_on
from browser import cell, check, check_at_server, equal, holds, looks, new_game, positions_of, settle


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
    equal(sum("mine" in one["look"].split() for one in looks(page, "#viewer")), 9, "other mines shown in the judged game")
    browser.shot(page, "judged", whole=True)


@check
def a_replay_is_stepped_through(browser):
    page = browser.page("#games")
    page.click("#watch > summary")
    page.select_option("#game-form [name=player]", "4.0")
    page.select_option("#game-form [name=board]", "intermediate")
    page.select_option("#game-form [name=first-click]", "safe")
    page.fill("#game-form [name=seed]", "5")
    page.click("#game-form button[type=submit]")
    page.wait_for_selector("#viewer .side", timeout=60_000)
    wanted = browser.ask("api/game", {"width": 16, "height": 16, "mines": 40, "first_click": "safe", "seed": 5, "game": 0, "player": "4.0"})
    moves = len(wanted["moves"])
    page.click("#viewer [aria-label=First]")
    equal(page.text_content(".position"), f"Move 1 of {moves}", "position at the start")
    positions = positions_of(wanted)
    for step in range(1, min(moves, 6)):
        page.click("#viewer [aria-label=Next]")
        shown = "".join("#" if "covered" in one["look"] else one["text"] or "0" for one in looks(page, "#viewer"))
        equal(shown, "".join(positions[step - 1]), f"board after {step} moves")
        chosen = {index for index, one in enumerate(looks(page, "#viewer")) if "chosen" in one["look"]}
        equal(chosen, {row * 16 + column for row, column in wanted["moves"][step]["cells"]}, f"cells marked for move {step}")
    page.click("#viewer [aria-label=Last]")
    equal(page.text_content(".position"), f"End, {moves} moves", "position at the end")
    holds(wanted["end"] in page.text_content(".sentence"), "the end of the game is not said")
    page.click("#viewer [aria-label=Back]")
    equal(page.text_content(".position"), f"Move {moves} of {moves}", "position one back")
    curve = page.locator("#viewer polyline.line")
    known = sum(move["win"] is not None for move in wanted["moves"])
    equal(int(curve.get_attribute("data-points")), known + 1, "points of the curve")
    box = page.locator("#viewer .win-graph svg").bounding_box()
    page.mouse.click(box["x"] + 31, box["y"] + 60)
    equal(page.text_content(".position"), f"Move 1 of {moves}", "position after a click at the start of the curve")
    page.click("#viewer .play")
    page.wait_for_function("() => document.querySelector('.position').textContent.startsWith('Move 3 ')", timeout=10_000)
    page.click("#viewer .play")
    page.select_option(".beside select", "2.0")
    page.click(".beside button")
    page.wait_for_selector("#viewer.two", timeout=60_000)
    page.click("#viewer [aria-label=First]")
    page.click("#viewer [aria-label=Next]")
    boards = [[one["text"] for one in looks(page, f"#viewer .s{side}")] for side in (0, 1)]
    equal(boards[0], boards[1], "boards after the same first cell on the same mines")
    page.fill(".controls input", str(moves // 2))
    browser.shot(page, "replay", whole=True)
    again = browser.page("#games/9x9x10/safe/1/0/4.0")
    again.wait_for_selector("#viewer .side", timeout=60_000)


@check_at_server
def kept_games_are_listed_and_shown(browser):
    files = browser.ask("api/replays")
    holds(files, "the server was started without --replays")
    page = browser.page("#review")
    page.click("#kept > summary")
    page.locator("#kept-list details summary").first.click()
    games = page.locator(".kept-game")
    games.first.wait_for()
    equal(games.count(), min(50, files[0]["games"]), "kept games in the list")
    games.first.click()
    page.wait_for_selector("#viewer .side")
    page.click("#viewer [aria-label=Last]")
    won = "won" in games.first.get_attribute("class").split()
    equal(page.text_content(".sentence").rstrip(".").split()[-1], "won" if won else "lost", "the end of the first kept game")
    page.wait_for_function("() => location.hash.startsWith('#review/kept/')")


@check
def a_file_of_several_games_is_listed(browser):
    wanted = browser.ask("api/replays/games.jsonl?from=0&count=50")
    lines = browser.games.read_text().splitlines()
    page = browser.page(expected_errors=("400",))
    page.click("#open")
    page.set_input_files("#open-file", {"name": "games.jsonl", "mimeType": "application/jsonl", "buffer": ("\ufeff" + "\r\n".join(lines * 15) + "\n{}\n").encode()})
    page.click("#open-form [type=submit]")
    page.wait_for_selector("#opened-games .kept-game")
    holds("games.jsonl" in page.text_content("#opened-games summary"), "the list has no name")
    games = page.locator("#opened-games .kept-game")
    equal(games.count(), 50, "games listed at first")
    game = wanted[3]
    end = "won" if game["won"] else "lost"
    equal(games.nth(3).text_content(), f"4: {game['player']} on {game['board']}, {end}, {game['moves']} moves", "what the list says of a game")
    page.click("#opened-games button >> text=More")
    equal(games.count(), len(lines) * 15 + 1, "games listed after More")
    games.nth(3).click()
    page.wait_for_selector("#viewer .side")
    page.click("#viewer [aria-label=Last]")
    equal(page.text_content(".sentence").rstrip(".").split()[-1], end, "the end of the game")
    page.click("#opened-games > summary")
    games.nth(len(lines) * 15).click()
    page.wait_for_selector("#notice:not([hidden])")
    holds("not a saved game" in page.text_content("#notice"), "a broken line is not explained")
    browser.shot(page, "opened-games", whole=True)
    page = browser.page()
    page.click("#open")
    page.fill("#open-text", "\n".join(lines))
    page.click("#open-form [type=submit]")
    page.wait_for_selector("#opened-games .kept-game")
    equal(page.locator("#opened-games .kept-game").count(), len(lines), "pasted games in the list")
    page.click("[data-tab=play]")
    page.click("#open")
    page.fill("#open-text", lines[0])
    page.click("#open-form [type=submit]")
    page.wait_for_selector("#viewer .side")


def reload_loses_nothing(page):
    """Loads the page again, and compares what Review shows."""
    shown = lambda: [page.text_content(part) for part in ("#viewer .side h3", ".totals", ".sentence", ".decisions", ".position", "#opened-games")]
    page.wait_for_timeout(500)
    before = shown()
    page.reload()
    page.wait_for_selector("#viewer .side", timeout=60_000)
    page.wait_for_timeout(500)
    equal(shown(), before, "what is shown after loading again")


# A game of 4x2 cells: the first click opens everything except a 50/50; a flag is set and removed, and the guess loses.
REPLAY = """RawVF_Version: Rev6
Program: FreeSweeper
Player: Ada
Width: 4
Height: 2
Mines: 1
Board:
000*
0000
Events:
0.000 lc (8 8)
0.100 lr (8 8)
0.500 rc (56 24)
0.600 rr (56 24)
0.900 rc (56 24)
1.000 rr (56 24)
1.500 lc (56 8)
1.600 lr (56 8)
"""


@check
def a_replay_of_another_program_is_judged(browser):
    page = browser.page()
    page.click("#open")
    page.set_input_files("#open-file", {"name": "game.rawvf", "mimeType": "application/octet-stream", "buffer": REPLAY.encode()})
    page.click("#open-form [type=submit]")
    page.wait_for_selector("#viewer .side")
    holds("Ada lost after 4 moves" in page.text_content("#viewer .side h3"), "the heading of the replay")
    decisions = page.locator("#viewer .decisions li")
    equal(decisions.count(), 2, "moves that were not certain")
    holds("a 50/50 that no play avoids; a mine in 50.0 of 100 cases" in decisions.nth(1).text_content(), f"the guess: {decisions.nth(1).text_content()}")
    page.click("#viewer [aria-label=First]")
    page.click("#viewer [aria-label=Next]")
    page.click("#viewer [aria-label=Next]")
    holds("flag" in looks(page, "#viewer")[7]["look"].split(), "the flag is not shown")
    decisions.nth(1).locator("button").click()
    equal(page.text_content(".position"), "Move 4 of 4", "the step of the guess")
    page.click("#viewer [aria-label=Next]")
    equal(sum("exploded" in one["look"] for one in looks(page, "#viewer")), 1, "mines that blew up")
    holds("50.0 of 100" in page.text_content(".totals"), "the chance to survive")
    reload_loses_nothing(page)
    browser.shot(page, "replay-file", whole=True)
