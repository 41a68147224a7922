"""`posable reach`: every option that the help names does what it says."""

from __future__ import annotations

import click
import numpy as np
import pytest

import posable
from posable.cli import options
from posable.cli import reach as wishes
from posable.cli.reach import command, held_joints
from posable.figures import effectors
from posable.solvers import CyclicDescent, DampedLeastSquares, Newton, PseudoInverse
from posable.solvers.solving import NAMES


def _solved(path: str = "out.toml", joint: str = "tip") -> np.ndarray:
    figure = posable.load(path)
    return figure.rest.origins[figure.skeleton.index(joint)]


def test_goal_takes_the_joint_there(run, arm) -> None:
    ran = run("reach", arm, "--goal", "tip=1.5,1.5,0", "-o", "out.toml")
    assert (ran.status, ran.err) == (0, "")
    assert _solved() == pytest.approx((1.5, 1.5, 0), abs=1e-5)
    assert "Reach" in ran.out
    assert "1.5, 1.5, 0" in ran.out
    assert "0 mm" in ran.out
    assert "reached" in ran.out
    assert "Wrote out.toml." in ran.out


def test_several_goals_are_met_together(run, arm) -> None:
    angle = np.array([np.cos(0.2), 0, 0, np.sin(0.2)])
    wxyz = ",".join(str(number) for number in angle)
    ran = run("reach", arm, "--goal", "wrist=1.2,1.2,0", "--orient", f"tip={wxyz}", "-o", "out.toml", "--json")
    assert [(goal["kind"], goal["joint"]) for goal in ran.json["goals"]] == [("Reach", "wrist"), ("Orient", "tip")]
    assert _solved(joint="wrist") == pytest.approx((1.2, 1.2, 0), abs=1e-5)
    turned = posable.load("out.toml").rest.world_from_joint[3, :3, 0]
    assert turned == pytest.approx((np.cos(0.4), np.sin(0.4), 0), abs=1e-5)


def test_look_turns_the_front_of_a_joint(run, person) -> None:
    ahead = ("--forward", "chest=0,0,1")  # one arm and no head: nothing tells where it faces
    refused = run("reach", person, "--look", "chest=100,120,100", "-o", "out.bvh")
    assert refused.status == 1 and "faces at rest is unknown" in refused.err and "--forward" in refused.err
    ran = run("reach", person, "--look", "chest=100,120,100", *ahead, "-o", "out.bvh", "--json")
    assert ran.json["goals"][0]["angle"] == pytest.approx(0, abs=1e-5)
    figure = posable.load("out.bvh")
    chest = figure.clips[0].poses.world_from_joint[0, 1]
    assert chest[:3, 2] == pytest.approx(np.array([1, 0, 1]) / np.sqrt(2), abs=1e-3)


def test_a_front_needs_a_look(run, person) -> None:
    ran = run("reach", person, "--forward", "chest=0,0,1", "-o", "out.bvh")
    assert ran.status == 1 and "--forward names 'chest', but no --look does" in ran.err


def test_roles_are_joint_names_on_the_command_line(run) -> None:
    knight = posable.sample("knight.glb")
    words = ["--goal", "right hand=-0.4,1.0,0.3", "--look", "Head=0,1,5", "--freeze", "hips", "--freeze", "foot_l"]
    ran = run("reach", knight, *words, "-o", "out.glb", "--json")
    assert [goal["joint"] for goal in ran.json["goals"]] == ["hand.r", "head"]
    assert ran.json["goals"][1]["angle"] == pytest.approx(0, abs=1e-5)
    assert ran.json["goals"][0]["distance"] == pytest.approx(0, abs=1e-4)


def test_a_floating_root_stays_unless_freed(run, person) -> None:
    goal = ["--goal", "hand=20,200,30"]
    rest = posable.load(person).rest
    for words, moves in (
        ([], False),
        (["--free", "hips"], True),
        (["--root", "free"], True),
        (["--goal", "hips=0,100,0"], True),
    ):
        assert run("reach", person, *goal, *words, "-o", "out.bvh", "--force").status == 0
        pose = posable.load("out.bvh").clips[0].poses[0]
        assert (np.abs(pose.of("hips") - rest.of("hips")).max() > 1e-3) == moves, words


