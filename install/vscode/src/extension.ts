// The extension of VS Code for Go notebooks: it starts the language server `gokernel lsp` and offers
// snippets. The extension Jupyter runs the cells.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, type ServerOptions } from "vscode-languageclient/node";
import snippets from "./snippets.json";

const CELLS = [{ notebook: "jupyter-notebook", language: "go" }];

let client: LanguageClient | undefined;

// kernelFolders are the folders in which Jupyter finds the kernels of a user and of the machine.
function kernelFolders(): string[] {
  const home = homedir();
  const path = (process.env.JUPYTER_PATH ?? "").split(process.platform === "win32" ? ";" : ":").filter((p) => p);
  const data = process.env.JUPYTER_DATA_DIR ? [process.env.JUPYTER_DATA_DIR] : [];
  const usual =
    process.platform === "win32"
      ? [join(process.env.APPDATA ?? home, "jupyter"), join(process.env.PROGRAMDATA ?? "C:\\ProgramData", "jupyter")]
      : process.platform === "darwin"
        ? [join(home, "Library/Jupyter"), "/usr/local/share/jupyter", "/usr/share/jupyter"]
        : [join(process.env.XDG_DATA_HOME ?? join(home, ".local/share"), "jupyter"), "/usr/local/share/jupyter", "/usr/share/jupyter"];
  return [...path, ...data, ...usual].map((p) => join(p, "kernels", "gokernel"));
}

// findProgram returns the program of the setting, of the registered kernel, or a name for the PATH.
function findProgram(): string {
  const setting = vscode.workspace.getConfiguration("gokernel").get<string>("path", "");
  if (setting) return setting;
  for (const folder of kernelFolders()) {
    try {
      const [program] = (JSON.parse(readFileSync(join(folder, "kernel.json"), "utf8")) as { argv: string[] }).argv;
      const path = program.replace("{resource_dir}", folder);
      if (existsSync(path)) return path;
    } catch {
      // There is no kernel in this folder.
    }
  }
  return "gokernel";
}

// isOurs reports whether a notebook is for this kernel: other kernels for Go have other rules.
function isOurs(notebook: vscode.NotebookDocument): boolean {
  const metadata = (notebook.metadata.metadata ?? notebook.metadata) as { kernelspec?: { name?: string } };
  const name = metadata.kernelspec?.name;
  return name === undefined || name.startsWith("gokernel");
}

async function start(): Promise<void> {
  const program = findProgram();
  const server: ServerOptions = { command: program, args: ["lsp"] };
  client = new LanguageClient("gokernel", "Go notebooks", server, {
    documentSelector: CELLS,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    middleware: {
      provideInlayHints: async (document, range, token, next) =>
        vscode.workspace.getConfiguration("gokernel").get<boolean>("inlayTypes", false) ? next(document, range, token) : [],
      notebooks: {
        // The server ignores changes of notebooks that were not opened.
        didOpen: async (notebook, cells, next) => (isOurs(notebook) ? next(notebook, cells) : undefined),
      },
    },
  });
  try {
    await client.start();
  } catch (e) {
    client = undefined;
    const set = "Set gokernel.path";
    const chosen = await vscode.window.showErrorMessage(
      `Go notebooks: cannot start ${program} lsp: ${e instanceof Error ? e.message : e}. Install gokernel and run gokernel install, or set its path.`,
      set,
    );
    if (chosen === set) await vscode.commands.executeCommand("workbench.action.openSettings", "gokernel.path");
  }
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop();
  await old?.dispose();
  await start();
}

// snippetItems offers the snippets at the start of a line.
function snippetItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  if (!/^\s*\w*$/.test(document.lineAt(position).text.slice(0, position.character))) return [];
  return Object.entries(snippets).map(([name, { title, body }]) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Snippet);
    item.detail = title;
    item.insertText = new vscode.SnippetString(body);
    item.sortText = `~${name}`; // after what the server offers
    return item;
  });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("gokernel.restart", restart),
    vscode.languages.registerCompletionItemProvider({ notebookType: "jupyter-notebook", language: "go" }, { provideCompletionItems: snippetItems }),
    vscode.workspace.onDidChangeConfiguration((e) => (e.affectsConfiguration("gokernel.path") ? restart() : undefined)),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
