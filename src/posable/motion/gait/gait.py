"""A gait: the parameters of a character's walk, their text file, and the values derived from them for one walk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from posable.errors import FileError, PosableError, is_number, near_names
from posable.files import Table, read_tables, write_atomically

FORMS = ("rich", "curves", "quadratic")
_CHARACTERS = Path(__file__).parent / "characters"
_MAX_ROWS = 50
_MOST_NUMBERS = 41  # of a curve: 20 harmonics


def _number(default: float | None, low: float, high: float, help: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "help": help})


def _pair(share: float, angle: float, help: str) -> Any:
    return field(default=(share, angle), metadata={"pair": True, "help": help})


def _curve(help: str) -> Any:
    return field(default=(), metadata={"curve": True, "help": help})


@dataclass(frozen=True)
class Gait:
    """A style of walking: lengths in leg lengths (hip to sole), angles in degrees, shares 0 … 1.

    A gait is dimensionless, so the same one fits a child and a giant: `speed` is the square root of the Froude number,
    v/√(g L). Two of speed, step and cadence determine the pace; one suffices, since people take steps of 1.23 √speed
    leg lengths. Every parameter has a range; `text()` prints all of them with their meaning.

    Raises:
        PosableError: For a parameter out of range, or contradictory speed, step and cadence.

    Example:
        >>> proud = posable.Gait.load("proud")
    """

    name: str = field(default="", metadata={"text": True, "help": "what the character is called"})
    form: str = field(
        default="rich",
        metadata={"choices": FORMS, "help": "rich (footsteps), curves (recorded angles), quadratic (plain)"},
    )
    speed: float | None = _number(None, 0.02, 1.6, "v/√(gL), with g gravity and L the leg: 0.45 is a natural walk")
    step: float | None = _number(None, 0.02, 1.6, "length of one step, leg lengths")
    cadence: float | None = _number(None, 0.05, 2.5, "steps in the time √(L/g), 0.3 s for a grown person")
    stance: float | None = _number(None, 0.3, 0.95, "share of the stride a foot is down; below 0.5 it is a run")
    width: float = _number(0.55, -1.0, 5.0, "between the tracks of the feet, as a share of that between the hips")
    toe_out: float = _number(7.0, -45, 70, "degrees by which the feet point outwards")
    lift: float = _number(0.016, 0.0, 0.6, "clearance of the sole in mid-swing, leg lengths")
    kick: float = _number(1.0, 0.0, 4.0, "how far the foot tips over behind in early swing, 1 as people do")
    strike: float = _number(29.0, -40, 45, "degrees the toes point up as the foot lands; below 0 the toes land first")
    roll: float = _number(45.0, 0.0, 70, "degrees the heel has come up as the toes leave")
    knee: float = _number(12.0, 1.0, 80, "degrees the straightest knee is still bent: softness")
    crouch: float = _number(0.0, 0.0, 0.5, "lowers the hips further, leg lengths")
    bounce: float = _number(0.43, -1.0, 3.0, "rise of the hips as a share of the arc over a stiff leg")
    sway: float = _number(0.045, -0.2, 0.3, "hips to the side over the standing foot, leg lengths")
    list: float = _number(4.0, -30, 30, "degrees the pelvis drops on the swinging side")
    rotation: float = _number(5.0, -40, 40, "degrees the pelvis rotates with the leg that swings forward")
    tilt: float = _number(0.0, -40, 40, "degrees the pelvis tips forward")
    lean: float = _number(5.0, -40, 70, "degrees the trunk leans forward")
    pitch: float = _number(2.4, -15, 15, "degrees the trunk pitches forward and back from hips to neck, twice a stride")
    rock: float = _number(1.5, -30, 30, "degrees the trunk leans over the standing leg")
    twist: float = _number(5.0, -40, 40, "degrees the shoulders rotate against the pelvis")
    shrug: float = _number(0.0, -20, 30, "degrees the shoulders are raised")
    arm_swing: float = _number(18.0, -90, 90, "degrees the arms swing to either side of their middle")
    arm_forward: float = _number(-2.0, -60, 150, "degrees the arms are held forward in the middle of their swing")
    arm_out: float = _number(6.0, -10, 90, "degrees the arms are held away from the body")
    elbow: float = _number(20.0, 0.0, 140, "degrees the elbows are bent")
    elbow_swing: float = _number(30.0, -90, 120, "degrees more bent where the arm is in front")
    nod: float = _number(0.0, -50, 70, "degrees the head is held down")
    head_bob: float = _number(0.15, 0.0, 2.0, "share of the trunk's turning that the head does not take back")
    limp: float = _number(0.0, -1.0, 1.0, "spares the left leg, or below 0 the right one")
    wander: float = _number(0.0, 0.0, 1.0, "unsteadiness of track and trunk: the drunk")
    stiffness: float = _number(0.0, 0.0, 1.0, "how little the toes' roll and the kick are used, as in a zombie")
    vary: float = _number(1.0, 0.0, 5.0, "how much one step differs from the next, 1 as people's do; 0 all alike")
    mood: float = _number(0.0, -1.0, 1.0, "slider from sad to happy over all of the above")
    build: float = _number(0.0, -1.0, 1.0, "slider from light to heavy over all of the above")
    front_shin: float = _number(
        -96.0, -170, -10, "quadratic form: direction of the front shin as it lands, -90 upright"
    )
    back_shin: float = _number(-121.0, -170, -10, "quadratic form: direction of the back shin at that moment")
    stance_thigh: tuple[float, float] = _pair(0.5, -84.0, "quadratic form: [share of the step, direction] in between")
    stance_shin: tuple[float, float] = _pair(0.5, -97.0, "the same of the standing shin")
    swing_thigh: tuple[float, float] = _pair(0.55, -66.0, "the same of the swinging thigh")
    swing_shin: tuple[float, float] = _pair(0.4, -137.0, "the same of the swinging shin")
    thigh_curve: tuple[float, ...] = _curve(
        "curves form: degrees forward, [mean, cos, sin, cos 2, sin 2 …] of the stride"
    )
    knee_curve: tuple[float, ...] = _curve("the same of the knee's bend")
    ankle_curve: tuple[float, ...] = _curve("the same of the ankle, toes up")
    phases: tuple[tuple[float, float], ...] = field(
        default=((0.0, 0.5),),
        metadata={"rows": True, "help": "when feet land, in strides: [left, right] per pair of legs, front to back"},
    )

    def __post_init__(self) -> None:
        for one in fields(self):
            if getattr(self, one.name) is None and one.default is not None:
                raise PosableError(
                    f"gait {self.name!r}: {one.name} must be given, not None; leave it out for the usual"
                )
            self._check(one.name, one.metadata)
        if self.form == "curves" and not (self.thigh_curve and self.knee_curve and self.ankle_curve):
            raise PosableError(f"gait {self.name!r}: the curves form needs thigh_curve, knee_curve and ankle_curve")
        given = [name for name in ("speed", "step", "cadence") if getattr(self, name) is not None]
        if not given:
            object.__setattr__(self, "speed", 0.45)
        if self.speed and self.step and self.cadence and abs(self.step * self.cadence / self.speed - 1) > 1e-6:
            raise PosableError(
                f"speed {self.speed:g} is not step {self.step:g} × cadence {self.cadence:g}; give two of the three"
            )

    def _check(self, name: str, about: Mapping[str, Any]) -> None:
        value = getattr(self, name)
        if problem := _problem(value, about):
            raise PosableError(f"gait {self.name!r}: {name} {problem}")
        if "pair" in about or "curve" in about:
            object.__setattr__(self, name, tuple(map(float, value)))
        elif "rows" in about:
            object.__setattr__(self, name, tuple((float(left), float(right)) for left, right in value))

    @classmethod
    def load(cls, path: str | Path) -> Gait:
        """The gait of a .toml file, or of a character that comes with posable ("sad"); `characters()` lists them.

        Raises FileError with the line of the fault, PosableError for an unknown character.
        """
        text = str(path)
        if not text.endswith(".toml") and Path(text).name == text:
            if text not in characters():
                near = near_names(text, characters(), 2)
                guess = f"did you mean {' or '.join(near)}? " if near else ""
                raise PosableError(f"no gait is called {text!r}; {guess}choose from {', '.join(characters())}")
            return _character(text)
        table = read_tables(path, ())[0]
        if not table.content:
            raise FileError(path, 'is empty; Gait.load("human").save(path) writes one to edit')
        return _from_table(table, Path(path).stem)

    def save(self, path: str | Path, *, overwrite: bool = True) -> None:
        """Write `text()` to a .toml file. Raises FileError for another file ending or a failed write."""
        if Path(path).suffix.lower() != ".toml":
            raise FileError(path, "a gait is written as .toml; give it that ending")
        write_atomically(path, self.text(), overwrite=overwrite)

    def text(self) -> str:
        """The gait as TOML with a comment on every parameter; reading it gives an equal gait."""
        lines = []
        for one in fields(self):
            value = getattr(self, one.name)
            if value is not None and value != ():
                lines.append(f"{f'{one.name} = {_shown(value)}':<34} # {one.metadata['help']}")
        return "\n".join(lines) + "\n"

    def with_(self, **changes: Any) -> Gait:
        """The same gait with other parameters. Raises PosableError for an unknown one, with the nearest name."""
        known = [one.name for one in fields(self)]
        for name in changes:
            if name not in known:
                near = near_names(name, known, 1)
                raise PosableError(
                    f"a gait has no {name!r}; {f'did you mean {near[0]}?' if near else ', '.join(known)}"
                )
        if len({"speed", "step", "cadence"} & changes.keys()) == 1 and not all((self.step, self.cadence)):
            pace = {"speed": None, "step": None, "cadence": None}
            changes = {**pace, **changes} if [self.speed, self.step, self.cadence].count(None) == 2 else changes
        return replace(self, **changes)


@cache
def characters() -> tuple[str, ...]:
    """List the gaits that come with posable.

    Example:
        >>> "sneaky" in posable.motion.characters()
        True
    """
    return tuple(sorted(path.stem for path in _CHARACTERS.glob("*.toml")))


@cache
def _character(name: str) -> Gait:
    return _from_table(read_tables(_CHARACTERS / f"{name}.toml", ())[0])


def _problem(value: Any, about: Mapping[str, Any]) -> str | None:
    """Why the value of a field is invalid, or None."""
    if "text" in about:
        return None if isinstance(value, str) else f"must be a text, not {value!r}"
    if "choices" in about:
        return None if value in about["choices"] else f"is one of {', '.join(about['choices'])}, not {value!r}"
    if "pair" in about:
        good = _is_row(value) and 0 < value[0] < 1 and -180 <= value[1] <= 0
        return None if good else f"is [a share inside 0…1, degrees from -180 to 0], not {value!r}"
    if "curve" in about:
        good = isinstance(value, tuple | list) and all(map(_is_number, value)) and len(value) % 2 == (len(value) > 0)
        good = good and len(value) <= _MOST_NUMBERS
        return None if good else f"is [mean, cos, sin, cos 2, sin 2, …] in degrees, not {value!r}"
    if "rows" in about:
        good = isinstance(value, tuple) and 1 <= len(value) <= _MAX_ROWS and all(map(_is_row, value))
        return None if good else f"is a list of [left, right] pairs, front legs first, not {value!r}"
    if value is None:
        return None
    if not _is_number(value) or not about["low"] <= value <= about["high"]:
        return f"must be a number from {about['low']:g} to {about['high']:g}, not {value!r}"
    return None


def _is_number(value: Any) -> bool:
    return is_number(value) and math.isfinite(value)


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_number, value))


def _from_table(top: Table, name: str = "") -> Gait:
    """The gait that a table describes; `name` is its name if the table says none."""
    about = {one.name: one.metadata for one in fields(Gait)}
    top.refuse_unknown(about)
    values: dict[str, Any] = {"name": name}
    for key in top.content:
        value = top.get(key)
        if "rows" in about[key] and isinstance(value, list):
            value = tuple(tuple(row) if isinstance(row, list) else row for row in value)
        elif isinstance(value, list):
            value = tuple(value)
        if problem := _problem(value, about[key]):
            raise top.error(f"{key} {problem}", key)
        values[key] = value
    try:
        return Gait(**values)
    except PosableError as problem:
        raise top.error(str(problem), "cadence") from problem


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(float(value))


# Speed, step, cadence and duty factor (the share of the stride on the ground): the relations between them.
#
# Everything here is dimensionless: lengths in leg lengths L, times in √(L/g).


STEP_OF_SPEED = 1.23
"""People's step is 1.23 L √(v/√(gL)): recorded natural walks lie within 8 % of it."""

