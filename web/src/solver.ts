// posable's own solver in the page (`web/solver`): what of it is used here.

export type Targets = (ArrayLike<number> | null)[];

export interface Figure {
  names: string[];
  rest: Float64Array;
  record: FigureRecord;
  world(pose: ArrayLike<number>): Float64Array;
  position(pose: ArrayLike<number>, joint: string): [number, number, number];
  prepare(goals: unknown[], options: { restarts: number; tolerance: number; angleTolerance?: number; frozen?: string[] }): Prepared;
  free(): void;
}

/** What Python's `figure_record` writes. */
export interface FigureRecord {
  up: "y" | "z";
  reach: number;
  forward: number[] | null;
  body: { segments: number[] } | null; // the first one is the hips
  aliases: Record<string, number>;
  joint: number[][];
}

/** A pose and the targets that it was solved for. */
export interface Origin {
  pose: ArrayLike<number>;
  targets: Targets;
}

export interface Prepared {
  /** since: the targets that `start` was solved for. origin: where the drag began. */
  solve(start: ArrayLike<number>, targets: Targets, since: Targets | null, origin: Origin | null): { q: Float64Array };
  free(): void;
}

interface Counts {
  weight?: number;
  priority: number;
}

export interface Solver {
  load(): Promise<void>;
  loadNatural(network: Uint8Array): Promise<void>;
  Figure: { fromRecord(record: FigureRecord): Figure };
  reach(joint: string, target: ArrayLike<number>, own: Counts): unknown;
  orient(joint: string, target: ArrayLike<number>, own: Counts): unknown;
  place(joint: string, frame: ArrayLike<number>, own: Counts & { rotationWeight?: number }): unknown;
  lookAt(joint: string, target: ArrayLike<number>, own: Counts): unknown;
  pole(joint: string, target: ArrayLike<number>, own: Counts): unknown;
  natural(manner: { strength?: number; keep: boolean }): unknown;
}

declare global {
  interface Window {
    posable?: Solver;
    /** What people do, learnt from recordings: base64, in pages of one file whose figure is a person. */
    posableNatural?: string;
  }
}
