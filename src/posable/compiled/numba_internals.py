"""The one door to Numba's and llvmlite's undocumented parts: nothing else in posable imports them.

`posable.compiled.KNOWN_NUMBA` lists the versions that this file works with; with any other it is not imported, and
`plain` replaces it. Records, views and the SIMD types are built on the names exported here.

An inner kernel leaves Numba's compiler as an intermediate of LLVM. Numba optimises every function on its own and makes
machine code of it, and then does so again with each kernel that it has become a part of; a part is optimised, and
translated, only with the kernel that Python calls.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils, serialize, types
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing import templates
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.extending import intrinsic as _intrinsic
from numba.np.arrayobj import make_array, populate_array

from posable.compiled.cache import PART_ENDING, announce_compilation, cache_folder, keep, read_kept, read_shipped
from posable.compiled.kernel_part import KernelPart

__all__ = [
    "AbstractTemplate", "AttributeTemplate", "Conversion", "aim_at_wasm", "cgutils", "compile_entry", "compile_part",
    "impl_ret_borrowed", "infer_getattr", "infer_global", "intrinsic", "ir", "make_array", "only_contiguous",
    "populate_array", "signature", "types", "wasm_object",
]  # fmt: skip

SHIPPED_FOR = "x86-64-v3", ""
"""Name and further features of the processor, as LLVM knows them, that shipped kernels are compiled for."""

_FEATURES = ("avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf")  # which x86-64-v3 has

intrinsic: Any = _intrinsic
infer_global: Any = templates.infer_global
infer_getattr: Any = templates.infer_getattr


def only_contiguous(array: Any, kind: Any = types.float64) -> None:
    """Refuse an argument of an intrinsic that is not a contiguous array of `kind`, doubles by default."""
    if not (isinstance(array, types.Array) and array.dtype == kind and array.layout == "C"):
        raise TypingError(f"a contiguous array of {kind} is needed here, not {array}")


def compile_entry(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that Python calls. A message announces its compilation."""
    if cast(Any, numba).config.DISABLE_JIT:
        return function
    if _codegen()._library_class is _WasmLibrary:
        return compile_part(function, **options)
    return _compiled(_EntryDispatcher, KernelCompiler, _EntryCache, function, options)


