"use strict";

(() => {
  const { page, element, svg } = otherminds;
  const story = page.data;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const panel = otherminds.panel("beliefs");

  function chip(container, isFalse, isNew) {
    if (container < 0) return element("span", { class: "none" }, "–");
    const { name, style } = story.containers[container];
    const look = ["chip", ...(isFalse ? ["false"] : []), ...(isNew ? ["new"] : [])].join(" ");
    return element("span", { class: look, style, title: isFalse ? "false" : "" }, name);
  }

  function mindsTable(thing, step) {
    const now = thing.beliefs[step];
    const before = thing.beliefs[Math.max(0, step - 1)];
    const others = story.agents.map((_, agent) => agent);
    const order = [...story.asked, ...others.filter((agent) => !story.asked.includes(agent))];
    const head = element("tr", {}, element("th", { scope: "col" }, ""), element("th", { scope: "col" }, "thinks it is in"));
    for (const subject of order) head.append(element("th", { scope: "col" }, `thinks that ${story.agents[subject]} thinks`));
    const body = element("tbody");
    for (const observer of order) {
      const place = story.places[step][observer];
      const name = element("th", { scope: "row" }, element(story.asked.includes(observer) ? "b" : "span", {}, story.agents[observer]));
      name.append(element("small", {}, place < 0 ? "nowhere" : story.rooms[place]));
      const row = element("tr", {}, name);
      const cell = (subject, truth) => {
        const held = now[observer][subject];
        row.append(element("td", {}, chip(held, held !== truth, held !== before[observer][subject])));
      };
      cell(observer, thing.at[step]);
      for (const subject of order) {
        if (subject === observer) row.append(element("td"));
        else cell(subject, now[subject][subject]);
      }
      body.append(row);
    }
    return element("table", {}, element("thead", {}, head), body);
  }

  function showMinds(step) {
    const parts = [
      element("p", { class: "told" }, step ? story.told[step] : "Before the story."),
      element("p", { class: "seen" }, story.seen[step].join("; ")),
    ];
    for (const thing of story.things) {
      const where = thing.at[step] < 0 ? "nowhere yet" : chip(thing.at[step], false, step > 0 && thing.at[step] !== thing.at[step - 1]);
      parts.push(element("p", { class: "really" }, `${thing.name}, really: `, where), mindsTable(thing, step));
    }
    parts.push(element("p", { class: "key" }, "Underlined: false, of the world or of the other mind. Ringed: new at this step. Bold: asked about."));
    panel.replaceChildren(...parts);
  }

  function showStory(step) {
    for (const line of all("#panel-story li")) {
      const at = Number(line.dataset.step);
      line.classList.toggle("now", at === step);
      line.classList.toggle("later", at > step);
    }
    const frame = otherminds.panel("story");
    const line = frame.querySelector("li.now");
    if (!line) frame.scrollTop = 0;
    else if (line.offsetTop + line.offsetHeight > frame.offsetTop + frame.clientHeight + frame.scrollTop || line.offsetTop < frame.offsetTop + frame.scrollTop) {
      frame.scrollTop = line.offsetTop - frame.offsetTop - frame.clientHeight / 2;
    }
  }

  function showColumn(step) {
    const now = document.querySelector("#panel-timeline .column-now");
    const [x, y, width, height] = step ? story.boxes[step - 1] : [0, 0, 0, 0];
    for (const [name, value] of Object.entries({ x, y: y - 4, width, height })) now.setAttribute(name, value);
  }

  const picture = document.querySelector("#panel-timeline svg");
  picture.querySelector("rect").after(svg("rect", { class: "column-now", rx: 4 }));  // on the ground, under all else
  story.boxes.forEach(([x, y, width, height], event) => {
    const pick = svg("rect", { class: "column-pick", x, y, width, height });
    pick.addEventListener("click", () => otherminds.seek(event + 1));
    picture.append(pick);
  });
  for (const line of all("#panel-story li")) line.querySelector("button").onclick = () => otherminds.seek(Number(line.dataset.step));
  otherminds.onTurn((step) => { showMinds(step); showStory(step); showColumn(step); });
  // The questions are asked at the end, so that is where to begin.
  if (!location.hash) try { history.replaceState(null, "", `#turn=${page.frames.length - 1}`); } catch (error) { /* from the start then */ }
})();
