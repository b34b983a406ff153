"""Drives `metricc lsp` with pygls, a language-client library that checks every message against the protocol.

    python3 -m venv /tmp/editors && /tmp/editors/bin/pip install pygls
    /tmp/editors/bin/python Tests/Editors/client.py .build/debug/metricc

Works on a copy of Definitions/Habits, prints a line for each step, and exits with 1 at the first that fails.
"""

import asyncio
import pathlib
import re
import shutil
import sys
import tempfile

from lsprotocol import types as lsp
from pygls.lsp.client import BaseLanguageClient


DRAFT = """/// Of a week.
measure seven { for habit  value sum(HabitEntry.value)  over last 7 days }

/// Both.
measure both { for habit  title "🎉"  value seven + count(HabitEntry over last 7 days) }

measure lostValue { for habit  value count(HabitEntry) }

measure unknown { for habit  value gone }

measure mean { for habit  value   avg(HabitEntry.value) }
"""


def step(name, condition, found=None):
    print(("ok     " if condition else "FAILED ") + name)
    if not condition:
        print("       found:", found)
        sys.exit(1)


class Session:
    """One client with the diagnostics that it was told."""

    def __init__(self, metricc):
        self.client = BaseLanguageClient("metricc-tests", "1")
        self.metricc = metricc
        self.diagnostics = {}
        self.messages = []
        self.changed = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams):
            self.diagnostics[params.uri] = params.diagnostics
            self.changed.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams):
            self.messages.append(params.message)

        @self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def registered(params: lsp.RegistrationParams):
            return None

    async def wait(self, uri, wanted):
        for _ in range(50):
            if wanted(self.diagnostics.get(uri, [])):
                return True
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), 0.2)
            except asyncio.TimeoutError:
                pass
        return False


