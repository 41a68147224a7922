"""The site as it is built: no warning, no link into nothing; its figures follow the mouse and do what posable does.

All of it is in one module: one worker builds the site, once.
"""

from __future__ import annotations

import html
import importlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from docs_site.reader import CONTRAST, LESSONS, ROOT, Links, Reader

import posable
import posable.solvers.closed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARTS = ("## The equation", "## In code", "## Exercises", "<summary>Answers</summary>", "## Sources")


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)
def test_a_lesson_has_all_its_parts(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = [text.index(part) for part in PARTS]
    assert places == sorted(places)
    assert "$$" in text[places[0] : places[1]]
    code = "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    assert 0 < len([line for line in code.splitlines() if line.strip()]) <= 20
    for section in (text[places[2] : places[3]], text[places[3] : places[4]]):
        assert re.findall(r"^(\d)\. ", section, re.MULTILINE) == ["1", "2"]
    figures = re.findall(r'<figure class="movable" data-figure="([\w-]+)" data-label="[^"]{30,}">', text)
    script = (ROOT / f"docs/_static/course/{page.stem}.js").read_text(encoding="utf-8")
    assert figures == re.findall(r'course\.figure\("([\w-]+)"', script) != []


@pytest.mark.slow
def test_every_link_leads_to_a_file_and_a_place_in_it(site: Path) -> None:
    pages = {path.resolve(): Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 90
    problems = []
    for path, page in pages.items():
        problems += [f"{path.name}: a picture without a text: {source}" for source in page.without_text]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data"):
                assert not link.endswith((".js", ".css")), f"{path.name} loads {link} from a network"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                problems.append(f"{path.name}: {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                problems.append(f"{path.name}: {link}, which has no such part")
    assert not problems, "\n".join(problems[:30])


@pytest.mark.slow
def test_the_reference_is_readable(site: Path, scripts: None) -> None:
    """No address, marker or resolved alias in a signature; none of a class that nobody makes by hand."""
    del scripts
    unreadable = importlib.import_module("site_signatures").UNREADABLE
    pages = {path.name: _text(path) for path in (site / "reference").glob("*.html")}
    assert len(pages) > 12
    for name, text in pages.items():
        assert [one for one in unreadable if one in text] == [], name
        assert re.findall(r"<[\w.]+ object", text) == [], name
    assert "prepared: Asked" not in pages["solving.html"] and "at_limit" in pages["solving.html"]
    assert "class posable.Roles(skeleton: Skeleton" in re.sub(r"\s+", " ", pages["figures.html"]).replace("( ", "(")


def _text(path: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))


def _bones(points: list[list[float]]) -> np.ndarray:
    return np.linalg.norm(np.diff(points, axis=0), axis=1)


CHAINS = {"two-bones": (2, 0), "doorbell": (3, 2.0), "sweeps": (5, 1e-3), "snake": (6, 0.02), "surface": (7, 1e-3)}
"""Figure: its lesson, and how near the tip comes to a target in reach."""


@pytest.mark.slow
def test_the_tip_follows_a_target_that_is_dragged_and_bones_keep_their_length(reader: Reader) -> None:
    for figure, (lesson, near) in CHAINS.items():
        assert figure in reader.open_lesson(lesson)
        before = reader.facts(figure)
        reader.drag(reader.page.locator(f"[data-figure='{figure}'] .handle").first, (-40, 25))
        after = reader.facts(figure)
        assert np.linalg.norm(np.subtract(after["target"], before["target"])) > 0.1, figure
        assert np.linalg.norm(np.subtract(after["points"][-1], after["target"])) <= near + 1e-9, figure
        assert np.allclose(_bones(after["points"]), after["lengths"], atol=1e-9), figure
        if figure != "two-bones":
            reader.page.locator(f"[data-figure='{figure}'] .scrubber input").fill("0")
            assert not np.allclose(reader.facts(figure)["points"][-1], after["points"][-1]), "the scrubber goes back"


@pytest.mark.slow
def test_out_of_reach_the_two_bones_and_the_damped_arm_come_as_near_as_can_be(reader: Reader) -> None:
    reader.open_lesson(2)
    reader.drag(reader.page.locator(".handle"), (170, -80))
    arm = reader.facts("two-bones")
    assert arm["left"] == pytest.approx(np.hypot(*arm["target"]) - 1.7) and arm["left"] > 0.3
    assert _bones(arm["points"]) == pytest.approx(arm["lengths"])
    reader.open_lesson(4)
    for along, limited in (((60, -20), True), ((-330, 0), True), ((20, 0), False)):
        if not limited:
            reader.page.get_by_role("checkbox").uncheck()
        reader.drag(reader.page.locator(".handle"), along)
        facts = reader.facts("damping")
        assert facts["limited"] == limited
        assert _bones(facts["points"]) == pytest.approx(facts["lengths"])
        assert not limited or np.abs(facts["angles"]).max() <= 1.2 + 1e-9


@pytest.mark.slow
def test_the_tree_carries_what_hangs_below_and_nothing_else(reader: Reader) -> None:
    reader.open_lesson(1)
    body = json.loads(reader.page.evaluate("JSON.stringify(course.traces['01-forward-kinematics'])"))
    names, parents, rest = body["names"], np.array(body["parents"]), np.array(body["rest"])
    reader.drag(reader.page.get_by_label("forearm_l"), (50, -90))
    points = np.array(reader.facts("tree")["points"])
    below = {"forearm_l", "hand_l", "index_tip_l"}
    moved = np.linalg.norm(points - rest, axis=1) > 1e-9
    assert {name for name, has in zip(names, moved, strict=True) if has} == below
    bones = [np.linalg.norm(where[1:] - where[parents[1:]], axis=1) for where in (points, rest)]
    assert bones[0] == pytest.approx(bones[1])
    # The same rotation of the shoulder, by posable: about the axis of view, at the joint.
    figure = posable.figure("mannequin")
    turn = reader.facts("tree")["turns"][names.index("upper_arm_l")]
    world = figure.rest.world_from_joint[figure.skeleton.index("upper_arm_l")]
    change = np.zeros(figure.skeleton.dof)
    change[figure.skeleton.freedom_range(figure.skeleton.index("upper_arm_l"))] = world[:3, :3].T @ (0, 0, turn)
    origins = figure.rest.plus(change).origins[[figure.skeleton.index(name) for name in names], :2]
    assert points == pytest.approx(origins, abs=2e-5)


@pytest.mark.slow
def test_a_foot_that_is_down_stands_still_and_recordings_follow_their_handles(reader: Reader) -> None:
    assert reader.open_lesson(8) == ["walker", "characters"]
    handles = reader.page.locator("[data-figure='walker'] .handle")
    reader.drag(handles.nth(0), (15, 0))
    reader.drag(handles.nth(2), (0, 15))
    worlds = []
    for phase in range(0, 36, 5):  # the near foot is down
        reader.page.locator("[data-figure='walker'] .scrubber input").fill(str(phase))
        facts = reader.facts("walker")
        assert np.array([_bones(leg) for leg in facts["legs"]]) == pytest.approx(np.array([facts["lengths"]] * 2))
        worlds.append(facts["worlds"][0])
    assert np.ptp(worlds, axis=0) == pytest.approx([0, 0], abs=1e-9)
    for lesson, figure, along in ((8, "characters", (60, 0)), (6, "rope", (-60, 0)), (10, "natural", (20, 60))):
        reader.open_lesson(lesson)
        before = reader.facts(figure)
        reader.drag(reader.page.locator(f"[data-figure='{figure}'] .handle"), along)
        after = reader.facts(figure)
        assert after["target"] != before["target"] and after["left"] == pytest.approx(0.0, abs=1e-9)
        if figure == "rope":
            assert _bones(after["points"]) == pytest.approx(after["lengths"], abs=2e-5)


@pytest.mark.slow
def test_hands_reach_while_feet_stay_and_the_weight_is_over_them(reader: Reader) -> None:
    reader.open_lesson(10)
    reader.drag(reader.page.get_by_role("slider", name="Hand on the left"), (-10, -90))
    reader.drag(reader.page.get_by_role("slider", name="Hand on the right"), (-40, -60))
    facts = reader.facts("goals")
    assert max(facts["missed"]) < 5e-3 and abs(facts["middle"]) < 5e-3
    points, rest, parents = np.array(facts["points"]), np.array(facts["rest"]), np.array(facts["parents"])
    for foot in ("foot_l", "foot_r"):
        index = facts["names"].index(foot)
        assert points[index] == pytest.approx(rest[index], abs=5e-3)
    bones = [np.linalg.norm(where[1:] - where[parents[1:]], axis=1) for where in (points, rest)]
    assert bones[0] == pytest.approx(bones[1])


@pytest.mark.slow
def test_a_body_stands_while_a_hand_is_dragged_far_out_of_reach_and_gets_up_again(reader: Reader) -> None:
    """It crumpled to the floor, and its hand was farther from the target than an arm is long."""
    reader.open_lesson(10)
    rest = reader.facts("goals")
    head = rest["names"].index("head")
    hand = reader.page.get_by_role("slider", name="Hand on the right")
    reader.drag(hand, (-420, -40))
    far = reader.facts("goals")
    assert max(far["missed"]) < 0.8 and abs(far["middle"]) < 0.12
    assert far["points"][head][1] > 0.9, "of the 1.56 m of one who stands"
    reader.drag(hand, (420, 40))
    assert np.array(reader.facts("goals")["points"]) == pytest.approx(np.array(rest["points"]), abs=0.05)


@pytest.mark.slow
def test_the_methods_in_the_pages_take_posables_steps(reader: Reader) -> None:
    """Step by step: what the page solves is what posable solves, so that dragging shows no other method."""
    to_points = "(method, arm, start, target, options) => course.solve(method, arm, start, target, options)"
    forward = f"(...given) => ({to_points})(...given).map((one) => course.forward(given[1], one))"

    def trace(lesson: int, code: str) -> Any:
        reader.open_lesson(lesson)
        return reader.page.evaluate(f"course.traces['{LESSONS[lesson - 1].stem}']{code}")

    door = trace(3, "")
    steps = reader.call(forward, "pseudoInverse", {"lengths": [50, 45, 3]}, [1.2, -0.5, -0.7], door["target"])
    assert np.array(steps) == pytest.approx(np.array(door["points"]), abs=1e-4)

    sweeps, six = trace(5, ""), {"lengths": [0.5, 0.45, 0.4, 0.35, 0.3, 0.25]}
    start = [1.2, -0.4, -0.3, -0.3, -0.2, -0.2]
    passes = reader.call(forward, "cyclicDescent", six, start, sweeps["cyclicDescent"]["target"])[::6]
    assert np.array(passes) == pytest.approx(np.array(sweeps["cyclicDescent"]["points"]), abs=1e-4)
    passes = reader.call(to_points, "fabrikPoints", six, start, sweeps["fabrik"]["target"])[::2]
    assert np.array(passes) == pytest.approx(np.array(sweeps["fabrik"]["points"]), abs=1e-4)

    snake = trace(6, ".snake")
    begin = reader.call("course.angles", snake["points"][0])
    pulled = reader.call(
        forward, "virtualForce", {"lengths": [0.25] * 12}, begin, snake["target"], {"sensitivity": 0.05}
    )
    assert np.array(pulled) == pytest.approx(np.array(snake["points"]), abs=1e-3)

    surface = trace(7, "")
    for run in surface["runs"]:
        walk = reader.call(to_points, "gradientDescent", {"lengths": [1, 0.8]}, run[0], surface["target"])
        assert np.array(walk[:10]) == pytest.approx(np.array(run[:10]), abs=1e-3)

    for target in ((1.2, 0.4), (0.3, -0.2), (0.05, 0.02), (2.5, 1.0)):
        found = reader.call("course.twoBones", target, 1.0, 0.7)
        angles, left = posable.solvers.closed.two_bone_angles(target, first=1.0, second=0.7)
        for way in angles:
            gaps = [np.abs(np.exp(1j * np.array(own)) - np.exp(1j * way)).max() for own in found["ways"]]
            assert min(gaps) < 1e-6
        assert found["left"] == pytest.approx(float(left), abs=1e-9)


@pytest.mark.slow
def test_the_tube_bends_as_posables_skin_does(reader: Reader, scripts: None) -> None:
    del scripts
    mesh, skeleton = importlib.import_module("make_course_traces").tube()
    skin = posable.bind(mesh, skeleton)
    reader.open_lesson(9)
    reader.drag(reader.page.get_by_label("Hand"), (-120, 60))
    facts = reader.facts("tube")
    rest = posable.Pose(skeleton, skeleton.rest_coordinates)
    pose = rest.with_joint("elbow", facts["turned"])
    for name, blend in (("linear", "linear"), ("dual quaternion", "dual_quaternion")):
        shown = reader.call("course.deformed", name, facts["turned"])
        moved = skin.deform(pose, blend)[:-2].reshape(np.shape(shown))
        assert np.array(shown) == pytest.approx(moved, abs=1e-4), name


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_can_be_read_on_every_screen(chrome: Browser, site: Path, theme: str) -> None:
    """Contrast in both themes, equations typeset, nothing wider than a narrow page, handles that have a name."""
    own = Reader(chrome, site, color_scheme=theme)
    for name in ("index.html", "goals.html", "reference/solving.html", "gallery/index.html", "course/03-jacobian.html"):
        own.open(name)
        assert own.page.evaluate(CONTRAST) == [], name
        own.page.set_viewport_size({"width": 400, "height": 900})
        assert own.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        own.page.set_viewport_size({"width": 1280, "height": 900})
    own.page.evaluate("document.querySelector('article p').style.color = '#777'")
    assert len(own.page.evaluate(CONTRAST)) >= 1, "the search for it works"
    own.page.wait_for_selector("mjx-container svg")
    handles = own.page.locator(".movable [role=slider], .movable input, .movable button, .movable select")
    assert handles.evaluate_all("all => all.every(one => one.ariaLabel || one.closest('label').textContent.trim())")
    assert own.page.locator(".movable svg").get_attribute("aria-label")
    assert own.problems == []


@pytest.mark.slow
def test_keys_move_a_handle_and_the_search_finds_a_name(reader: Reader) -> None:
    reader.open_lesson(2)
    before = reader.facts("two-bones")["target"]
    reader.page.locator(".handle").focus()
    reader.page.keyboard.press("ArrowLeft")
    assert reader.facts("two-bones")["target"][0] < before[0]
    reader.page.goto(f"{(reader.site / 'search.html').as_uri()}?q=retarget")
    reader.page.wait_for_selector("#search-results li a")
    assert "retarget" in reader.page.locator("#search-results").inner_text().lower()


@pytest.mark.slow
def test_another_solver_can_stand_in_at_one_seam(reader: Reader) -> None:
    """Every figure that solves asks `course.solve`: replaced, it is that one's steps which are shown."""
    for figure, lesson in {**{name: lesson for name, (lesson, _) in CHAINS.items()}, "damping": 4}.items():
        if figure == "two-bones":  # a formula, nothing to step through
            continue
        reader.open_lesson(lesson)
        reader.page.evaluate("""() => {
          const own = course.solve;
          course.solve = (...given) => ((course.asked = given[0]), own(...given));
        }""")
        reader.drag(reader.page.locator(f"[data-figure='{figure}'] .handle").first, (10, 10))
        assert reader.page.evaluate("course.asked"), figure
