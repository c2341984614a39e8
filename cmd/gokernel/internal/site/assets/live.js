// Cells of this page run in the reader's browser, after the reader has pressed a button. The
// kernel is a web worker. The reader can edit the code of cells, and the new output replaces the
// printed one.
(() => {
  const bar = document.querySelector(".runner");
  if (!bar) return;
  const keys = matchMedia("(any-pointer: fine), (hover: hover)").matches; // a screen that is only touched has no Shift
  const patience = 3000; // how long a cell may take to hear an interrupt, in ms

  const element = (name, className, text) => {
    const e = document.createElement(name);
    e.className = className ?? "";
    e.textContent = text ?? "";
    return e;
  };
  const button = (text, pressed) => {
    const b = element("button", "plain", text);
    b.type = "button";
    b.onclick = pressed;
    return b;
  };

  const begin = button("Run this page", start);
  const all = button("Run all cells", () => run(cells));
  const stop = button("Interrupt", interrupt);
  const note = element("span", "note", `loads Go for this browser once, ${bar.dataset.download}; nothing is sent anywhere`);
  note.setAttribute("role", "status");
  all.hidden = stop.hidden = true;
  bar.append(begin, all, stop, note);
  bar.hidden = false;

  let worker, ready, running, timer, busy = false, count = 0, queue = [], cells = [];

  const header = (msg_type) => ({ msg_id: `page-${++count}`, msg_type, session: "page", username: "", date: new Date().toISOString(), version: "5.4" });
  const send = (channel, msg_type, content) => {
    const h = header(msg_type);
    worker.postMessage({ send: { channel, header: h, parent_header: {}, metadata: {}, content, buffers: [] } });
    return h.msg_id;
  };

  function say(text) {
    note.textContent = text;
    stop.hidden = !busy;
    all.hidden = busy || !cells.length;
  }

  async function start() {
    begin.disabled = true;
    say("Loading ...");
    try {
      const answer = await fetch(bar.dataset.notebook);
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
      const notebook = await answer.json();
      boot();
      await ready;
      begin.remove();
      cells = notebook.cells.filter((c) => c.cell_type === "code").map(open);
      await run(cells);
    } catch (e) {
      begin.disabled = false;
      say(location.protocol === "file:" ? "Cells run on pages of a web server, not on those of a disk." : `Go could not be loaded: ${e.message}`);
    }
  }

  // boot starts a worker: the first one, or a replacement for one that did not respond.
  function boot() {
    const own = worker = new Worker(bar.dataset.worker);
    ready = new Promise((resolve, reject) => {
      own.onmessage = ({ data }) => {
        if (own !== worker) return;
        if (data.ready) resolve();
        else if (data.failed) {
          reject(new Error(data.failed));
          end(data.failed);
        } else receive(data.message);
      };
      own.onerror = (e) => reject(new Error(e.message || "the worker did not start"));
    });
    ready.catch(() => {});
    own.postMessage({ start: { remote: new URL(bar.dataset.files, location.href).href } });
  }

  // open makes a cell of the notebook live. One that the page does not show runs with the others.
  function open(c) {
    const source = Array.isArray(c.source) ? c.source.join("") : c.source;
    const section = document.getElementById(`cell-${c.id}`);
    const code = section?.querySelector(".input code");
    const fails = (c.metadata.tags ?? []).includes("raises-exception");
    const cell = { section, fails, source: () => (code?.isContentEditable ? code.textContent : source) };
    if (!code) return cell;
    try {
      code.contentEditable = "plaintext-only";
    } catch { // an old browser: the cell runs as it is
      return cell;
    }
    code.spellcheck = false;
    code.setAttribute("role", "textbox");
    code.setAttribute("aria-multiline", "true");
    code.setAttribute("aria-label", `Code of this cell; ${keys ? "Shift and Enter run it" : "the button Run runs it"}`);
    code.onkeydown = (e) => {
      if (e.key === "Enter" && (e.shiftKey || e.ctrlKey || e.metaKey)) {
        e.preventDefault();
        run([cell]);
      }
    };
    const go = button("Run", () => run([cell]));
    go.classList.add("run");
    code.closest(".input").append(go);
    return cell;
  }

  async function run(some) {
    queue.push(...some);
    if (busy) return;
    busy = true;
    let outcome = `The cells have run. Change one and ${keys ? "press Shift and Enter, or Run beside it" : "press Run beside it"}.`;
    while (queue.length) {
      const cell = queue.shift();
      say(queue.length ? `Running; ${queue.length} to come ...` : "Running ...");
      try {
        await ready;
      } catch (e) {
        queue = [];
        outcome = `Go could not be loaded: ${e.message}`;
        break;
      }
      if (await execute(cell) && !cell.fails) {
        outcome = queue.length ? "A cell failed, and those after it were not run." : "The cell failed.";
        queue = [];
      }
    }
    busy = false;
    say(outcome);
  }

  function execute(cell) {
    return new Promise((done) => {
      cell.section?.classList.add("running");
      running = { cell, done, outputs: [], failed: false, heard: 0 };
      running.id = send("shell", "execute_request", { code: cell.source(), silent: false, store_history: true, user_expressions: {}, allow_stdin: false, stop_on_error: false });
    });
  }

  function end(why) {
    const r = running;
    clearTimeout(timer);
    if (!r) return;
    if (why) {
      r.failed = true;
      r.outputs.push({ type: "error", content: { traceback: [why] } });
    }
    show(r);
    r.cell.section?.classList.remove("running");
    running = undefined;
    r.done(r.failed);
  }

  function interrupt() {
    queue = [];
    if (!running) return;
    send("control", "interrupt_request", {});
    clearTimeout(timer);
    timer = setTimeout(() => {
      worker.terminate();
      boot();
      end("The cell did not stop within 3 s. Go was started anew, and its variables are lost.");
    }, patience);
  }

  function receive({ header: { msg_type: type }, parent_header: parent, content }) {
    const r = running;
    if (type === "update_display_data") update(content);
    if (!r || parent.msg_id !== r.id) return;
    switch (type) {
      case "stream": {
        const last = r.outputs.at(-1);
        if (last?.type === "stream" && last.content.name === content.name) last.content.text += content.text;
        else r.outputs.push({ type, content: { ...content } });
        break;
      }
      case "clear_output":
        if (content.wait) r.clear = true;
        else r.outputs = [];
        return;
      case "error":
        r.failed = true;
      // falls through
      case "execute_result":
      case "display_data": {
        if (r.clear) r.outputs = [];
        r.clear = false;
        const output = { type, content };
        r.outputs.push(output);
        if (content.transient?.display_id) displays.set(content.transient.display_id, output);
        break;
      }
    }
    // The messages of the two channels arrive in any order: a cell has ended when both have
    // arrived.
    if (type === "execute_reply") r.failed ||= content.status !== "ok";
    r.heard += type === "execute_reply" || (type === "status" && content.execution_state === "idle");
    if (r.heard === 2) end();
  }

  const displays = new Map(); // outputs that later messages change, by id
  function update(content) {
    const output = displays.get(content.transient?.display_id);
    if (!output) return;
    output.content = content;
    if (output.at) draw(output, output.at);
  }

  // show puts the outputs of a cell where the page shows them: the first output replaces the first
  // output of the page, which may be a figure with a caption, and so on.
  function show({ cell: { section }, outputs }) {
    if (!section) return;
    const places = [...section.querySelectorAll(".output")].filter((o) => !o.parentElement.closest(".output"));
    for (const old of section.querySelectorAll("img.still")) old.remove();
    let last = places.at(-1)?.closest("figure") ?? places.at(-1);
    outputs.forEach((output, i) => {
      let at = places[i];
      if (!at) {
        at = element("div", "output");
        if (last) last.after(at);
        else if (section.querySelector(":scope > details")) section.querySelector(":scope > details").before(at);
        else section.append(at);
        last = at;
      }
      output.at = at;
      draw(output, at);
    });
    for (const empty of places.slice(outputs.length)) {
      empty.replaceChildren();
      empty.className = "output";
    }
  }

  // harmless makes HTML safe for the page. Scripts in it do not run, and the policy of the page
  // blocks what it would load.
  function harmless(html) {
    const parsed = new DOMParser().parseFromString(html, "text/html").body;
    for (const e of parsed.querySelectorAll("meta, base, link, iframe, object, embed")) e.remove();
    const part = document.createDocumentFragment();
    part.append(...parsed.childNodes);
    return part;
  }

  // draw shows an output like the page does.
  const kinds = ["text/html", "image/svg+xml", "image/png", "image/jpeg", "image/gif", "text/plain"];
  const plain = (text) => element("pre", "", text.replace(/\u001b\[[\d;]*m/g, ""));
  function draw({ type, content }, at) {
    if (type === "stream") {
      at.className = `output stream ${content.name}`;
      at.replaceChildren(plain(content.text));
      return;
    }
    if (type === "error") {
      at.className = "output error";
      at.replaceChildren(plain(content.traceback.join("\n")));
      return;
    }
    // The instructions for frontends without widgets do not help on a page.
    const hint = content.data["text/html"]?.startsWith?.('<div class="gokernel-no-widgets"');
    const html = hint ? content.data["text/html"].slice(content.data["text/html"].indexOf("</div>\n") + 7) : content.data["text/html"];
    const same = hint && /^<\w+ class="gokernel-same"/.test(html);
    const kind = kinds.find((k) => typeof content.data[k] === "string" && !(same && k === "text/html"));
    const data = (kind === "text/html" ? html : content.data[kind]) ?? "";
    if (kind === "text/html") {
      at.className = "output html";
      at.replaceChildren(harmless(data));
    } else if (kind?.startsWith("image/")) {
      const image = element("img"), size = content.metadata[kind] ?? content.metadata["image/png"] ?? {};
      image.alt = (content.metadata[kind]?.alt ?? content.data["text/plain"] ?? "").split("\n")[0];
      image.src = kind === "image/svg+xml" ? `data:image/svg+xml,${encodeURIComponent(data)}` : `data:${kind};base64,${data.replace(/\s/g, "")}`;
      if (size.width) image.width = size.width;
      if (size.height) image.height = size.height;
      at.className = "output figure";
      at.replaceChildren(image);
    } else {
      at.className = "output plain";
      at.replaceChildren(plain(data));
    }
  }
})();
