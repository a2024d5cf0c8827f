#!/usr/bin/env python3
"""Opens reports in headless Chromium, at the width of a desk and of a phone: test_page.py DCPN

Asks of every page that no label overlaps another or is cut, that nothing is wider than the screen, that texts are large
enough to read, that nothing is loaded and no script fails, that hovering shows a value, and that all of it is there
without scripts. Where there is no Chromium it says so and passes.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import browser

HERE = pathlib.Path(__file__).resolve().parent
WIDTHS = (1300, 390, 320)

# Pairs of texts in one figure that overlap, and texts that leave it; boxes shrink by a pixel, fonts have slack.
LABELS = """
(() => {
  const complaints = [];
  for (const svg of document.querySelectorAll("svg.dcpn-figure")) {
    const frame = svg.getBoundingClientRect();
    if (!frame.width) continue;
    const id = svg.closest("figure").id, scale = frame.width / svg.viewBox.baseVal.width;
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((a, i) => {
      const name = texts[i].textContent.slice(0, 40);
      if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
        complaints.push(`${id}: cut: ${name}`);
      const size = parseFloat(getComputedStyle(texts[i]).fontSize) * scale;
      if (size < 9.5 && !texts[i].classList.contains("up")) complaints.push(`${id}: ${size} px: ${name}`);
      boxes.forEach((b, k) => {
        if (k > i && a.left + 1 < b.right && b.left + 1 < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
          complaints.push(`${id}: overlap: ${name} / ${texts[k].textContent.slice(0, 40)}`);
      });
    });
    if (!svg.querySelector("title").textContent || !svg.querySelector("desc").textContent)
      complaints.push(`${id}: no title or description`);
  }
  return complaints;
})()
"""

# Elements of the page that are wider than their place; what scrolls by itself may be.
WIDTH = """
(() => {
  const complaints = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) complaints.push(`the page is wider than ${width}`);
  for (const element of document.querySelectorAll("h1, h2, h3, p, dt, dd, th, td, figcaption, summary, pre, svg")) {
    const box = element.getBoundingClientRect();
    if (box.width && box.right > width + 1 && !element.closest(".scroll"))
      complaints.push(`${element.tagName} is cut: ${element.textContent.slice(0, 40)}`);
  }
  return complaints;
})()
"""

# Words of a table's headings that are cut in two, names of features aside, which may be long.
WORDS = """
(() => {
  const complaints = [], range = document.createRange();
  for (const heading of document.querySelectorAll("table:not(.model) th")) {
    const text = heading.firstChild;
    if (!text || text.nodeType !== Node.TEXT_NODE || !heading.getBoundingClientRect().width) continue;
    for (const word of text.data.matchAll(/\\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) complaints.push(`a heading breaks within a word: ${word[0]}`);
    }
  }
  return complaints;
})()
"""

# Names of features of which a word is cut, unless it is too long for a phone.
NAMES = """
(() => {
  const complaints = [], range = document.createRange();
  for (const name of document.querySelectorAll("table.model tbody th:not(.long-name)")) {
    if (!name.getBoundingClientRect().width) continue;
    for (const text of name.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue;
      for (const word of text.data.matchAll(/[\\w]+/g)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (range.getClientRects().length > 1) complaints.push(`a name is cut: ${name.textContent}`);
      }
    }
  }
  return complaints;
})()
"""

# Tiles fill each of their rows.
TILES = """
(() => {
  const tiles = [...document.querySelectorAll(".facts div")].map((tile) => tile.getBoundingClientRect());
  const right = document.querySelector(".facts").getBoundingClientRect().right;
  const rows = [...new Set(tiles.map((tile) => tile.top))];
  return rows.filter((top) => Math.abs(Math.max(...tiles.filter((t) => t.top === top).map((t) => t.right)) - right) > 1)
    .map((top) => `a hole behind the tiles at ${top}`);
})()
"""

# Moves a pointer to the middle of a point; the hint then says its value.
HOVER = """
(() => {
  const complaints = [];
  for (const svg of document.querySelectorAll("svg.dcpn-figure")) {
    const frame = svg.getBoundingClientRect(), line = svg.querySelector("path.line");
    if (!frame.width || !line) continue;
    const end = line.getPointAtLength(line.getTotalLength()), scale = frame.width / svg.viewBox.baseVal.width;
    svg.dispatchEvent(new PointerEvent("pointermove",
      { clientX: frame.left + end.x * scale, clientY: frame.top + end.y * scale }));
    const hint = document.getElementById("hint");
    const box = hint.getBoundingClientRect(), covered = [...svg.querySelectorAll("text")].reduce((sum, text) => {
      const label = text.getBoundingClientRect();
      return sum + Math.max(0, Math.min(label.right, box.right) - Math.max(label.left, box.left)) *
        Math.max(0, Math.min(label.bottom, box.bottom) - Math.max(label.top, box.top));
    }, 0);
    if (!hint.hidden && covered > 0.3 * box.width * box.height)
      complaints.push(`${svg.closest("figure").id}: the hint stands on labels`);
    if (hint.hidden || !/\\d/.test(hint.textContent))
      complaints.push(`${svg.closest("figure").id}: hovering shows nothing`);
    svg.dispatchEvent(new PointerEvent("pointerleave"));
    if (!hint.hidden) complaints.push("the hint stays");
  }
  return complaints;
})()
"""


def made(folder, *words):
    path = folder / f"made-{'-'.join(words).replace('--', '')}.json"
    path.write_text(subprocess.run([sys.executable, HERE / "make.py", *words], check=True, capture_output=True,
                                   text=True).stdout, encoding="utf-8")
    return path


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


def pages(dcpn, folder):
    """The pages to look at, by name."""
    inputs = {"1": ("1", "--stability"), "5": ("5",), "5000": ("5000", "--stability"), "hostile": ("40", "--hostile", "--penalties", "3"),
              "nameless": ("60", "--nameless", "--kind", "path"), "four": ("12", "--penalties", "4", "--stability"),
              "runaway": ("300", "--penalties", "2", "--runaway")}
    for name, words in inputs.items():
        page = folder / f"{name}.html"
        run(dcpn, "report", made(folder, *words), "-o", page)
        assert (">scad</tspan>" in page.read_text()) == (name in ("four", "hostile")), f"{name}: the legend"
        yield name, page
    path, page = folder / "scaled.json", folder / "scaled.html"
    run(dcpn, "generate", "toy", "--features", "40", "--relevant", "5", "--rows", "200", "-o", folder / "scaled.svm")
    run(dcpn, "path", folder / "scaled.svm", "-o", path, "--penalty", "mcp", "-q")
    run(dcpn, "report", path, "-o", page)
    assert "coefficient per standard deviation" in page.read_text(), "the scale of the coefficients is not told"
    yield "scaled", page
    data, model, trace, page = (folder / name for name in ("data.svm", "model.json", "trace.jsonl", "model.html"))
    run(dcpn, "generate", "toy", "--features", "60", "--relevant", "5", "--rows", "300", "-o", data)
    run(dcpn, "fit", data, "-o", model, "--lambda", "5", "--trace", trace, "-q")
    run(dcpn, "report", model, "--trace", trace, "-o", page)
    yield "model", page


def chain(path, variables=20, rows=120):
    """Each variable leans on the one before; some names are hostile."""
    rng = random.Random(1)
    lines = [",".join(f"x{j}" if j % 3 else f"a <b> & {j}" for j in range(variables))]
    for _ in range(rows):
        values = [rng.gauss(0, 1)]
        while len(values) < variables:
            values.append(0.7 * values[-1] + rng.gauss(0, 0.7))
        lines.append(",".join(f"{value:.6g}" for value in values))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def sheets(dcpn, folder):
    """The pages of graphs, completed matrices and factors, by name."""
    data, signs, entries = (folder / name for name in ("chain.csv", "signs.csv", "entries.csv"))
    chain(data)
    head, *rows = data.read_text().splitlines()
    signs.write_text("\n".join([head] + [",".join(str(int(float(v) > 0)) for v in row.split(",")) for row in rows]) + "\n")
    rng = random.Random(2)
    entries.write_text("row,column,value\n" + "".join(
        f"{i},{j},{i * j / 50 + rng.gauss(0, 0.1) + 30 * (rng.random() < 0.01)}\n"
        for i in range(1, 31) for j in range(1, 21) if rng.random() < 0.7))
    works = {"graph": ("graph", data), "ising": ("graph", signs, "--model", "ising"), "lone": ("graph", data, "--lambda", "10"),
             "complete": ("complete", entries, "--sparse-lambda", "2"),
             "images": ("factor", data, "--atoms", "12", "--lambda", "0.3", "--image-shape", "4x5", "--max-iter", "20"),
             "components": ("factor", data, "--atoms", "5", "--kind", "sparse-pca", "--lambda", "2")}
    for name, words in works.items():
        page = folder / f"{name}.html"
        run(dcpn, *words, "--report", page, "-q")
        yield name, page
    run(dcpn, "graph", data, "-o", folder / "graph.json", "-q")
    run(dcpn, "report", folder / "graph.json", "-o", folder / "again.html")
    assert (folder / "again.html").read_text() == (folder / "graph.html").read_text().replace("chain.csv", "graph.json")


def look_at_sheet(window, page, width, images):
    window.complaints.clear()
    window.open(page, width, dark=width == 390)
    complaints = [it for question in (LABELS, WIDTH, WORDS, NAMES, TILES) for it in window.evaluate(question)]
    if window.evaluate("document.querySelectorAll('main script, main iframe, main a').length"):
        complaints.append("a name became markup")
    if window.evaluate("[...document.images].filter((it) => it.naturalWidth && it.alt).length") != images:
        complaints.append("not all images are there")
    if window.evaluate("performance.getEntriesByType('resource').filter((it) => !it.name.startsWith('data:')).length"):
        complaints.append("something was loaded")
    return complaints + window.complaints


def look(window, page, width, dark):
    window.complaints.clear()
    window.open(page, width, dark=dark)
    complaints = [it for question in (LABELS, WIDTH, WORDS, NAMES, TILES, HOVER) for it in window.evaluate(question)]
    complaints += window.complaints
    ground = window.evaluate("getComputedStyle(document.body).backgroundColor")
    if (sum(int(part) for part in ground.strip("rgba() ").split(",")[:3]) < 300) != dark:
        complaints.append(f"dark is {dark}, and the ground {ground}")
    if window.evaluate("document.querySelectorAll('main script:not([type]), main img, main iframe, main a').length"):
        complaints.append("a name became markup")
    if window.evaluate("performance.getEntriesByType('resource').length"):
        complaints.append("something was loaded")
    return complaints


def look_printed(window, page):
    """At the width of a sheet, between its margins."""
    window.open(page, 673, printed=True)
    complaints = window.evaluate(LABELS) + window.evaluate(WIDTH) + window.evaluate(WORDS)
    if window.evaluate("[...document.querySelectorAll('svg.dcpn-figure')].every((svg) => !svg.clientWidth)"):
        complaints.append("no figure is printed")
    return complaints


def look_away(window, page):
    """Letters of twice the size would overlap and be cut; who does not see that sees nothing."""
    window.open(page, 1200)
    window.evaluate("document.head.insertAdjacentHTML('beforeend', '<style>svg text { font-size: 26px }</style>')")
    found = " ".join(window.evaluate(LABELS))
    return [] if "overlap" in found and "cut" in found else ["labels of twice the size are not noticed"]


def look_without_scripts(window, page):
    window.open(page, 1200, scripts=False)
    is_there = window.evaluate("!document.getElementById('hint') && document.querySelector('main #origin') !== null"
                               " && document.querySelector('main table') !== null")
    return [] if is_there else ["without scripts something is missing"]


def main():
    if not browser.find():
        print("skipped: there is no Chromium here (Debian: chromium)")
        return 0
    complaints = []
    window = browser.Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name, page in pages(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder)):
                for width in WIDTHS:
                    complaints += [f"{name} at {width}: {it}" for it in look(window, page, width, dark=width == 390)]
                complaints += [f"{name}: {it}" for it in look_without_scripts(window, page)]
                complaints += [f"{name} printed: {it}" for it in look_printed(window, page)]
            for name, sheet in sheets(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder)):
                for width in WIDTHS:
                    images = {"images": 12, "components": 5}.get(name, 0)
                    complaints += [f"{name} at {width}: {it}" for it in look_at_sheet(window, sheet, width, images)]
            complaints += look_away(window, page)
    finally:
        window.close()
    print(*complaints[:40], f"{len(complaints)} complaints", sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
