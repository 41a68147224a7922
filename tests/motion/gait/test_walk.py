"""Generated walks: feet that stand, people's angles, scaling, loops, paths, stairs, backwards, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from motion.gait.measuring import Shown, leg_angles, shown, standing

import posable
from posable import Gait, PosableError, Terrain, walk
from posable.errors import SkeletonError
from posable.figures import scaled
from posable.motion import characters, foot_metrics
from posable.motion.gait.gait import Pace
from posable.motion.gait.walking import usual_gait

PEOPLE = [name for name in characters() if len(Gait.load(name).phases) == 1 and name != "plain"]


@pytest.fixture(scope="module")
def mannequin() -> posable.Figure:
    return posable.figure("mannequin")


def seen_walk(figure: posable.Figure, gait: str | Gait, steps: int = 4, **how) -> Shown:
    return shown(figure, walk(figure, gait, steps, **how))


def loop(figure: posable.Figure, gait: str | Gait, steps: int = 4, fps: float = 120.0) -> Shown:
    return seen_walk(figure, gait, steps, starts=False, stops=False, fps=fps)


@pytest.mark.parametrize("name", PEOPLE)
def test_feet_never_slide_while_they_are_down_nor_sink(mannequin: posable.Figure, name: str) -> None:
    seen = seen_walk(mannequin, name, 5, fps=60)
    assert seen.lowest.min() > -1e-3
    for side, sole in zip("lr", seen.soles, strict=True):
        flat = np.ptp(sole[..., 1], axis=1) < 1e-6  # heel, ball and tip at one height
        flat &= np.abs(sole[..., 1]).max(axis=1) < 1e-6
        moves = np.linalg.norm(np.diff(seen.of(f"toes_{side}"), axis=0), axis=1)
        assert flat.sum() > 10
        assert moves[flat[1:] & flat[:-1]].max() < 1e-6
    assert not np.isnan(seen.places).any()


@pytest.mark.parametrize("name", PEOPLE)
def test_a_ball_in_contact_stays_where_it_is(mannequin: posable.Figure, name: str) -> None:
    clip = walk(mannequin, name, 4, starts=False, stops=False, fps=120)
    found = foot_metrics(clip, figure=mannequin)
    assert found.contacts >= 4
    assert found.skate <= 1e-3 and found.drift <= 1e-3


def test_a_person_stands_as_long_as_people_do(mannequin: posable.Figure) -> None:
    for speed in (0.3, 0.45, 0.6):
        seen = loop(mannequin, Gait(speed=speed), fps=240)
        down = np.mean([standing(sole)[:-1].mean() for sole in seen.soles])
        assert down == pytest.approx(0.642 - 0.1028 * speed, abs=0.02)
        both = np.mean(standing(seen.soles[0])[:-1] & standing(seen.soles[1])[:-1])
        assert both == pytest.approx(2 * down - 1, abs=0.01)


def test_the_pelvis_rises_twice_a_stride_by_its_share_of_the_arc(mannequin: posable.Figure) -> None:
    height = loop(mannequin, "human", 2, 240).of("hips")[:-1, 1]
    share = np.ptp(height) / Pace.of(Gait.load("human")).arc
    assert 0.35 <= share <= 0.65
    higher = (height > np.roll(height, 1)) & (height >= np.roll(height, -1))
    assert higher.sum() == 2


def test_a_persons_angles_are_those_of_recorded_people(mannequin: posable.Figure, shared: Path) -> None:
    recorded = json.loads((shared / "reference/gait_curves.json").read_text())
    seen = loop(mannequin, "human", 2, 240)
    percent = np.linspace(0, len(seen.places) - 1, 101)
    for k, (name, most) in enumerate((("thigh", 5.0), ("knee", 8.0), ("ankle", 8.0))):
        own = np.interp(percent, np.arange(len(seen.places)), leg_angles(seen, "l")[:, k])
        assert np.std(own - np.array(recorded[name])) <= most, name


def test_toes_clear_the_ground_as_peoples_do(mannequin: posable.Figure) -> None:
    seen = loop(mannequin, "human", 4, 240)
    for sole, low in zip(seen.soles, seen.lowest * 0.88, strict=True):
        air = np.flatnonzero(np.diff(np.concatenate([[0], ~standing(sole), [0]])))
        start, end = max(zip(air[::2], air[1::2], strict=True), key=lambda span: span[1] - span[0])
        inside = low[start + int(0.1 * (end - start)) + 1 : end - int(0.1 * (end - start))]
        assert 0.01 <= low[(start + end) // 2] <= 0.03
        assert inside.min() >= 0.005


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_legs_of_any_length_walk_alike_at_the_same_froude_number(mannequin: posable.Figure, size: float) -> None:
    other = scaled(mannequin, size)
    one = walk(mannequin, "human", 4, fps=60)
    two = walk(other, "human", 4, fps=60 / size**0.5)
    turns = np.setdiff1d(np.arange(one.q.shape[1]), [0, 1, 2])
    assert len(one) == len(two)
    assert np.abs(one.q[:, turns] - two.q[:, turns]).max() < 1e-9


@pytest.mark.parametrize("name", ["human", "jaunty", "limp", "march", "jog", "sad"])
def test_a_loop_closes(mannequin: posable.Figure, name: str) -> None:
    clip = walk(mannequin, name, 4, starts=False, stops=False, fps=120)
    ahead = mannequin.skeleton.freedom_mask(["root.z"])
    gap = clip.poses[-1].minus(clip.poses[0])
    assert np.abs(gap[~ahead]).max() < 1e-9
    steps = clip.poses[1:].minus(clip.poses[:-1])
    seam = np.abs(steps[0] - steps[-1]).max()
    within = np.abs(np.diff(steps, axis=0)).max()
    assert seam <= within + 0.01 * np.abs(steps).max()


def test_limits_hold_and_the_head_stays_steady(mannequin: posable.Figure) -> None:
    clip = walk(mannequin, "human", 6, fps=60)
    start = len(clip) // 4
    legs = mannequin.skeleton.freedom_mask(["shin_l", "shin_r", "foot_l", "foot_r", "toe_l", "toe_r"])
    own = clip.poses.minus(clip.poses.clamped())[:, legs]
    assert np.abs(own).max() < 1e-9
    turns = clip.poses.world_from_joint[start:-start, :, :3, :3]
    level = [turns[:, mannequin.skeleton.index(joint)] for joint in ("root", "chest", "head")]
    swings = [np.abs(turn[:, 2, 0] - turn[:, 2, 0].mean()).max() for turn in level]
    assert swings[2] < 0.3 * swings[0] and swings[2] < 0.3 * swings[1]


def test_arms_swing_against_the_legs(mannequin: posable.Figure) -> None:
    seen = loop(mannequin, "human", 4, 60)
    hand, foot = (seen.of(f"{part}_l")[:, 2] - seen.of("hips")[:, 2] for part in ("hand", "foot"))
    assert np.corrcoef(hand, foot)[0, 1] < -0.8


def test_a_walk_starts_and_ends_standing(mannequin: posable.Figure) -> None:
    clip = walk(mannequin, "human", 5)
    seen = shown(mannequin, clip)
    for frame in (0, -1):
        ahead = [seen.of(f"toes_{side}")[frame, 2] for side in "lr"]
        assert ahead[0] == pytest.approx(ahead[1], abs=1e-6)
        assert all(np.abs(sole[frame, :, 1]).max() < 1e-6 for sole in seen.soles)
    speed = np.linalg.norm(np.diff(seen.of("hips"), axis=0), axis=1)
    assert max(speed[0], speed[-1]) < 0.05 * speed.max()


@pytest.mark.parametrize("name", ["human", "limp"])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test_every_step_asked_for_is_taken(mannequin: posable.Figure, name: str, steps: int) -> None:
    seen = seen_walk(mannequin, name, steps, fps=60)
    landings = sum(int((np.diff(standing(sole).astype(int)) > 0).sum()) for sole in seen.soles)
    assert landings == steps


def test_a_path_is_walked_to_its_end_facing_along_it(mannequin: posable.Figure) -> None:
    clip = walk(mannequin, "human", path=[[0, 0], [0.5, 1.5], [2, 3], [4, 3.2]])
    places = clip.poses.origins[:, 0]
    np.testing.assert_allclose(places[-1, [0, 2]], (4, 3.2), atol=0.01)
    assert np.linalg.norm(places[:, [0, 2]] - (2, 3), axis=1).min() < 0.1
    forward = clip.poses.world_from_joint[-1, 0, :3, 2]
    assert forward[0] > 0.95


def test_backwards_is_forward_played_back(mannequin: posable.Figure) -> None:
    clip = walk(mannequin, "human", 4, backwards=True)
    way = clip.poses.origins[-1, 0] - clip.poses.origins[0, 0]
    assert way[2] < -1.0
    assert clip.poses.world_from_joint[0, 0, 2, 2] > 0.99


@pytest.mark.parametrize(
    "terrain",
    [
        Terrain.stairs(0.16, 0.3, 6, start=(0, 0, 0.7)),
        Terrain.stairs(-0.16, 0.3, 6, start=(0, 0, 0.7)),
        Terrain.slope(6),
        Terrain.slope(-8),
    ],
    ids=["up stairs", "down stairs", "uphill", "downhill"],
)
def test_feet_stand_on_any_ground(mannequin: posable.Figure, terrain: Terrain) -> None:
    clip = walk(mannequin, "human", 8, terrain)
    body = shown(mannequin, clip)
    flat = 0
    for sole in body.soles:
        world = (sole * body.body.length) @ body.body.to_body + body.body.origin
        gap = terrain.gap(world)
        assert gap.min() > -0.005
        flat += np.sum(np.abs(gap).max(axis=1) < 2e-3)
    assert flat > 0.25 * len(clip)
    above = clip.poses.origins[:, 0, 1] - terrain.height(clip.poses.origins[:, 0])
    assert above.min() > 0.7 and above.max() < 1.07


PEOPLE = [name for name in characters() if name != "plain" and len(Gait.load(name).phases) == 1]


@pytest.mark.parametrize("gait", PEOPLE)
@pytest.mark.parametrize("run", [0.3, pytest.param(0.2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rise", [0.17, pytest.param(-0.17, marks=pytest.mark.slow)])
def test_no_character_puts_a_foot_into_a_stair(mannequin: posable.Figure, gait: str, run: float, rise: float) -> None:
    start = 0.6 + 0.3 * (PEOPLE.index(gait) / len(PEOPLE))
    terrain = Terrain.stairs(rise, run, 5, start=(0, 0, start))
    clip = walk(mannequin, gait, 8, terrain, fps=60)
    for sole in posable.motion.soles(mannequin):
        assert terrain.gap(sole.corner_places(clip.poses)).min() > -0.005
    climbed = clip.poses.origins[-1, 0, 1] - clip.poses.origins[0, 0, 1]
    assert climbed / rise > 1.5


@pytest.mark.slow
def test_feet_longer_than_a_tread_hang_over_its_edge_and_not_into_the_riser(shared: Path) -> None:
    knight = posable.load(shared / "characters/Knight.glb")  # feet of 50 cm
    terrain = Terrain.stairs(0.17, 0.3, 5, start=(0, 0, 0.6))
    body = shown(knight, walk(knight, "jaunty", 8, terrain))
    for sole in body.soles:
        world = (sole * body.body.length) @ body.body.to_body + body.body.origin
        assert terrain.gap(world).min() > -0.005


@pytest.mark.parametrize("name", ["Knight", "CesiumMan", "MH_game_engine", "RobotExpressive", "Q_PlatformerHumanoid"])
def test_other_peoples_figures_walk(shared: Path, name: str) -> None:
    figure = posable.load(shared / f"characters/{name}.glb")
    seen = seen_walk(figure, "human", 4, fps=60)
    assert seen.lowest.min() > -0.01
    assert seen.of("hips")[-1, 2] > 1.5
    for sole in seen.soles:
        assert standing(sole).mean() > 0.5


@pytest.mark.parametrize(
    ("name", "gaits"), [("Q_Wolf", ("wolf", "trot")), ("Q_Spider", ("spider",)), ("Fox", ("wolf",))]
)
def test_animals_walk_on_all_their_legs(shared: Path, name: str, gaits: tuple[str, ...]) -> None:
    figure = posable.load(shared / f"characters/{name}.glb")
    for gait in gaits:
        seen = loop(figure, gait, 4, 60)
        legs = seen.body.legs
        assert len(legs) == {"Q_Wolf": 4, "Fox": 4, "Q_Spider": 8}[name]
        assert seen.lowest.min() > -0.01
        for sole in seen.soles:
            assert 0.4 < standing(sole, 1e-5).mean() < 0.85


def test_the_right_legs_of_a_trot_move_together(shared: Path) -> None:
    figure = posable.load(shared / "characters/Q_Wolf.glb")
    seen = loop(figure, "trot", 4, 60)
    down = {(leg.row, leg.side): standing(sole, 1e-5) for leg, sole in zip(seen.body.legs, seen.soles, strict=True)}
    assert np.mean(down[0, 1] == down[1, -1]) > 0.95
    assert np.mean(down[0, 1] == down[0, -1]) < 0.3


@pytest.mark.parametrize("gait", ["trot", "wolf"])
def test_a_robot_of_hinges_stands_on_its_feet_as_it_turns(shared: Path, gait: str) -> None:
    """Its hips are two hinges about different axes: none of them alone takes its share of a thigh's turn."""
    figure = posable.load(shared / "robots/solo12.urdf", root="free")
    x, z = np.cos(np.linspace(0, 2, 9)), np.sin(np.linspace(0, 2, 9))
    clip = walk(figure, gait, path=np.stack([x - 1, z], axis=1), fps=60)
    assert np.abs(clip.q - clip.poses.clamped().q).max() < 1e-9
    for sole in shown(figure, clip).soles:
        assert standing(sole, 1e-5).mean() > 0.4


