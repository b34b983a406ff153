// Starts `metricc lsp` for .metric files. All that it does is in the server.

const vscode = require("vscode");
const { commands, window, workspace } = vscode;
const { findCommand } = require("./find");

let client;

/** Makes a client of the settings as they are now; `vscode-languageclient` is loaded only here. */
function makeClient(command) {
  const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
  return new LanguageClient(
    "metric",
    "Metric",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    { documentSelector: [{ language: "metric" }] },
  );
}

async function start() {
  const command = await findCommand(vscode);
  try {
    client = makeClient(command);
    await client.start();
  } catch (error) {
    client = undefined;
    const chosen = await window.showErrorMessage(
      `\`${command} lsp\` does not start: ${error.message}. Install metricc, or name it in the setting ` +
        "`metric.command`; then restart the language server.",
      "Install",
      "Open Settings",
      "Restart",
    );
    if (chosen === "Install") install();
    if (chosen === "Open Settings") await commands.executeCommand("workbench.action.openSettings", "metric.command");
    if (chosen === "Restart") await start();
  }
}

/** Types the command into a terminal, which has the environment of the folder; the person runs it. */
function install() {
  const terminal = window.createTerminal("metricc");
  terminal.show();
  terminal.sendText("pip install metricc", false);
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    commands.registerCommand("metric.restartServer", restart),
    commands.registerCommand("metric.install", install),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("metric.command")) return restart();
    }),
    workspace.onDidGrantWorkspaceTrust(() => (client ? undefined : start())),
  );
  await start();
};

exports.deactivate = stop;
