// A client of the language server, made of vscode-languageserver-protocol, the library under VS
// Code's own client. It opens a notebook document and prints what the server answers as JSON.
// Usage: node lsp.js GOKERNEL FOLDER, where the folder has a go.mod that requires example.com/shape.
const { spawn } = require("child_process");
const rpc = require("vscode-languageserver-protocol/node");

const server = spawn(process.argv[2], ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));

const shown = new Map(); // diagnostics by document
const waiting = [];
connection.onNotification(rpc.PublishDiagnosticsNotification.type, (p) => {
  shown.set(p.uri, p);
  for (const w of [...waiting]) if (w.test()) { waiting.splice(waiting.indexOf(w), 1); w.done(); }
});
// until resolves when the diagnostics are as wanted.
const until = (test) => test() ? Promise.resolve() : new Promise((done) => waiting.push({ test, done }));
const messages = (uri) => (shown.get(uri)?.diagnostics ?? []).map((d) => d.message.split("\n")[0]);

const cells = [
  "xs := []float64{1, 2, 3}\ntotal := 0.0",
  "for _, x := range xs {\n\ttotal += x\n}\ntotal / len(xs)",
  "func area(r float64) float64 { return math.Pi * r * r }\nar",
  "// ä 😀\narea(2)",
];
const uri = (i) => `vscode-notebook-cell:/work/n.ipynb#c${i}`;
const doc = (i) => ({ uri: uri(i) });