@pytest.mark.parametrize("terrain", [Terrain.slope(10.0), Terrain.stairs(rise=0.1, run=0.25, count=5)])
def test_a_straight_path_ends_where_it_says_on_any_ground(mannequin: posable.Figure, terrain: Terrain) -> None:
    clip = walk(mannequin, terrain=terrain, path=[(0, 0), (0, 3)])
    assert clip.poses.origins[-1, mannequin.skeleton.index("pelvis"), 2] == pytest.approx(3.0, abs=0.05)


def test_legs_without_knees_are_refused() -> None:
    """Each is one bone and a foot."""
    names = {f"{part}_{side}": side for side in "lr" for part in ("thigh", "foot")}
    joints = [posable.Joint("hips", "free", position=(0, 1, 0)), posable.Joint("chest", "ball", "hips", (0, 0.5, 0))]
    for name, side in names.items():
        out = 0.1 if side == "l" else -0.1
        above, place = ("hips", (out, 0, 0)) if name.startswith("thigh") else (f"thigh_{side}", (0, -0.9, 0))
        joints.append(posable.Joint(name, "ball", above, place, tips=((0, -0.1, 0.2),)))
    figure = posable.Figure(posable.Skeleton(joints))
    roles = posable.roles(figure)
    assert len(roles.legs) == 2
    with pytest.raises(SkeletonError, match="a walk needs legs with knees, and thigh_l, foot_l has none"):
        walk(figure)