async def main(metricc):
    folder = pathlib.Path(tempfile.mkdtemp()) / "Habits"
    shutil.copytree("Definitions/Habits", folder)
    session = Session(metricc)
    client = session.client
    await client.start_io(metricc, "lsp", "--stdio")
    watch = lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    encodings = lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf16])
    result = await client.initialize_async(
        lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(
                workspace=lsp.WorkspaceClientCapabilities(did_change_watched_files=watch), general=encodings
            ),
            workspace_folders=[lsp.WorkspaceFolder(uri=folder.as_uri(), name="Habits")],
        )
    )
    step("the server says its name", result.server_info.name == "metricc", result.server_info)
    client.initialized(lsp.InitializedParams())

    path = folder / "streaks.metric"
    uri, text = path.as_uri(), path.read_text()
    document = lsp.TextDocumentIdentifier(uri=uri)
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(
            text_document=lsp.TextDocumentItem(uri=uri, language_id="metric", version=1, text=text)
        )
    )
    lines = text.split("\n")
    line = lines.index("  of done_daily")
    here = lsp.Position(line=line, character=6)

    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=here))
    step("hover", "value is  Bool, " in hover.contents.value, hover)
    found = await client.text_document_definition_async(lsp.DefinitionParams(text_document=document, position=here))
    step("definition", found[0].uri.endswith("completion.metric"), found)
    found = await client.text_document_references_async(
        lsp.ReferenceParams(
            text_document=document, position=here, context=lsp.ReferenceContext(include_declaration=True)
        )
    )
    names = [len(re.findall(r"\bdone_daily\b", file.read_text())) for file in folder.glob("*.metric")]
    step("references", len(found) == sum(names) > 5, found)
    found = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    step("document symbols", found[0].name == "daily_streak", found)
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="goalprog"))
    step("workspace symbols", found[0].name == "goal_progress", found)
    found = await client.text_document_completion_async(lsp.CompletionParams(text_document=document, position=here))
    step("completion", "weekly_done" in [item.label for item in found.items], found)
    found = await client.text_document_folding_range_async(lsp.FoldingRangeParams(text_document=document))
    step("folding ranges", len(found) >= 4, found)
    found = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text_document=document))
    step("semantic tokens", len(found.data) > 0 and len(found.data) % 5 == 0, found)
    whole = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=99, character=0))
    found = await client.text_document_inlay_hint_async(lsp.InlayHintParams(text_document=document, range=whole))
    step("inlay hints", found[0].label.startswith("Int, "), found)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=document))
    command = lenses[0].command
    found = await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    )
    step("a lens shows the value on the sample data", session.messages and "mara-read: 19" in session.messages[-1], found)

    found = await client.text_document_selection_range_async(
        lsp.SelectionRangeParams(text_document=document, positions=[here])
    )
    step("selection ranges", found[0].parent.range.start.line == line, found)
    items = await client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(text_document=document, position=here)
    )
    found = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=items[0]))
    step("call hierarchy", {"daily_streak", "best_daily_streak"} <= {call.from_.name for call in found}, found)
    found = await client.text_document_document_link_async(lsp.DocumentLinkParams(text_document=document))
    step("document links", found is not None, found)
    other = folder / "completion.metric"
    other_document = lsp.TextDocumentIdentifier(uri=other.as_uri())
    other_lines = other.read_text().split("\n")
    counted = next(i for i, candidate in enumerate(other_lines) if "count(" in candidate)
    place = lsp.Position(line=counted, character=other_lines[counted].index("count(") + len("count("))
    found = await client.text_document_signature_help_async(
        lsp.SignatureHelpParams(text_document=other_document, position=place)
    )
    step("signature help", found.signatures[0].label.startswith("count("), found)
    found = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(text_document=document))
    step("findings that are asked for", found.kind == "full" and not found.items, found)

    async def change(version, new, range=None):
        event = lsp.TextDocumentContentChangeWholeDocument(text=new)
        if range is not None:
            event = lsp.TextDocumentContentChangePartial(range=range, text=new)
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=uri, version=version), content_changes=[event]
            )
        )

    word = lsp.Range(start=lsp.Position(line=line, character=5), end=lsp.Position(line=line, character=15))
    await change(2, "dnoe_daily", word)
    step("a typed mistake is shown", await session.wait(uri, lambda list: len(list) > 0))
    finding = session.diagnostics[uri][0]
    step("it stands where it was typed", finding.range == word, finding)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            text_document=document, range=word, context=lsp.CodeActionContext(diagnostics=[finding])
        )
    )
    mend = next((action for action in actions if "done_daily" in action.title), None)
    step("a code action mends it", mend and mend.edit.changes[uri][0].new_text == "done_daily", actions)
    await change(3, "done_daily", word)
    step("mended, it is gone", await session.wait(uri, lambda list: len(list) == 0))

    await change(4, text.replace("  of done_daily", "     of   done_daily"))
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(
            text_document=document, options=lsp.FormattingOptions(tab_size=2, insert_spaces=True)
        )
    )
    step("formatting", [edit.new_text for edit in edits] == ["  of done_daily\n"] * text.count("  of done_daily\n"), edits)
    await change(5, text)
    found = await client.text_document_prepare_rename_async(
        lsp.PrepareRenameParams(text_document=document, position=here)
    )
    step("a name can be renamed", found.placeholder == "done_daily", found)
    found = await client.text_document_rename_async(
        lsp.RenameParams(text_document=document, position=here, new_name="was_done")
    )
    step("rename edits each file that names it", len(found.changes) == sum(count > 0 for count in names), found)
    try:
        await client.text_document_rename_async(
            lsp.RenameParams(text_document=document, position=here, new_name="habit")
        )
        step("a bad rename is refused", False)
    except Exception as error:
        step("a bad rename is refused", "the name of a subject" in str(error), error)

    tests = folder / "streaks_tests.metric"
    lenses = await client.text_document_code_lens_async(
        lsp.CodeLensParams(text_document=lsp.TextDocumentIdentifier(uri=tests.as_uri()))
    )
    command = next(lens.command for lens in lenses if lens.command.title.endswith("tests of this file"))
    await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    )
    step("the tests of a file pass", "0 failed" in session.messages[-1] or "failed" not in session.messages[-1],
         session.messages)

    # A draft with mistakes, in a document of its own.
    draft = (folder / "draft.metric").as_uri()
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(
            text_document=lsp.TextDocumentItem(uri=draft, language_id="metric", version=1, text=DRAFT)
        )
    )
    draft_document = lsp.TextDocumentIdentifier(uri=draft)

    def range_of(text):
        def position(offset):
            lines = DRAFT[:offset].split("\n")
            return lsp.Position(line=len(lines) - 1, character=len(lines[-1].encode("utf-16-le")) // 2)

        start = DRAFT.index(text)
        return lsp.Range(start=position(start), end=position(start + len(text)))

    async def titles(range):
        found = await client.text_document_code_action_async(
            lsp.CodeActionParams(
                text_document=draft_document, range=range, context=lsp.CodeActionContext(diagnostics=[])
            )
        )
        return [action.title for action in found]

    def cursor(range):
        return lsp.Range(start=range.start, end=range.start)

    for name, range, wanted in [
        ("define what is missing", range_of("gone"), "Define `gone`"),
        ("a function of another language", range_of("avg"), "Change to `average`"),
        ("a test for an untested metric", range_of("both"), "Write a test with a small dataset"),
        ("extract", range_of("count(HabitEntry over last 7 days)"), "Extract into `both_part`"),
        ("inline", cursor(range_of("seven +")), "Inline `seven`"),
        ("rename to style", range_of("lostValue"), "Rename to `lost_value`"),
    ]:
        found = await titles(range)
        step(name, wanted in found, found)
    found = await client.text_document_document_highlight_async(
        lsp.DocumentHighlightParams(text_document=draft_document, position=range_of("seven").start)
    )
    step("highlights", len(found) == 2, found)
    end = range_of("  value   avg(HabitEntry.value) }").end
    found = await client.text_document_on_type_formatting_async(
        lsp.DocumentOnTypeFormattingParams(
            text_document=draft_document, position=end, ch="}",
            options=lsp.FormattingOptions(tab_size=2, insert_spaces=True),
        )
    )
    step("on-type formatting", [edit.new_text.strip() for edit in found] == [DRAFT.splitlines()[-1].replace("   ", " ")], found)
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=draft_document))

    # A file that another program writes.
    extra = folder / "extra.metric"
    extra.write_text("streak extra { of nothing }\n")
    event = lsp.FileEvent(uri=extra.as_uri(), type=lsp.FileChangeType.Created)
    client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(changes=[event]))
    step("a new file is read", await session.wait(extra.as_uri(), lambda list: len(list) > 0))

    await client.shutdown_async(None)
    client.exit(None)
    server = client._server
    status = await asyncio.wait_for(server.wait(), 5)
    step("the server ends with status 0", status == 0, status)
    shutil.rmtree(folder.parent)


asyncio.run(main(str(pathlib.Path(sys.argv[1]).resolve())))
