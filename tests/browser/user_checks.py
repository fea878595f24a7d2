"""Checks of common expectations: keyboard-only use, touch, paste and drop, colours for the colour-blind, no cookies."""

import base64
import re

from browser import address, cell, check, equal, holds, looks, new_game, outcome, settle
from position_checks import POSITIONS, shown

FOCUS = """() => {
    const one = document.activeElement;
    const style = getComputedStyle(one);
    return { index: one.dataset.index, id: one.id, name: one.name, value: one.value, within: [...document.querySelectorAll('dialog[open], #board, #analysis')].map((place) => place.contains(one) ? place.id : '').join(''),
        visible: one.matches(':focus-visible') && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 };
}"""


def tab_to(page, reached, what):
    """Presses Tab until the wanted element has the focus. The focus must be visible after every step."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        holds(focus["visible"] or not focus["within"], f"nobody sees the focus on {focus}")
        if reached(focus):
            return
    raise AssertionError(f"Tab does not reach {what}")


def arrows_to(page, index, width):
    at = int(page.evaluate(FOCUS)["index"])
    for steps, keys in ((index // width - at // width, ("ArrowUp", "ArrowDown")), (index % width - at % width, ("ArrowLeft", "ArrowRight"))):
        for _ in range(abs(steps)):
            page.keyboard.press(keys[steps > 0])
    focus = page.evaluate(FOCUS)
    equal((focus["index"], focus["visible"]), (str(index), True), "cell that the arrows reach, and whether its focus is seen")


@check
def a_game_by_the_keyboard_and_by_ear(browser):
    page = browser.page(odds=False)
    told = lambda: page.text_content("#announcement")
    page.keyboard.press("n")
    for key in "?g":
        page.evaluate("document.querySelector('#announcement').textContent = ''")
        page.keyboard.press(key)
        page.wait_for_function("() => document.querySelector('#announcement').textContent.startsWith('Open any cell')")
    tab_to(page, lambda focus: focus["index"] is not None, "the board")
    equal(page.locator('#board [tabindex="0"]').count(), 1, "cells in the order of the Tab key")
    arrows_to(page, 40, 9)
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('#announcement').textContent.startsWith('Opened')")
    for _ in range(90):
        settle(page)
        if outcome(page) in ("Won", "Lost"):
            break
        page.keyboard.press("?")
        page.wait_for_timeout(120)
        holds("columns" in told() or "guess" in told(), f"a hint doesn't say where: {told()}")
        page.keyboard.press("?")
        page.wait_for_timeout(120)
        holds(re.search(r"[Rr]ow \d+, column \d+", told()) and not re.search(r"[a-z)]\d", told()), f"a hint that can't be followed by ear: {told()}")
        if page.locator("#analysis h2").first.text_content() == "You must guess":
            page.keyboard.press("g")
            equal(page.evaluate(FOCUS)["index"], page.get_attribute('#board [data-light="target"]', "data-index"), "cell to which g leads")
            page.keyboard.press("Space")
        else:
            page.keyboard.press("?")
    holds(outcome(page) in ("Won", "Lost"), "the game does not end")
    page.wait_for_function("() => /^You (won|lost)/.test(document.querySelector('#announcement').textContent)")
    tab_to(page, lambda focus: focus["id"] == "judge", "the judge")
    page.keyboard.press("Enter")
    page.wait_for_selector("#viewer .side")


@check
def chances_come_and_go(browser):
    page = browser.page("#board/9x9x10/safe/40Hb40H")
    holds(all(one["share"] is not None for one in looks(page) if "covered" in one["look"]), "cells without a chance")
    page.keyboard.press("h")
    settle(page)
    equal([one["share"] for one in looks(page)], [None] * 81, "chances that are off")
    page.keyboard.press("h")
    settle(page)
    holds(looks(page)[0]["share"] is not None, "the chances stay off")


DROP = """([kind, name, text]) => {
    const data = new DataTransfer();
    if (name) data.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    else data.setData('text/plain', text);
    const event = kind === 'paste' ? new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true }) : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
}"""


@check
def what_is_pasted_dropped_or_chosen_is_analysed(browser):
    page = browser.page(expected_errors=("422",))
    file = POSITIONS / "jumanji-position.mine"
    text = file.read_text()
    wanted = "".join(text.split()[1:]).replace("H", "#").replace("?", "#")
    size = [int(part) for part in text.split()[0].split("x")]
    link = browser.ask("api/write", {"width": size[0], "height": size[1], "mines": size[2], "rows": text.replace("H", "#").replace("?", "#").split()[1:]})["links"][0]["url"]
    encoded = base64.b64encode(text.encode()).decode()
    for what, act in (
        ("a pasted text", lambda: page.evaluate(DROP, ["paste", None, text])),
        ("a pasted link", lambda: page.evaluate(DROP, ["paste", None, link])),
        ("a dropped text", lambda: page.evaluate(DROP, ["drop", None, text])),
        ("a dropped file", lambda: page.evaluate(DROP, ["drop", "a.mine", encoded])),
        ("a chosen file", lambda: (page.click("#open"), page.set_input_files("#open-file", file), page.click("#open-form [type=submit]"))),
    ):
        page.evaluate("location.hash = '#board/9x9x10/safe/81H'")
        page.wait_for_function("() => document.querySelectorAll('#board [role=gridcell]').length === 81")
        act()
        page.wait_for_function("cells => document.querySelectorAll('#board [role=gridcell]').length === cells", arg=len(wanted))
        settle(page)
        equal(shown(page), wanted, what)
        holds("layouts" in page.text_content(".layouts"), f"{what} is not analysed")
        page.wait_for_function("() => !location.hash.includes('/81H')")


# The matrices of Machado, Oliveira and Fernandes 2009 at full severity, applied to linear RGB.
BLINDNESS = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def lab(colour, matrix):
    """Returns the CIE Lab coordinates of the colour `#rrggbb` as seen with this colour blindness."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))]
    red, green, blue = (min(1, max(0, sum(weight * part for weight, part in zip(row, linear)))) for row in matrix)
    x, y, z = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505, 0.2126 * red + 0.7152 * green + 0.0722 * blue, (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one, other, matrix):
    return sum((a - b) ** 2 for a, b in zip(lab(one, matrix), lab(other, matrix))) ** 0.5


