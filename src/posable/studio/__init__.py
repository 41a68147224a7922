"""The studio: pose and animate in the browser. The library with a mouse: every act is a call of the library's own.

`posable.show` is its one name for people; nothing is imported here, so that the server
answers before the library is loaded.
"""

__all__: list[str] = []
