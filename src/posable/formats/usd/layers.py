"""Opens an untrusted USD file: checks every referenced layer before USD composes them; values as arrays."""

from __future__ import annotations

import importlib
import os
import posixpath
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posable.errors import FileError, MissingExtraError, UnsupportedFileError
from posable.files import check_count, read_bytes, sibling
from posable.formats.gltf.container import Item, parse_json
from posable.formats.usd.sandbox import REFUSED
from posable.spatial import Array

# usd-core's modules. They have no type stubs, so they are `Any`; only this module imports them.


def _usd_module(name: str) -> Any:
    """A module of usd-core. Raises MissingExtraError if it is not installed."""
    try:
        return importlib.import_module(f"pxr.{name}")
    except ImportError as problem:
        raise MissingExtraError("usd", "USD (all but writing .usda)") from problem


Sdf: Any = _usd_module("Sdf")
Tf: Any = _usd_module("Tf")
Usd: Any = _usd_module("Usd")
UsdGeom: Any = _usd_module("UsdGeom")
UsdSkel: Any = _usd_module("UsdSkel")
UsdUtils: Any = _usd_module("UsdUtils")
Vt: Any = _usd_module("Vt")
EVERYWHERE: Any = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
EARLIEST: Any = Usd.TimeCode.EarliestTime()


LARGEST = 1e15


def numbers(path: Path, attribute: Any, *shape: int) -> Array:
    """`[n, *shape]` finite numbers, empty if the attribute has no value. FileError for other kinds of values."""
    found = _array(path, attribute, "iuf").astype(float)
    try:
        array = found.reshape(-1, *shape)
    except ValueError as problem:
        raise _another_kind(path, attribute) from problem
    if not (np.abs(array) < LARGEST).all():
        raise FileError(path, f"{attribute.GetPath()} contains numbers that are not finite; export it again")
    return array


def indices(path: Path, attribute: Any) -> NDArray[np.int64]:
    """`[n]` whole numbers, empty if the attribute has no value."""
    return _array(path, attribute, "iu").astype(np.int64).reshape(-1)


def tokens(path: Path, attribute: Any) -> tuple[str, ...]:
    """Words, empty if the attribute has no value."""
    value = attribute.Get(EARLIEST) if attribute else None
    if value is None:
        return ()
    if not isinstance(value, Vt.TokenArray):
        raise _another_kind(path, attribute)
    return tuple(str(word) for word in value)


def _array(path: Path, attribute: Any, kinds: str) -> NDArray[Any]:
    value = attribute.Get(EARLIEST) if attribute else None
    if value is None:
        return np.zeros(0, np.int64)
    try:
        found = np.array(value)
    except (TypeError, ValueError) as problem:
        raise _another_kind(path, attribute) from problem
    if found.size and found.dtype.kind not in kinds:
        raise _another_kind(path, attribute)
    return found if found.size else np.zeros(0, np.int64)


def _another_kind(path: Path, attribute: Any) -> FileError:
    return FileError(path, f"{attribute.GetPath()} has a value of the wrong type; export it again")


def said_by_posable(path: Path, prim: Any) -> Item | None:
    """What posable stored with a prim, or None. Raises FileError where it is damaged."""
    said = prim.GetCustomDataByKey("posable")
    return parse_json(path, said.encode("utf-8", "surrogatepass")) if isinstance(said, str) else None


# Number of prims that references expand to, counted before USD composes them.


MAX_PRIMS = 50_000
"""Maximum number of prims of a stage that references parts of itself or other layers."""

Node = tuple[str, str]
"""A layer's key and the path of a prim in it."""

_ARCS = ("references", "payload", "inheritPaths", "specializes")


def check_expansion(path: Path, layers: Mapping[str, Any], target: Callable[[str, str], str]) -> None:
    """Raise FileTooLargeError if nested references expand to too many prims.

    layers: by key, the file itself first. target: maps the key of a layer and an asset that it names to the asset's
    key.
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
    """A layer with all its sublayers, recursively."""
    found = [key]
    for one in found:
        below = (target(one, str(asset)) for asset in layers[one].subLayerPaths)
        found += [layer for layer in below if layer in layers and layer not in found]
    return found


def _sizes(tops: list[Node], layers: Mapping[str, Any], target: Callable[[str, str], str]) -> dict[Node, int]:
    """Upper bound of the prims that each node expands to; self-references count once."""
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
SHORT_TEXT = 32 * 2**10
"""Bytes of text that USD's parser may have unlimited: of a damaged array it keeps a message for each of its numbers,
which repeats all of them.
"""
MAX_DEPTH = 256
"""Maximum nesting of brackets in a text layer; USD's parser recurses for each, on a limited stack."""

_DEPTH = np.zeros(256, np.int8)
_DEPTH[[*b"{[("]], _DEPTH[[*b"}])"]] = 1, -1
_CHUNK = 4 * 2**20


