"""usd-core's modules. It comes without types, so they are `Any` here, and nowhere else is it imported."""

from __future__ import annotations

from typing import Any

from posable.formats.usd import usd_module

Sdf: Any = usd_module("Sdf")
Usd: Any = usd_module("Usd")
UsdGeom: Any = usd_module("UsdGeom")
UsdSkel: Any = usd_module("UsdSkel")
UsdUtils: Any = usd_module("UsdUtils")
Vt: Any = usd_module("Vt")
EVERYWHERE: Any = Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)
EARLIEST: Any = Usd.TimeCode.EarliestTime()
