// Written by posable.browser.build from the Python sources: not to be edited.

export const HEAD = 73 as const;
export const MOST = 68 as const;
export const RESTARTS = 69 as const;
export const SEED = 70 as const;
export const MOTIONS = 71 as const;
export const LEVELS = 72 as const;
export const TABLES = ["joint", "frame", "axis_number", "axis", "bound", "cones", "terms", "measures", "used", "spans", "plain", "turning", "freedom", "first_motion", "bodies", "springs", "pull"] as const;
export const KINDS = {"POSITION": 0, "ROTATION": 1, "SIGHT": 2, "REGION": 3, "LEANING": 4, "POLE": 5} as const;
export const FORMS = {"POINT": 0, "WXYZ": 1, "FRAME": 2} as const;
export const ANGLE = 0.1 as const;
export const SOFTER = 0.01 as const;
export const CONSTANTS = 16 as const;
export const CODES = {"SCALAR": 0, "BALL": 1, "FREE": 2} as const;
export const OUTCOMES = {"REACHED": 0, "STATIONARY": 1, "STALLED": 2, "EXHAUSTED": 3} as const;
export const ENDED = {"OUTCOME": 0, "ITERATIONS": 1, "FAULT": 2, "FAULTY_TERM": 3} as const;
export const STATUS = {"REACHED": 0, "AT_LIMIT": 1, "OUT_OF_REACH": 2, "COMPROMISE": 3, "LOCAL_MINIMUM": 4, "OUT_OF_ITERATIONS": 5} as const;
export const LIMB = 10 as const;