@contextmanager
def quiet() -> Iterator[None]:
    """Keep USD's warnings off stderr; the relevant ones become errors and notes of posable."""
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield
    finally:
        delegate.TakeUncoalescedDiagnostics()


def stage_of(path: Path) -> Any:
    """The composed stage. Raises FileError if a layer is outside the folder, missing, or nested too deeply."""
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
        if _is_binary(content) or len(content) > SHORT_TEXT:
            _try_out(path, len(content), [str(found)], text=not _is_binary(content))
        layers[str(found)] = _layer(path, str(found) if layers else str(path))
        for asset in _assets(path, layers[str(found)]):
            beside = Path(place(str(found), asset))
            if not beside.is_file():
                raise _missing(path, asset)
            waiting.append(beside)
    check_expansion(path, layers, place)


def _look_into_package(path: Path) -> None:
    """Check that a .usdz references only its own layers."""
    read_bytes(path, MAX_USD_BYTES)
    try:
        with zipfile.ZipFile(path) as package:
            entries = [entry for entry in package.infolist() if _is_layer(entry.filename)]
            check_count(path, len(entries), MAX_LAYERS, "layers")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise FileError(
                    path, "contains compressed layers, which .usdz does not allow; create it again with usdzip"
                )
            check_count(path, sum(entry.file_size for entry in entries), path.stat().st_size, "bytes in its layers")
            contents = {entry.filename: package.read(entry) for entry in entries}
            for content in contents.values():
                _check_text(path, content)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OSError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(path, f"is not a valid .usdz package ({problem}); export it again") from problem
    tried = [f"{path}[{name}]" for name, own in contents.items() if _is_binary(own) or len(own) > SHORT_TEXT]
    if tried:
        _try_out(path, sum(map(len, contents.values())), tried, text=not any(map(_is_binary, contents.values())))
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


def _try_out(path: Path, size: int, layers: list[str], *, text: bool) -> None:
    """Read layers in a separate process first. Raises FileError if USD crashes on them, or runs out of memory."""
    how = "open" if text else "read"
    program = Path(__file__).with_name("sandbox.py")
    seconds = TRIAL_SECONDS + size // 2**20
    command = [sys.executable, str(program), str(TRIAL_BYTES + 8 * size), str(seconds), how, *layers]
    environment = {**os.environ, "PXR_WORK_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=10 * seconds, check=False)
    except subprocess.TimeoutExpired as problem:
        raise FileError(path, "hangs USD's own reader; it is damaged, export it again") from problem
    if text and done.returncode == REFUSED:
        return  # it is refused with its line later
    if done.returncode:
        reason = done.stdout.decode(errors="replace").partition(" : '")[2].split(", while reading")[0].split("\n")[0]
        raise FileError(path, f"crashes USD's own reader ({reason[:160] or 'a crash'}); it is damaged, export it again")


def _is_layer(name: str) -> bool:
    return name.lower().endswith((".usd", ".usda", ".usdc"))


def _missing(path: Path, asset: str) -> FileError:
    return FileError(path, f"refers to {asset[:80]!r}, which is missing; put the file beside it, or flatten the stage")


def _layer(path: Path, identifier: str) -> Any:
    layer = Sdf.Layer.Find(identifier)
    if layer:  # the layer is open elsewhere; the file may have changed since
        layer.Reload(force=True)
    else:
        layer = Sdf.Layer.FindOrOpen(identifier)
    if not layer:
        raise FileError(path, "is not USD, or of an unknown version; export it again")
    return layer


def _assets(path: Path, layer: Any) -> list[str]:
    """The layers that a layer references. Refuses value clips, which USD would open later, one by one."""
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
    """Refuse text with excessively nested brackets, or that is not UTF-8."""
    if _is_binary(content) or content.startswith(b"PK"):
        return
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise FileError(path, "is not UTF-8 text; export it again", line=line) from problem
    depth = 0
    for start in range(0, len(content), _CHUNK):
        steps = _DEPTH[np.frombuffer(content, np.uint8, count=min(_CHUNK, len(content) - start), offset=start)]
        depths = np.cumsum(steps, dtype=np.int64)
        if depth + int(depths.max(initial=0)) > MAX_DEPTH:
            raise FileError(path, f"nests brackets more than {MAX_DEPTH} levels deep")
        depth += int(depths[-1])


def packed(path: Path, text: str) -> bytes:
    """A layer of text as the suffix of `path` wants it: binary, in a .usdz package of its own."""
    with quiet(), TemporaryDirectory() as folder:
        binary = str(Path(folder, "figure.usdc"))
        layer = Sdf.Layer.CreateAnonymous(".usda")
        if not (layer.ImportFromString(text) and layer.Export(binary)):
            raise FileError(path, "cannot be written: USD does not take what posable wrote; write .usda instead")
        if path.suffix.lower() == ".usdz":
            package = str(Path(folder, "figure.usdz"))
            UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(binary), package)
            return Path(package).read_bytes()
        return Path(binary).read_bytes()
