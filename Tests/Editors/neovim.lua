-- Drives `metricc lsp` with a real Neovim (0.7 or newer), as a person would: open, look, break, mend, rename.
--
--   METRICC=.build/debug/metricc nvim --headless -u NONE -i NONE -c 'luafile Tests/Editors/neovim.lua'
--
-- PARSER=metric.so, the compiled tree-sitter grammar, has it look at the colours too. ENCODING=utf-8 or utf-16 makes
-- Neovim 0.10 or newer count columns that way; newer ones choose UTF-8 by themselves.
--
-- Works on a copy of Definitions/Habits, prints a line for each step, and exits with 1 at the first that fails.

local function finish(status)
  vim.cmd(status == 0 and "qall!" or "cquit!")
end

local function step(name, condition, found)
  io.stdout:write((condition and "ok    " or "FAILED ") .. name .. "\n")
  if not condition then
    io.stdout:write("       found: " .. vim.inspect(found) .. "\n")
    finish(1)
  end
end

local function main()
  local metricc = vim.fn.fnamemodify(os.getenv("METRICC") or ".build/debug/metricc", ":p")
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  vim.fn.system({ "cp", "-r", "Definitions/Habits/.", folder })

  local encoding = vim.fn.has("nvim-0.10") == 1 and os.getenv("ENCODING") or nil
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  if encoding then capabilities.general.positionEncodings = { encoding } end
  -- 0.12 takes `start` alone.
  local start = vim.lsp.start_client or vim.lsp.start
  local id = start({ name = "metricc", cmd = { metricc, "lsp" }, root_dir = folder, capabilities = capabilities })
  step("the client starts", id ~= nil, id)
  local client = vim.lsp.get_client_by_id(id)
  step("initialized", vim.wait(5000, function() return client.initialized end), client)

  if encoding then step("columns are " .. encoding, client.offset_encoding == encoding, client.offset_encoding) end

  vim.cmd("edit " .. folder .. "/streaks.metric")
  vim.bo.filetype = "metric"
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, id)

  local function line_of(text)
    for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
      local column = line:find(text, 1, true)
      if column then return number - 1, column - 1 end
    end
    error("no line holds " .. text)
  end
  local function request(method, params)
    params.textDocument = vim.lsp.util.make_text_document_params(buffer)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 5000)
    local answer = answers and answers[id]
    if answer and answer.error then error(method .. ": " .. answer.error.message) end
    return answer and answer.result
  end
  local function at(text, offset)
    local line, column = line_of(text)
    return { position = { line = line, character = column + (offset or 0) } }
  end

  local hover = request("textDocument/hover", at("of done_daily", 4))
  step("hover shows the plan", hover and hover.contents.value:find("value is  Bool, "), hover)

  local places = request("textDocument/definition", at("of done_daily", 4))
  step("definition is in completion.metric", places[1] and places[1].uri:find("completion.metric"), places)

  local symbols = request("textDocument/documentSymbol", {})
  step("the outline names daily_streak", symbols[1].name == "daily_streak", symbols)

  if os.getenv("PARSER") then
    local file = io.open("Grammar/tree-sitter-metric/queries/highlights.scm")
    local query = file:read("a")
    file:close()
    local parse = vim.treesitter.query.parse or vim.treesitter.parse_query
    if vim.treesitter.language.add then
      vim.treesitter.language.add("metric", { path = os.getenv("PARSER") })
    else
      vim.treesitter.require_language("metric", os.getenv("PARSER"))
    end
    local root = vim.treesitter.get_parser(buffer, "metric"):parse()[1]:root()
    local coloured = 0
    for _ in parse("metric", query):iter_captures(root, buffer, 0, -1) do coloured = coloured + 1 end
    step("tree-sitter colours the buffer", coloured > 50 and not root:has_error(), coloured)
  end

  local items = request("textDocument/completion", at("of done_daily", 3))
  local labels = vim.tbl_map(function(item) return item.label end, items.items)
  step("completion offers completions", vim.tbl_contains(labels, "weekly_done"), labels)

  -- Type a mistake, see it, and take it back.
  local line, column = line_of("of done_daily")
  vim.api.nvim_buf_set_text(buffer, line, column + 3, line, column + 13, { "dnoe_daily" })
  local function diagnostics() return vim.diagnostic.get(buffer) end
  step("a typed mistake is shown", vim.wait(5000, function() return #diagnostics() > 0 end), diagnostics())
  local shown = diagnostics()[1]
  step("it stands where it was typed", shown.lnum == line and shown.col == column + 3, shown)
  step("it says what is wrong", shown.message:find("did you mean `done_daily`"), shown)
  vim.api.nvim_buf_set_text(buffer, line, column + 3, line, column + 13, { "done_daily" })
  step("mended, it is gone", vim.wait(5000, function() return #diagnostics() == 0 end), diagnostics())

  -- A character outside the basic plane: 4 bytes, 2 units of UTF-16. Neovim chooses how columns are counted.
  vim.api.nvim_buf_set_text(buffer, line, 0, line, 0, { 'title "😀"  ' })
  vim.api.nvim_buf_set_text(buffer, line, 0, line, 0, { "" })
  local undo = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  step("the buffer took the edit", undo:find("😀") ~= nil, undo)
  local reference = request("textDocument/references",
    { position = { line = line, character = client.offset_encoding == "utf-8" and 20 or 18 }, context = { includeDeclaration = true } })
  step("references behind it are found", reference and #reference >= 4, reference)
  vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { "     of   done_daily" })

  local edits = request("textDocument/formatting", { options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, buffer, client.offset_encoding or "utf-16")
  local formatted = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  step("formatting lays the line out", formatted == "  of done_daily", formatted)

  local rename = request("textDocument/rename", vim.tbl_extend("force", at("of done_daily", 4), { newName = "was_done" }))
  vim.lsp.util.apply_workspace_edit(rename, client.offset_encoding or "utf-16")
  local renamed = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  step("rename changes this file", renamed == "  of was_done", renamed)
  vim.cmd("edit " .. folder .. "/completion.metric")
  local other = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  step("and the others", other:find("completion was_done {", 1, true), other:sub(1, 400))
  vim.cmd("silent! bprevious!")

  vim.lsp.stop_client(id)
  step("the server stops", vim.wait(5000, function() return client.is_stopped() end), "still running")
  vim.fn.delete(folder, "rf")
end

local ok, reason = pcall(main)
if not ok then io.stdout:write("FAILED " .. tostring(reason) .. "\n") end
finish(ok and 0 or 1)
