# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as a zip that Blender installs: `python -m blender.build [--platform linux-x64] [--to FOLDER]`.

Wheels are fetched by pip for Blender's own Python and bundled, as the platform of Blender's extensions asks; NumPy
comes with Blender.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
PYTHON = "3.11"  # of Blender 4.5 and 5.0
NEEDED = ("numba>=0.61,<0.69", "scipy>=1.13", "pillow>=10.3", "threadpoolctl>=3.1", "numpy==1.26.*")
"""What the operators run on, beside the NumPy of Blender, which decides about versions and is left out of the zip."""
TAGS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_14_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
}
"""Blender's platforms, and what wheels of them are called."""


def build(out: Path, target: str) -> Path:
    """Write the zip of one platform to the folder `out` and return its path. Raises CalledProcessError from pip."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/posable/__init__.py").read_text(encoding="utf-8"))
    assert version
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"posable-{version[1]}-{target.replace('-', '_')}.zip"
    with tempfile.TemporaryDirectory() as folder:
        wheels = fetched(Path(folder), target)
        manifest = (HERE / "extension/blender_manifest.toml").read_text(encoding="utf-8")
        listed = "\n".join(f'  "./wheels/{wheel.name}",' for wheel in wheels)
        manifest = manifest.replace("VERSION", version[1]).replace("PLATFORM", target)
        manifest = manifest.replace('["WHEELS"]', f"[\n{listed}\n]")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("blender_manifest.toml", manifest)
            package.write(HERE / "LICENSE", "LICENSE")
            for source in sorted((HERE / "extension").glob("*.py")):
                package.write(source, source.name)
            for wheel in wheels:
                package.write(wheel, f"wheels/{wheel.name}", zipfile.ZIP_STORED)
    return path


def fetched(folder: Path, target: str) -> list[Path]:
    """posable's own wheel, made here, and those it needs, for Blender's Python on a platform."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    own = {**os.environ, "POSABLE_SHIP_KERNELS": "0"}  # kernels fit one machine; they are compiled at first use
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(folder), str(ROOT)], check=True, env=own)
    tags = [word for tag in TAGS[target] for word in ("--platform", tag)]
    chosen = ["--only-binary=:all:", "--python-version", PYTHON, *tags]
    subprocess.run([*pip, "download", *chosen, "-d", str(folder), *NEEDED], check=True)
    return sorted(wheel for wheel in folder.glob("*.whl") if not wheel.name.startswith("numpy-"))


def this_platform() -> str:
    """Blender's name of this machine's platform, linux-x64 where it has none."""
    kind = {"Darwin": "macos-arm64", "Windows": "windows-x64"}
    return kind.get(platform.system(), "linux-x64")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--platform", choices=[*TAGS, "all"], default=this_platform())
    parser.add_argument("--to", type=Path, default=ROOT / "build", help="folder of the zip")
    given = parser.parse_args()
    for target in TAGS if given.platform == "all" else (given.platform,):
        path = build(given.to, target)
        print(f"{path}: {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