def test_a_root_fixed_by_request_stays(run, person) -> None:
    assert (
        run("reach", person, "--goal", "hips=0,100,0", "--root", "fixed", "-o", "out.bvh", "--json").json["status"]
        != "REACHED"
    )


def test_a_pelvis_under_the_root_is_held_too() -> None:
    names = {"root": None, "hips": "root", "spine": "hips", "leg": "hips", "head": "spine", "foot": "leg"}
    kinds = {"root": "free"}
    joints = [posable.Joint(name, kinds.get(name, "ball"), parent) for name, parent in names.items()]
    person = posable.Figure(posable.Skeleton(joints))
    assert held_joints(person, ["head"], []) == ["root", "hips"]
    assert held_joints(person, ["hips"], []) == ["root"]
    assert held_joints(person, ["head"], ["hips"]) == ["root"]
    snake = posable.Figure(posable.Skeleton([j for j in joints if j.name not in ("leg", "foot")]))
    assert held_joints(snake, ["head"], []) == ["root"]


def test_an_animators_handles_beside_the_pelvis_make_no_branch() -> None:
    names = {"root": None, "hips": "root", "handle": "root", "spine": "hips", "leg": "hips"}
    skeleton = posable.Skeleton(
        [posable.Joint(name, "ball" if above else "free", above) for name, above in names.items()]
    )
    triangle = np.eye(3), [[0, 1, 2]]
    skins = tuple(posable.Skin.rigid(skeleton, name, *triangle) for name in ("spine", "leg"))
    assert held_joints(posable.Figure(skeleton), ["leg"], []) == ["root"]
    assert held_joints(posable.Figure(skeleton, skins=skins), ["leg"], []) == ["root", "hips"]


def test_freeing_what_does_not_float_is_refused(run, arm) -> None:
    ran = run("reach", arm, "--goal", "tip=1,1,0", "--free", "elbow")
    assert ran.status == 1
    assert ran.err == "posable: 'elbow' is a hinge joint and not held; it needs no freeing\n"


@pytest.mark.parametrize(("frozen", "still"), [("shoulder", [0]), ("elbow.z", [1])])
def test_freeze_holds_a_joint_or_an_axis(run, arm, frozen, still) -> None:
    assert run("reach", arm, "--goal", "tip=1.5,1.5,0", "--freeze", frozen, "-o", "out.toml").status == 0
    assert posable.load("out.toml").rest.q[still] == pytest.approx([0.0], abs=1e-12)


def test_unit_says_what_goals_are_in(run, person) -> None:
    ran = run("reach", person, "--goal", "hand=0.3,1.4,0.1", "--unit", "cm", "-o", "out.glb", "--json")
    assert ran.json["status"] == "REACHED"
    assert _solved("out.glb", "hand") == pytest.approx((0.3, 1.4, 0.1), abs=1e-4)


def test_clip_and_frame_say_where_it_starts(run, person) -> None:
    for words, frame in (["--clip", "person"], 0), (["--frame", "2"], 2), (["--clip", "person", "--frame", "1"], 1):
        run("reach", person, "--goal", "chest=0,120,0", *words, "-o", "out.bvh", "--force")
        expected = posable.load(person).clips[0].poses[frame].of("arm")
        assert posable.load("out.bvh").clips[0].poses[0].of("arm") == pytest.approx(expected, abs=1e-5)


