"""How Sphinx builds the site; `python docs/make_site.py` gathers its pages first and then runs Sphinx on them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import site_reference
import site_signatures

import posable

project, author, copyright = "posable", "the posable contributors", "the posable contributors"
version = release = posable.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "sphinx_copybutton"]
exclude_patterns = ["_static"]
default_role = "code"
nitpicky = False

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_preserve_defaults = True
autodoc_mock_imports = [name for name in ("jax", "torch") if importlib.util.find_spec(name) is None]
autodoc_type_aliases = {name: name for name in site_signatures.ALIASES}
maximum_signature_line_length = 100  # longer ones have a line for each parameter
napoleon_numpy_docstring = False
napoleon_custom_sections = ["Note"]
napoleon_use_ivar = True  # the attributes have entries of their own

html_theme = "furo"
html_title = "posable"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {  # the colours of what can be moved
    "light_css_variables": {
        "ink": "#26303b",
        "ghost": "#b9c2cc",
        "target": "#b34700",
        "trail": "#c62828",
        "blue": "#1a63b8",
        "green": "#2b7a3d",
        "sheet": "#f7f8fa",
        "zone": "#dfe9f5",
        "wedge": "#f3d9a4",
    },
    "dark_css_variables": {
        "ink": "#e4e9ee",
        "ghost": "#56606c",
        "target": "#ff9d4d",
        "trail": "#ff7b72",
        "blue": "#79b8ff",
        "green": "#6fd08c",
        "sheet": "#1c2127",
        "zone": "#26323f",
        "wedge": "#5a4a26",
    },
}
html_copy_source = False
html_show_sourcelink = False
html_show_search_summary = False  # a page on disk may not read the others
copybutton_prompt_text = ">>> "

# Equations are typeset in the browser by MathJax, a file beside the pages: nothing is fetched from a network.
_MATHJAX = importlib.util.find_spec("sphinx-mathjax-offline")
assert _MATHJAX is not None and _MATHJAX.origin is not None, "pip install '.[docs]'"
html_static_path.append(str(Path(_MATHJAX.origin).parent / "static/mathjax/tex-svg.js"))
mathjax_path = "tex-svg.js"


def _link_names(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """`solve` in a docstring leads to the page of `posable.solve`; other code stays code."""
    del app, what, name, value, options
    known = site_reference.names_by_last_part()
    for number, line in enumerate(lines):
        lines[number] = re.sub(
            r"(?<![`:\w])`(?:posable\.)?([\w.]+)`(?!`|_)",
            lambda hit: f":py:obj:`{hit[1]} <{known[hit[1]]}>`" if hit[1] in known else f"``{hit[1]}``",
            re.sub(r"(?<![\\`])\|", r"\|", line),  # |x| is a length, not a substitution
        )


def _add_figures(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """The pages of the course get the scripts of their figure."""
    del template, context, doctree
    folder, _, lesson = page.partition("/")
    if folder != "course" or lesson == "index":
        return
    static = Path(app.srcdir) / "_static/course"
    for name in ("viewer.js", "solvers.js", f"traces/{lesson}.js", f"{lesson}.js"):
        if (static / name).exists():
            app.add_js_file(f"course/{name}")


def setup(app: Any) -> None:
    """Called by Sphinx."""
    site_signatures.register(app)
    app.connect("autodoc-process-docstring", _link_names)
    app.connect("html-page-context", _add_figures)
