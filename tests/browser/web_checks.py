"""The page as static files: it shows a board before the solver is there, stays responsive and can be stopped."""

from browser import cell, check_without_server, equal, holds, new_game, settle

# Deals of boards of which none is solved: two are at work, and the others wait.
WORK = """async () => {
    const { deal } = await import('./assets/api.js');
    const wanted = { width: 30, height: 16, mines: 170, first_click: 'safe', first: [0, 0], seed: 1, game: 0, no_guess: true, level: 'whole-count' };
    window.told = [];
    for (let number = 0; number < 200; number++) deal({ ...wanted, seed: number }).catch(error => window.told.push(error.message));
}"""
# Whether the work still goes on once a timer of the page has run twenty times.
STILL_WORKS = """() => new Promise(done => {
    let ticks = 0;
    const timer = setInterval(() => {
        ticks += 1;
        if (ticks < 20) return;
        clearInterval(timer);
        done(!document.getElementById('work').hidden);
    }, 10);
})"""


@check_without_server
def work_leaves_the_page_responsive_and_can_be_stopped(browser):
    page = browser.page()
    page.evaluate(WORK)
    page.wait_for_selector("#work:not([hidden])", timeout=60_000)
    holds(page.evaluate(STILL_WORKS), "a timer of the page waited for the work")
    browser.shot(page, "work")
    page.click("#stop")
    page.wait_for_selector("#work", state="hidden")
    equal(page.evaluate("window.told.at(-1)"), "You stopped the calculation.", "what the last question was told")
    new_game(page, seed=2)
    cell(page, 40).click()
    settle(page)
    holds(" open " in cell(page, 40).get_attribute("class"), "nothing works after the stop")


@check_without_server
def an_address_of_runs_shows_the_board(browser):
    page = browser.page("#runs")
    page.wait_for_selector("#board [role=gridcell]")


@check_without_server
def the_first_board_waits_for_no_solver(browser):
    page = browser.chromium.new_context(service_workers="block").new_page()
    held = []
    page.route("**/*.wasm", lambda route: held.append(route))
    page.goto(browser.url + "#board/9x9x10/safe/81H")
    cell(page, 0).wait_for()
    page.keyboard.press("e")
    cell(page, 0).click()
    equal(cell(page, 0).text_content(), "1", "a number set before the solver is there")
    equal(page.text_content("#board-line"), "9×9, 10 mines (12.3 %) · the first click is safe · the mines are not known.", "what is said of the board")
    page.keyboard.press("Control+z")
    page.keyboard.press("e")
    cell(page, 40).click()
    holds(held and " open " not in cell(page, 40).get_attribute("class"), "the solver was there already")
    for route in held:
        route.continue_()
    settle(page)
    page.wait_for_selector('#board [data-index="40"].open')
