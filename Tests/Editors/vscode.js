// The VS Code extension with stubbed modules, and its package: node Tests/Editors/vscode.js
//
// What it contributes is held against its files; starting, restarting and failing are played through.

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");

const folder = path.resolve(__dirname, "../../Grammar/vscode-metric");
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
for (const key of ["name", "version", "publisher", "license", "icon", "repository", "engines", "main"]) {
  assert(manifest[key], `package.json has no ${key}`);
}
const contributed = manifest.contributes;
const steps = contributed.walkthroughs[0].steps;
const pictures = ["README.md", ...steps.map((step) => step.media.markdown)].flatMap((file) =>
  [...fs.readFileSync(path.join(folder, file), "utf8").matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)]
    .map((match) => path.join(path.dirname(file), match[1])));
assert(pictures.length >= 2);
const files = ["README.md", "LICENSE", manifest.icon, manifest.main, contributed.languages[0].configuration,
  contributed.grammars[0].path, contributed.snippets[0].path, ...steps.map((step) => step.media.markdown), ...pictures];
for (const file of files) assert(fs.existsSync(path.join(folder, file)), `${file} is missing`);
for (const file of [contributed.grammars[0].path, contributed.languages[0].configuration]) {
  JSON.parse(fs.readFileSync(path.join(folder, file)));
}
assert.equal(JSON.parse(fs.readFileSync(path.join(folder, contributed.grammars[0].path))).scopeName,
  contributed.grammars[0].scopeName);
assert(contributed.configuration.properties["metric.trace.server"].enum.includes("verbose"));
for (const { description } of steps) {
  for (const [, command] of description.matchAll(/\(command:(metric\.\w+)\)/g)) {
    assert(contributed.commands.some((known) => known.command === command), `a step names ${command}`);
  }
}
assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, ["metric.command"]);

// Stubs that note what is done with them.
let log = [];
let fails = false;
let answer;
const registered = {};
let changed;
let setting = "my-metricc";
const vscode = {
  commands: {
    registerCommand: (name, run) => ((registered[name] = run), { dispose() {} }),
    executeCommand: async (...args) => log.push(["execute", ...args]),
  },
  window: {
    showErrorMessage: async (text) => (log.push(["error", text]), answer),
    createTerminal: () => ({ show() {}, sendText: (...args) => log.push(["terminal", ...args]) }),
  },
  workspace: {
    isTrusted: true,
    getConfiguration: () => ({ get: (key) => (key === "command" ? setting : undefined) }),
    onDidChangeConfiguration: (run) => ((changed = run), { dispose() {} }),
    onDidGrantWorkspaceTrust: (run) => ((registered.trusted = run), { dispose() {} }),
  },
  extensions: { getExtension: () => undefined },
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

/** Which `metricc` is started, where several are on the machine. */
async function finding() {
  const { findCommand } = require(path.join(folder, "find.js"));
  const machine = fs.mkdtempSync(path.join(os.tmpdir(), "metricc-find-"));
  const before = { PATH: process.env.PATH, HOME: process.env.HOME };
  const put = (name) => {
    const file = path.join(machine, name, "metricc");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
    return file;
  };
  try {
    process.env.HOME = path.join(machine, "home");
    process.env.PATH = `relative:${path.join(machine, "path")}`;
    vscode.workspace.workspaceFolders = [{ uri: { fsPath: path.join(machine, "project") } }];
    setting = "";
    assert.equal(await findCommand(vscode), "metricc");
    // From the last place to the first; each is preferred to those before it.
    const home = put("home/.local/bin");
    assert.equal(await findCommand(vscode), home);
    const conda = put("conda/bin");
    fs.writeFileSync(path.join(machine, "conda/bin/python"), "", { mode: 0o755 });
    const environments = { getActiveEnvironmentPath: () => ({ path: path.join(machine, "conda") }) };
    vscode.extensions.getExtension = () => ({ isActive: false, activate: async () => ({ environments }) });
    assert.equal(await findCommand(vscode), conda);
    environments.getActiveEnvironmentPath = () => ({ path: path.join(machine, "conda/bin/python") });
    assert.equal(await findCommand(vscode), conda);
    vscode.extensions.getExtension = () => ({ isActive: true, exports: undefined });
    assert.equal(await findCommand(vscode), home);
    const own = put("project/.venv/bin");
    assert.equal(await findCommand(vscode), own);
    vscode.workspace.isTrusted = false;
    assert.equal(await findCommand(vscode), home);
    fs.chmodSync(home, 0o644);
    assert.equal(await findCommand(vscode), "metricc");
    vscode.workspace.isTrusted = true;
    const onPath = put("path");
    assert.equal(await findCommand(vscode), onPath);
    setting = "my-metricc";
    assert.equal(await findCommand(vscode), "my-metricc");
  } finally {
    Object.assign(process.env, before);
    vscode.extensions.getExtension = () => undefined;
    fs.rmSync(machine, { recursive: true });
  }
}

(async () => {
  await finding();
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
  log = [];
  answer = "Install";
  await registered["metric.restartServer"]();
  // Typed, and not run.
  assert.deepEqual(log.at(-1), ["terminal", "pip install metricc", false]);
  fails = false;
  log = [];
  await registered.trusted();
  assert.deepEqual(log, [["start", "my-metricc", "lsp"]]);
  await registered.trusted();
  assert.equal(log.length, 1);
  await extension.deactivate();
  log = [];
  await registered["metric.restartServer"]();
  assert.deepEqual(log, [["start", "my-metricc", "lsp"]]);
  await extension.deactivate();
  assert.deepEqual(log.at(-1), ["stop"]);
  console.log("the extension finds, starts and restarts metricc, says what is missing, and stops");
})();