STANCE, STANCE_SLOPE = 0.642, 0.1028
"""Share of the stride that a foot is down, 64.2 − 3.5 v[m/s] % (Kirtley 1985), made dimensionless."""

EARTH = 9.81


@dataclass(frozen=True)
class Pace:
    """speed: v/√(gL). step: leg lengths. stance: share of the stride that a foot is down."""

    speed: float
    step: float
    stance: float

    @property
    def cadence(self) -> float:
        """Steps in the time √(L/g)."""
        return self.speed / self.step

    @property
    def stride_time(self) -> float:
        """Duration of two steps, in √(L/g)."""
        return 2 / self.cadence

    @property
    def arc(self) -> float:
        """Rise of the hips over a stiff leg at this step, leg lengths: 1 − √(1 − (step/2)²)."""
        return 1 - (1 - min(self.step / 2, 1.0) ** 2) ** 0.5

    @classmethod
    def of(cls, gait: Gait) -> Pace:
        """The pace of a gait; what it leaves open follows from how people walk."""
        speed, step, cadence = gait.speed, gait.step, gait.cadence
        if speed is None and step and cadence:
            speed = step * cadence
        elif speed is None:
            speed = (step / STEP_OF_SPEED) ** 2 if step else (STEP_OF_SPEED * (cadence or 0)) ** 2
        if step is None:
            step = speed / cadence if cadence else STEP_OF_SPEED * speed**0.5
        return cls(speed, step, stance_of(speed) if gait.stance is None else gait.stance)


