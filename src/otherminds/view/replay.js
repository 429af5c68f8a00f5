"use strict";

const otherminds = (() => {
  const page = JSON.parse(document.getElementById("episode").textContent);
  const last = page.frames.length - 1;
  const byId = (id) => document.getElementById(id);
  const listeners = [];
  const rows = [];
  const PLAY = "M4 2l10 6-10 6z";
  const PAUSE = "M3 2h4v12H3zM9 2h4v12H9z";
  const SECONDS = 0.8;
  let turn = -1;
  let timer = 0;

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  function swatch(agent) {
    const colour = page.colours[agent] || "#888888";
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    const mark = element("span", { class: "swatch" }, String(agent + page.firstNumber));
    mark.style.background = colour;
    mark.style.color = 0.299 * r + 0.587 * g + 0.114 * b > 150 ? "#000000" : "#ffffff";
    return mark;
  }

  const rounded = (value) => String(Math.round(value * 100) / 100).replace("-", "\u2212");

  function buildAgents() {
    if (!page.minds.length) return byId("agents").remove();
    const head = element("tr", {}, element("th", { scope: "col" }, "agent"));
    if (page.knowledgeTitle) head.append(element("th", { scope: "col" }, page.knowledgeTitle));
    head.append(element("th", { scope: "col", class: "sum" }, "turn"), element("th", { scope: "col", class: "sum" }, "score"));
    const body = element("tbody");
    page.minds.forEach((name, agent) => {
      const row = { mind: element("td"), reward: element("td", { class: "sum" }), score: element("td", { class: "sum" }) };
      const player = element("span", { class: "player" }, swatch(agent), element("span", { class: "name", title: name }, name));
      const line = element("tr", {}, element("th", { scope: "row" }, player));
      if (page.knowledgeTitle) line.append(row.mind);
      line.append(row.reward, row.score);
      body.append(line);
      rows.push(row);
    });
    byId("agents").querySelector(".content").append(element("table", {}, element("thead", {}, head), body));
  }

  function showNumbers(frame) {
    rows.forEach((row, agent) => {
      const reward = frame.rewards[agent] || 0;
      row.reward.textContent = reward > 0 ? `+${rounded(reward)}` : rounded(reward);
      row.reward.classList.toggle("nothing", reward === 0);
      row.score.textContent = rounded(frame.scores[agent] || 0);
    });
  }

  function goTo(wanted) {
    const next = Math.max(0, Math.min(last, Math.round(wanted) || 0));
    if (next === turn) return;
    turn = next;
    const frame = page.frames[turn];
    byId("board").innerHTML = frame.board;
    byId("turn").value = turn;
    byId("turn").setAttribute("aria-valuetext", frame.label);
    byId("label").textContent = frame.label;
    byId("log").replaceChildren(
      ...frame.log.map(([agent, text]) => element("li", {}, ...(agent === null ? [] : [swatch(agent)]), element("span", {}, text)))
    );
    for (const [name, html] of Object.entries(frame.panels)) byId(`panel-${name}`).querySelector(".content").innerHTML = html;
    showNumbers(frame);
    for (const listener of listeners) listener(turn, frame);
    // A stored file may forbid it; the replay works without.
    try { history.replaceState(null, "", `#turn=${turn}`); } catch (error) { /* no deep link then */ }
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    showPlaying();
  }
  function play() {
    if (turn === last) goTo(0);
    clearInterval(timer);
    timer = setInterval(() => { goTo(turn + 1); if (turn === last) pause(); }, (1000 * SECONDS) / Number(byId("speed").value));
    showPlaying();
  }
  function showPlaying() {
    const button = byId("play");
    button.setAttribute("aria-label", timer ? "Pause" : "Play");
    button.querySelector("path").setAttribute("d", timer ? PAUSE : PLAY);
    byId("log").setAttribute("aria-live", timer ? "off" : "polite");
  }
  const seek = (wanted) => { pause(); goTo(wanted); };
  const toggle = () => (timer ? pause() : play());

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target;
    const isRadio = on.matches("input[type=radio]");
    if (on.matches("select, textarea") || (isRadio && event.key !== "Home" && event.key !== "End")) return;
    if (event.key === " " && on.matches("button, a, summary")) return;
    const actions = {
      ArrowLeft: () => seek(turn - 1), ArrowRight: () => seek(turn + 1), Home: () => seek(0), End: () => seek(last), " ": toggle,
    };
    if (on.id === "turn") Object.assign(actions, { ArrowDown: actions.ArrowLeft, ArrowUp: actions.ArrowRight });
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }

  function linked() {
    const match = /(?:^#|&)turn=(\d+)/.exec(location.hash);
    return match ? Number(match[1]) : 0;
  }

  function start() {
    byId("first").onclick = () => seek(0);
    byId("back").onclick = () => seek(turn - 1);
    byId("play").onclick = toggle;
    byId("forward").onclick = () => seek(turn + 1);
    byId("last").onclick = () => seek(last);
    byId("turn").oninput = (event) => seek(Number(event.target.value));
    byId("speed").onchange = () => { if (timer) play(); };
    document.addEventListener("keydown", press);
    window.addEventListener("hashchange", () => seek(linked()));
    goTo(linked());
  }

  buildAgents();
  return {
    page, element, svg, swatch, seek, start,
    mind: (agent) => rows[agent].mind,
    panel: (name) => byId(`panel-${name}`).querySelector(".content"),
    onTurn: (listener) => listeners.push(listener),
    redraw: () => { const now = turn; turn = -1; goTo(now); },
  };
})();
