// The VS Code extension with stubbed modules, and its package: node Tests/Editors/vscode.js
//
// What it contributes is held against its files; starting, restarting and failing are played through.

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const folder = path.resolve(__dirname, "../../Grammar/vscode-metric");
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
for (const key of ["name", "version", "publisher", "license", "icon", "repository", "engines", "main"]) {
  assert(manifest[key], `package.json has no ${key}`);
}
const contributed = manifest.contributes;
const files = ["README.md", "LICENSE", manifest.icon, manifest.main, contributed.languages[0].configuration,
  contributed.grammars[0].path];
for (const file of files) assert(fs.existsSync(path.join(folder, file)), `${file} is missing`);
for (const file of [contributed.grammars[0].path, contributed.languages[0].configuration]) {
  JSON.parse(fs.readFileSync(path.join(folder, file)));
}
assert.equal(JSON.parse(fs.readFileSync(path.join(folder, contributed.grammars[0].path))).scopeName,
  contributed.grammars[0].scopeName);
assert(contributed.configuration.properties["metric.trace.server"].enum.includes("verbose"));

// Stubs that note what is done with them.
let log = [];
let fails = false;
let answer;
const registered = {};
let changed;
const vscode = {
  commands: {
    registerCommand: (name, run) => ((registered[name] = run), { dispose() {} }),
    executeCommand: async (...args) => log.push(["execute", ...args]),
  },
  window: { showErrorMessage: async (text) => (log.push(["error", text]), answer) },
  workspace: {
    getConfiguration: () => ({ get: (key) => (key === "command" ? "my-metricc" : undefined) }),
    onDidChangeConfiguration: (run) => ((changed = run), { dispose() {} }),
  },
};
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { id, server, options });
  }
  async start() {
    if (fails) throw new Error("spawn my-metricc ENOENT");
    log.push(["start", this.server.command, ...this.server.args]);
  }
  async stop() {
    log.push(["stop"]);
  }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode
  : name === "vscode-languageclient/node" ? { LanguageClient, TransportKind: { stdio: 0 } }
  : load(name, ...rest);

(async () => {
  const extension = require(path.join(folder, manifest.main));
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepEqual(log, [["start", "my-metricc", "lsp"]]);
  for (const { command } of contributed.commands) assert(registered[command], `${command} is not registered`);
  log = [];
  await registered["metric.restartServer"]();
  assert.deepEqual(log, [["stop"], ["start", "my-metricc", "lsp"]]);
  log = [];
  await changed({ affectsConfiguration: (name) => name === "editor.fontSize" });
  assert.deepEqual(log, []);
  fails = true;
  answer = "Open Settings";
  await registered["metric.restartServer"]();
  assert.equal(log[1][0], "error");
  assert.match(log[1][1], /my-metricc lsp.*does not start.*ENOENT.*metric\.command/s);
  assert.deepEqual(log[2], ["execute", "workbench.action.openSettings", "metric.command"]);
  fails = false;
  log = [];
  await registered["metric.restartServer"]();
  assert.deepEqual(log, [["start", "my-metricc", "lsp"]]);
  await extension.deactivate();
  assert.deepEqual(log.at(-1), ["stop"]);
  console.log("the extension starts, restarts, says what is missing, and stops");
})();
