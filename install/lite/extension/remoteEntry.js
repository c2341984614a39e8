// The extension of JupyterLite that starts the kernel. It is a container of module federation. It
// was written by hand because it has only one plugin and shares only three packages.
"use strict";

(() => {
  const here = new URL(".", document.currentScript.src).href;
  let shared;

  // take returns a package of JupyterLite.
  async function take(name) {
    const versions = Object.values(shared[name] ?? {});
    if (versions.length === 0) throw new Error(`gokernel: JupyterLite does not share ${name}`);
    return (await versions[versions.length - 1].get())();
  }

  // patience is the time in which a cell must respond to an interrupt before its worker is ended.
  const patience = 3000;

  function makeKernel(Signal, options, running) {
    const { id, name, location, sendMessage } = options;
    const requests = new Map(); // executions without a reply, by id
    let worker, session, timer, disposed = false, count = 0;

    const header = (msg_type) => ({ msg_id: `${id}-${++count}`, msg_type, session, username: "", date: new Date().toISOString(), version: "5.4" });

    function publish(channel, msg_type, parent, content) {
      sendMessage({ channel, header: header(msg_type), parent_header: parent, metadata: {}, content, buffers: [] });
    }

    // fail answers the running and waiting requests of a worker that has ended.
    function fail(why) {
      const error = { ename: "interrupted", evalue: why, traceback: [`interrupted: ${why}`] };
      let first = true;
      for (const parent of requests.values()) {
        if (first) publish("iopub", "error", parent, error);
        publish("shell", "execute_reply", parent, first ? { status: "error", execution_count: 0, ...error } : { status: "aborted", execution_count: 0 });
        publish("iopub", "status", parent, { execution_state: "idle" });
        first = false;
      }
      requests.clear();
    }

    function end(why) {
      clearTimeout(timer);
      worker.terminate();
      fail(why);
      kernel.ready = start();
    }

    function receive(m) {
      // JupyterLite finds the client by the session of the header.
      const to = m.parent_header.session ?? session;
      if (!to) return;
      m.header.session = to;
      if (m.header.msg_type === "execute_reply") {
        requests.delete(m.parent_header.msg_id);
        clearTimeout(timer);
      }
      sendMessage(m);
    }

    function start() {
      worker = new Worker(new URL("worker.js", here));
      const own = worker;
      const folder = location ? `${location.split("/").map(encodeURIComponent).join("/")}/` : "";
      return new Promise((resolve, reject) => {
        own.onmessage = ({ data }) => {
          if (own !== worker || disposed) return;
          if (data.ready) resolve();
          else if (data.failed) {
            reject(new Error(data.failed));
            fail(data.failed);
          } else receive(data.message);
        };
        own.onerror = (e) => reject(new Error(e.message));
        own.postMessage({ start: { remote: new URL(`../../../files/${folder}`, here).href } });
      });
    }

    const kernel = {
      id, name, location,
      isDisposed: false,
      ready: undefined,
      // Pass each message on at once: the kernel has its own queues, and answers requests while a
      // cell runs.
      async handleMessage(m) {
        session = m.header.session;
        if (m.header.msg_type === "execute_request") requests.set(m.header.msg_id, m.header);
        await kernel.ready;
        worker.postMessage({ send: m });
      },
      interrupt() {
        if (requests.size === 0) return;
        worker.postMessage({ send: { channel: "control", header: header("interrupt_request"), parent_header: {}, metadata: {}, content: {}, buffers: [] } });
        clearTimeout(timer);
        timer = setTimeout(() => end("the cell did not stop within 3 s: the session was ended, and its variables are lost"), patience);
      },
      dispose() {
        if (disposed) return;
        disposed = kernel.isDisposed = true;
        clearTimeout(timer);
        worker.terminate();
        running.delete(id);
        kernel.disposed.emit(undefined);
        Signal.clearData(kernel);
      },
    };
    kernel.disposed = new Signal(kernel);
    kernel.ready = start();
    running.set(id, kernel);
    return kernel;
  }

  const spec = {
    name: "gokernel",
    display_name: "Go (gokernel)",
    language: "go",
    argv: [],
    resources: {},
  };

  const container = {
    init(scope) {
      shared = scope;
    },
    async get() {
      const { IKernelSpecs, IKernelClient } = await take("@jupyterlite/services");
      const { Signal } = await take("@lumino/signaling");
      const plugin = {
        id: "gokernel-lite:kernel",
        description: "Go in a web worker",
        autoStart: true,
        requires: [IKernelSpecs, IKernelClient],
        activate(_, specs, client) {
          const running = new Map();
          specs.register({ spec, create: async (options) => makeKernel(Signal, options, running) });
          // JupyterLite drops the cells that wait, and does not tell the kernel.
          const drop = client.interrupt.bind(client);
          client.interrupt = async (id) => {
            running.get(id)?.interrupt();
            await drop(id);
          };
        },
      };
      return () => ({ __esModule: true, default: plugin });
    },
  };
  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB ?? {};
  globalThis._JUPYTERLAB["gokernel-lite"] = container;
})();
