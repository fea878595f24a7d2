"""Checks of the appearance and speed of the page: phone, dark mode, contrast, times."""

from axe_playwright_python.sync_playwright import Axe

from browser import address, cell, check, equal, holds, looks, new_game, positions_of, settle


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
    for name in browser.tabs:
        page.click(f"[data-tab={name}]")
        if name == "review":
            page.click("#watch > summary")
            page.select_option("#game-form [name=board]", "beginner")
            page.click("#game-form button[type=submit]")
            page.wait_for_selector("#viewer .side", timeout=60_000)
        page.wait_for_timeout(300)
        equal(page.evaluate("[document.documentElement.scrollWidth, innerWidth]"), [390, 390], f"widths of the tab {name}")
        browser.shot(page, f"phone-{name}-tab", whole=True)


SIDEWAYS = """() => {
    const page = document.documentElement;
    return [page, ...document.querySelectorAll('dialog[open]')].filter(one => one.scrollWidth > one.clientWidth).map(one => `${one.tagName} ${one.scrollWidth} > ${one.clientWidth}`);
}"""


@check
def nothing_scrolls_sideways_on_a_narrow_screen(browser):
    # A window of 390 pixels with a scroll bar leaves 375 pixels for the page.
    for width in (390, 375, 320):

        def fits(page, what):
            page.wait_for_timeout(200)
            equal(page.evaluate(SIDEWAYS), [], f"wider than {width} pixels: {what}")

        page = browser.page("#board/30x16x99/safe/200Hb279H", viewport={"width": width, "height": 844})
        page.click(".players summary")
        fits(page, "an analysed board")
        page.click("[data-tab=play]")
        for button in ("new", "open", "share"):
            page.click(f"#{button}")
            fits(page, f"the dialog of #{button}")
            page.keyboard.press("Escape")
        page.click("[data-tab=review]")
        page.click("#watch > summary")
        if browser.has_server:
            page.click("#kept > summary")
            page.locator("#kept-list details summary").first.click()
            page.locator(".kept-game").first.click()
        else:
            page.click("#game-form button[type=submit]")
        page.wait_for_selector("#viewer.one", timeout=60_000)
        page.click(".beside button")
        page.wait_for_selector("#viewer.two", timeout=60_000)
        page.select_option("#game-form [name=board]", "custom")
        fits(page, "two games")
        page.click("[data-tab=practice]")
        page.click("[data-part=guesses]")
        page.wait_for_selector("#puzzle [role=gridcell]")
        page.click("#puzzle button >> text=Show the answer")
        fits(page, "a puzzle")
        if browser.has_server:
            page.click("[data-tab=runs]")
            page.locator("#run-list input[type=checkbox]").first.check()
            page.wait_for_selector("#curves polyline.line")
            page.wait_for_selector("#models table")
            fits(page, "runs")
        browser.shot(page, f"narrow-{width}", whole=True)
        page.context.close()


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


# Covered cells of every tint against open cells, which need a contrast of 1.5.
TINTS = """() => {
    const light = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(one => one / 255).map(one => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4).reduce((sum, one, index) => sum + one * [.2126, .7152, .0722][index], 0);
    const back = selector => light(getComputedStyle(document.querySelector(selector)).backgroundColor);
    const open = back('#board .open.n1');
    return ['safe', ...Array(11).keys(), 'sure'].map(level => `.h${level}`).concat('.covered:not(.heat)').filter(one => document.querySelector(`#board ${one}`)).map(one => [one, back(`#board ${one}`)])
        .map(([one, tint]) => [one, (Math.max(tint, open) + .05) / (Math.min(tint, open) + .05)]).filter(([, ratio]) => ratio < 1.5).map(([one, ratio]) => `${one}: ${ratio.toFixed(2)}`);
}"""


@check
def text_has_contrast_in_light_and_dark(browser):
    for scheme in ("light", "dark"):
        page = browser.page("#board/9x9x10/safe/40Hb40H", color_scheme=scheme, reduced_motion="reduce")
        dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).map(Number).every(part => part < 60)")
        equal(dark, scheme == "dark", f"dark background in {scheme} mode")
        browser.shot(page, f"board-{scheme}")
        page.click(".players summary")
        page.evaluate(EVERY_LOOK)
        equal(page.evaluate(TINTS), [], f"covered cells that look open, {scheme}")
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 on the board, {scheme}")
        page.click("[data-tab=play]")
        page.click("#new")
        equal(page.evaluate(CONTRAST, "dialog[open] *"), [], f"text below 4.5 : 1 in the dialog, {scheme}")
        page.keyboard.press("Escape")
        page.click("[data-tab=review]")
        page.click("#watch > summary")
        page.select_option("#game-form [name=board]", "beginner")
        page.click("#game-form button[type=submit]")
        page.wait_for_selector("#viewer .side", timeout=60_000)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 in games, {scheme}")
        page.click("[data-tab=practice]")
        page.click("[data-part=guesses]")
        page.click("#puzzle button >> text=Show the answer")
        page.wait_for_timeout(700)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 in puzzles, {scheme}")
        page.click(f"[data-tab={browser.tabs[-1]}]")
        page.wait_for_timeout(700)
        equal(page.evaluate(CONTRAST, "body *"), [], f"text below 4.5 : 1 in {browser.tabs[-1]}, {scheme}")
        browser.shot(page, f"{browser.tabs[-1]}-{scheme}", whole=True)


@check
def axe_finds_nothing(browser):
    hashes = ["", "#review", "#practice/patterns", "#practice/guesses", "#practice/mistakes", "#practice/first", "#board/9x9x10/safe/a8H72H", "#help"] + ["#runs"] * browser.has_server
    for scheme in ("light", "dark"):
        for size in ((1280, 800), (390, 844)):
            for hash in hashes:
                page = browser.page(hash, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
                page.wait_for_timeout(400)
                found = Axe().run(page).response["violations"]
                told = [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"][:3]]
                equal(told, [], f"violations of {hash or 'Play'}, {scheme}, {size[0]} pixels")
                browser.shot(page, f"axe-{hash.strip('#').replace('/', '-')[:20] or 'play'}-{scheme}-{size[0]}")
                page.context.close()


@check



@check
def a_position_is_analysed_while_one_looks(browser):
    replay = browser.ask("api/game", {"width": 30, "height": 16, "mines": 99, "first_click": "safe", "seed": 11, "game": 0, "player": "7.0"})
    hashes = [address(30, 16, 99, rows) for rows in positions_of(replay)][:40] * 4
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
    print(f"     {len(times)} expert positions analysed and on screen: median {times[len(times) // 2]:.0f} ms, 99 % {times[len(times) * 99 // 100]:.0f} ms, slowest {times[-1]:.0f} ms")
    holds(times[len(times) // 2] < 1000, f"median {times[len(times) // 2]:.0f} ms")
