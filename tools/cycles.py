"""Cycles of a directed graph, given as {node: iterable of nodes}."""

import collections


def reachable(graph, start):
    """All nodes on paths of at least one edge from start, in the order of their distance, {node: the one before it}."""
    before = {}
    waiting = collections.deque([start])
    while waiting:
        node = waiting.popleft()
        for target in sorted(graph.get(node, ())):
            if target not in before:
                before[target] = node
                waiting.append(target)
    return before


def knots(graph):
    """The largest sets of several nodes each of which reaches all others, the largest first; each sorted."""
    reach = {node: set(reachable(graph, node)) for node in graph}
    found = set()
    for node in graph:
        knot = frozenset(other for other in reach[node] if node in reach.get(other, ()))
        if len(knot) > 1:
            found.add(tuple(sorted(knot)))
    return sorted(found, key=lambda knot: (-len(knot), knot))


def shortest_cycles(graph, knot):
    """A shortest cycle through every edge within a knot, each once, the shortest first: [node, the next, ...]."""
    inside = {node: [target for target in graph[node] if target in knot and target != node] for node in knot}
    found = {}
    for node in sorted(inside):
        before = reachable(inside, node)
        for last in sorted(other for other in inside if node in inside[other]):
            path = [last]
            while path[0] != node:
                path.insert(0, before[path[0]])
            first = path.index(min(path))
            found[tuple(path[first:] + path[:first])] = None
    return [list(cycle) for cycle in sorted(found, key=lambda cycle: (len(cycle), cycle))]