PLANAR = """<mujoco><worldbody><body name="torso" pos="0 0 1.2">
<joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><joint name="y" axis="0 1 0"/>
<body name="thigh" pos="0 0 -0.1"><joint name="hip" axis="0 1 0"/><geom size="0.05"/>
<body name="leg" pos="0 0 -0.5"><joint name="knee" axis="0 1 0"/><geom size="0.05"/>
</body></body></body></worldbody></mujoco>"""


def test_a_planar_model_is_refused_as_one(tmp_path: Path) -> None:
    """As those of reinforcement learning: with_root("free"), which was advised, is not for their roots."""
    (tmp_path / "hopper.xml").write_text(PLANAR)
    figure = posable.load(tmp_path / "hopper.xml")
    planar = r"the root 'torso' moves along and about 3 axes alone, as in a planar model, .*<freejoint/>"
    with pytest.raises(SkeletonError, match=planar):
        walk(figure)
    clip = walk(posable.figure("mannequin"), steps=1)
    with pytest.raises(PosableError, match=planar):
        posable.retarget(clip, to=figure)


def test_what_cannot_walk_is_refused(mannequin: posable.Figure) -> None:
    with pytest.raises(SkeletonError, match="a walk needs a figure with at least two legs; 0 were found"):
        walk(posable.figure("snake"))
    with pytest.raises(SkeletonError, match=r"the root 'root' is not free.*figure.with_root\('free'\)"):
        walk(mannequin.with_root("fixed"))
    with pytest.raises(PosableError, match=r"gait 'wolf' has phases for 2 pairs of legs, the figure has 1"):
        walk(mannequin, "wolf")
    for steps in (0, 2.5, True, 10**6):
        with pytest.raises(PosableError, match="steps must be a whole number from 1 to 10,000"):
            walk(mannequin, steps=steps)
    for fps in (0, -1, float("nan"), "quick"):
        with pytest.raises(PosableError, match="fps must be above 0"):
            walk(mannequin, fps=fps)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ([[0, 0]], "a path is 2 to 10,000 points of two numbers each, not of shape"),
        ([[0, 0, 0], [1, 1, 1]], "a path is 2 to 10,000 points"),
        ([[0, 0], [0, 0], [1, 1]], "points 0 and 1 of the path are the same"),
        ([[0, 0], [0, float("inf")]], "a point of the path is not two finite numbers below 1e"),
        ([[0, 0], [0, 1e300]], "a point of the path is not two finite numbers below 1e"),
        ([[0, 0], [0, 1e14]], "the path is 100,000,000,000,000 long, which .* and a walk has 10,000 at most"),
        ([[True, False], [False, True]], r"a path must be a list of \[x, z\] points, not"),
        ([[0, 0], [True, 1.5]], r"a path must be a list of \[x, z\] points, not"),
        ("round the corner", r"a path must be a list of \[x, z\] points"),
    ],
)
def test_a_path_that_cannot_be_meant_is_refused(mannequin: posable.Figure, path: object, message: str) -> None:
    with pytest.raises(PosableError, match=message):
        walk(mannequin, path=path)