def test_a_clip_or_frame_that_is_not_there_is_refused(run, person, arm) -> None:
    assert "no clip is called 'run'; the clips are person" in run("reach", person, "--clip", "run").err
    assert "clip 'person' has frames 0 to 2, not 3" in run("reach", person, "--frame", 3).err
    assert "arm has no clip and therefore no frames" in run("reach", arm, "--frame", 0).err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--method", "LeastSquares"], {"method": posable.LeastSquares()}),
        (["--method", "pseudo-inverse"], {"method": PseudoInverse()}),
        (["--method", "CCD"], {"method": CyclicDescent()}),
        (["--method", "Tip=dls", "--method", "newton"], {"method": {"Tip": DampedLeastSquares(), None: Newton()}}),
        (["--max-iterations", "7"], {"max_iterations": 7, "method": None}),
        (["--seed", "7"], {"seed": 7}),
        (["--tolerance", "0.01"], {"tolerance": 0.01}),
        ([], {"seed": 0, "tolerance": 1e-6, "frozen": ()}),
        (["--freeze", "elbow"], {"frozen": ("elbow",)}),
    ],
)
def test_what_is_asked_of_the_solver_reaches_it(run, arm, monkeypatch, words, expected) -> None:
    heard = {}
    prepare = posable.prepare

    def listening(skeleton: posable.Skeleton, goals: list[posable.Goal], **more: object) -> posable.Prepared:
        heard.update(more)
        return prepare(skeleton, goals, **more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(posable, "prepare", listening)
    assert run("reach", arm, "--goal", "tip=1,1,0", *words).status == 0
    assert {key: heard[key] for key in expected} == expected


def test_an_unknown_method_is_misuse(run, arm) -> None:
    ran = run("reach", arm, "--method", "Magic")
    assert ran.status == 2
    assert "no method is called 'Magic'; Methods are LeastSquares, PseudoInverse" in " ".join(ran.err.split())
    assert "no method is called 'fabric'; did you mean Fabrik?" in run("reach", arm, "--method", "fabric").err
    assert "'=TwoBone' must be a method name or JOINT=NAME" in run("reach", arm, "--method", "=TwoBone").err


def test_the_help_names_every_method() -> None:
    assert options.METHODS.split(", ") == list(NAMES)


def test_a_method_that_cannot_do_it_fails_with_its_reason(run, arm) -> None:
    look = ["--look", "tip=9,9,0", "--forward", "tip=1,0,0"]
    ran = run("reach", arm, *look, "--method", "two-bone", "-o", "out.toml")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("posable: TwoBone cannot be used here: ")
    assert "what can: LeastSquares" in ran.err
    ran = run("reach", arm, *look, "--method", "hand=TwoBone", "-o", "out.toml")
    assert ran.status == 1 and "no joint is called 'hand'" in ran.err
    ran = run("reach", arm, *look, "--method", "ccd", "--method", "dls", "-o", "out.toml")
    assert ran.status == 1 and "--method names two methods for the same joints; give one for each" in ran.err


def test_a_method_is_completed_in_the_shell() -> None:
    kind = options.MethodName(per_joint=True)
    context = click.Context(command)
    found = [item.value for item in kind.shell_complete(context, command.params[0], "tip=s")]
    assert found == ["tip=SpringIK", "tip=SplineIK"]


def test_json_is_what_the_interface_promises(run, arm) -> None:
    found = run("reach", arm, "--goal", "tip=1,1,0", "--json").json
    assert list(found) == ["status", "goals", "iterations", "seconds"]
    assert found["status"] == "REACHED"
    assert found["goals"] == [{"kind": "Reach", "joint": "tip", "distance": pytest.approx(0, abs=1e-6), "angle": None}]
    assert isinstance(found["iterations"], int)
    assert found["seconds"] > 0


def test_out_of_reach_is_a_result_told_honestly(run, arm) -> None:
    ran = run("reach", arm, "--goal", "tip=0,5,0", "-o", "out.toml")
    assert ran.status == 0
    assert "2 m" in ran.out
    assert "out of reach" in ran.out
    assert _solved() == pytest.approx((0, 3, 0), abs=1e-3)
    found = run("reach", arm, "--goal", "tip=0,5,0", "--json").json
    assert (found["status"], found["goals"][0]["distance"]) == ("OUT_OF_REACH", pytest.approx(2, abs=1e-5))


def test_an_unknown_joint_is_refused_with_the_near_ones(run, arm, tmp_path) -> None:
    ran = run("reach", arm, "--goal", "elbows=1,1,0")
    assert ran.status == 1
    assert ran.err == "posable: no joint is called 'elbows'; did you mean elbow?\n"
    assert [path.name for path in tmp_path.iterdir()] == ["arm.toml"]


def test_a_target_that_is_no_number_is_refused(run, arm) -> None:
    ran = run("reach", arm, "--goal", "tip=nan,0,0")
    assert ran.status == 1
    assert "not finite" in ran.err


def test_without_goals_an_end_goes_near_by(run, arm) -> None:
    ran = run("reach", arm)
    assert "No goal was given, so an end effector moves to a reachable position nearby" in ran.out
    assert "reached" in ran.out
    before, after = _solved("arm.toml"), _solved("arm_reach.glb")
    assert 0.1 < np.linalg.norm(after - before) < 0.9


def test_without_goals_a_hand_is_preferred(run, person) -> None:
    assert run("reach", person, "--json").json["goals"][0]["joint"] == "hand"


def test_what_cannot_move_is_refused(run, arm) -> None:
    ran = run("reach", arm, "--freeze", "shoulder", "--freeze", "elbow", "--freeze", "wrist")
    assert ran.status == 1
    assert ran.err == "posable: nothing can move here: every freedom is fixed, frozen, inactive or held by its limits\n"


def test_names_that_nobody_chose_overwrite_nothing(run, arm, tmp_path) -> None:
    for expected in "arm_reach.glb", "arm_reach_2.glb", "arm_reach_3.glb":
        assert f"Wrote {expected}." in run("reach", arm).out
    before = (tmp_path / "arm_reach.glb").stat().st_mtime_ns
    assert "Wrote arm_reach.glb." in run("reach", arm, "--force").out
    assert (tmp_path / "arm_reach.glb").stat().st_mtime_ns > before


@pytest.mark.slow
@pytest.mark.parametrize("option", ["-o", "--picture", "--film"])
def test_chosen_names_are_overwritten_only_by_force(run, arm, tmp_path, option) -> None:
    name = {"-o": "here.glb", "--picture": "here.png", "--film": "here.gif"}[option]
    (tmp_path / name).write_text("mine")
    ran = run("reach", arm, option, name)
    assert ran.status == 1
    assert ran.err == f"posable: {name}: already exists; choose another name, or add --force to overwrite it\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["arm.toml", name])
    assert run("reach", arm, option, name, "--force", "--seconds", 0.1).status == 0
    assert (tmp_path / name).read_bytes() != b"mine"


def test_an_unwritable_place_is_one_sentence(run, arm) -> None:
    ran = run("reach", arm, "-o", "absent/out.glb")
    assert ran.status == 1
    assert ran.err.startswith("posable: out.glb: cannot be written")
    assert ran.err.count("\n") == 1


def test_a_folder_is_no_output(run, arm, tmp_path) -> None:
    (tmp_path / "made").mkdir()
    for force in ([], ["--force"]):
        ran = run("reach", arm, "-o", "made", *force)
        assert (ran.status, ran.err) == (1, "posable: made: is a folder; give a file name\n")


def test_a_format_that_is_not_written_is_refused(run, arm) -> None:
    ran = run("reach", arm, "-o", "out.dae")
    assert ran.status == 1
    written = ".glb, .gltf, .vrm, .bvh, .usda, .usd, .usdc, .usdz, .fbx, .toml"
    assert f"out.dae: posable does not write .dae: posable writes {written}" in ran.err


def test_picture_draws_the_goal(run, arm) -> None:
    from PIL import Image

    assert "Wrote arm_reach.glb, there.png." in run("reach", arm, "--goal", "tip=1,1,0", "--picture", "there.png").out
    with Image.open("there.png") as image:
        assert np.ptp(np.asarray(image)) > 100


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "frames"), [("0.1", 19), ("0.4", 28)])
def test_film_shows_the_way(run, arm, seconds, frames) -> None:
    import av

    assert run("reach", arm, "--goal", "tip=1,1,0", "--film", "way.mp4", "--seconds", seconds).status == 0
    with av.open("way.mp4") as film:
        shown = [frame.to_ndarray(format="rgb24").astype(int) for frame in film.decode(video=0)]
    assert len(shown) == frames
    assert np.abs(shown[0] - shown[-1]).max() > 50


