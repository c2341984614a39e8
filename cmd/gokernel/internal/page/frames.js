// Controls of Interact work on a page. The results of its function for all their positions were
// computed in advance, and are in templates.
let knobs = 0;
for (const output of document.querySelectorAll(".output.interact")) {
  const {controls, table} = JSON.parse(output.querySelector(":scope > script").textContent);
  const room = output.querySelector(":scope > .frame"), line = output.querySelector(":scope > .controls");
  const at = controls.map(c => c.start), set = [];
  const entry = () => controls.reduce((n, c, i) => n * c.values.length + at[i], 0);
  const frames = new Map([...output.querySelectorAll(":scope > template")].map(t => [Number(t.dataset.frame), t.content]));
  const first = document.createDocumentFragment();
  first.append(...[...room.childNodes].map(n => n.cloneNode(true)));
  let shown = table[entry()], busy = false;
  frames.set(shown, first);

  // A frame replaces the previous one when its pictures can be drawn. If the reader asks for more
  // frames until then, the last of them is next.
  const show = async () => {
    if (line) line.textContent = controls.map((c, i) => `${c.name} = ${c.values[at[i]]}`).join(" \u00b7 ");
    if (busy) return;
    busy = true;
    while (shown !== table[entry()]) {
      shown = table[entry()];
      const frame = document.importNode(frames.get(shown), true);
      await Promise.all([...frame.querySelectorAll("img")].map(i => i.decode().catch(() => {})));
      room.replaceChildren(frame);
      room.dispatchEvent(new Event("frame", {bubbles: true}));
    }
    busy = false;
  };
  const move = (i, value) => {
    at[i] = value;
    // If a combination of positions has no frame, reset the other controls.
    if (table[entry()] < 0) controls.forEach((c, j) => { if (j !== i) { at[j] = c.start; set[j](); } });
    set[i]();
    show();
  };

  const make = (name, properties, ...inner) => {
    const e = Object.assign(document.createElement(name), properties);
    e.append(...inner);
    return e;
  };
  const group = make("div", {className: "knobs"});
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Controls of the figure");
  controls.forEach((c, i) => {
    const id = `knob-${++knobs}`, label = make("label", {htmlFor: id}, c.name);
    if (c.kind === "slider") {
      const said = make("output", {htmlFor: id}), input = make("input", {id, type: "range", min: 0, max: c.values.length - 1, step: 1});
      said.style.minWidth = Math.max(...c.values.map(v => v.length)) + "ch";
      set[i] = () => {
        input.value = at[i];
        said.textContent = c.values[at[i]];
        input.setAttribute("aria-valuetext", c.values[at[i]]);
      };
      input.oninput = () => move(i, Number(input.value));
      group.append(make("div", {className: "knob"}, label, input, said));
    } else if (c.kind === "list") {
      const select = make("select", {id}, ...c.values.map(v => make("option", {textContent: v})));
      set[i] = () => { select.selectedIndex = at[i]; };
      select.onchange = () => move(i, select.selectedIndex);
      group.append(make("div", {className: "knob"}, label, select));
    } else if (c.kind === "box") {
      const input = make("input", {id, type: "checkbox"});
      set[i] = () => { input.checked = at[i] === 1; };
      input.onchange = () => move(i, Number(input.checked));
      group.append(make("div", {className: "knob"}, input, label));
    } else {
      set[i] = () => {};
      group.append(make("div", {className: "knob"}, `${c.name} = ${c.values[0]}`));
    }
    set[i]();
  });
  room.before(group);
  output.classList.add("moving");
}
