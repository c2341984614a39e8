// Tests the kernel of a page without a page: Node plays the web worker.
//
//	node install/lite/test.cjs .build/lite
//
// The folder has what install/lite/build.py puts into the extension.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const vm = require("node:vm");

const folder = process.argv[2];
const exit = process.exit.bind(process);

const sum = 'import "gonum.org/v1/gonum/floats"\nfloats.Sum([]float64{1, 2})';

// A step of the session: code, what it shows (type, then a text that is in it), and a
// request that is sent while it runs, or that there is no network then.
const cells = [
  { code: "1 + 2", shows: [["execute_result", "3"]] },
  { code: 'import "fmt"\nfmt.Println("hi")', shows: [["stream", "hi\n"]] },
  { code: "x := []float64{1, 2, 3}\nx", shows: [["execute_result", "[]float64{1, 2, 3}"]] },
  { code: "func fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fib(n-1) + fib(n-2)\n}\nfib(12)", shows: [["execute_result", "144"]] },
  { code: 'var m = map[string]int{"b": 2, "a": 1}\nslices.Sorted(maps.Keys(m))', shows: [["execute_result", '[]string{"a", "b"}']] },
  { code: 'panic("boom")', shows: [["error", "boom"]] },
  { code: "x := []float64{1, 2", shows: [["error", "compile error"]] },
  { code: "y", shows: [["error", "undefined: y"]] },
  { code: 'os.WriteFile("a.txt", []byte("hello"), 0o644)\nb := os.ReadFile("a.txt")\nstring(b)', shows: [["execute_result", '"hello"']] },
  { code: 'os.ReadFile("nothing.txt")', shows: [["error", "No such file"]] },
  { code: 'tree := &ml.DecisionTree{}\nd := ml.PlayTennis()\ntree.Fit(d.X, d.Y)\nml.Accuracy(d.Y, tree.Predict(d.X))', shows: [["execute_result", "1"]] },
  { code: 'Plot([]float64{1, 4, 9}).Title("Squares")', shows: [["execute_result", "<svg"]] },
  { code: 'ml.SQL("select 1", nil, nil)', shows: [["error", "there is no SQLite in a browser"]] },
  { code: "for {\n}", shows: [["error", "interrupted"]], during: ["control", "interrupt_request", {}] },
  { code: "i := 0\nfor ; i >= 0; i++ {\n\tif i%1000 == 0 {\n\t\tfmt.Print()\n\t}\n}", shows: [["error", "interrupted"]], during: ["control", "interrupt_request", {}] },
  { code: sum, shows: [["error", "is the site reachable?"]], offline: true },
  { code: sum, shows: [["execute_result", "3"]] },
  { code: 'import "gonum.org/v1/plot/font"\nf := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Mono"}, 10)\nf.Width("ab")', shows: [["execute_result", "12.00"]] },
  { code: "len(x)", shows: [["execute_result", "3"]] },
];
const question = ["complete_request", { code: "strings.HasPre", cursor_pos: 14 }, ["HasPrefix"]];

globalThis.self = globalThis;
globalThis.onmessage = undefined;
self.location = "http://worker/worker.js";
globalThis.fetch = async () => new Response(readFileSync(join(folder, "gokernel.wasm.xz")));
globalThis.XMLHttpRequest = class {
  open(_, address) {
    this.responseURL = address;
  }
  send() {
    if (offline) throw new Error("offline");
    asked.push(this.responseURL.replace("http://worker/lib/", ""));
    this.response = readFileSync(join(folder, "lib", asked.at(-1)));
    this.status = 200;
  }
};
globalThis.importScripts = (...names) => names.forEach((n) => vm.runInThisContext(readFileSync(join(folder, n), "utf8"), n));

// What the program has asked for after the cells, below the folder of its release.
const needed = ["fonts/LiberationMono-Regular.ttf", "fonts/LiberationSans-Bold.ttf", "fonts/LiberationSans-Regular.ttf", "science/export.zip", "std/export.zip", "std/platform.zip"];
const asked = [];
let offline = false;
const began = Date.now();
let at = -1, sent = 0, ended = 0, shown = [];

function send(channel, msg_type, content) {
  const header = { msg_id: `m${++sent}`, msg_type, session: "node", username: "", date: new Date().toISOString(), version: "5.4" };
  onmessage({ data: { send: { channel, header, parent_header: {}, metadata: {}, content, buffers: [] } } });
}

function next() {
  if (++at === cells.length) return send("shell", ...question.slice(0, 2));
  shown = [];
  const { code, during } = cells[at];
  offline = cells[at].offline;
  send("shell", "execute_request", { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false, stop_on_error: false });
  if (during) setTimeout(() => send(...during), 300);
}

function check() {
  const { code, shows } = cells[at];
  assert.deepEqual(shown.map(([type]) => type), shows.map(([type]) => type), `${code}: ${JSON.stringify(shown).slice(0, 500)}`);
  shows.forEach(([, text], i) => assert.ok(shown[i][1].includes(text), `${code}: ${shown[i][1].slice(0, 500)}`));
}

globalThis.postMessage = (m) => {
  try {
    receive(m);
  } catch (e) {
    console.error(e);
    exit(1);
  }
};

function receive(m) {
  if (m.failed) throw new Error(m.failed);
  if (m.ready) {
    console.log(`ready after ${Date.now() - began} ms`);
    return next();
  }
  const { header: { msg_type: type }, parent_header: parent, content } = m.message;
  if (type === "complete_reply") {
    assert.deepEqual(content.matches, question[2]);
    const [release] = readdirSync(join(folder, "lib"));
    assert.deepEqual([...asked].sort(), needed.map((file) => `${release}/${file}`));
    console.log(`${cells.length} cells and a completion in ${Date.now() - began} ms`);
    return exit(0);
  }
  if (parent.msg_type !== "execute_request") return undefined;
  if (type === "stream") shown.push([type, content.text]);
  if (type === "error") shown.push([type, content.traceback.join("\n").replace(/\u001b\[\d*m/g, "")]);
  if (type === "execute_result") shown.push([type, content.data["image/svg+xml"] ?? content.data["text/plain"]]);
  // The channels overtake one another: a cell has ended with both of these.
  ended += type === "execute_reply" || (type === "status" && content.execution_state === "idle");
  if (ended === 2) {
    check();
    ended = 0;
    // What Go does with this message comes first.
    setTimeout(next);
  }
  return undefined;
}

vm.runInThisContext(readFileSync(join(folder, "worker.js"), "utf8"), "worker.js");
onmessage({ data: { start: { remote: "" } } });
