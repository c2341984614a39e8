// The extension of JupyterLab that offers the code actions of the language server, which
// jupyterlab-lsp does not do, and renames at the cursor, which it does only in the context menu. It
// uses the connection of jupyterlab-lsp, and does nothing without that extension. It is a container
// of module federation. It was written by hand because it has only one plugin and shares only a few
// packages.
"use strict";

(() => {
  let shared;

  // take returns a package of JupyterLab.
  async function take(name) {
    const versions = Object.values(shared[name] ?? {});
    if (versions.length === 0) throw new Error(`gokernel: JupyterLab does not share ${name}`);
    return (await versions[versions.length - 1].get())();
  }

  // The look of a fix in the tooltip of an error.
  const style = `
    .gokernel-Fixes { display: flex; flex-direction: column; align-items: flex-start; padding: 4px 6px; gap: 4px; }
    .gokernel-Fixes button {
      border: 1px solid var(--jp-border-color1); border-radius: var(--jp-border-radius, 2px);
      background: var(--jp-layout-color1); color: var(--jp-content-link-color, var(--jp-brand-color1));
      font-family: var(--jp-ui-font-family); font-size: var(--jp-ui-font-size1); text-align: left;
      padding: 2px 8px; cursor: pointer; max-width: 60em;
    }
    .gokernel-Fixes button:hover, .gokernel-Fixes button:focus-visible { background: var(--jp-layout-color2); }`;

  // makeFixes returns functions that ask for and apply the code actions of a document.
  function makeFixes(manager) {
    // locate returns the document, connection and cell of an editor; undefined if the language
    // server of the document is another one, or not ready.
    function locate(adapter, view) {
      const document = adapter?.virtualDocument;
      const connection = document && manager.connections.get(document.uri);
      if (!connection?.isReady || connection.serverIdentifier !== "gokernel" || !connection.provides("codeActionProvider")) return undefined;
      const cell = adapter.editors.map((e) => e.ceEditor).find((e) => e.getEditor()?.editor === view);
      return cell && { document, connection, cell };
    }

    // position converts an offset in an editor to a position of the protocol.
    function position({ document, cell }, view, offset) {
      const line = view.state.doc.lineAt(offset);
      const root = document.transformFromEditorToRoot(cell, { line: line.number - 1, ch: offset - line.from });
      const at = document.virtualPositionAtDocument(root);
      return { line: at.line, character: at.ch };
    }

    // offset converts a position of the protocol to an offset in an editor.
    function offset(document, view, { line, character }) {
      const found = document.transformVirtualToEditor({ line, ch: character });
      const l = view.state.doc.line(Math.min(found.line + 1, view.state.doc.lines));
      return Math.min(l.from + found.ch, l.to);
    }

    // request sends a request about a range of an editor. It returns undefined if another server,
    // or none, answers for the document.
    async function request(adapter, view, method, makeParams) {
      await adapter?.updateFinished;
      const place = locate(adapter, view);
      if (!place) return undefined;
      const { document, connection } = place;
      const value = document.value;
      const params = { textDocument: { uri: document.documentInfo.uri }, ...makeParams((at) => position(place, view, at)) };
      return { answer: await connection.connection.sendRequest(method, params), document, value };
    }

    // ask returns the actions for a range of an editor.
    async function ask(adapter, view, from, to) {
      const got = await request(adapter, view, "textDocument/codeAction", (at) => ({ range: { start: at(from), end: at(to) }, context: { diagnostics: [] } }));
      return (got?.answer ?? []).map((action) => ({ ...got, action, edit: action.edit }));
    }

    // rename returns the edits that rename what is at an offset.
    async function rename(adapter, view, at, newName) {
      const got = await request(adapter, view, "textDocument/rename", (p) => ({ position: p(at), newName }));
      return got && { ...got, edit: got.answer };
    }

    // name returns the range of the name at an offset.
    async function name(adapter, view, at) {
      const got = await request(adapter, view, "textDocument/prepareRename", (p) => ({ position: p(at) }));
      return got?.answer && { start: offset(got.document, view, got.answer.start), end: offset(got.document, view, got.answer.end) };
    }

    // apply changes the cells, each in one step that can be undone.
    async function apply({ edit, document, value }) {
      const edits = edit?.changes?.[document.documentInfo.uri] ?? [];
      const cells = new Map();
      for (const e of edits) {
        const [cell, last] = [e.range.start, e.range.end].map(({ line, character }) => document.getEditorAtVirtualLine({ line, ch: character }));
        if (cell !== last) throw new Error("the change goes over two cells");
        cells.set(cell, [...(cells.get(cell) ?? []), e]);
      }
      for (const cell of cells.keys()) if (!cell.getEditor()) await cell.reveal();
      if (document.value !== value) throw new Error("the notebook has changed since the server was asked: try again");
      const changes = [...cells].map(([cell, list]) => {
        const view = cell.getEditor().editor;
        return [view, list.map((e) => ({ from: offset(document, view, e.range.start), to: offset(document, view, e.range.end), insert: e.newText }))];
      });
      for (const [view, list] of changes) view.dispatch({ changes: list, userEvent: "input.complete" });
    }

    // span returns the range of the finding that an action fixes, in the editor with the finding.
    function span({ action, document }, view) {
      const range = action.diagnostics?.[0]?.range;
      return range && { start: offset(document, view, range.start), end: offset(document, view, range.end) };
    }

    return { ask, rename, name, apply, span };
  }

  async function activate(app, features, manager) {
    const { hoverTooltip, EditorView } = await take("@codemirror/view");
    const { EditorExtensionRegistry } = await take("@jupyterlab/codemirror");
    const { InputDialog, Notification } = await take("@jupyterlab/apputils");
    const { Menu } = await take("@lumino/widgets");
    const { CommandRegistry } = await take("@lumino/commands");
    const fixes = makeFixes(manager);
    document.head.appendChild(Object.assign(document.createElement("style"), { textContent: style }));

    // report shows the error of an action.
    async function report(action) {
      try {
        await action();
      } catch (e) {
        Notification.warning(e.message, { autoClose: 5000 });
      }
    }

    // The tooltip of an error gets a button for each of its fixes.
    const tooltip = (adapter) => hoverTooltip(async (view, pos) => {
      const list = (await fixes.ask(adapter, view, pos, pos)).filter((f) => f.action.kind === "quickfix" && fixes.span(f, view));
      if (list.length === 0) return null;
      const { start, end } = fixes.span(list[0], view);
      return {
        pos: start, end, above: view.state.doc.lineAt(start).to < end,
        create() {
          const dom = document.createElement("div");
          dom.className = "gokernel-Fixes";
          for (const fix of list) {
            const button = document.createElement("button");
            button.textContent = `Quick fix: ${fix.action.title}`;
            button.addEventListener("click", () => {
              report(() => fixes.apply(fix));
              view.focus();
            });
            dom.appendChild(button);
          }
          return { dom };
        },
      };
    }, { hideOnChange: true });

    features.register({
      id: "gokernel:fixes",
      capabilities: {
        textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } } } },
      },
      extensionFactory: {
        name: "gokernel:fixes",
        factory: ({ widgetAdapter }) => EditorExtensionRegistry.createImmutableExtension(tooltip(widgetAdapter)),
      },
    });

    // target returns the editor and the range that the command is for: the place of the context
    // menu, or the selection of the active editor.
    function target(pointer) {
      const event = pointer ? app._contextMenuEvent : undefined;
      const content = event?.target?.closest?.(".cm-content");
      const adapters = [...manager.adapters.values()];
      if (content) {
        const view = EditorView.findFromDOM(content);
        const at = view?.posAtCoords({ x: event.clientX, y: event.clientY });
        if (view && at != null) return { adapter: adapters.find((a) => a.widget.node.contains(content)), view, from: at, to: at };
      }
      const adapter = adapters.find((a) => a.widget === app.shell.currentWidget);
      const view = adapter?.activeEditor?.getEditor()?.editor;
      if (!view) return undefined;
      const { from, to } = view.state.selection.main;
      return { adapter, view, from, to };
    }

    app.commands.addCommand("gokernel:quick-fix", {
      label: "Quick fix…",
      caption: "Show what the language server can change at the cursor",
      describedBy: { args: { type: "object", properties: { pointer: { type: "boolean", description: "Use the place of the context menu" } } } },
      async execute({ pointer = false }) {
        const at = target(pointer);
        if (!at) return;
        const list = await fixes.ask(at.adapter, at.view, at.from, at.to);
        const commands = new CommandRegistry();
        const menu = new Menu({ commands });
        menu.addClass("gokernel-FixMenu");
        list.forEach((fix, i) => {
          commands.addCommand(`fix:${i}`, { label: fix.action.title, execute: () => report(() => fixes.apply(fix)) });
          menu.addItem({ command: `fix:${i}` });
        });
        if (list.length === 0) {
          commands.addCommand("none", { label: "No quick fixes here", isEnabled: () => false, execute: () => undefined });
          menu.addItem({ command: "none" });
        }
        menu.aboutToClose.connect(() => {
          at.view.focus();
          setTimeout(() => menu.dispose());
        });
        const { left, bottom } = at.view.coordsAtPos(at.from);
        menu.open(left, bottom);
        menu.activeIndex = list.length > 0 ? 0 : -1;
      },
    });
    app.commands.addCommand("gokernel:rename", {
      label: "Rename the Go name at the cursor…",
      caption: "Rename a variable, function or type in all cells",
      describedBy: { args: { type: "object", properties: {} } },
      execute: () => report(async () => {
        const at = target(false);
        const old = at && await fixes.name(at.adapter, at.view, at.from);
        if (!old) return;
        const { button, value } = await InputDialog.getText({
          title: "Rename to", text: at.view.state.sliceDoc(old.start, old.end), okLabel: "Rename",
        });
        if (button.accept && value) await fixes.apply(await fixes.rename(at.adapter, at.view, at.from, value));
        at.view.focus();
      }),
    });
    for (const selector of [".jp-Notebook .jp-CodeCell .jp-Editor", ".jp-FileEditor"]) {
      app.contextMenu.addItem({ selector, command: "gokernel:quick-fix", args: { pointer: true }, rank: 10 });
    }
  }

  const container = {
    init(scope) {
      shared = scope;
    },
    async get() {
      const { ILSPDocumentConnectionManager, ILSPFeatureManager } = await take("@jupyterlab/lsp");
      const plugin = {
        id: "gokernel:fixes",
        description: "Quick fixes of the language server for Go",
        autoStart: true,
        requires: [ILSPFeatureManager, ILSPDocumentConnectionManager],
        activate,
      };
      return () => ({ __esModule: true, default: plugin });
    },
  };
  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB ?? {};
  globalThis._JUPYTERLAB["gokernel"] = container;
})();
