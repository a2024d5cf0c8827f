# SPDX-License-Identifier: BSD-3-Clause
"""One fit by the workers of a Dask cluster, on Dask arrays.

    import dcpn.dask
    fitted = dcpn.dask.fit(X, y, penalty="mcp", lam=2.0)
    model = dcpn.dask.SparseClassifier(lam=2.0).fit(X, y)

X has its rows in chunks, which may be SciPy matrices. Each worker that gets some is a rank of `dcpn.distributed`: the model is
the one of one process with `sums="exact"`, to the byte, for any number of workers and any chunks.

The ranks meet in an actor on one worker, which adds up what they bring. All of them have to run at the same time, so that each
worker needs a free thread.
"""

import contextlib

import numpy as np

from . import distributed as ranks
from ._inputs import MANY_CLASSES, wants_classes
from ._meeting import WAIT_S, Meeting, stack
from ._settings import SETTINGS

try:
    import dask.array as da
    from distributed import TimeoutError as NotYet
    from distributed import default_client, get_worker, wait
    from distributed.utils import sync
except ImportError as error:  # pragma: no cover - the message is the point
    raise ImportError("dcpn.dask needs Dask (pip install 'dask[array]' distributed; Debian: python3-distributed)") from error

_ROWS_OF_A_BLOCK = 1024  # dense data are cut at multiples of it
_OF_ROWS = ("sample_weight", "offset", "folds")  # words with a number for each row


# ---- messages ----


def _of_meeting(meeting, rank, size):
    """A rank among those that meet there."""
    count = [0]

    def ask(how, array):
        count[0] += 1
        if getattr(meeting, "_address", None) == get_worker().address:  # the actor is here, and its function a coroutine
            return sync(get_worker().loop, meeting.meet, rank, count[0], how, array)
        return meeting.meet(rank, count[0], how, array).result()

    def allreduce(array, how):
        array[:] = ask(how, array.copy())

    def broadcast(array, root):
        array[:] = ask(root, array.copy())

    return ranks.Ranks(rank, size, allreduce, broadcast, lambda: meeting.leave(f"rank {rank} of {size} has left"))


# ---- the rows of each rank ----


def _is_dense(X):
    return isinstance(X._meta, np.ndarray)


