-- Neovim as a client of the language server, which its configuration starts for a script in the
-- percent format. It writes what it shows as JSON.
-- Usage: nvim --headless -u init.lua -c 'luafile lsp.lua' SCRIPT, with OUT set.
local result = {}
local function finish()
  local out = io.open(vim.env.OUT, "w")
  out:write(vim.fn.json_encode(result))
  out:close()
  vim.cmd("qa!")
end
local ok, err = pcall(function()
  assert(vim.wait(60000, function() return #vim.lsp.get_active_clients() == 1 end, 10), "the configuration started no client")
  local client = vim.lsp.get_active_clients()[1].id
  local function shown(test)
    assert(vim.wait(60000, function() return test(vim.diagnostic.get(0)) end, 10), "the diagnostics did not come: " .. vim.inspect(vim.diagnostic.get(0)))
    local list = {}
    for _, d in ipairs(vim.diagnostic.get(0)) do table.insert(list, { d.lnum, d.message }) end
    return list
  end
  local function ask(method, line, column, more)
    local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
    for k, v in pairs(more or {}) do params[k] = v end
    local answer = vim.lsp.buf_request_sync(0, method, params, 60000)
    return answer[client].result
  end
  result.diagnostics = shown(function(d) return #d > 0 end)
  result.hover = ask("textDocument/hover", 7, 1).contents.value
  result.definition = ask("textDocument/definition", 7, 1)[1].range.start
  local items = ask("textDocument/completion", 8, 10).items
  result.completion = { items[1].label, items[2].label }
  result.signature = ask("textDocument/signatureHelp", 7, 5).signatures[1].label
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", 3, 6, { newName = "circle" }), "utf-16")
  result.renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.lsp.util.apply_text_edits(ask("textDocument/formatting", 0, 0, { options = { tabSize = 8, insertSpaces = false } }), 0, "utf-16")
  result.formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.api.nvim_buf_set_lines(0, 8, 9, false, { "x / 3" })
  result.fixed = shown(function(d) return #d == 0 end)
end)
if not ok then result.error = tostring(err) end
finish()
