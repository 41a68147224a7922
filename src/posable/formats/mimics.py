"""Who follows whom, with circles found at once however long the chains are."""

from __future__ import annotations

from collections.abc import Hashable


class Mimics:
    """Ties of followers to leaders, in which nothing may come to follow itself."""

    def __init__(self) -> None:
        self._ahead: dict[Hashable, Hashable] = {}

    def tie(self, follower: Hashable, leader: Hashable) -> bool:
        """Let `follower` follow `leader`; False, and nothing is tied, if it follows something already, or itself."""
        if follower in self._ahead or self._last(leader) == follower:
            return False
        self._ahead[follower] = leader
        return True

    def _last(self, one: Hashable) -> Hashable:
        """The end of the chain; the way there is halved for the next who asks."""
        while one in self._ahead:
            after = self._ahead[one]
            self._ahead[one] = self._ahead.get(after, after)
            one = self._ahead[one]
        return one
