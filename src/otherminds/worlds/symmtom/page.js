"use strict";

(() => {
  const { page, element, svg, swatch } = otherminds;
  const { pieces, firstHand, beliefs, wrong } = page.data;
  const count = page.minds.length;
  const agents = page.minds.map((_, agent) => agent);
  const has = (mask, piece) => (mask >>> piece) & 1;
  const SIZE = 12;
  const DIAMOND = "M6 1L11 6L6 11L1 6Z";

  // Every diamond on the page refers to one of these marks.
  const shape = (fill, stroke, width, extra) => [
    svg("path", { d: DIAMOND, style: `fill:var(--${fill});stroke:var(--${stroke});stroke-width:${width};stroke-linejoin:round` }),
    ...(extra ? [extra] : []),
  ];
  const marks = {
    first: shape("first", "outline", 0.7),
    second: shape("second", "outline", 0.7),
    unknown: shape("unknown", "faint", 0.7),
    phantom: shape("phantom", "phantom", 1.1, svg("path", { d: "M4 4L8 8M8 4L4 8", style: "stroke:var(--card);stroke-width:1.5;stroke-linecap:round" })),
    missed: shape("unknown", "missed", 1.3, svg("circle", { cx: 6, cy: 6, r: 1.7, style: "fill:var(--missed)" })),
  };
  marks.said = [svg("circle", { cx: 6, cy: 6, r: 5.2, style: "fill:none;stroke:var(--ink);stroke-width:1.4" })];
  const symbols = Object.entries(marks).map(([name, parts]) => svg("g", { id: `mark-${name}` }, ...parts));
  document.body.prepend(svg("svg", { width: 0, height: 0, style: "position:absolute", "aria-hidden": "true" }, svg("defs", {}, ...symbols)));

  function grid(perLine) {
    const lines = Math.ceil(pieces / perLine);
    const root = svg("svg", { class: "marks", role: "img", viewBox: `0 0 ${perLine * SIZE} ${lines * SIZE}` });
    const uses = Array.from({ length: pieces }, (_, piece) => {
      const use = svg("use", { x: (piece % perLine) * SIZE, y: Math.floor(piece / perLine) * SIZE, href: "#mark-unknown" });
      root.append(use);
      return use;
    });
    return { root, uses };
  }
  const balanced = (most) => Math.ceil(pieces / Math.ceil(pieces / most));
  const list = (mask) => Array.from({ length: pieces }, (_, p) => p).filter((p) => has(mask, p)).join(", ") || "nothing";

  function buildMinds() {
    const perLine = balanced(12);
    return agents.map((agent) => {
      const { root, uses } = grid(perLine);
      root.style.maxWidth = `${perLine * 25}px`;
      const numbers = uses.map((use, piece) => {
        const number = svg("text", { x: Number(use.getAttribute("x")) + 6, y: Number(use.getAttribute("y")) + 7.8 }, String(piece));
        root.append(number);
        return number;
      });
      const ring = svg("circle", { class: "said", r: 6.1 });
      root.append(ring);
      otherminds.mind(agent).append(root);
      return { root, uses, numbers, ring };
    });
  }

  function showMinds(minds, data) {
    minds.forEach(({ root, uses, numbers, ring }, agent) => {
      const known = data.knowledge[agent];
      uses.forEach((use, piece) => {
        const mark = !has(known, piece) ? "unknown" : has(firstHand[agent], piece) ? "first" : "second";
        use.setAttribute("href", `#mark-${mark}`);
        numbers[piece].setAttribute("class", { unknown: "", first: "black", second: "grey" }[mark]);
      });
      const said = data.said[agent];
      ring.style.display = said < 0 ? "none" : "";
      if (said >= 0) {
        ring.setAttribute("cx", Number(uses[said].getAttribute("x")) + 6);
        ring.setAttribute("cy", Number(uses[said].getAttribute("y")) + 6);
      }
      root.setAttribute("aria-label", `knows ${list(known)}; ${said < 0 ? "silent" : `says ${said}`}`);
    });
  }

  function buildMatrix() {
    const perLine = balanced(8);
    const head = element("tr", {}, element("th", { class: "corner" }, "believes ↓", element("br"), "… knows →"));
    head.append(...agents.map((subject) => element("th", { scope: "col", "aria-label": `about agent ${subject}` }, swatch(subject))));
    const body = element("tbody");
    const cells = agents.map((observer) => {
      const name = element("span", { class: "player" }, swatch(observer), element("span", { class: "name", title: page.minds[observer] }, page.minds[observer]));
      const row = element("tr", {}, element("th", { scope: "row" }, name));
      body.append(row);
      return agents.map((subject) => {
        const cell = grid(perLine);
        cell.box = element("td", observer === subject ? { class: "own" } : {}, cell.root);
        row.append(cell.box);
        return cell;
      });
    });
    const table = element("table", { class: "beliefs" }, element("thead", {}, head), body);
    return { table, cells, fit: (room) => fitMatrix(table, perLine, room) };
  }

  /** Diamonds as large as the room allows; below a legible size the table scrolls instead. */
  function fitMatrix(table, perLine, room) {
    const header = table.rows[0].cells[0].offsetWidth;
    const padding = count * 18 + 4;
    const pixels = Math.max(9, Math.min(19, Math.floor((room - header - padding) / (count * perLine))));
    for (const root of table.querySelectorAll(".marks")) {
      root.setAttribute("width", perLine * pixels);
      root.setAttribute("height", Math.ceil(pieces / perLine) * pixels);
    }
  }

  function showMatrix(cells, believed, truth) {
    agents.forEach((observer) => agents.forEach((subject) => {
      const { box, root, uses } = cells[observer][subject];
      const isOwn = observer === subject;
      const real = truth[subject];
      const held = isOwn ? real : believed[observer][subject];
      uses.forEach((use, piece) => {
        const known = has(held, piece) ? (has(firstHand[subject], piece) ? "first" : "second") : "unknown";
        const mark = has(held, piece) === has(real, piece) ? known : has(held, piece) ? "phantom" : "missed";
        use.setAttribute("href", `#mark-${mark}`);
      });
      const text = isOwn
        ? `${observer} knows ${list(real)}`
        : `${observer} believes ${subject} knows ${list(held)}. Believed but false: ${list(held & ~real)}. True but not believed: ${list(real & ~held)}.`;
      root.setAttribute("aria-label", text);
      box.title = text;
      box.classList.toggle("erring", held !== real);
    }));
  }

  /** A stacked step chart of wrong entries over the turns; a click goes to that turn. */
  function drawCourse(chart, counts, turn) {
    const top = Math.max(1, ...counts.map(([phantom, missed]) => phantom + missed));
    const steps = (upper, lower) =>
      `M0 ${lower(0)}` + counts.map((_, t) => `L${t} ${upper(t)}H${t + 1}`).join("") +
      counts.map((_, t) => counts.length - 1 - t).map((t) => `L${t + 1} ${lower(t)}H${t}`).join("") + "Z";
    const scale = (value) => 40 - (38 * value) / top;
    chart.setAttribute("viewBox", `0 0 ${counts.length} 40`);
    chart.replaceChildren(
      svg("path", { class: "phantom", d: steps((t) => scale(counts[t][0]), () => 40) }),
      svg("path", { class: "missed", d: steps((t) => scale(counts[t][0] + counts[t][1]), (t) => scale(counts[t][0])) }),
      svg("line", { class: "axis", x1: 0, x2: counts.length, y1: 40, y2: 40 }),
      svg("line", { x1: turn + 0.5, x2: turn + 0.5, y1: 0, y2: 40 })
    );
    return top;
  }

  const KNOWN = { first: "first-hand", second: "second-hand", unknown: "not known", said: "being said" };
  const WRONG = { phantom: "believed, but false", missed: "true, but not believed" };

  function key(meanings) {
    return element("ul", { class: "key" }, ...Object.entries(meanings).map(([mark, text]) =>
      element("li", {}, svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("use", { href: `#mark-${mark}` })), text)));
  }

  function buildBeliefs() {
    const names = Object.keys(beliefs);
    const panel = otherminds.panel("beliefs");
    const ways = element("fieldset", { class: "ways" }, element("legend", {}, "Belief"));
    names.forEach((name, place) => {
      const input = element("input", { type: "radio", name: "way", value: name });
      input.checked = place === 0;
      input.onchange = otherminds.redraw;
      ways.append(element("label", {}, input, element("span", {}, name)));
    });
    const { table, cells, fit } = buildMatrix();
    const verdict = element("p", { class: "verdict" });
    const chart = svg("svg", { class: "course", preserveAspectRatio: "none", role: "img" });
    const scale = element("p", { class: "scale" });
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      otherminds.seek(Math.floor(((event.clientX - box.left) / box.width) * page.frames.length));
    });
    panel.append(ways, table, key({ ...KNOWN, ...WRONG }));
    panel.after(verdict, chart, scale);
    new ResizeObserver(() => fit(panel.clientWidth)).observe(panel);
    const entries = count * (count - 1) * pieces;
    return (turn, frame) => {
      const name = ways.querySelector("input:checked").value;
      const [phantom, missed] = wrong[name][turn];
      showMatrix(cells, beliefs[name][turn], frame.data.knowledge);
      verdict.replaceChildren(
        element("b", {}, String(phantom + missed)), ` of ${entries} entries wrong: `,
        element("span", { class: "phantom" }, String(phantom)), " believed but false, ",
        element("span", { class: "missed" }, String(missed)), " true but not believed"
      );
      const top = drawCourse(chart, wrong[name], turn);
      const mean = wrong[name].reduce((sum, [a, b]) => sum + a + b, 0) / wrong[name].length;
      const text = `wrong entries over the episode: at most ${top}, on average ${mean.toFixed(1)}`;
      chart.setAttribute("aria-label", text);
      scale.replaceChildren(element("span", {}, "start"), element("span", {}, text), element("span", {}, "end"));
    };
  }

  const minds = buildMinds();
  const hasBeliefs = Object.keys(beliefs).length > 0;
  const showBeliefs = hasBeliefs ? buildBeliefs() : () => {};
  if (!hasBeliefs) document.querySelector("#agents .content").append(key(KNOWN));
  otherminds.onTurn((turn, frame) => {
    showMinds(minds, frame.data);
    showBeliefs(turn, frame);
  });
})();
