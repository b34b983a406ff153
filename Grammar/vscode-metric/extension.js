// Starts `metricc lsp` for .metric files. All that it does is in the server.

const { workspace } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async () => {
  const command = workspace.getConfiguration("metric").get("command");
  client = new LanguageClient(
    "metric",
    "Metric",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    { documentSelector: [{ language: "metric" }] },
  );
  await client.start();
};

exports.deactivate = () => client && client.stop();