MARKS = ("error", "chosen", "chosen worse", "better")
MARKED = """looks => {
    const cells = [...document.querySelectorAll('#board [role=gridcell]')];
    return looks.map((look, index) => {
        cells[index].className = `cell covered ${look}`;
        const style = getComputedStyle(cells[index]);
        return [style.outlineStyle, style.boxShadow !== 'none'].join(' ');
    });
}"""


@check
def the_colour_blind_tell_chances_and_marks(browser):
    for scheme in ("light", "dark"):
        page = browser.page("#board/9x9x10/safe/40Hb40H", color_scheme=scheme)
        names = ["--h-safe", *[f"--h{level}" for level in range(11)], "--h-sure"]
        ramp = page.evaluate("names => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())", names)
        for blindness, matrix in BLINDNESS.items():
            steps = [distance(ramp[at], ramp[at + 4], matrix) for at in range(len(ramp) - 4)]
            print(f"     {scheme}, {blindness}: safe to mine {distance(ramp[0], ramp[-1], matrix):.0f}, four steps {min(steps):.0f}")
            holds(distance(ramp[0], ramp[-1], matrix) > 30 and min(steps) > 8, f"colours of chances that look alike: {scheme}, {blindness}")
        shapes = page.evaluate(MARKED, MARKS)
        equal(len(set(shapes)), len(MARKS), f"marks told by their shape: {shapes}")


SMALL = """least => [...document.querySelectorAll('button, a, input, select, summary, [role=gridcell]')]
    .filter(one => one.checkVisibility() && !one.closest('.unseen') && !one.disabled)
    .map(one => [one, (one.closest('label') ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < least || box.height < least))
    .map(([one, box]) => `${one.tagName} ${one.id || one.className || one.textContent} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


@check
def fingers_hit_what_they_aim_at(browser):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
    page = browser.page("#board/30x16x99/safe/200Hb279H", **phone)
    page.tap(".players summary")
    equal(page.evaluate(SMALL, 24), [], "targets below 24 pixels on the board")
    page.tap("[data-tab=play]")
    new_game(page, seed=4)
    page.tap("#flag-mode")
    cell(page, 0).tap()
    holds("flag" in cell(page, 0).get_attribute("class"), "a tap sets no flag")
    page.tap("#flag-mode")
    cell(page, 40).tap()
    page.wait_for_selector('#board [data-index="40"].open')
    settle(page)
    page.tap("#new")
    equal(page.evaluate(SMALL, 24), [], "targets below 24 pixels in the dialog")
    page.keyboard.press("Escape")
    page.tap("[data-tab=practice]")
    page.tap("[data-part=guesses]")
    page.wait_for_selector("#puzzle [role=gridcell]")
    page.tap("#puzzle button >> text=Show the answer")
    equal(page.evaluate(SMALL, 24), [], "targets below 24 pixels in the puzzles")


@check
def nothing_is_stored_as_a_cookie(browser):
    page = browser.page(address(4, 3, 2, ["####", "####", "###1"]))
    new_game(page, seed=2)
    equal((page.context.cookies(), page.evaluate("document.cookie")), ([], ""), "cookies")


@check
def a_stored_setting_of_another_type_counts_as_missing(browser):
    page = browser.page()
    for stored in ("5.5", '"x"', "[1]", '{"width": 9999, "address": 1}'):
        # Help has no game that it would save when it is left.
        page.goto("about:blank")
        page.goto(browser.url + "#help")
        page.evaluate("(stored) => { for (const place of [localStorage, sessionStorage]) for (const key of ['players', 'zoom', 'new-game', 'game-form', 'chances', 'puzzles', 'viewer-chances', 'game', 'games', 'mistakes', 'switches', 'level', 'patterns']) place.setItem(`mineflow.${key}`, stored); }", stored)
        page.goto("about:blank")
        page.goto(browser.url)
        page.wait_for_selector("#board [role=gridcell]")
        settle(page)
        equal(len(looks(page)), 81, f"cells of the first board with {stored}")
