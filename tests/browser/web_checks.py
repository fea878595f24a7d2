"""The page as static files: it stays responsive while it works, and work can be stopped."""

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