def test_the_way_starts_and_stops_softly() -> None:
    skeleton = posable.Skeleton([posable.Joint("a", axes=(posable.Axis((0, 0, 1)),))])
    start, end = posable.Pose(skeleton, [0.0]), posable.Pose(skeleton, [2.0])
    clip = posable.motion.move(start, end, 1.0, hold=0.5, fps=100)
    angle = clip.q[:, 0]
    assert (len(clip), angle[0], angle[50], angle[100], angle[-1]) == (
        151,
        0.0,
        pytest.approx(1.0),
        pytest.approx(2.0),
        2.0,
    )
    assert np.diff(angle).min() >= 0
    assert max(np.diff(angle)[0], np.diff(angle)[99]) < 1e-4
    assert np.diff(angle).max() == pytest.approx(2.0 * 1.875 / 100, rel=1e-3)  # the peak speed of minimum jerk


@pytest.mark.slow
def test_alone_it_takes_the_mannequin_to_the_doorbell(run, tmp_path) -> None:
    ran = run("reach")
    assert (ran.status, ran.err) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reach.glb", "reach.png"]
    assert ran.out.count("Reach") == ran.out.count("LookAt") == 1
    bell = wishes.DOORBELL
    figure = posable.load("reach.glb")
    assert figure.rest.origins[figure.skeleton.index("index_tip_r")] == pytest.approx(bell, abs=1e-4)
    head = figure.rest.world_from_joint[figure.skeleton.index("head")]
    towards = np.array(bell) - head[:3, 3]
    assert head[:3, 2] @ towards / np.linalg.norm(towards) == pytest.approx(1, abs=1e-6)
    assert figure.rest.origins[0] == pytest.approx(posable.figure("mannequin").rest.origins[0], abs=1e-6)


