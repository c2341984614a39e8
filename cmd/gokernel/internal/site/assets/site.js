// A button copies code.
for (const input of document.querySelectorAll(".input")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy this code");
  button.onclick = async () => {
    const code = input.querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(code);
    } catch { // pages on a disk may not be allowed to
      const area = document.createElement("textarea");
      area.value = code;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  input.append(button);
}

// A button changes the color theme: that of the system, light, or dark. The browser stores the
// choice.
const theme = document.querySelector("button.theme");
if (theme) {
  const themes = ["auto", "light", "dark"], now = () => document.documentElement.dataset.theme || themes[0];
  const name = () => {
    theme.title = "Color theme: " + now();
    theme.setAttribute("aria-label", theme.title);
  };
  theme.hidden = false;
  theme.onclick = () => {
    const next = themes[(themes.indexOf(now()) + 1) % themes.length];
    if (next === themes[0]) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try { localStorage.setItem("theme", next); } catch { /* it is kept for this page */ }
    name();
  };
  new MutationObserver(name).observe(document.documentElement, {attributeFilter: ["data-theme"]});
  name();
}

// One button shows or folds all code. The browser stores the choice.
const folds = [...document.querySelectorAll(".cell > details.fold")], all = document.querySelector("button.fold");
const stored = (value) => {
  try {
    if (value !== undefined) localStorage.setItem("code", value);
    return localStorage.getItem("code");
  } catch { return null; } // no storage: nothing is kept
};
if (all && folds.length) {
  const set = open => {
    for (const d of folds) d.open = open;
    all.textContent = open ? "Fold figures' code" : "Show all code";
  };
  all.hidden = false;
  if (stored() === "shown") set(true);
  all.onclick = () => {
    const open = !folds.every(d => d.open);
    set(open);
    stored(open ? "shown" : "folded");
  };
}

// Another button opens or folds the boxes about mistakes in the notes.
const slips = [...document.querySelectorAll("details.slip")], errata = document.querySelector("button.errata");
if (errata && slips.length) {
  const name = () => { errata.textContent = slips.every(d => d.open) ? "Fold slips of the notes" : "Show slips of the notes"; };
  errata.hidden = false;
  errata.onclick = () => {
    const open = !slips.every(d => d.open);
    for (const d of slips) d.open = open;
    name();
  };
  for (const d of slips) d.addEventListener("toggle", name);
  name();
}

// Printing includes what is folded.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const d of closed) d.open = true;
  for (const i of document.images) i.loading = "eager";
});
addEventListener("afterprint", () => {
  for (const d of closed) d.open = false;
  closed = [];
});

// A link opens the folded section that it leads to.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target && target.closest("details");
  if (fold) { fold.open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", reveal);
reveal();

// Headings can be linked to, and the table of contents shows the section that is being read.
const headings = [...document.querySelectorAll("main h2[id], main h3[id]")];
for (const h of headings) {
  if (!h.closest(".text, .method, .api")) continue;
  const a = document.createElement("a");
  a.className = "anchor";
  a.href = "#" + h.id;
  a.textContent = "#";
  a.setAttribute("aria-label", "Link to " + h.textContent.trim());
  h.append(" ", a);
}
const contents = document.getElementById("contents");
if (contents) {
  const links = new Map([...contents.querySelectorAll("ol a")].map(a => [decodeURIComponent(a.hash.slice(1)), a]));
  const places = [...links.keys()].map(id => document.getElementById(id)).filter(Boolean);
  let now = null, waiting = false;
  const mark = () => {
    waiting = false;
    let at = places[0];
    for (const p of places) if (p.getBoundingClientRect().top < innerHeight * 0.3) at = p;
    const link = at && links.get(at.id);
    if (link === now || !link) return;
    if (now) now.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    now = link;
    const room = contents.getBoundingClientRect(), box = link.getBoundingClientRect();
    if (box.top < room.top || box.bottom > room.bottom) contents.scrollTop += box.top - room.top - room.height / 3;
  };
  addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(mark); } }, {passive: true});
  mark();
  contents.addEventListener("click", e => { if (e.target.closest("a") && contents.matches(":popover-open")) contents.hidePopover(); });
}

// The map highlights the path to a lecture.
for (const a of document.querySelectorAll(".map a")) {
  const edges = [...document.querySelectorAll(".map path")];
  const light = on => {
    const todo = [a.dataset.name], seen = new Set(todo);
    for (const e of edges) e.classList.remove("lit");
    while (on && todo.length) {
      const to = todo.pop();
      for (const e of edges) {
        if (e.dataset.to !== to) continue;
        e.classList.add("lit");
        if (!seen.has(e.dataset.from)) { seen.add(e.dataset.from); todo.push(e.dataset.from); }
      }
    }
  };
  a.onmouseenter = a.onfocus = () => light(true);
  a.onmouseleave = a.onblur = () => light(false);
}

// On a phone the map begins with its first lecture in the middle.
for (const room of document.querySelectorAll(".map .scroll")) {
  const first = room.querySelector("a").getBoundingClientRect(), view = room.getBoundingClientRect();
  room.scrollLeft += first.left + first.width / 2 - view.left - view.width / 2;
}

// The keyboard can reach the elements that scroll.
const rooms = () => {
  for (const e of document.querySelectorAll(".scroll, .formula, #contents")) {
    if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) e.tabIndex = 0;
    else e.removeAttribute("tabindex");
  }
};
addEventListener("load", rooms);
addEventListener("resize", rooms);

// The key / begins a search.
addEventListener("keydown", e => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select")) return;
  e.preventDefault();
  document.getElementById("q").focus();
});
