"""Opening a USD file that comes from a stranger: every layer that it draws in is looked at before USD composes them."""

from __future__ import annotations

import os
import posixpath
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from posable.errors import FileError, UnsupportedFileError
from posable.files import check_count, read_bytes, sibling
from posable.formats.usd.values import Sdf, Usd, UsdUtils

# How many prims a few lines of references can grow to, counted before USD composes them.


MAX_PRIMS = 50_000
"""Prims of a stage that refers to parts of itself or to other layers."""

Node = tuple[str, str]
"""A layer's key and a prim's path in it."""

_ARCS = ("references", "payload", "inheritPaths", "specializes")


def check_expansion(path: Path, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> None:
    """Raise FileTooLargeError where references upon references make too many prims.

    layers: by key, the file itself first. target: from the key of a layer and an asset that it names to that one's key.
    """
    if not any(_has_arcs(layer) for layer in layers.values()):
        return
    first = next(iter(layers))
    tops = [(key, str(prim.path)) for key in _stack(first, layers, target) for prim in layers[key].rootPrims]
    sizes = _sizes(tops, layers, target)
    check_count(path, sum(sizes[node] for node in tops), MAX_PRIMS, "prims by reference")


def _has_arcs(layer: Any) -> bool:
    paths: list[Any] = []
    layer.Traverse("/", paths.append)
    specs = (layer.GetPrimAtPath(path) for path in paths if path.IsPrimPath() or path.IsPrimVariantSelectionPath())
    return any(spec.HasInfo(arc) for spec in specs if spec for arc in _ARCS)


def _stack(key: str, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> list[str]:
    """A layer with its sublayers, theirs, and so on."""
    found = [key]
    for one in found:
        below = (target(one, str(asset)) for asset in layers[one].subLayerPaths)
        found += [layer for layer in below if layer in layers and layer not in found]
    return found


def _sizes(tops: list[Node], layers: Mapping[str, Any], target: Callable[[str, str], str]) -> dict[Node, int]:
    """At most how many prims each node makes; what refers to itself counts once."""
    links: dict[Node, list[Node]] = {}
    sizes: dict[Node, int] = {}
    waiting = [(node, False) for node in tops]
    while waiting:
        node, links_known = waiting.pop()
        if links_known:
            sizes[node] = 1 + sum(sizes.get(below, 0) for below in links[node])
        elif node not in links:
            links[node] = list(_links(node, layers, target))
            waiting += [(node, True), *((below, False) for below in links[node])]
    return sizes


def _links(node: Node, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> Iterator[Node]:
    """The children of a prim, and the prims that it refers to."""
    for key in _stack(node[0], layers, target):
        spec = layers[key].GetPrimAtPath(node[1])
        if not spec:
            continue
        yield from ((key, str(child.path)) for child in spec.nameChildren)
        for variants in spec.variantSets.values():
            yield from ((key, str(variant.primSpec.path)) for variant in variants.variants.values())
        for item in (*spec.referenceList.GetAddedOrExplicitItems(), *spec.payloadList.GetAddedOrExplicitItems()):
            other = target(key, str(item.assetPath)) if item.assetPath else key
            aim = str(item.primPath) or (other in layers and layers[other].defaultPrim)
            if other in layers and aim:
                yield other, f"/{aim.lstrip('/')}"
        for other_path in (
            *spec.inheritPathList.GetAddedOrExplicitItems(),
            *spec.specializesList.GetAddedOrExplicitItems(),
        ):
            yield key, str(other_path.MakeAbsolutePath(spec.path.GetPrimPath()))


MAX_USD_BYTES = 256 * 2**20
MAX_LAYERS = 256
TRIAL_BYTES = 200 * 2**20
TRIAL_SECONDS = 20
MAX_DEPTH = 256
"""Nested brackets in a text layer; USD's parser calls itself for each, and its stack ends somewhere."""

_DEPTH = np.zeros(256, np.int8)
_DEPTH[[*b"{[("]], _DEPTH[[*b"}])"]] = 1, -1
_CHUNK = 4 * 2**20


@contextmanager
def quiet() -> Iterator[None]:
    """Keep USD's warnings off the error stream; what matters of them becomes errors and notes of posable."""
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield
    finally:
        delegate.TakeUncoalescedDiagnostics()


def stage_of(path: Path) -> Any:
    """The composed stage. Raises FileError where a layer lies outside the folder, is missing, or nests too deep."""
    if path.suffix.lower() == ".usdz":
        _look_into_package(path)
    else:
        _look_at_layers(path)
    return Usd.Stage.Open(_layer(path, str(path)))


def _look_at_layers(path: Path) -> None:
    folder = path.resolve().parent
    waiting, layers = [path.resolve()], {}

    def place(key: str, asset: str) -> str:
        return str(sibling(path, asset if Path(key).parent == folder else str(Path(key).parent / asset)))

    while waiting:
        found = waiting.pop()
        if str(found) in layers:
            continue
        check_count(path, len(layers) + 1, MAX_LAYERS, "layers")
        content = read_bytes(found, MAX_USD_BYTES)
        _check_text(path, content)
        if _is_binary(content):
            _try_out(path, len(content), [str(found)])
        layers[str(found)] = _layer(path, str(found) if layers else str(path))
        for asset in _assets(path, layers[str(found)]):
            beside = Path(place(str(found), asset))
            if not beside.is_file():
                raise _missing(path, asset)
            waiting.append(beside)
    check_expansion(path, layers, place)


def _look_into_package(path: Path) -> None:
    """A .usdz may only draw in layers of its own."""
    read_bytes(path, MAX_USD_BYTES)
    try:
        with zipfile.ZipFile(path) as package:
            entries = [entry for entry in package.infolist() if _is_layer(entry.filename)]
            check_count(path, len(entries), MAX_LAYERS, "layers")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise FileError(path, "holds compressed layers, which a .usdz may not; make it again with usdzip")
            contents = {entry.filename: package.read(entry) for entry in entries}
            for content in contents.values():
                _check_text(path, content)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(path, f"is not the package its name says ({problem}); export it again") from problem
    binary = [f"{path}[{name}]" for name, content in contents.items() if _is_binary(content)]
    if binary:
        _try_out(path, sum(map(len, contents.values())), binary)
    layers = {name: _layer(path, f"{path}[{name}]") for name in contents}
    for name, layer in layers.items():
        for asset in _assets(path, layer):
            if _inside(name, asset) not in contents:
                raise _missing(path, asset)
    check_expansion(path, layers, _inside)


def _inside(name: str, asset: str) -> str:
    """The entry of a package that the entry `name` refers to as `asset`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), asset))


def _is_binary(content: bytes) -> bool:
    return content.startswith(b"PXR-USDC")


def _try_out(path: Path, size: int, layers: list[str]) -> None:
    """Read binary layers in a process of its own first. Raises FileError where USD does not survive them."""
    program = Path(__file__).with_name("sandbox.py")
    seconds = TRIAL_SECONDS + size // 2**20
    command = [sys.executable, str(program), str(TRIAL_BYTES + 8 * size), str(seconds), *layers]
    environment = {**os.environ, "PXR_WORK_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=10 * seconds, check=False)
    except subprocess.TimeoutExpired as problem:
        raise FileError(path, "keeps USD's own reader busy for ever; it is damaged, export it again") from problem
    if done.returncode:
        said = done.stdout.decode(errors="replace").partition(" : '")[2].split(", while reading")[0].split("\n")[0]
        raise FileError(path, f"breaks USD's own reader ({said[:160] or 'a crash'}); it is damaged, export it again")


def _is_layer(name: str) -> bool:
    return name.lower().endswith((".usd", ".usda", ".usdc"))


def _missing(path: Path, asset: str) -> FileError:
    return FileError(
        path, f"refers to {asset[:80]!r}, which is not there; put the file beside it, or flatten the stage"
    )


def _layer(path: Path, identifier: str) -> Any:
    layer = Sdf.Layer.Find(identifier)
    if layer:  # somebody holds it open; the file may have changed since
        layer.Reload(force=True)
    else:
        layer = Sdf.Layer.FindOrOpen(identifier)
    if not layer:
        raise FileError(path, "is not USD, or in a version of it that is not known here; export it again")
    return layer


def _assets(path: Path, layer: Any) -> list[str]:
    """The other layers that a layer names. Refuses value clips, which would be opened later, one by one."""
    with_clips: list[Any] = []

    def look(spec_path: Any) -> None:
        spec = layer.GetPrimAtPath(spec_path) if spec_path.IsPrimPath() else None
        if spec and spec.HasInfo("clips"):
            with_clips.append(spec_path)

    layer.Traverse(Sdf.Path.absoluteRootPath, look)
    if with_clips:
        raise UnsupportedFileError(
            path, f"{with_clips[0]} uses value clips; flatten the stage (usdcat --flatten) first"
        )
    return [asset for asset in layer.GetCompositionAssetDependencies() if asset]


def _check_text(path: Path, content: bytes) -> None:
    """Refuse text that opens very many brackets inside each other, or is no UTF-8."""
    if _is_binary(content) or content.startswith(b"PK"):
        return
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise FileError(path, "is not UTF-8 text here; export it again", line=line) from problem
    depth = 0
    for start in range(0, len(content), _CHUNK):
        steps = _DEPTH[np.frombuffer(content, np.uint8, count=min(_CHUNK, len(content) - start), offset=start)]
        depths = np.cumsum(steps, dtype=np.int64)
        if depth + int(depths.max(initial=0)) > MAX_DEPTH:
            raise FileError(path, f"has more than {MAX_DEPTH} brackets inside each other")
        depth += int(depths[-1])