async function main() {
  connection.listen();
  const result = {};
  const init = await connection.sendRequest(rpc.InitializeRequest.type, {
    processId: process.pid, rootUri: null,
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } }, notebookDocument: { synchronization: {} }, workspace: { workspaceEdit: { documentChanges: true } } },
  });
  result.server = init.serverInfo.name;
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  await connection.sendNotification(rpc.DidOpenNotebookDocumentNotification.type, {
    notebookDocument: { uri: "file:///work/n.ipynb", notebookType: "jupyter-notebook", version: 1, cells: cells.map((_, i) => ({ kind: 2, document: uri(i) })) },
    cellTextDocuments: cells.map((text, i) => ({ uri: uri(i), languageId: "go", version: 1, text })),
  });
  await until(() => messages(uri(1)).length > 0 && messages(uri(2)).length > 0 && shown.has(uri(3)));
  result.diagnostics = cells.map((_, i) => messages(uri(i)));
  const wrong = shown.get(uri(1)).diagnostics[0];
  const actions = await connection.sendRequest(rpc.CodeActionRequest.type, { textDocument: doc(1), range: wrong.range, context: { diagnostics: [wrong] } });
  const fix = actions.find((a) => a.kind === "quickfix");
  result.fix = fix.edit.documentChanges[0].edits;
  const completion = await connection.sendRequest(rpc.CompletionRequest.type, { textDocument: doc(2), position: { line: 1, character: 2 } });
  const first = completion.items[0];
  result.completion = [first.label, first.textEdit.newText];
  const resolved = await connection.sendRequest(rpc.CompletionResolveRequest.type, first);
  result.documentation = resolved.documentation.value;
  result.hover = (await connection.sendRequest(rpc.HoverRequest.type, { textDocument: doc(3), position: { line: 1, character: 1 } })).contents.value;
  const help = await connection.sendRequest(rpc.SignatureHelpRequest.type, { textDocument: doc(3), position: { line: 1, character: 5 } });
  result.signature = [help.signatures[0].label, help.activeParameter];
  result.definition = await connection.sendRequest(rpc.DefinitionRequest.type, { textDocument: doc(3), position: { line: 1, character: 1 } });
  result.references = (await connection.sendRequest(rpc.ReferencesRequest.type, { textDocument: doc(0), position: { line: 0, character: 0 }, context: { includeDeclaration: true } })).map((l) => [l.uri, l.range.start]);
  result.rename = (await connection.sendRequest(rpc.RenameRequest.type, { textDocument: doc(0), position: { line: 1, character: 1 }, newName: "sum" })).documentChanges.map((c) => [c.textDocument.uri, c.edits.length]);
  result.refused = await connection.sendRequest(rpc.RenameRequest.type, { textDocument: doc(0), position: { line: 1, character: 1 }, newName: "xs" }).catch((e) => e.message);
  result.symbols = (await connection.sendRequest(rpc.DocumentSymbolRequest.type, { textDocument: doc(0) })).map((s) => s.name);
  result.tokens = (await connection.sendRequest(rpc.SemanticTokensRequest.type, { textDocument: doc(0) })).data;
  result.hints = (await connection.sendRequest(rpc.InlayHintRequest.type, { textDocument: doc(0), range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } })).map((h) => h.label);
  result.folds = (await connection.sendRequest(rpc.FoldingRangeRequest.type, { textDocument: doc(1) })).map((f) => [f.startLine, f.endLine]);
  // Apply the fix, and complete the third cell: both errors go.
  await connection.sendNotification(rpc.DidChangeNotebookDocumentNotification.type, {
    notebookDocument: { uri: "file:///work/n.ipynb", version: 2 },
    change: { cells: { textContent: [
      { document: { uri: uri(1), version: 2 }, changes: result.fix.map((e) => ({ range: e.range, text: e.newText })) },
      { document: { uri: uri(2), version: 2 }, changes: [{ range: { start: { line: 1, character: 2 }, end: { line: 1, character: 2 } }, text: "ea(1)" }] },
    ] } },
  });
  await until(() => messages(uri(1)).length === 0 && messages(uri(2)).length === 0);
  // Delete the first cell: its names are undefined.
  await connection.sendNotification(rpc.DidChangeNotebookDocumentNotification.type, {
    notebookDocument: { uri: "file:///work/n.ipynb", version: 3 },
    change: { cells: { structure: { array: { start: 0, deleteCount: 1 }, didClose: [doc(0)] } } },
  });
  await until(() => messages(uri(1)).length > 0);
  result.deleted = messages(uri(1));
  // Complete a package of a required module that no cell imports, and apply both edits.
  const other = require("url").pathToFileURL(process.argv[3]).href + "/n.ipynb";
  const typed = other.replace("file:", "vscode-notebook-cell:") + "#d0";
  await connection.sendNotification(rpc.DidOpenNotebookDocumentNotification.type, {
    notebookDocument: { uri: other, notebookType: "jupyter-notebook", version: 1, cells: [{ kind: 2, document: typed }] },
    cellTextDocuments: [{ uri: typed, languageId: "go", version: 1, text: "side := 2.0\nshap" }],
  });
  await until(() => messages(typed).length > 0);
  const found = await connection.sendRequest(rpc.CompletionRequest.type, { textDocument: { uri: typed }, position: { line: 1, character: 4 } });
  const shape = found.items.find((i) => i.label === "shape");
  result.package = [shape.detail, shape.textEdit.newText, shape.additionalTextEdits];
  await connection.sendNotification(rpc.DidChangeNotebookDocumentNotification.type, {
    notebookDocument: { uri: other, version: 2 },
    change: { cells: { textContent: [{ document: { uri: typed, version: 2 }, changes: [
      { range: shape.textEdit.range, text: shape.textEdit.newText + ".Area(side)" },
      ...shape.additionalTextEdits.map((e) => ({ range: e.range, text: e.newText })),
    ] }] } },
  });
  await until(() => shown.get(typed).version === 2 && messages(typed).length === 0);
  await connection.sendRequest(rpc.ShutdownRequest.type);
  const exited = new Promise((done) => server.on("exit", done));
  await connection.sendNotification(rpc.ExitNotification.type);
  result.exit = await exited;
  console.log(JSON.stringify(result, null, 1));
}
main().catch((e) => { console.error(e); process.exit(1); });