def stance_of(speed: float) -> float:
    """The share of the stride that a foot is down at `speed` v/√(gL), while walking."""
    return max(STANCE - STANCE_SLOPE * speed, 0.35)


def leg_gravity(leg: float) -> float:
    """Gravity in the unit of a figure whose leg is `leg` long.

    9.81 if the leg can be in metres (0.2 to 3); otherwise scaled as if it were a person's leg of 0.88 m.
    """
    return EARTH if 0.2 <= leg <= 3.0 else EARTH * leg / 0.88


_MOOD = {  # what one unit of happiness adds
    "bounce": 0.25, "arm_swing": 9.0, "lean": -3.0, "nod": -9.0, "lift": 0.008, "elbow": 6.0, "rock": 1.0, "twist": 3.0,
    "shrug": 2.0, "list": 1.5, "rotation": 1.5, "knee": -2.0,
}  # fmt: skip
_BUILD = {  # what one unit of weight adds
    "width": 0.4, "toe_out": 6.0, "sway": 0.03, "rock": 3.0, "arm_out": 12.0, "knee": 4.0, "lean": -3.0, "twist": 3.0,
    "rotation": 2.0, "roll": -6.0, "elbow": 8.0,
}  # fmt: skip
_MOOD_SPEED, _BUILD_SPEED = 0.2, -0.12
_LENGTHS = {
    "width", "lift", "kick", "crouch", "bounce", "sway", "head_bob", "limp", "wander", "stiffness", "vary", "mood",
    "build", "speed", "step", "cadence", "stance",
}  # fmt: skip
_LIMP_PHASE, _LIMP_STANCE, _LIMP_ROCK = 0.05, 0.07, 9.0


