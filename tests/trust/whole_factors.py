"""What dcpn factor says of its atoms and codes, recomputed: the squares, the penalty, the norms of the atoms, and how far the
codes are from being stationary."""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "evaluator"))
import evaluate as ev  # noqa: E402

SHARE = 1e-9
TOO_LARGE, TOO_SMALL = 1e140, 1e-140


def is_tame(values):
    return all(v == 0.0 or TOO_SMALL < abs(v) < TOO_LARGE for v in values)


def codes_of(found):
    first, index, value = (found["codes"][key] for key in ("first", "index", "value"))
    codes = [[0.0] * len(found["atom"]) for _ in range(found["count"])]
    for i, code in enumerate(codes):
        for e in range(first[i], first[i + 1]):
            code[index[e]] = value[e]
    return codes


def differences(columns, found):
    """A sentence for each number that naive code has otherwise; None: it cannot tell."""
    X = columns if found["of_columns"] else [list(row) for row in zip(*columns)]
    atoms, codes = found["atom"], codes_of(found)
    wrong = signs(found, atoms, codes)
    if wrong:
        return wrong
    every = [v for rows in (X, atoms, codes) for row in rows for v in row]
    if not is_tame(every) or not is_tame([found["lambda"], found["theta"], found["a"], found["gamma"], found["eps"]]):
        return None
    try:
        return compare(found, X, atoms, codes)
    except OverflowError:
        return None


def signs(found, atoms, codes):
    wrong = []
    if len(codes) != found["count"] or any(len(atom) != found["length"] for atom in atoms):
        wrong.append("the sizes do not agree")
    if found["nonnegative_codes"] and min((v for code in codes for v in code), default=0.0) < 0.0:
        wrong.append("a code is negative")
    if found["nonnegative_atoms"] and min((v for atom in atoms for v in atom), default=0.0) < 0.0:
        wrong.append("an entry of an atom is negative")
    if any(math.hypot(*atom) > 1.0 + 1e-12 for atom in atoms):
        wrong.append("an atom is longer than 1")
    return wrong


def compare(found, X, atoms, codes):
    squares, size, penalty, worst, doubt = [], [], [], 0.0, 0.0
    for row, code in zip(X, codes):
        terms = [[v] + [-c * atom[j] for c, atom in zip(code, atoms)] for j, v in enumerate(row)]
        rest = [math.fsum(t) for t in terms]
        reach = [math.fsum(map(abs, t)) for t in terms]
        squares += [0.5 * r * r for r in rest]
        size += [t * t for t in reach]
        penalty += [ev.penalty_term(abs(c), found["lambda"], found) + 0.5 * found.get("ridge", 0.0) * c * c for c in code]
        for c, atom in zip(code, atoms):
            g = math.fsum([-a * r for a, r in zip(atom, rest)] + [found.get("ridge", 0.0) * c])
            worst = max(worst, code_violation(c, g, found))
            doubt = max(doubt, SHARE * math.fsum(abs(a) * t for a, t in zip(atom, reach)),
                        SHARE * max(map(abs, ev.penalty_slopes(abs(c), found["lambda"], found))))
    loss, price, wrong = math.fsum(squares), math.fsum(penalty), []
    allowed = SHARE * math.fsum(size)
    of_atoms = atom_price(found, atoms)
    for name, value, room in (("loss_value", loss, allowed), ("penalty_value", price, SHARE * price),
                              ("objective", loss + price + of_atoms, allowed + SHARE * (price + of_atoms)), ("codes_violation", worst, doubt + SHARE * worst)):
        if not abs(found[name] - value) <= room + 1e-300:
            wrong.append(f"{name} {found[name]!r}, naive code has {value!r}, may differ by {room:.3g}")
    return wrong


def atom_price(found, atoms):
    if "atom_penalty" not in found:
        return 0.0
    parts = dict(found, penalty=found["atom_penalty"], theta=found.get("atom_theta", found["theta"]))
    return math.fsum(ev.penalty_term(abs(d), found["atom_lambda"], parts) for atom in atoms for d in atom)


def code_violation(c, g, found):
    if c == 0.0 and found["nonnegative_codes"]:
        return max(-g - ev.penalty_slopes(0.0, found["lambda"], found)[0], 0.0)
    return ev.violation(c, g, found["lambda"], found)
