"""Makes the pictures of docs/examples.md by running the examples: `python docs/make_example_pictures.py`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PICTURES: dict[str, tuple[str, float]] = {  # of each example: the file, and how far into it if it is a film
    "10_doorbell": ("doorbell.png", 0.0),
    "11_snake": ("snakes.gif", 0.45),
    "12_dinosaur_neck": ("necks.png", 0.0),
    "13_tentacle": ("tentacles.gif", 0.9),
    "14_telescope": ("telescope.gif", 0.27),
    "15_reachable_ring": ("ring.png", 0.0),
    "16_newton": ("newton.png", 0.0),
    "17_mace": ("mace.png", 0.0),
    "18_error_surface": ("surface.png", 0.0),
    "20_prop": ("prop.png", 0.0),
}


def main() -> None:
    """Run them all, each in a folder of its own."""
    for name, (file, share) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            quiet = {**os.environ, "POSABLE_QUIET": "1"}
            subprocess.run([sys.executable, ROOT / f"examples/{name}.py"], cwd=folder, env=quiet, check=True)
            with Image.open(Path(folder) / file) as image:
                image.seek(int(share * (getattr(image, "n_frames", 1) - 1)))
                shown = image.convert("RGB")
        shown.thumbnail((400, 300))
        shown.save(ROOT / f"docs/images/example_{name}.png", optimize=True)


if __name__ == "__main__":
    main()
