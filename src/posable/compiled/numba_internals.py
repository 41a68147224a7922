"""How a kernel passes through Numba's compiler: a part of larger kernels leaves it as an intermediate of LLVM.

Numba optimises every function on its own and makes machine code of it, and then does so again with each kernel that it
has become a part of. A part is optimised, and translated, only with the kernel that Python calls.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import llvmlite.binding as llvm
from numba import _dynfunc  # pyright: ignore[reportAttributeAccessIssue]
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result


class KernelCompiler(Compiler):
    """Numba's compiler, at rest from collecting garbage: it makes millions of objects and keeps nearly all of them."""

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
        entry = _entry(part.fndesc, part.environment, part.library)
        part.target_context.insert_user_function(entry, part.fndesc, [part.library])
        return part._replace(entry_point=entry)


class _Part(JITCodeLibrary):
    """Code that is only linked into other code."""

    def _optimize_final_module(self) -> None:
        """Left to the kernels that it becomes a part of."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class PartInCache(CompileResultCacheImpl):
    """What Numba's cache keeps of a part."""

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        fndesc = cres.fndesc
        fndesc.typemap = fndesc.calltypes = None  # which need not be kept, and cannot always be
        return cres.library.serialize_using_bitcode(), fndesc, cres.environment, cres.signature

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        (name, _, code), fndesc, environment, signature = payload
        library = _Part(target_context.codegen(), name)
        library._final_module = llvm.parse_bitcode(code)
        library._finalize_final_module()
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=_entry(fndesc, environment, library),
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


def _entry(fndesc: Any, environment: Any, library: _Part) -> Any:
    """What stands for a part wherever Numba knows functions by their entry from Python, which it has not."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, f"the part {name}", 0, environment, (library,))


@contextmanager
def _nothing_collected() -> Iterator[None]:
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
