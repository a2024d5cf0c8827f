# SPDX-License-Identifier: BSD-3-Clause
"""One fit by tasks of a Ray cluster.

    import dcpn.ray
    fitted = dcpn.ray.fit([(X_1, y_1), (X_2, y_2)], penalty="mcp", lam=2.0)

Each part, a pair of rows and their labels or a reference to one (`ray.put`), is a rank of `dcpn.distributed`: the model is the
one of one process with `sums="exact"`, to the byte. Dense parts have a multiple of 1024 rows, but for the last; labels of
classes are whole numbers. The ranks meet in an actor; all of them run at the same time, so that each needs a processor of the
cluster.
"""

from . import distributed as ranks
from ._meeting import WAIT_S, Meeting

try:
    import ray
except ImportError as error:  # pragma: no cover - the message is the point
    raise ImportError("dcpn.ray needs Ray (pip install ray)") from error


def _of_meeting(meeting, rank, size):
    """A rank among those that meet there."""
    count = [0]

    def ask(how, array):
        count[0] += 1
        return ray.get(meeting.meet.remote(rank, count[0], how, array))

    def allreduce(array, how):
        array[:] = ask(how, array.copy())

    def broadcast(array, root):
        array[:] = ask(root, array.copy())

    return ranks.Ranks(rank, size, allreduce, broadcast, lambda: ray.get(meeting.leave.remote(f"rank {rank} of {size} has left")))


def _work(function, meeting, rank, size, part, words):
    """What a task does."""
    this = _of_meeting(meeting, rank, size)
    try:
        X, y = part
        found = getattr(ranks, function)(this, X, y, **words)
    except BaseException:
        this.leave()
        raise
    return found if rank == 0 else None


def _gather(meeting, tasks):
    """Waits for the ranks; one that fails, or is lost, ends all of them."""
    errors, left = [], list(tasks)
    while left:
        done, left = ray.wait(left)
        try:
            ray.get(done[0])
        except ray.exceptions.RayError as error:
            is_lost = not isinstance(error, ray.exceptions.RayTaskError)
            errors.append(ConnectionError(f"ranks: a worker has been lost: {error}") if is_lost else error)
            ray.get(meeting.leave.remote("another rank has failed"))
    if errors:
        raise next((error for error in errors if not isinstance(error, ConnectionError)), errors[0])
    return ray.get(tasks[0])


def _call(function, parts, wait_s, words):
    parts = list(parts)
    processors = int(ray.cluster_resources().get("CPU", 0))
    if not 0 < len(parts) <= processors:
        raise ValueError(f"parts: found {len(parts)}, expected 1 to {processors}: each needs a processor of the cluster")
    meeting = ray.remote(Meeting).options(num_cpus=0, max_concurrency=2 * len(parts) + 2).remote(len(parts), wait_s)
    work = ray.remote(_work).options(num_cpus=1, max_retries=0)
    return _gather(meeting, [work.remote(function, meeting, rank, len(parts), part, words) for rank, part in enumerate(parts)])


def fit(parts, *, wait_s=WAIT_S, **words):
    """`dcpn.fit` on parts of the rows.

    Parameters
    ----------
    parts : a list of pairs X, y, or of references to them
    wait_s : seconds to wait for another rank, after which the fit ends with a ConnectionError
    words : those of dcpn.fit, but for what has a number for each row
    """
    return _call("fit", parts, wait_s, words)


def path(parts, *, wait_s=WAIT_S, **words):
    """`dcpn.path`, likewise."""
    return _call("path", parts, wait_s, words)


def cv(parts, *, wait_s=WAIT_S, **words):
    """`dcpn.cv`, likewise."""
    return _call("cv", parts, wait_s, words)
