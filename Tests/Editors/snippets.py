"""Tries the configuration that Documentation/Editors.md gives for Neovim, with the Neovim on the path or another.

    python3 Tests/Editors/snippets.py .build/debug/metricc [NVIM]

Takes the snippet for that version out of the document, opens files of a copy of Definitions/Habits, and ends
with 1 where something is not as the document says.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

STEPS = """
local function step(name, condition, found)
  io.stdout:write((condition and "ok    " or "FAILED ") .. name .. "\\n")
  if not condition then
    io.stdout:write("       found: " .. vim.inspect(found) .. "\\n")
    vim.cmd("cquit!")
  end
end
local function clients() return (vim.lsp.get_clients or vim.lsp.get_active_clients)() end
local function wait(condition) vim.wait(20000, condition, 50) end
vim.defer_fn(function()
  wait(function() return #vim.diagnostic.get(0) > 0 end)
  step("the file is of type metric", vim.bo.filetype == "metric", vim.bo.filetype)
  local found = vim.diagnostic.get(0)
  step("a finding is shown", found[1] and found[1].message:find("no metric is called `nosuch`"), found)
  step("the library is the marked folder", clients()[1].config.root_dir == vim.env.LIBRARY, clients()[1].config.root_dir)
  local place = { textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = vim.fn.search("streak daily_streak") - 1, character = 8 } }
  local hover
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", place, 20000) or {}) do hover = answer.result end
  step("hover shows the plan", hover and hover.contents.value:find("value is  Int"), hover)
  vim.cmd("edit " .. vim.env.LIBRARY .. "/momentum.metric")
  vim.wait(1000)
  step("a second file has the same server", #clients() == 1, #clients())
  vim.cmd("qall!")
end, 500)
"""


def main():
    metricc = pathlib.Path(sys.argv[1]).resolve()
    nvim = sys.argv[2] if len(sys.argv) > 2 else shutil.which("nvim")
    if nvim is None:
        print("there is no Neovim on the path")
        return 77
    version = subprocess.run([nvim, "--version"], capture_output=True, text=True, check=True).stdout
    minor = int(re.match(r"NVIM v0\.(\d+)", version)[1])
    newer, older = re.findall(r"```lua\n(.*?)```", (ROOT / "Documentation/Editors.md").read_text(), re.S)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "bin").mkdir()
        (folder / "bin/metricc").symlink_to(metricc)
        library = folder / "library"
        shutil.copytree(ROOT / "Definitions/Habits", library)
        (library / ".metric-library").touch()
        with open(library / "streaks.metric", "a") as file:
            file.write("streak broken { of nosuch }\n")
        (folder / "init.lua").write_text(newer if minor >= 11 else older)
        (folder / "steps.lua").write_text(STEPS)
        environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}", LIBRARY=str(library),
                           XDG_STATE_HOME=name, XDG_CACHE_HOME=name)
        run = subprocess.run(
            [nvim, "--headless", "-u", folder / "init.lua", "-i", "NONE", library / "streaks.metric",
             "-c", f"luafile {folder / 'steps.lua'}"], env=environment, timeout=120)
    print(version.splitlines()[0])
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