def _nearby(*joints: posable.Joint) -> posable.Goal:
    return effectors.nearby_goal(posable.Figure(posable.Skeleton(joints)).rest, [])


def test_the_nearby_place_is_for_the_end_of_a_body_where_one_is_known() -> None:
    goal = _nearby(posable.Joint("hand", "ball", tips=((0.0, 2.0, 0.0),)))
    assert isinstance(goal, posable.Reach)
    assert (goal.joint, tuple(np.asarray(goal.tip))) == ("hand", (0, 2, 0))
    assert np.linalg.norm(goal.target) == pytest.approx(2)
    assert np.linalg.norm(np.asarray(goal.target) - (0, 2, 0)) > 0.05


def test_what_only_turns_is_turned() -> None:
    goal = _nearby(posable.Joint("base", "fixed"), posable.Joint("ball", "ball", "base", (0, 1, 0)))
    assert isinstance(goal, posable.Orient)
    assert goal.joint == "ball"
    assert abs(np.asarray(goal.wxyz)[0]) < 0.999


def test_the_nearby_place_is_above_the_ground_where_that_can_be() -> None:
    for turn in np.linspace(0, 2 * np.pi, 12):
        foot = posable.Joint("foot", "ball", "hip", (0.8 * np.cos(turn), -0.6, 0.8 * np.sin(turn)))
        goal = _nearby(posable.Joint("hip", "ball", position=(0, 1, 0)), foot)
        assert np.asarray(goal.target)[1] >= 0.4
    down = posable.Axis((0, -1, 0), slide=True, lower=0, upper=0.1)
    slide = posable.Joint("well", "slide", axes=(down,)), posable.Joint("hand", "fixed", "well", (1, 0, 0))
    assert np.asarray(_nearby(*slide).target)[1] < -0.01  # nowhere else to go


def test_the_nearby_place_keeps_to_limits() -> None:
    hinge = posable.Axis((0, 0, 1), lower=0.0, upper=0.2)
    goal = _nearby(posable.Joint("a", axes=(hinge,)), posable.Joint("b", "fixed", "a", (1, 0, 0)))
    assert isinstance(goal, posable.Reach)
    x, y, _ = np.asarray(goal.target)
    assert 0 < np.arctan2(y, x) <= 0.2 + 1e-12
    with pytest.raises(posable.PosableError, match="held by its limits"):
        _nearby(
            posable.Joint("a", axes=(posable.Axis((0, 0, 1), lower=0.0, upper=0.0),)), posable.Joint("b", "fixed", "a")
        )


def test_a_person_bends_knees_and_hips_where_it_has_to(run) -> None:
    """On feet that stay; what no bending reaches is told as before, and who holds the root has it held."""
    mannequin = posable.figure("mannequin")
    toes = mannequin.skeleton.index("toe_r")
    told = run("reach", "--goal", "hand_r=-0.2,0.1,0.45", "-o", "low.glb").out
    assert "reached: every goal is met" in told and "The hips moved" in told
    went = posable.load("low.glb")
    assert np.linalg.norm(went.rest.origins[toes] - mannequin.rest.origins[toes]) < 1e-3
    for words in (["hand_r=-0.2,0.1,3.45"], ["hand_r=-0.2,0.1,0.45", "--freeze", "root"]):
        told = run("reach", "--goal", *words, "-o", "far.glb", "--force").out
        assert "out of reach" in told and "went along" not in told
