"""three.js `CCDIKSolver` under node: hands the problem to ccd.mjs and its answers back.

python -m benchmarks.peers.three FOLDER problem.npz answers.npz    (FOLDER holds node_modules)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.peers.protocol import Problem, ask_node, keep


def main() -> None:
    """Answer the problem named on the command line."""
    folder = Path(sys.argv.pop(1))
    problem = Problem(sys.argv[1])
    nodes = problem.tree["nodes"]
    plain = {
        "names": [node["name"] for node in nodes],
        "parents": [node["parent"] for node in nodes],
        "positions": [[row[3] for row in node["rest"][:3]] for node in nodes],
        "chains": [_chain(problem, aim["body"]) for aim in problem.aims],
        "start": problem.start.tolist(),
        "roots": problem.roots.tolist(),
        "targets": problem.targets[:, :, :3, 3].tolist(),
        "iterations": problem.iterations,
        "warm": problem.warm,
        "seconds": problem.seconds,
    }
    found = ask_node("ccd.mjs", folder, plain)
    settings = f"CCDIKSolver, {problem.iterations} iterations, a chain for each of {len(problem.aims)} ends"
    keep(np.array(found["q"]), np.array(found["nanoseconds"]), settings, f"three {found['version']}, {found['node']}")


def _chain(problem: Problem, end: str) -> list[int]:
    """The end and the joints above it, up to the root or to where another chain's joints begin."""
    nodes = problem.tree["nodes"]
    index = next(i for i, node in enumerate(nodes) if node["name"] == end)
    spine = _above(nodes, next(i for i, node in enumerate(nodes) if node["name"] == problem.aims[0]["body"]))
    chain = [index]
    while nodes[chain[-1]]["parent"] > 0:
        above = nodes[chain[-1]]["parent"]
        if index not in spine and above in spine:
            break
        chain.append(above)
    return chain


def _above(nodes: list[dict], index: int) -> set[int]:
    found = set()
    while index > 0:
        found.add(index)
        index = nodes[index]["parent"]
    return found


if __name__ == "__main__":
    main()