def test_ground_that_is_not_there_is_refused(mannequin: posable.Figure) -> None:
    with pytest.raises(PosableError, match=r"the terrain has no ground under \(.*lead the path around"):
        walk(mannequin, terrain=Terrain.field(np.zeros((3, 3)), 0.4))
    with pytest.raises(PosableError, match="the terrain's up axis is z, the figure's is y; make it with up='y'"):
        walk(mannequin, terrain=Terrain.plane(up="z"))


def dog_of_hinges(height: float = 0.53) -> str:
    """An MJCF robot whose shins end in balls that no joint carries, as Spot's and A1's do."""
    legs = "".join(
        f'<body name="{name}_hip" pos="{x} {y} 0"><joint type="hinge" axis="1 0 0" range="-0.8 0.8"/>'
        f'<geom type="sphere" size="0.05"/>'
        f'<body name="{name}_thigh" pos="0 {0.3 * y} 0"><joint type="hinge" axis="0 1 0" range="-1 3"/>'
        f'<geom type="capsule" size="0.03" fromto="0 0 0 -0.15 0 -0.25"/>'
        f'<body name="{name}_calf" pos="-0.15 0 -0.25"><joint type="hinge" axis="0 1 0" range="-1.5 1.2"/>'
        f'<geom type="capsule" size="0.02" fromto="0 0 0 0.15 0 -0.25"/>'
        f'<geom type="sphere" size="0.03" pos="0.15 0 -0.25"/>'
        "</body></body></body>"
        for name, x, y in (("FL", 0.3, 0.1), ("FR", 0.3, -0.1), ("RL", -0.3, 0.1), ("RR", -0.3, -0.1))
    )
    trunk = f'<body name="trunk" pos="0 0 {height}"><freejoint/><geom type="box" size="0.3 0.1 0.05"/>'
    return f'<mujoco><compiler angle="radian"/><worldbody>{trunk}{legs}</body></worldbody></mujoco>'