def _chunks(X, workers):
    """The chunks of rows; those of dense data are cut where sums over them are."""
    X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
    if any(np.isnan(size) for size in X.chunks[0]):
        X = X.compute_chunk_sizes()
    if _is_dense(X):
        blocks = -(-X.shape[0] // (workers * _ROWS_OF_A_BLOCK))
        X = X.rechunk({0: max(1, blocks) * _ROWS_OF_A_BLOCK})
    return X


def _alike(vector, X, name):
    """A number for each row, in the chunks of X."""
    vector = vector if isinstance(vector, da.Array) else da.from_array(np.asarray(vector), chunks=-1)
    if vector.ndim == 2 and vector.shape[1] == 1:
        vector = vector[:, 0]
    if any(np.isnan(size) for size in vector.chunks[0]):
        vector = vector.compute_chunk_sizes()
    if vector.shape != (X.shape[0],):
        raise ValueError(f"{name}: found the shape {vector.shape}, expected one number for each of {X.shape[0]} rows")
    return vector.rechunk((X.chunks[0],))


class _Dealt:
    """X and vectors, as parts on workers; parts[rank][name] is a list of futures."""

    def __init__(self, client, X, vectors):
        workers = sorted(client.nthreads())
        if not workers:
            raise ValueError("client: found no worker, expected some")
        if not isinstance(X, da.Array) or X.ndim != 2:
            raise ValueError("X: expected a Dask array of rows x features; dcpn.fit takes others")
        X = _chunks(X, len(workers))
        arrays = {"X": X.to_delayed().ravel(), **{name: _alike(v, X, name).to_delayed().ravel() for name, v in vectors.items()}}
        count = len(arrays["X"])
        self.size = min(len(workers), count)
        self.workers = workers[: self.size]
        self.parts = []
        for rank in range(self.size):
            own = slice(rank * count // self.size, (rank + 1) * count // self.size)
            words = {"workers": self.workers[rank], "allow_other_workers": False}
            self.parts.append({name: client.compute(list(blocks[own]), **words) for name, blocks in arrays.items()})
        self.columns = X.shape[1]


# ---- a fit ----


def _work(function, meeting, rank, size, classes, parts, words):
    """What a worker does."""
    own = {name: stack(blocks) for name, blocks in parts.items()}
    X, y = own.pop("X"), own.pop("y")
    if classes is not None:
        y = np.searchsorted(classes, y)
        y = ranks.Labels.of_numbers(y.astype(np.float64) if len(classes) > 2 else 2.0 * y - 1.0, classes)
    this = _of_meeting(meeting, rank, size)
    try:
        found = getattr(ranks, function)(this, X, y, **own, **words)
    except BaseException:
        this.leave()
        raise
    return found if rank == 0 else None


def _watch(client, dealt, meeting, tasks):
    """Waits for the ranks; a worker that is gone ends all of them."""
    while not all(task.done() for task in tasks):
        try:
            wait(tasks, timeout=1)
        except NotYet:
            pass
        lost = set(dealt.workers) - set(client.nthreads())
        if lost:
            why = f"the worker {min(lost)} has been lost"
            with contextlib.suppress(Exception):  # the meeting may have been there
                meeting.leave(why)
            client.cancel(tasks, force=True)
            raise ConnectionError(f"ranks: {why}; start again with those that are left")
    errors = [task.exception() for task in tasks if task.status == "error"]
    if errors:
        raise next((error for error in errors if not isinstance(error, ConnectionError)), errors[0])
    return tasks[0].result()


def _classes(client, dealt):
    """The labels of all rows, each once."""
    of_parts = [client.submit(np.unique, block) for parts in dealt.parts for block in parts["y"]]
    return np.unique(np.concatenate(client.gather(of_parts)))


def _call(function, client, X, y, wait_s, words):
    client = client or default_client()
    vectors = {"y": y, **{name: words.pop(name) for name in _OF_ROWS if words.get(name) is not None and np.ndim(words[name])}}
    dealt = _Dealt(client, X, vectors)
    loss = words.get("loss") or SETTINGS["loss"].default
    classes = _classes(client, dealt) if wants_classes(loss) else None
    if classes is not None and len(classes) != 2 and loss not in MANY_CLASSES:
        raise ValueError(f"y: found {len(classes)} classes, expected 2 for the loss {loss}; the loss 'multinomial' takes more")
    actor = client.submit(Meeting, dealt.size, wait_s, actor=True, workers=dealt.workers[0], pure=False)
    meeting = actor.result()
    tasks = [
        client.submit(_work, function, actor, rank, dealt.size, classes, parts, words, workers=dealt.workers[rank],
                      allow_other_workers=False, retries=0, pure=False)
        for rank, parts in enumerate(dealt.parts)
    ]
    return _watch(client, dealt, meeting, tasks)


def fit(X, y, *, client=None, wait_s=WAIT_S, **words):
    """`dcpn.fit` on a Dask array and a vector of labels, Dask's or not.

    Parameters
    ----------
    X : Dask array of rows x features; its chunks may be SciPy matrices
    y, sample_weight, offset : Dask or NumPy arrays, one number (label) for each row
    client : of the cluster; None: the one there is
    wait_s : seconds to wait for another rank, after which the fit ends with a ConnectionError
    words : those of dcpn.fit
    """
    return _call("fit", client, X, y, wait_s, words)


def path(X, y, *, client=None, wait_s=WAIT_S, **words):
    """`dcpn.path`, likewise."""
    return _call("path", client, X, y, wait_s, words)


def cv(X, y, *, client=None, wait_s=WAIT_S, **words):
    """`dcpn.cv`, likewise; `folds` is a number of folds, or an array that says the fold of each row."""
    return _call("cv", client, X, y, wait_s, words)


# ---- estimators ----


def __getattr__(name):
    """The estimators, which need scikit-learn, when they are asked for."""
    if name not in ("SparseClassifier", "SparseRegressor"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _dask_estimators

    return getattr(_dask_estimators, name)
