// The web worker that runs the kernel. It receives { start: { remote } } once and then { send:
// message }, and posts { ready }, { failed: text } and { message }. A message has the form of
// @jupyterlab/services.
"use strict";

importScripts("files.js", "wasm_exec.js", "xz.js");

const module = "gokernel.wasm.xz";
let parent = {}; // the header of the cell that runs, for what is written to file 1 and 2
let count = 0;
const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };

function print(fd, bytes) {
  const text = decoders[fd].decode(bytes, { stream: true });
  if (!parent.msg_id) {
    if (text.trim()) console.log(text);
    return;
  }
  const header = { msg_id: `print-${++count}`, msg_type: "stream", session: parent.session, username: "", date: new Date().toISOString(), version: "5.4" };
  postMessage({ message: { channel: "iopub", header, parent_header: parent, metadata: {}, content: { name: fd === 1 ? "stdout" : "stderr", text }, buffers: [] } });
}

globalThis.gokernelReceive = (channel, header, parentHeader, metadata, content, buffers) => {
  postMessage({ message: {
    channel, header: JSON.parse(header), parent_header: JSON.parse(parentHeader), metadata: JSON.parse(metadata),
    content: JSON.parse(content), buffers: buffers.map((b) => b.buffer),
  } });
};

async function start({ remote }) {
  gokernelFiles.remote = remote;
  gokernelFiles.print = print;
  const response = await fetch(new URL(module, self.location));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Unpack the program while it is downloaded.
  const body = new self["xz-decompress"].XzReadableStream(response.body);
  const go = new Go();
  go.env = { HOME: gokernelFiles.home, TMPDIR: "/tmp", GOPROXY: "off", TZ: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const { instance } = await WebAssembly.instantiateStreaming(
    new Response(body, { headers: { "content-type": "application/wasm" } }), go.importObject);
  const ready = new Promise((resolve) => { globalThis.gokernelReady = resolve; });
  process.chdir(gokernelFiles.home);
  go.run(instance).then(() => postMessage({ failed: "the kernel has ended" }), (e) => postMessage({ failed: String(e) }));
  await ready;
}

onmessage = ({ data }) => {
  if (data.start) {
    start(data.start).then(() => postMessage({ ready: true }), (e) => postMessage({ failed: String(e) }));
    return;
  }
  const m = data.send;
  if (m.header.msg_type === "execute_request") parent = m.header;
  const buffers = (m.buffers ?? []).map((b) => (ArrayBuffer.isView(b) ? new Uint8Array(b.buffer, b.byteOffset, b.byteLength) : new Uint8Array(b)));
  const taken = gokernelSend(m.channel, JSON.stringify(m.header), JSON.stringify(m.parent_header ?? {}),
    JSON.stringify(m.metadata ?? {}), JSON.stringify(m.content), buffers);
  if (!taken) console.error("gokernel: a message was not taken:", m.header.msg_type);
};
