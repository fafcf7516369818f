"""Every window, from a small phone to a wide screen: what may be touched is seen whole and can be reached."""

import re
from pathlib import Path
from typing import Any

import pytest

import oddville_env.web
from support.page.live import Live, Tab
from support.page.stages import STAGES, at_stage, seven_cards

GAMES = ("oddville", "oldtown")
WIDTHS = {320, 1920}  # the narrowest and the widest; the others are those at which the page changes
MEDIA = re.compile(r"@media[^{]*")
STYLES = "".join(each.read_text() for each in Path(oddville_env.web.__file__).with_name("static").rglob("*.css"))
BESIDE = {"min": -1, "max": 1}  # of a limit in a style sheet, the first width beyond it
LOW = ((844, 390), (740, 360), (640, 400), (568, 320), (960, 540), (1180, 560))
"""Phones on their side, and windows at a zoom of 200 %."""
PHONES = ((320, 568), (360, 640), (390, 844))
USUAL = ((320, 640), (1000, 700), (1366, 768))
MOST_COVERED = 0.45  # of a window's height, by what stays in sight when the page is scrolled
SIZES = ((1366, 768), (1280, 720), (1366, 600), (1024, 768), (1920, 1080), (768, 1024), (390, 844), (320, 640))
FOLDED = 0.25  # of a window's height, by the dock while others are to move
TOWN = """() => {
    const town = document.querySelector(".town-frame"), drawn = document.querySelector(".town");
    const [frame, box] = [town, drawn].map((one) => one.getBoundingClientRect());
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const cut = box.height > frame.height + 1 || box.width > frame.width + 1;
    const side = document.querySelector(".lot-ground").getBoundingClientRect().width;
    return { height: frame.height, cut, side, bottom: frame.bottom + scrollY, dock: dock.height / innerHeight };
}"""

LOOK = """() => {
    const wrong = [];
    const say = (what, element) => wrong.push(`${what}: ${element.outerHTML.slice(0, 90)}`);
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) wrong.push(`${wide - innerWidth} points to scroll sideways`);
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
        && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const screen = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    const holders = (element) => {
        const found = [];
        for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
            if (getComputedStyle(up).overflow !== "visible") found.push(up);
        return found;
    };
    const hit = (element) => {
        const box = element.getBoundingClientRect();
        const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        return element.contains(top) || top?.closest("[data-touch]")?.dataset.touch === element.dataset.touch;
    };
    const shown = (element) => {
        const box = element.getBoundingClientRect();
        return within(box, screen) && holders(element).every((holder) => within(box, holder.getBoundingClientRect()))
            && hit(element);
    };
    const touched = ".lit[data-touch], .lit > [data-touch], main button, main a, main select";
    for (const element of document.querySelectorAll(touched)) {
        if (element.disabled || !element.checkVisibility()) continue;
        const drawn = element instanceof SVGElement;
        const box = element.getBoundingClientRect();
        const least = element.matches(".lit, .lit > *") ? (drawn ? 12 : 20) : 10;
        const size = [box.width, box.height].map(Math.round);
        if (Math.min(...size) < least) say(size.join(" x "), element);
        else if (!shown(element)) {
            element.scrollIntoView({ block: "center", inline: "center" });
            if (!shown(element)) say("not seen whole", element);
        }
    }
    const whole = ".own-area .clue-words, .own-area .score b, .prompt, .result h2";
    const names = ".seat-name, .turn b, .result-seat span, .building-line b";
    for (const words of document.querySelectorAll(`${whole}, ${names}`)) {
        const cut = words.scrollHeight > words.clientHeight + 2 || words.scrollWidth > words.clientWidth + 2;
        if (cut && getComputedStyle(words).display !== "inline") say("words are cut", words);
    }
    scrollTo(0, 0);
    return wrong;
}"""
COVERED = """() => [...document.querySelectorAll(".dock, .asked")]
    .filter((one) => getComputedStyle(one).position === "sticky")
    .reduce((most, one) => Math.max(most, one.getBoundingClientRect().height / innerHeight), 0)"""


def entered(live: Live, tab: Tab, game: str, stage: str) -> Any:
    visitor = at_stage(live, tab, game, stage)
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    if stage == "middle":  # something is chosen: the cells where it may lie are shown, or what it would do
        last = next(move for move in reversed(visitor.moves) if move["word"].startswith(("build:2:", "show:")))
        visitor.spot(last["path"][0]).click()
        visitor.page.locator(".chosen").first.wait_for()
    return visitor


def problems(visitor: Any, *sizes: tuple[int, int]) -> list[str]:
    """What is wrong in windows of these sizes."""
    found = []
    for width, height in sizes:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{width} x {height}: {each}" for each in visitor.page.evaluate(LOOK)]
    return found


def edges() -> set[int]:
    """The widths at which the page changes how it is laid out, by its style sheets, on both sides."""
    limits = re.findall(r"(min|max)-width: (\d+)px", " ".join(MEDIA.findall(STYLES)))
    return {int(width) + beyond for kind, width in limits for beyond in (0, BESIDE[kind])}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("game", GAMES)
