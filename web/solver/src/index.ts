// posable's solver in JavaScript: figures, goals, solving, tracking, limbs and skins.
export { Figure, type FigureRecord } from "./figure";
export { lookAt, orient, place, pole, reach, stay, type Goal } from "./goals";
export { load } from "./kernels";
export { natural } from "./natural";
export { loadNatural } from "./network";
export type { LimbOptions } from "./limb";
export { Prepared, type Options, type Origin, type Solution, type Status, type Targets, type Track } from "./prepared";
export { Skin, type SkinOptions } from "./skin";
