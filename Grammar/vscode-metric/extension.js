// Starts `metricc lsp` for .metric files. All that it does is in the server.

const { commands, window, workspace } = require("vscode");

let client;

/** Makes a client of the settings as they are now; `vscode-languageclient` is loaded only here. */
function makeClient() {
  const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
  const command = workspace.getConfiguration("metric").get("command");
  return new LanguageClient(
    "metric",
    "Metric",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    { documentSelector: [{ language: "metric" }] },
  );
}

async function start() {
  try {
    client = makeClient();
    await client.start();
  } catch (error) {
    client = undefined;
    const command = workspace.getConfiguration("metric").get("command");
    const chosen = await window.showErrorMessage(
      `\`${command} lsp\` does not start: ${error.message}. Install metricc and put it on the path, or name it in the ` +
        "setting `metric.command`; then restart the language server.",
      "Open Settings",
      "Restart",
    );
    if (chosen === "Open Settings") await commands.executeCommand("workbench.action.openSettings", "metric.command");
    if (chosen === "Restart") await start();
  }
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
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("metric.command")) return restart();
    }),
  );
  await start();
};

exports.deactivate = stop;
