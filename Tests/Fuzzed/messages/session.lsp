Content-Length: 159

{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {"textDocument": {"uri": "file:///w/a.metric"}, "position": {"line": 0, "character": 9}}}Content-Length: 259

{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///w/a.metric", "version": 2}, "contentChanges": [{"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}}, "text": "\ud83d\ude00x"}]}}Content-Length: 165

{"jsonrpc": "2.0", "id": 2, "method": "textDocument/completion", "params": {"textDocument": {"uri": "file:///w/a.metric"}, "position": {"line": 0, "character": 25}}}Content-Length: 182

{"jsonrpc": "2.0", "id": "r", "method": "textDocument/rename", "params": {"textDocument": {"uri": "file:///w/a.metric"}, "position": {"line": 0, "character": 8}, "newName": "other"}}Content-Length: 172

{"jsonrpc": "2.0", "id": 3, "method": "textDocument/formatting", "params": {"textDocument": {"uri": "file:///w/a.metric"}, "options": {"tabSize": 2, "insertSpaces": true}}}Content-Length: 240

{"jsonrpc": "2.0", "id": 4, "method": "textDocument/codeAction", "params": {"textDocument": {"uri": "file:///w/a.metric"}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}, "context": {"diagnostics": []}}}Content-Length: 147

{"jsonrpc": "2.0", "id": 5, "method": "workspace/executeCommand", "params": {"command": "metricc.runTest", "arguments": ["file:///w/a.metric", 0]}}Content-Length: 68

{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 5}}Content-Length: 112

{"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///w/a.metric"}}}Content-Length: 49

{"jsonrpc": "2.0", "id": 6, "method": "shutdown"}Content-Length: 36

{"jsonrpc": "2.0", "method": "exit"}