@pytest.mark.parametrize("height", [0.53, 0.61])
def test_a_robot_walks_on_the_ends_of_its_shins(tmp_path: Path, height: float) -> None:
    """Also one that hovers in its file, as Go1 and Spot do."""
    (tmp_path / "dog.xml").write_text(dog_of_hinges(height))
    figure = posable.load(tmp_path / "dog.xml")
    clip = walk(figure, "trot", 6, fps=60)
    frames = clip.poses.world_from_joint
    for name in ("FL", "FR", "RL", "RR"):
        calf = frames[:, figure.skeleton.index(f"{name}_calf")]
        lowest = calf[:, :3, :3] @ np.array([0.15, 0.0, -0.28]) + calf[:, :3, 3]  # of the ball at rest
        assert lowest[:, 2].min() > -0.005
        down = lowest[:, 2] < 1e-3
        down = down[1:] & down[:-1]
        assert down.mean() > 0.3
        assert np.linalg.norm(np.diff(lowest, axis=0), axis=1)[down].max() < 2e-3
    assert clip.poses.origins[-1, 0, 0] > 1.0


def test_an_animal_of_compound_joints_walks(tmp_path: Path) -> None:
    """MuJoCo's animals have hips of three axes, whose angles are solved for with the rest of the leg."""
    hip = '<joint type="hinge" axis="0 1 0" range="-1 3"/>'
    (tmp_path / "dog.xml").write_text(
        dog_of_hinges().replace(hip, f'{hip}<joint axis="1 0 0" pos="0 0 0.05"/><joint axis="0 0 1"/>')
    )
    figure = posable.load(tmp_path / "dog.xml")
    clip = walk(figure, "trot", 6)
    assert np.degrees(np.abs(clip.poses[1:].minus(clip.poses[:-1]))[:, 6:].max()) < 30
    for name in ("FL", "FR", "RL", "RR"):
        calf = clip.poses.world_from_joint[:, figure.skeleton.index(f"{name}_calf")]
        ball = calf[:, :3, :3] @ np.array([0.15, 0.0, -0.28]) + calf[:, :3, 3]
        down = ball[:, 2] < 1e-3
        down = down[1:] & down[:-1]
        assert down.mean() > 0.3
        assert np.linalg.norm(np.diff(ball, axis=0), axis=1)[down].max() < 5e-3


def test_the_usual_gait_is_one_for_so_many_legs() -> None:
    assert [usual_gait(legs).name for legs in (2, 4, 6, 8)] == ["human", "wolf", "insect", "spider"]