@dataclass(frozen=True)
class Style:
    """A gait ready for use: its pace, and its parameters in radians and leg lengths with the sliders applied."""

    gait: Gait
    pace: Pace
    number: dict[str, float]

    def __getitem__(self, name: str) -> float:
        return self.number[name]

    @classmethod
    def of(cls, gait: Gait) -> Style:
        numbers = {
            one.name: getattr(gait, one.name)
            for one in fields(gait)
            if isinstance(getattr(gait, one.name), float | int)
        }
        for slider, changes in ((gait.mood, _MOOD), (gait.build, _BUILD)):
            for name, change in changes.items():
                numbers[name] += slider * change
        less = 1 - 0.8 * gait.stiffness
        for name in ("roll", "kick", "strike"):
            numbers[name] *= less
        radians = {name: v if name in _LENGTHS else math.radians(v) for name, v in numbers.items()}
        return cls(gait, _pace(gait), radians)

    def scaled(self, factor: float) -> Style:
        """The same style with steps `factor` times as long at the same cadence."""
        pace = replace(self.pace, step=self.pace.step * factor, speed=self.pace.speed * factor)
        return replace(self, pace=pace)

    def phases(self) -> tuple[list[float], list[float]]:
        """(phase at which each leg lands, share of the stride it is down), strides; legs by rows, left before right."""
        limp, stance = self["limp"], self.pace.stance
        lands, downs = [], []
        for left, right in self.gait.phases:
            lands += [left % 1.0, (right - _LIMP_PHASE * limp) % 1.0]
            downs += [stance - _LIMP_STANCE * max(limp, 0.0), stance - _LIMP_STANCE * max(-limp, 0.0)]
        return lands, downs

    def rock(self, side: int) -> float:
        """Lean of the trunk over the leg of that side, radians; more over the hurt leg of a limp."""
        hurt = max(self["limp"] * side, 0.0)
        return self["rock"] + math.radians(_LIMP_ROCK) * hurt


def _pace(gait: Gait) -> Pace:
    pace = Pace.of(gait)
    factor = 1 + _MOOD_SPEED * gait.mood + _BUILD_SPEED * gait.build
    if factor == 1:
        return pace
    stance = pace.stance if gait.stance is not None else None
    quick = Gait(speed=pace.speed * factor, step=pace.step * factor**0.5, stance=stance)
    return Pace.of(quick)