def compile_part(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel that only other kernels call."""
    if cast(Any, numba).config.DISABLE_JIT:
        return function
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return KernelPart(function, lambda: _compiled(_PartDispatcher, PartCompiler, _PartCache, function, options))


def _compiled(dispatcher: Any, compiler: Any, kept: Any, function: Any, options: dict[str, Any]) -> Any:
    made = dispatcher(
        function, targetoptions={"nopython": True, "boundscheck": None, **options}, pipeline_class=compiler
    )
    made._cache = kept(function)
    return made


class _EntryDispatcher(CPUDispatcher):
    """A kernel that Python calls. Kernels cannot call it, since only its machine code is cached."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Refuse it."""
        del args, kws
        name = cast(Any, self).__name__
        raise TypingError(f"{name} is a kernel that only Python calls: make it an inner_kernel or a shared_kernel")


class _PartDispatcher(CPUDispatcher):
    """A part as Numba sees it."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Without literal types, or Numba would compile the part anew for each constant argument."""
        plain = {name: types.unliteral(one) for name, one in kws.items()}
        return super().get_call_template([types.unliteral(one) for one in args], plain)

    def add_overload(self, cres: Any) -> None:
        """Without an entry from Python, which a part does not have."""
        self.overloads[tuple(cres.signature.args)] = cres


class KernelCompiler(Compiler):
    """Numba's compiler without garbage collection: it makes millions of objects and keeps nearly all of them."""

    def compile_extra(self, func: Any) -> Any:
        with _nothing_collected():
            return super().compile_extra(func)


class PartCompiler(KernelCompiler):
    """The same for a kernel that only other kernels call."""

    def define_pipelines(self) -> Any:
        state = cast(Any, self).state
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        part = super().compile_extra(func)
        part.library._ensure_finalized()
        entry = _Entry()
        part.target_context.insert_user_function(entry, part.fndesc, [part.library])
        return part._replace(entry_point=entry)


class _Part(JITCodeLibrary):
    """Code that is only linked into other code."""

    def _optimize_final_module(self) -> None:
        """Nothing: the kernels that it becomes part of are optimized."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


@cache
def _has_shipped_features() -> bool:
    """Whether this processor can run code that is compiled for SHIPPED_FOR."""
    found = llvm.get_host_cpu_features()
    return all(found.get(feature, False) for feature in _FEATURES)


class _Entry:
    """A substitute for the entry from Python, by which Numba identifies functions and which a part lacks."""


class _Cache(NullCache):
    """One file for each signature, named by a hash of the signature, the function and the processor.

    A file that cannot be read is compiled anew: a damaged one, or one with a type that a newer posable has renamed.
    """

    ending = ""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._source = Path(inspect.getfile(function))

    @property
    def cache_path(self) -> Any:
        return str(cache_folder(self._source) or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        for content in self._contents(sig, target_context.codegen().magic_tuple()):
            with contextlib.suppress(Exception):
                return self.rebuild(target_context, serialize.loads(content))
        return None

    def _contents(self, sig: Any, processor: tuple[str, ...]) -> Iterator[bytes]:
        """The files of this kernel: the shipped one, then that of an earlier run."""
        known = self._name(sig, (processor[0], *SHIPPED_FOR))
        if _has_shipped_features() and (content := read_shipped(self._source, known)) is not None:
            yield content
        if (content := read_kept(self._source, self._name(sig, processor))) is not None:
            yield content

    def save_overload(self, sig: Any, cres: Any) -> None:
        if not cres.library.has_dynamic_globals:
            keep(self._source, self._name(sig, cres.library.codegen.magic_tuple()), serialize.dumps(self.reduce(cres)))

    def _name(self, sig: Any, processor: tuple[str, ...]) -> str:
        code, cells = self._function.__code__, self._function.__closure__ or ()
        closure = serialize.dumps(tuple(cell.cell_contents for cell in cells))
        facts = self._function.__qualname__, code.co_firstlineno, code.co_code, closure, str(sig), processor
        plain = "".join(letter if letter.isalnum() else "_" for letter in self._function.__name__)
        return f"{plain}-{hashlib.blake2b(repr(facts).encode(), digest_size=8).hexdigest()}{self.ending}"

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        """The parts of a compiled kernel that are cached."""
        raise NotImplementedError

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        """The compiled kernel from its cached parts."""
        raise NotImplementedError


class _EntryCache(_Cache):
    """Machine code alone, without intermediate code, since no other kernel is linked to it."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        kept = super().load_overload(sig, target_context)
        if kept is None:
            announce_compilation()
        return kept

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        name, kind, (machine_code, _) = cres.library.serialize_using_object_code()
        fndesc, environments = cres.fndesc, tuple(cres._find_referenced_environments())
        fndesc.typemap = fndesc.calltypes = None  # which need not be kept, and cannot always be
        return name, kind, machine_code, fndesc, cres.environment, cres.signature, cres.reload_init, environments

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        name, kind, machine_code, fndesc, environment, known, reload_init, environments = kept
        code = name, kind, (machine_code, _no_code())
        target_context.codegen()._engine._defined_symbols.add(
            fndesc.llvm_cpython_wrapper_name
        )  # found nowhere else now
        facts = fndesc, environment, known, False, (), "", reload_init, environments
        return CompileResult._rebuild(target_context, code, *facts)


@cache
def _no_code() -> bytes:
    """A module of LLVM's without functions."""
    return llvm.parse_assembly("").as_bitcode()


class _PartCache(_Cache):
    """LLVM's intermediate code, which is not shipped: only the compilation of a kernel needs it."""

    ending = PART_ENDING

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        fndesc = cres.fndesc
        fndesc.typemap = fndesc.calltypes = None  # which need not be kept, and cannot always be
        return cres.library.serialize_using_bitcode(), fndesc, cres.environment, cres.signature

    def rebuild(self, target_context: Any, kept: tuple[Any, ...]) -> Any:
        (name, _, code), fndesc, environment, signature = kept
        library = _Part(target_context.codegen(), name)
        library._final_module = llvm.parse_bitcode(code)
        library._finalize_final_module()
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=_Entry(),
            typing_error=None,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=fndesc,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=[],
            referenced_envs=(),
        )


