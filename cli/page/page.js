// Values under the pointer. The page says the same without: titles in the figures, and tables.
(() => {
  const hint = document.createElement("div");
  hint.id = "hint";
  hint.hidden = true;
  hint.setAttribute("aria-hidden", "true");
  document.body.append(hint);

  const axis = (words) => {
    const [log, first, last, from, to] = words.split(" ").map(Number);
    const place = (value) => (log ? Math.log(value) : value);
    return (value) => from + ((to - from) * (place(value) - place(first))) / (place(last) - place(first));
  };
  const short = (value) => String(Number(value.toPrecision(4))).replace("-", "\u2212");

  const prepare = (svg, data) => {
    const across = axis(svg.dataset.x), down = axis(svg.dataset.y);
    return data.series.map((series) => ({
      ...series,
      points: series.y.flatMap((y, i) => {
        const x = (series.x || data.x)[i], at = [across(x), down(y)];
        return y === null || !at.every(Number.isFinite) ? [] : [{ x, y, bar: series.bar?.[i], at }];
      }),
    }));
  };

  const nearest = (all, x, y) => {
    let best = null, least = 40;
    for (const series of all)
      for (const point of series.points) {
        const distance = Math.hypot(point.at[0] - x, point.at[1] - y);
        if (distance < least) [best, least] = [{ series, point }, distance];
      }
    return best;
  };

  const draw = (svg, found) => {
    const add = (name, attributes) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      svg.append(element);
    };
    add("polyline", { class: "hot", points: found.series.points.map((point) => point.at.join(",")).join(" ") });
    add("circle", { class: "hot-dot", cx: found.point.at[0], cy: found.point.at[1], r: 4.5 });
  };

  const clear = (svg) => svg.querySelectorAll(".hot, .hot-dot").forEach((element) => element.remove());

  // Beside the pointer, where the hint hides the fewest labels of the figure.
  const settle = (svg, x, y) => {
    const labels = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
    const width = hint.offsetWidth, height = hint.offsetHeight;
    const hidden = (left, top) =>
      labels.reduce((sum, box) => sum + Math.max(0, Math.min(box.right, left + width) - Math.max(box.left, left)) *
        Math.max(0, Math.min(box.bottom, top + height) - Math.max(box.top, top)), 0);
    let best = null;
    for (const top of [y - height - 12, y + 16, y - height / 2])
      for (const left of [x + 14, x - width - 14]) {
        const at = [Math.max(4, Math.min(left, innerWidth - width - 4)), Math.max(4, Math.min(top, innerHeight - height - 4))];
        const cost = hidden(...at);
        if (!best || cost < best.cost) best = { cost, at };
      }
    [hint.style.left, hint.style.top] = best.at.map((place) => `${place}px`);
  };

  const watch = (svg, data) => {
    let all = null;
    svg.addEventListener("pointermove", (event) => {
      all ??= prepare(svg, data);
      const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
      const found = nearest(all, (event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
      clear(svg);
      hint.hidden = !found;
      if (!found) return;
      draw(svg, found);
      const { series, point } = found, bar = point.bar ? ` \u00b1 ${short(point.bar)}` : "";
      hint.textContent =
        `${series.name ? series.name + "\n" : ""}${data.yLabel}: ${short(point.y)}${bar}\n${data.xLabel}: ${short(point.x)}`;
      settle(svg, event.clientX, event.clientY);
    });
    svg.addEventListener("pointerleave", () => {
      clear(svg);
      hint.hidden = true;
    });
  };

  for (const source of document.querySelectorAll("script.figure-data")) {
    const data = JSON.parse(source.textContent);
    for (const svg of source.parentElement.querySelectorAll("svg.dcpn-figure")) watch(svg, data);
  }
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