def test_touch_targets_are_whole_and_the_table_is_seen_everywhere(hall: Live, tab: Tab, game: str, stage: str) -> None:
    visitor, found = entered(hall, tab, game, stage), []
    heights = {width: 640 if width < 600 else 700 if width < 1400 else 900 for width in sorted(WIDTHS | edges())}
    for size in [*heights.items(), *LOW, *PHONES]:
        found += problems(visitor, size)
        if stage == "middle" and size in (*LOW, *PHONES) and visitor.page.evaluate(COVERED) > MOST_COVERED:
            found.append(f"{size}: too much stays in sight when the page is scrolled")
    assert not found, "\n".join([f"{len(found)} problems", *found[:40]])


HIDDEN_CHIPS = """() => {
  const hand = document.querySelector(".near .cards").getBoundingClientRect();
  const chips = [...document.querySelectorAll(".near .chip")].map((chip) => chip.getBoundingClientRect());
  return chips.filter((chip) => chip.bottom > hand.bottom + 1 || chip.right > hand.right + 1).length;
}"""
"""The number of cards that the hand shows only when it is scrolled."""


def test_seven_cards_fit_every_window_and_the_town_keeps_its_height(hall: Live, tab: Tab) -> None:
    heights: dict[tuple[int, int], set[float]] = {size: set() for size in SIZES}
    for turn in (0, 1):
        new = seven_cards(hall, turn)
        visitor = tab().enter(hall.address, new, new["keys"]["seats"][0])
        for chosen in (False, True) if turn == 0 else (False,):
            if chosen:
                visitor.spot(next(move for move in visitor.moves if move["word"].startswith("play"))["path"][0]).click()
                visitor.page.locator(".large-card .clue").wait_for()
            for width, height in SIZES:
                assert problems(visitor, (width, height)) == []
                town = visitor.page.evaluate(TOWN)
                heights[width, height].add(round(town["height"]))
                assert not town["cut"], (width, height)
                assert town["side"] > 60, (width, height)
                if width > 900:
                    assert town["bottom"] <= height, (width, height)
                    assert visitor.page.evaluate(HIDDEN_CHIPS) == 0, (width, height)
                else:
                    assert town["dock"] <= (FOLDED if turn else MOST_COVERED), (width, height)
    assert all(len(each) == 1 for each in heights.values()), heights


def seen(visitor: Any, selector: str) -> bool:
    """Is it in the window, and is nothing above it?"""
    look = """element => {
        const box = element.getBoundingClientRect();
        const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
        return box.top >= 0 && box.bottom <= innerHeight && element.contains(top);
    }"""
    return bool(visitor.page.locator(selector).first.evaluate(look))


@pytest.mark.parametrize("game", GAMES)
def test_phone_shows_all_points(hall: Live, tab: Tab, game: str) -> None:
    visitor = entered(hall, tab, game, "middle")
    problems(visitor, PHONES[1])
    points = [score["points"] for score in visitor.state["score"]]
    assert visitor.page.locator(".own-area .score").inner_text() == str(points[0])
    assert seen(visitor, ".own-area .score")
    told = visitor.page.locator("#panel-players .result-seat b").all_inner_texts()
    assert sorted(map(int, told)) == sorted(points)
    assert visitor.page.locator("#panel-players .result-seat .source").count() >= len(told)


def test_phone_shows_the_result(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "oddville", "end")
    for size in (PHONES[1], LOW[0]):
        problems(visitor, size)
        visitor.page.locator(".result h2").scroll_into_view_if_needed()
        assert seen(visitor, ".result h2"), size


def test_link_can_be_copied_on_an_insecure_address(hall: Live, tab: Tab) -> None:
    new = hall.make("human", "human", game="oddville")
    visitor = tab().enter(hall.address, new, new["keys"]["host"])
    visitor.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined }); 0")
    visitor.page.get_by_label("Players and links").click()
    field = visitor.page.locator("dialog .copy input").first
    visitor.page.locator("dialog .copy").first.get_by_text("Copy").click()
    assert visitor.page.evaluate("getSelection().toString()") == field.input_value()
    visitor.page.locator(".note").get_by_text("copied").wait_for()


MOVING = """() => {
    document.querySelector(".prompt").classList.add("pointed", "taught");
    return document.getAnimations().length;
}"""
COUNT_GHOSTS = """window.ghosts = 0; new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(
    node => window.ghosts += node.classList?.contains('ghost') ? 1 : 0)))
    .observe(document.body, {childList: true, subtree: true})"""
"""Pictures that fly from one place to another."""


def test_reduced_motion_stops_all_animation(hall: Live, tab: Tab) -> None:
    visitor, new = tab(reduced_motion="no-preference"), hall.make("human", "human", seed=5)
    visitor.enter(hall.address, new, new["keys"]["host"])
    visitor.page.evaluate(COUNT_GHOSTS)
    visitor.play(visitor.best())
    visitor.page.wait_for_function("ghosts > 0")
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    assert visitor.page.evaluate(MOVING) > 0
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.wait(lambda: visitor.page.evaluate(MOVING) == 0)
    flown = visitor.page.evaluate("ghosts")
    visitor.play(visitor.best())
    visitor.page.locator('.move[data-move="2"]').wait_for(state="attached")
    assert visitor.page.evaluate("ghosts") == flown
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.page.get_by_role("button", name="Settings").click()
    visitor.page.get_by_role("checkbox", name="Animate moves").uncheck()
    visitor.wait(lambda: visitor.page.evaluate(MOVING) == 0)
