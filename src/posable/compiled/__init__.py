"""How kernels are compiled, kept and run: the one layer that knows Numba and the processor's registers."""

__all__: list[str] = []
