"""The closed chain of two legs: the source's numbers, its flaw mended, every unknown, every refusal."""

from __future__ import annotations

import numpy as np
import pytest

from posable import PosableError
from posable.motion import double_support, leg_points, solve_closure
from posable.motion.gait.planar import QUANTITIES, closure_error

LENGTHS = {"thigh": 0.45, "shin": 0.43, "foot": 0.15}
TOES = ((0.35, 0.0), (-0.30, 0.0))
BETAS = (-np.pi / 2 - 0.10, -np.pi / 2 - 0.55)
ALPHAS = (-1.0561288610942614, -2.09514062313789)


def example() -> dict[str, float]:
    return {
        "x1": 0.35, "y1": 0.0, "x2": -0.30, "y2": 0.0, "beta1": BETAS[0], "beta2": BETAS[1], "alpha1": ALPHAS[0],
        "alpha2": ALPHAS[1], **LENGTHS,
    }  # fmt: skip


def test_double_support_gives_the_numbers_of_the_source() -> None:
    alpha1, alpha2, hip = double_support(*TOES, *BETAS, **LENGTHS)
    assert abs(alpha1 - ALPHAS[0]) < 1e-12
    assert abs(alpha2 - ALPHAS[1]) < 1e-12
    np.testing.assert_allclose(hip, (0.02216731, 0.83453221), atol=5e-9)


def test_both_legs_end_at_the_one_hip() -> None:
    alpha1, alpha2, hip = double_support(*TOES, *BETAS, **LENGTHS)
    for toe, alpha, beta in zip(TOES, (alpha1, alpha2), BETAS, strict=True):
        ankle, knee, own_hip = leg_points(toe, alpha, beta, **LENGTHS)
        np.testing.assert_allclose(own_hip, hip, atol=1e-12)
        assert np.linalg.norm(ankle - toe) == pytest.approx(0.15)
        assert (ankle - toe) @ (knee - ankle) == pytest.approx(0, abs=1e-12)  # the foot is square to the shin


def test_leg_points_follow_their_formula() -> None:
    ankle, knee, hip = leg_points((1.0, 0.0), -np.pi / 2, -np.pi / 2, thigh=0.5, shin=0.4, foot=0.2)
    np.testing.assert_allclose(ankle, (0.8, 0.0), atol=1e-15)
    np.testing.assert_allclose(knee, (0.8, 0.4), atol=1e-15)
    np.testing.assert_allclose(hip, (0.8, 0.9), atol=1e-15)


def test_random_batches_close_whatever_the_order_of_the_legs() -> None:
    rng = np.random.default_rng(0)
    toes = rng.uniform(-0.2, 0.2, (2, 40, 7, 2))
    betas = -np.pi / 2 - rng.uniform(-0.3, 0.8, (2, 40, 7))
    alpha1, alpha2, hip = double_support(*toes, *betas, **LENGTHS)
    assert alpha1.shape == (40, 7) and hip.shape == (40, 7, 2)
    legs = [leg_points(*leg, **LENGTHS) for leg in zip(toes, (alpha1, alpha2), betas, strict=True)]
    for _, _, own in legs:
        np.testing.assert_allclose(own, hip, atol=1e-12)
    assert np.all(hip[..., 1] >= (legs[0][1] + legs[1][1])[..., 1] / 2 - 1e-12)  # over the middle of the knees


def test_knees_of_equal_height_and_knees_in_one_place() -> None:
    alpha1, alpha2, _ = double_support((0.3, 0), (-0.3, 0), -1.8, -1.8, **LENGTHS)
    assert alpha1 + alpha2 == pytest.approx(-np.pi, abs=1e-15)
    alpha1, alpha2, hip = double_support((0, 0), (0, 0), -1.8, -1.8, **LENGTHS)
    assert alpha1 == alpha2 == -np.pi / 2
    assert np.isfinite(hip).all()


def test_a_thigh_that_is_too_short_is_named_with_the_length_that_would_do() -> None:
    with pytest.raises(PosableError, match=r"the thigh is too short: the knees are up to 0\.4\d+ apart.*at least 0\.2"):
        double_support(*TOES, *BETAS, thigh=0.1, shin=0.43, foot=0.15)


def test_toes_whose_shapes_do_not_fit_are_refused() -> None:
    with pytest.raises(PosableError, match="do not broadcast"):
        double_support(np.empty((0, 2)), np.zeros((2, 2)), *BETAS, **LENGTHS)


@pytest.mark.parametrize(
    "unknown",
    [(name,) for name in QUANTITIES] + [("x2", "y2"), ("thigh", "alpha2"), ("alpha1", "alpha2"), ("shin", "beta1")],
)
def test_any_quantity_is_found_again(unknown: tuple[str, ...]) -> None:
    whole = example()
    known = {name: value for name, value in whole.items() if name not in unknown}
    found = solve_closure(known, {name: whole[name] + 0.05 for name in unknown})
    for name in unknown:
        assert found[name] == pytest.approx(whole[name], abs=1e-12)


def test_unknowns_of_a_batch_close_every_one_of_it() -> None:
    known = {name: value for name, value in example().items() if name not in ("x2", "alpha2")}
    known["alpha1"] = np.linspace(-1.15, -1.0, 5)
    found = solve_closure(known, {"x2": -0.3, "alpha2": -2.0})
    assert found["x2"].shape == (5,)
    assert np.abs(closure_error({**known, **found})).max() < 1e-12


@pytest.mark.parametrize(
    ("known", "guess", "message"),
    [
        ({"thight": 1.0}, {}, "'thight' is not a quantity of the closure; did you mean thigh?"),
        ({"zzz": 1.0}, {}, "'zzz' is not a quantity of the closure; choose from x1, y1"),
        ({}, {"thigh": 0.4}, "thigh is both known and unknown"),
        ({"y1": None}, {}, "missing y1; each quantity is either known or guessed"),
        ({"y1": None, "x1": None, "x2": None}, {"y1": 0, "x1": 0, "x2": 0}, "guess one or two quantities, not 3"),
        ({"y1": 9.0, "foot": None}, {"foot": 0.1}, "no foot near the guess closes the two legs"),
        ({"thigh": None, "alpha1": ALPHAS[1], "alpha2": ALPHAS[0]}, {"thigh": 0.1}, "only a thigh that is not above 0"),
        ({"thigh": float("nan"), "x1": None}, {"x1": 0.1}, "thigh contains values that are not finite"),
        ({"thigh": "long", "x1": None}, {"x1": 0.1}, "thigh must be numbers in a regular array, not 'long'"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(known: dict, guess: dict, message: str) -> None:
    whole = {name: value for name, value in {**example(), **known}.items() if value is not None}
    with pytest.raises(PosableError, match=message.replace("(", r"\(").replace("?", r"\?")):
        solve_closure(whole, guess)


def test_lengths_must_be_above_zero() -> None:
    with pytest.raises(PosableError, match="the length of the shin must be above 0"):
        leg_points((0, 0), -1.5, -1.6, thigh=0.4, shin=0.0, foot=0.1)
