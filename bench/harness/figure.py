# SPDX-License-Identifier: BSD-3-Clause
"""F against time as SVG, for one problem: logarithmic axes, a line with its own mark and name for each solver."""

import html
import math

from harness import judge

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 90, 170, 60, 60
FLOOR = 1e-12  # what is below is drawn here: double precision ends
COLOURS = ("#0b5394", "#cc5500", "#38761d", "#990099", "#8a6d00", "#a61c00", "#00838f", "#555555")
MARKS = ("circle", "square", "diamond", "up", "down", "plus", "cross", "bar")


class Axis:
    """Decades of a positive quantity on pixels from start to end."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.start, self.end = start, end

    def at(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def decades(self):
        step = 1 + (self.high - self.low) // 9
        return [10.0**k for k in range(self.low, self.high + 1, step)]


def decade_name(value):
    return f"{value:g}" if 1e-3 <= value <= 1e4 else f"1e{round(math.log10(value))}"


def mark(kind, x, y, colour):
    shapes = {
        "circle": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
        "square": f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>',
        "diamond": f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"/>',
        "up": f'<path d="M{x:.1f} {y - 5:.1f}l5 9h-10z"/>',
        "down": f'<path d="M{x:.1f} {y + 5:.1f}l5 -9h-10z"/>',
        "plus": f'<path d="M{x - 5:.1f} {y:.1f}h10M{x:.1f} {y - 5:.1f}v10" stroke="{colour}" stroke-width="2.5"/>',
        "cross": f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="{colour}" stroke-width="2.5"/>',
        "bar": f'<path d="M{x:.1f} {y - 5:.1f}v10" stroke="{colour}" stroke-width="3"/>',
    }
    return f'<g fill="{colour}">{shapes[kind]}</g>'


def grid(x_axis, y_axis):
    for value in x_axis.decades():
        x = x_axis.at(value)
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{decade_name(value)}</text>'
    for value in y_axis.decades():
        y = y_axis.at(value)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{decade_name(value)}</text>'


def curve(number, name, points, x_axis, y_axis):
    colour, kind = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
    pixels = [(x_axis.at(t), y_axis.at(e)) for t, e in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in pixels)
    yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in pixels:
        yield mark(kind, x, y, colour)
    y = TOP + 16 + 22 * number
    yield mark(kind, WIDTH - RIGHT + 22, y - 4, colour)
    yield f'<text x="{WIDTH - RIGHT + 34}" y="{y}" fill="{colour}">{html.escape(name)}</text>'


def draw(result):
    """The figure of one result as text."""
    best = judge.best_of(result["curves"])
    curves = {name: sorted((max(p["time_s"], 1e-7), max(judge.excess(p, best), FLOOR)) for p in points)
              for name, points in result["curves"].items()}
    x_axis = Axis([t for points in curves.values() for t, _ in points], LEFT, WIDTH - RIGHT)
    y_axis = Axis([e for points in curves.values() for _, e in points], HEIGHT - BOTTOM, TOP)
    title = html.escape(f"{result['case']}, {result['data']}, lambda {result['lambda']}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="13" fill="#222222" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" font-size="16" font-weight="bold">{title}</text>',
        f'<text x="{LEFT}" y="46">one mark per tolerance; down and left is better</text>',
        *grid(x_axis, y_axis),
        f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - RIGHT - LEFT}" height="{HEIGHT - BOTTOM - TOP}" fill="none" '
        'stroke="#222222"/>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">time in the solver (s)</text>',
        f'<text transform="translate(22 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
        "(F - best F) / best F</text>",
    ]
    for number, (name, points) in enumerate(curves.items()):
        parts += curve(number, name, points, x_axis, y_axis)
    return "\n".join(parts + ["</svg>"]) + "\n"
