// Two bones by the law of cosines: `solvers.closed.limb.Limb` in Python.
import { AXIS, CODE, DOF, type Figure } from "./figure";
import { type Doubles, kernels, type Wholes } from "./kernels";
import { CODES } from "./layout";

/** A limb: from the upper joint to the middle one, and from there to the end. */
export interface LimbOptions {
  upper: string;
  middle: string;
  end: string;
  target: ArrayLike<number>;
  /** The direction, in the world, to which the middle joint points. */
  pole?: ArrayLike<number>;
  /** What is brought to the target, in the end joint's frame. */
  tip?: ArrayLike<number>;
}

const GAIN = 6, GAIN2 = 7, SLIDES = 0, AXIS_DOF = 3;

function hinges(figure: Figure, joint: number): number[] {
  const { joint: rows, axis, axis_number } = figure.record;
  const found: number[] = [];
  for (let a = rows[joint][AXIS]; a < rows[joint + 1][AXIS]; a++) {
    const dof = axis_number[a][AXIS_DOF];
    const own = dof >= rows[joint][DOF] && dof < rows[joint + 1][DOF];
    if (!axis_number[a][SLIDES] && axis[a][GAIN] === 1 && axis[a][GAIN2] === 0 && own) found.push(a);
  }
  return found;
}

/** (the joints to place, the limb's numbers) as kernels read them. */
function limbNumbers(figure: Figure, limb: LimbOptions): { used: number[]; numbers: number[] } {
  const [upper, middle, end] = [limb.upper, limb.middle, limb.end].map((name) => figure.index(name));
  const chain = figure.chain(end);
  const turns = (j: number) => figure.record.joint[j][CODE] !== CODES.SCALAR;
  const between = chain.slice(chain.indexOf(upper), chain.indexOf(middle));
  const elbow = hinges(figure, middle);
  const above = turns(upper) ? [] : between.flatMap((j) => hinges(figure, j));
  const fits = chain.includes(upper) && between.length > 0 && middle !== end && chain.includes(middle);
  if (!fits || !(turns(middle) || elbow.length === 1) || !(turns(upper) || (above.length >= 1 && above.length <= 3))) {
    throw new Error(
      `posable: ${limb.upper}, ${limb.middle} and ${limb.end} make no limb of two bones: a ball or one to three ` +
        "hinges, then a ball or one hinge, then the end",
    );
  }
  const axes = [...above, -1, -1, -1].slice(0, 3);
  return { used: chain, numbers: [upper, middle, end, above.length, ...axes, elbow[0] ?? -1, 0, chain.length] };
}

export function bendLimb(
  figure: Figure, memory: Doubles, ints: Wholes, floats: Doubles, start: ArrayLike<number>, limb: LimbOptions,
): { q: Float64Array; left: number } {
  const own = kernels();
  const { used, numbers } = limbNumbers(figure, limb);
  const aim = [...Array.from(limb.target), ...Array.from(limb.pole ?? [0, 0, 0]), ...Array.from(limb.tip ?? [0, 0, 0])];
  if (aim.length !== 9 || !aim.every(Number.isFinite)) throw new Error("posable: a target is 3 finite numbers");
  const blocks = [own.wholes(used), own.wholes(numbers), own.doubles([...aim, 0, 0]), own.doubles(start)] as const;
  own.run("bend", memory, ints, floats, ...blocks);
  const result = { q: blocks[3].view.slice(), left: blocks[2].view[10] };
  for (const block of blocks) block.free();
  return result;
}