@contextmanager
def _nothing_collected() -> Iterator[None]:
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


# WebAssembly: the same kernels for another target. Numba compiles for its own processor alone; so the code generator of
# this process gets another data layout, and nothing is executed. `intp` stays 64 bits wide, which WebAssembly has as
# well; pointers take 32.


_WASM = "wasm32-unknown-unknown"
_WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"  # which all browsers have


class _WasmLibrary(JITCodeLibrary):
    """Code that stays LLVM's intermediate code and is never executed here."""

    def _optimize_final_module(self) -> None:
        """Nothing: `wasm_object` optimizes."""

    def _finalize_specific(self) -> None:
        """Nothing: the execution engine does not get the code."""

    def get_pointer_to_function(self, name: str) -> int:
        del name
        return 0


def _codegen() -> Any:
    return cast(Any, cpu_target).target_context.codegen()


def aim_at_wasm() -> None:
    """Compile kernels for WebAssembly from now on. Call it before any kernel is made, in a process of its own."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    rtsys.initialize(cast(Any, cpu_target).target_context)
    codegen = _codegen()
    machine = _wasm_machine()
    codegen._tm, codegen._tm_features, codegen._library_class = machine, _WASM_FEATURES, _WasmLibrary
    codegen._target_data, codegen._data_layout = machine.target_data, str(machine.target_data)
    codegen._llvm_module.triple = _WASM  # a part of the names in the cache
    codegen.set_env = lambda *_: None

    def empty_module(name: str) -> Any:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple, module.data_layout = _WASM, codegen._data_layout
        return module

    codegen._create_empty_module = empty_module


def _wasm_machine() -> Any:
    return llvm.Target.from_triple(_WASM).create_target_machine(opt=3, features=_WASM_FEATURES, reloc="static")


def wasm_object(entries: Mapping[str, tuple[Any, tuple[Any, ...]]]) -> bytes:
    """A WebAssembly object file: kernels by the names of their exports, each with the types of its arguments.

    An export takes a pointer and a count for each flat array, and a number for each number. Return values are truncated
    to 32 bits; 0 stands for None.
    """
    library = _codegen().create_library("exports")
    for name, (entry, kinds) in entries.items():
        entry.compile(kinds)
        part = entry.overloads[kinds]
        library.add_ir_module(_export(library, name, part))
        library.add_linking_library(part.library)
    with global_compiler_lock:
        library.finalize()
    module = library._final_module
    for one in (*module.functions, *module.global_variables):
        if one.name not in entries and not one.is_declaration:
            one.linkage = llvm.Linkage.internal
    # Small functions: engines translate the very large ones, which `forceinline` makes, badly (four times slower).
    module = llvm.parse_assembly(str(module).replace("alwaysinline", "nounwind"))
    machine = _wasm_machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def _export(library: Any, name: str, part: Any) -> Any:
    """A module with the function that JavaScript calls."""
    context, word = part.target_context, ir.IntType(32)
    kinds, result = part.signature.args, part.signature.return_type
    flat: list[Any] = []
    for kind in kinds:
        flat += [word, word] if isinstance(kind, types.Array) else [context.get_value_type(kind)]
    module = library.create_ir_module(name)
    builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(word, flat), name).append_basic_block())
    given, values = iter(builder.function.args), []
    for kind in kinds:
        first = next(given)
        values.append(
            _flat_array(context, builder, kind, first, next(given)) if isinstance(kind, types.Array) else first
        )
    called = context.declare_function(module, part.fndesc)
    _, value = context.call_conv.call_function(builder, called, result, kinds, values)
    whole = isinstance(value.type, ir.IntType)
    builder.ret(builder.trunc(value, word) if whole else ir.Constant(word, 0))
    return module


def _flat_array(context: Any, builder: Any, kind: Any, pointer: Any, count: Any) -> Any:
    """The array of `count` numbers at an address."""
    array, item = make_array(kind)(context, builder), context.get_data_type(kind.dtype)
    size, length = context.get_constant(types.intp, context.get_abi_sizeof(item)), builder.zext(count, ir.IntType(64))
    at = builder.inttoptr(pointer, item.as_pointer())
    populate_array(array, data=at, shape=[length], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()
