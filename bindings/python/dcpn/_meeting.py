# SPDX-License-Identifier: BSD-3-Clause
"""Where ranks of an engine meet whose workers cannot add up by themselves; and the rows of a rank."""

import asyncio

import numpy as np

WAIT_S = 600  # for another rank


class Meeting:
    """The actor: the n-th calls of all ranks meet in round n."""

    def __init__(self, size, wait_s):
        self.size, self.wait_s, self.rounds, self.why = size, wait_s, {}, None

    async def meet(self, rank, number, how, array):
        """What all ranks get. how: 'sum', 'max', or the rank whose array it is."""
        if self.why:
            raise ConnectionError(self.why)
        this = self.rounds.setdefault(number, {"came": 0, "left": 0, "array": None, "all": asyncio.Event()})
        self._add(this, rank, how, array)
        this["came"] += 1
        if this["came"] == self.size:
            this["all"].set()
        try:
            await asyncio.wait_for(this["all"].wait(), self.wait_s)
        except asyncio.TimeoutError:
            self.leave(f"no answer from the other ranks within {self.wait_s:g} s")
        if this["came"] < self.size:
            raise ConnectionError(self.why)
        this["left"] += 1
        if this["left"] == self.size:
            del self.rounds[number]
        return this["array"]

    @staticmethod
    def _add(this, rank, how, array):
        if how not in ("sum", "max"):
            this["array"] = array if rank == how else this["array"]
        elif this["array"] is None:
            this["array"] = np.array(array)
        else:
            (np.add if how == "sum" else np.maximum)(this["array"], array, out=this["array"])

    def leave(self, why):
        self.why = self.why or why
        for this in self.rounds.values():
            this["all"].set()


def stack(parts):
    """The chunks of a rank as one."""
    parts = [part.values if hasattr(part, "values") else part for part in parts]
    if len(parts) == 1:
        return parts[0]
    if hasattr(parts[0], "tocsr"):
        from scipy.sparse import vstack

        return vstack(parts, format="csr")
    return np.concatenate(parts)
