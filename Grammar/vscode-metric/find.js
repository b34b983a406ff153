// Where `metricc` is if the setting does not say: on the path, or where pip, pipx and uv put it.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const isWindows = process.platform === "win32";
const program = isWindows ? "metricc.exe" : "metricc";

function isThere(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The folder of a Python environment that holds its programs. */
const scripts = (environment) => path.join(environment, isWindows ? "Scripts" : "bin");

/** The environment of the Python extension, where that is installed. */
async function activeEnvironment({ extensions }) {
  try {
    const python = extensions.getExtension("ms-python.python");
    const api = python && (python.isActive ? python.exports : await python.activate());
    const active = api?.environments.getActiveEnvironmentPath().path;
    // Either the interpreter or the environment's folder.
    return active && (isThere(active) ? path.dirname(active) : scripts(active));
  } catch {
    return undefined;
  }
}

/** The command to start. A folder that is not trusted names no program. */
exports.findCommand = async (vscode) => {
  const { workspace } = vscode;
  const named = workspace.getConfiguration("metric").get("command");
  if (named) return named;
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) : [];
  const places = [
    ...(process.env.PATH ?? "").split(path.delimiter).filter(path.isAbsolute),
    ...folders.flatMap((folder) => [".venv", "venv"].map((name) => scripts(path.join(folder, name)))),
    workspace.isTrusted ? await activeEnvironment(vscode) : undefined,
    path.join(os.homedir(), ".local", "bin"),
  ];
  return places.filter(Boolean).map((place) => path.join(place, program)).find(isThere) ?? "metricc";
};
