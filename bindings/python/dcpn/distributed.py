# SPDX-License-Identifier: BSD-3-Clause
"""One fit by several processes that have some of the rows each: ranks.

    from mpi4py import MPI
    import dcpn.distributed as ranks
    fitted = ranks.fit(ranks.of_mpi(MPI.COMM_WORLD), X_part, y_part, penalty="mcp", lam=2.0)

Every rank calls the same functions with the same settings, and gets the same model: to the byte that of one process with
`sums="exact"`, for any number of ranks. Ranks can be of any engine that adds up whole numbers of all of them.
"""

import numpy as np

from . import _functions
from ._inputs import MANY_CLASSES, Labels, as_data, vector, wants_classes
from ._settings import SETTINGS


class Ranks:
    """A rank among others.

    Parameters
    ----------
    rank, size : which one of how many
    allreduce : allreduce(array, how) makes of an array of int64 the sums or the largest of all ranks, in place; how is
        'sum' or 'max'
    broadcast : broadcast(array, root) makes of an array of uint8 that of one rank, in place
    leave : leave() when this rank makes no further calls, so that those of the others fail; None: they do anyway
    """

    def __init__(self, rank, size, allreduce, broadcast, leave=None):
        self.rank, self.size = int(rank), int(size)
        self._allreduce, self._broadcast, self.leave = allreduce, broadcast, leave

    def allreduce(self, memory, how):
        self._allreduce(np.frombuffer(memory, np.int64), how)

    def broadcast(self, memory, root):
        self._broadcast(np.frombuffer(memory, np.uint8), root)

    def _reduced(self, array, how):
        try:
            self._allreduce(array, how)
        except Exception as error:
            raise ConnectionError(f"rank {self.rank} of {self.size}: a call to the other ranks failed") from error
        return array

    def range_of(self, numbers):
        """The least and the largest whole number on all ranks."""
        ends = np.array([-(2**62), -(2**62)], np.int64)
        if len(numbers):
            ends[:] = -np.min(numbers), np.max(numbers)
        self._reduced(ends, "max")
        return -int(ends[0]), int(ends[1])

    def different(self, numbers):
        """The whole numbers there are on any rank, each once, ascending."""
        own = np.unique(numbers)
        counts = np.zeros(self.size, np.int64)
        counts[self.rank] = len(own)
        self._reduced(counts, "sum")
        found = np.zeros(counts.sum(), np.int64)
        before = counts[: self.rank].sum()
        found[before : before + len(own)] = own
        return np.unique(self._reduced(found, "sum"))


def of_mpi(comm):
    """The ranks of a communicator of mpi4py. One that fails aborts them all."""
    from mpi4py import MPI

    operations = {"sum": MPI.SUM, "max": MPI.MAX}
    return Ranks(
        comm.Get_rank(),
        comm.Get_size(),
        lambda array, how: comm.Allreduce(MPI.IN_PLACE, array, op=operations[how]),
        lambda array, root: comm.Bcast(array, root=root),
        lambda: comm.Abort(7),
    )


def of_xgboost():
    """The ranks of `xgboost.collective`, which Dask's and Spark's workers can have within a `CommunicatorContext`."""
    from xgboost import collective

    operations = {"sum": collective.Op.SUM, "max": collective.Op.MAX}
    rank = collective.get_rank()

    def allreduce(array, how):
        array[:] = collective.allreduce(array.copy(), operations[how])

    def broadcast(array, root):
        array[:] = collective.broadcast(array.copy() if rank == root else None, root)

    return Ranks(rank, collective.get_world_size(), allreduce, broadcast)


def _labels(ranks, y, settings):
    """Two classes are the least and the largest label of all ranks."""
    if isinstance(y, Labels):
        return y
    numbers = np.asarray(y)
    loss = settings.get("loss") or SETTINGS["loss"].default
    if not wants_classes(loss):
        return Labels(numbers, loss)
    if numbers.dtype.kind not in "iub" and not np.all(numbers == np.round(numbers)):
        raise ValueError("y: found labels of classes that are no whole numbers, expected whole numbers on ranks")
    numbers = numbers.astype(np.int64)
    if loss in MANY_CLASSES:
        classes = ranks.different(numbers)
        return Labels.of_numbers(np.searchsorted(classes, numbers).astype(np.float64), classes)
    return Labels.of_numbers(numbers.astype(np.float64), np.array(ranks.range_of(numbers)))


def _leave(ranks):
    if ranks.leave:
        ranks.leave()


def _call(function, ranks, X, y, words):
    """What is refused within the call is refused on all ranks at once; before it, and for want of memory, this one leaves."""
    try:
        data = as_data(X, words.get("n_jobs"))
        data.join(ranks.rank, ranks.size, ranks.allreduce, ranks.broadcast, ranks.leave)
        labels = _labels(ranks, y, words)
        for name in ("sample_weight", "offset"):
            if words.get(name) is not None:
                words[name] = vector(words[name], name, len(labels.numbers))
    except BaseException:
        _leave(ranks)
        raise
    try:
        return function(data, labels, **words)
    except MemoryError:
        _leave(ranks)
        raise


def fit(ranks, X, y, **words):
    """`dcpn.fit` on ranks: X and y are the rows of this one, at least one. A rank that cannot go on raises ConnectionError on
    all others."""
    return _call(_functions.fit, ranks, X, y, words)


def path(ranks, X, y, **words):
    """`dcpn.path` on ranks, likewise."""
    return _call(_functions.path, ranks, X, y, words)


def cv(ranks, X, y, **words):
    """`dcpn.cv` on ranks, likewise; `folds`, if they are given, and all else that is one number a row are those of its rows.
    Folds that are drawn go by the number of the row, in the order of the ranks."""
    return _call(_functions.cv, ranks, X, y, words)
