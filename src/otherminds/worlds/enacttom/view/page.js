"use strict";

(() => {
  const { page, element } = otherminds;
  const { people, columns, chains, boards, worlds, others } = page.data;
  const runs = [[...page.frames], ...others];
  const colours = page.colours;
  const MARKS = [["unknown", "·", "does not know"], ["wrong", "✗", "is wrong about"], ["knows", "✓", "knows"]];
  const WIDE = 5; // more columns than this have the whole width of the page
  const MANY = 10; // more than this have heads that run upwards
  const DEPTHS = ["what each knows", "also about others", "also about others' knowledge"];
  const panel = otherminds.panel("knowledge");
  let looker = 0;
  let depth = 2;
  let frame = page.frames[0];

  const token = (agent) => {
    const mark = element("span", { class: "token" }, String(agent + 1));
    mark.style.background = colours[agent];
    return mark;
  };

  function chainHeader(agents) {
    const named = agents.map((agent) => people[agent]).join(" knows that ") + " knows …";
    const parts = agents.flatMap((agent, at) => (at ? [element("span", { class: "of" }, "›"), token(agent)] : [token(agent)]));
    if (agents.length === 1) parts.push(element("span", { class: "name" }, people[agents[0]]));
    return element("th", { scope: "row", title: named, "aria-label": named }, ...parts);
  }

  function matrix() {
    const head = element("tr", {}, element("th", {}), ...columns.map((name) => element("th", { scope: "col" }, element("span", {}, name))));
    const wanted = chains.map((chain, row) => [chain, row]).filter(([chain]) => chain.length <= depth && (!looker || chain[0] === looker - 1));
    const rows = wanted.map(([chain, row], at) => {
      const isNew = at && wanted[at - 1][0].length < chain.length;
      const cells = frame.data.cells[row].map(([verdict, value], column) => {
        const [name, sign, text] = MARKS[verdict];
        const title = `${chain.map((agent) => people[agent]).join(" › ")}: ${text} ${columns[column]}${value ? ` (${value})` : ""}`;
        return element("td", { class: name, title, "aria-label": title }, element("b", {}, sign), chain.length === 1 && value ? ` ${value}` : "");
      });
      return element("tr", isNew ? { class: "deeper" } : {}, chainHeader(chain), ...cells);
    });
    return element("table", { class: columns.length > MANY ? "matrix many" : "matrix" }, element("thead", {}, head), element("tbody", {}, ...rows));
  }

  function choice() {
    const inputs = DEPTHS.map((name, at) => {
      const input = element("input", { type: "radio", name: "depth", value: at + 1 });
      input.checked = at + 1 === depth;
      input.onchange = () => { depth = at + 1; draw(); };
      return element("label", {}, input, ` ${name}`);
    });
    const key = MARKS.map(([name, sign, text]) => element("span", { class: `key ${name}` }, element("b", {}, sign), ` ${text}`));
    return [element("div", { class: "depths" }, ...inputs), element("div", { class: "keys" }, ...key)];
  }

  /** What happened; for a person, what it perceived of it. */
  function tell() {
    const lines = looker ? frame.data.perceived[looker - 1].map((text) => [looker - 1, text]) : frame.log;
    document.getElementById("log").replaceChildren(...lines.map(([agent, text], at) => {
      const mark = agent === null || (looker && at) ? [] : [otherminds.swatch(agent)];
      return element("li", {}, ...mark, element("span", {}, text));
    }));
    document.getElementById("title-log").textContent = looker ? `What ${people[looker - 1]} perceives` : "What happened";
  }

  const body = element("div", { class: "scroll" });
  function draw() {
    document.getElementById("board").innerHTML = boards[frame.data.boards[looker]];
    body.replaceChildren(matrix());
    tell();
    for (const mark of document.querySelectorAll(".left")) {
      const left = frame.data.budgets[Number(mark.dataset.agent)];
      mark.textContent = `${left} message${left === 1 ? "" : "s"} left`;
    }
  }

  function look(wanted) {
    const input = document.querySelector(`input[name=look][value="${wanted}"]`);
    if (!input) return;
    input.checked = true;
    looker = wanted;
    draw();
  }

  function choose(run) {
    page.frames.splice(0, page.frames.length, ...runs[run]);
    otherminds.redraw();
  }

  panel.append(...choice(), body);
  if (columns.length > WIDE) {
    const whole = panel.closest(".panel");
    whole.classList.add("wide");
    document.querySelector("main").append(whole);
  }
  // What happened belongs below the picture: the table beside it is long.
  document.getElementById("board").closest(".column").append(document.getElementById("log").closest(".panel"));
  for (const input of document.querySelectorAll("input[name=look]")) input.onchange = () => look(Number(input.value));
  const select = document.getElementById("world");
  worlds.forEach((name, at) => select.append(element("option", { value: at }, name)));
  select.onchange = () => choose(Number(select.value));
  select.disabled = worlds.length < 2;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    if (/^[0-4]$/.test(event.key)) look(Number(event.key));
  });
  otherminds.onTurn((_, now) => { frame = now; draw(); });
})();
