"""The solver in a browser: the same kernels as a WebAssembly module, and what a page is given of a figure.

`static` holds the module, and one script with it inside, for pages. `posable.browser.build` makes the module, `npm run
build` in `web/solver` the script.
"""
