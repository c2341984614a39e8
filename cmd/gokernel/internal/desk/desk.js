"use strict";

const $ = (id) => document.getElementById(id);
let state, task, at = 0, dirty = false, busy = false;

const entry = (student = state.students[at]) => state.entries[student][task.id];
const label = (i) => $("hide").checked ? `Submission ${i + 1}` : state.students[i];
const number = (x) => String(Math.round(x * 1e6) / 1e6);

// Draw the list of students with their marks.
function list() {
  const focused = $("students").contains(document.activeElement);
  $("students").replaceChildren(...state.students.map((student, i) => {
    const e = entry(student), button = document.createElement("button"), mark = document.createElement("span");
    button.type = "button";
    button.append(label(i), mark);
    mark.textContent = e.mark === null ? "open" : number(e.mark) + (e.changed ? " changed" : "");
    mark.className = e.changed ? "changed" : e.mark === null ? "open" : "done";
    button.setAttribute("aria-current", String(i === at));
    button.onclick = () => go(i);
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
  if (focused) $("students").querySelector("[aria-current=true]").focus();
  $("undo").disabled = state.undo === 0;
  const done = state.students.filter((s) => entry(s).mark !== null).length;
  $("progress").textContent = `${done} of ${state.students.length} marked`;
}

// Show the answer at the current position.
function show() {
  const student = state.students[at], e = entry(), texts = (task.rubric || []).map((c) => c.text);
  const gone = e.items.filter((text) => !texts.includes(text));
  $("who").textContent = label(at);
  $("of").textContent = number(task.of);
  $("error").textContent = "";
  $("notice").textContent = [
    e.changed ? "The answer has changed since it was marked." : "",
    e.elsewhere && e.mark !== null ? "The points were changed in the table." : "",
    e.elsewhere && e.mark === null ? "The mark was removed from the table." : "",
    gone.length > 0 ? `The rubric no longer has: ${gone.join("; ")}.` : "",
  ].filter(Boolean).join(" ");
  $("points").value = e.mark === null ? "" : number(e.mark);
  $("comment").value = e.comment;
  $("clear").disabled = e.mark === null;
  const criteria = (task.rubric || []).map((c, i) => {
    const line = document.createElement("label"), box = document.createElement("input"), text = document.createElement("span"), points = document.createElement("span");
    box.type = "checkbox";
    box.value = c.text;
    box.checked = e.items.includes(c.text);
    box.onchange = count;
    text.textContent = `${i + 1}. ${c.text}`;
    points.textContent = (c.points > 0 ? "+" : "") + number(c.points);
    line.append(box, text, points);
    return line;
  });
  $("rubric").replaceChildren($("rubric").querySelector("legend"), ...criteria);
  $("rubric").hidden = criteria.length === 0;
  $("answer").src = `answer?task=${encodeURIComponent(task.id)}&student=${encodeURIComponent(student)}`;
  dirty = false;
  list();
  $("students").querySelector("[aria-current=true]").scrollIntoView({block: "nearest"});
}

const boxes = () => [...$("rubric").querySelectorAll("input")];

// Compute the points from the criteria that are chosen.
function count() {
  const sum = boxes().reduce((s, box, i) => s + (box.checked ? task.rubric[i].points : 0), 0);
  $("points").value = number(Math.min(task.of, Math.max(0, sum)));
  dirty = true;
}

// Report whether the answer can be left.
const leave = () => !busy && (!dirty || confirm("Leave this answer without saving the mark?"));

function go(i) {
  if (i < 0 || i >= state.students.length || !leave()) return;
  at = i;
  show();
}

// Send a change to the server. It resolves to the reply, or to null after an error.
async function send(path, body) {
  if (busy) return null; // a key was pressed twice
  busy = true;
  try {
    const reply = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
    if (!reply.ok) throw new Error(await reply.text());
    return await reply.json();
  } catch (err) {
    const reason = err instanceof TypeError ? "gokernel grade --serve does not answer; start it again" : err.message;
    $("error").textContent = `Nothing was stored: ${reason}`;
    return null;
  } finally {
    busy = false;
  }
}

// Store the mark. It resolves to whether the mark was stored.
async function store(mark) {
  const student = state.students[at];
  const stored = await send("mark", {
    student, task: task.id, mark, comment: mark === null ? "" : $("comment").value,
    items: mark === null ? [] : boxes().filter((box) => box.checked).map((box) => box.value),
  });
  if (stored === null) return false;
  state.entries[student][task.id] = stored;
  state.undo++;
  dirty = false;
  return true;
}

// Take back the last mark that was stored, and show its answer.
async function undo() {
  if (state.undo === 0 || !leave()) return;
  const last = await send("undo", {});
  if (last === null) return;
  state.entries[last.student][last.task] = last.entry;
  state.undo--;
  task = state.tasks.find((t) => t.id === last.task);
  $("task").value = task.id;
  at = state.students.indexOf(last.student);
  show();
}

async function save() {
  const text = $("points").value.trim().replace(",", ".");
  const points = Number(text);
  if (text === "" || !(points >= 0 && points <= task.of)) {
    $("error").textContent = `Points must be a number between 0 and ${number(task.of)}.`;
    $("points").focus();
    return;
  }
  if (!await store(points)) return;
  // The next answer without a mark, after this one or from the beginning.
  const n = state.students.length;
  for (let k = 1; k <= n; k++) {
    if (entry(state.students[(at + k) % n]).mark === null) {
      at = (at + k) % n;
      break;
    }
  }
  if (document.activeElement.matches("#points, #comment")) document.activeElement.blur(); // for the keys
  show();
}

// Do what a key means. It reports whether the key has a meaning.
function press(key) {
  if (key === "j") {
    go(at + 1);
  } else if (key === "k") {
    go(at - 1);
  } else if (key === "u") {
    undo();
  } else if (key === "c") {
    $("comment").focus();
  } else if (key === "PageDown" || key === "PageUp") {
    $("answer").contentWindow.postMessage(key === "PageDown" ? 0.85 : -0.85, "*");
  } else if (/^[1-9]$/.test(key) && boxes()[key - 1]) {
    boxes()[key - 1].click();
  } else {
    return false;
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  const modified = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && (modified || !event.target.matches("textarea, button, header *"))) {
    event.preventDefault();
    save();
  } else if (!modified && !event.altKey && !event.target.matches("textarea, select, input[type=text]") && press(event.key)) {
    event.preventDefault();
  }
});
// The answer sends keys that are pressed in it. None of them stores anything.
addEventListener("message", (event) => {
  if (event.source === $("answer").contentWindow && /^[jkc1-9]$/.test(event.data)) press(event.data);
});
$("save").onclick = save;
$("next").onclick = () => go(at + 1);
$("previous").onclick = () => go(at - 1);
$("undo").onclick = undo;
$("clear").onclick = async () => { if (await store(null)) show(); };
$("points").oninput = $("comment").oninput = () => { dirty = true; };
$("hide").checked = localStorage.getItem("hide-names") !== "no";
$("hide").onchange = () => {
  localStorage.setItem("hide-names", $("hide").checked ? "yes" : "no");
  $("who").textContent = label(at);
  list();
};
$("task").onchange = () => {
  if (task && !leave()) {
    $("task").value = task.id;
    return;
  }
  task = state.tasks[$("task").selectedIndex];
  at = Math.max(0, state.students.findIndex((s) => entry(s).mark === null));
  show();
};
addEventListener("beforeunload", (event) => { if (dirty) event.preventDefault(); });

(async () => {
  const reply = await fetch("state");
  if (!reply.ok) {
    $("error").textContent = await reply.text();
    return;
  }
  state = await reply.json();
  $("title").textContent = state.title;
  document.title = `${state.title}: grade by hand`;
  if (state.students.length === 0) {
    $("error").textContent = "No submission can be marked.";
    return;
  }
  $("task").replaceChildren(...state.tasks.map((t) => new Option(t.id)));
  $("task").onchange();
})();
