// Numbers of drags that pages share with the session, which states what they mean.
// Written by `python -m posable.studio.typescript` from src/posable/studio: change them there.

// of posable.studio.posing
export const TOLERANCE = 1e-05;
export const ANGLE_TOLERANCE = 0.0001;

// of posable.studio.whole_body
export const VISIBLE_MISS = 0.001;

// of posable.solvers.short_steps
export const QUICK = 0.2;
export const SWIFT = 0.25;

// of posable.studio.pacing
export const BODY_PACE = 1.5;
export const MEETING = 2.0;
export const LEAST_BODY_PACE = 0.003;
export const SLOW = 0.025;
export const ALLOWED_LAG = 0.01;

// of posable.studio.balancing
export const SUPPORT_SHARE = 0.95;
export const LEANING_HEIGHT = 0.2;
export const MAX_IMBALANCE = 0.02;

// of posable.studio.balanced_solver
export const MIN_STRIDE = 0.001;
export const FIRST_STRIDE = 0.02;
export const RETREATS = [1.0, 0.99, 0.96];
