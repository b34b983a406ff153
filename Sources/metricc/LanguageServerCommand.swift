import ArgumentParser
import Foundation

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serves editors: the Language Server Protocol on standard input and output.",
    discussion: """
      An editor starts it; Documentation/Editors.md says how to set up VS Code, Neovim and Helix.

      Example:
        metricc lsp

      Exit status: 0 the editor ended the session; 1 it disconnected without ending the session; 2 standard input \
      could not be read or standard output could not be written.
      """)

  @Flag(help: "Accepted for editors that pass it; stdio is the only transport.")
  var stdio = false

  func run() throws {
    let output = BufferedOutput.standardOutput
    let server = LanguageServer(
      files: DiskFiles(), version: Metricc.configuration.version,
      approver: {
        guard let who = try? GitSources.userName(), let today = DayKey.today else { return nil }
        return Approver(who: who, day: today)
      }, output: { output.write(MessageReader.framed($0)) })
    var input = MessageInput(.headers)
    while server.exitStatus == nil, !output.isClosed {
      switch try input.messages(waiting: server.hasIdleWork ? LanguageServerCommand.idleDelay : nil) {
      case .messages(let messages): server.receive(messages)
      case .silence:
        while server.hasIdleWork, try !input.isReadable(waiting: 0) {
          server.idle()
          try output.finish()
        }
      case .end:
        throw CommandFailure(
          messages: ["standard input ended before the client said `exit`"], status: .rejected)
      }
      try output.finish()
    }
    if server.exitStatus != 0 { throw CommandFailure.silent(.rejected) }
  }

  /// How long nothing has to come, in milliseconds, before what takes long is begun.
  private static let idleDelay: Int32 = 250
}

/// The disk as the language server sees it.
struct DiskFiles: WorkspaceFiles {
  func entries(of folder: String) -> [FolderEntry] {
    ((try? Folder.names(in: folder)) ?? []).compactMap { name in
      guard let status = FileStatus(path: Folder.join(folder, name)), status.kind != .other else {
        return nil
      }
      let identity = "\(status.identity.device):\(status.identity.inode)"
      return FolderEntry(name: name, isFolder: status.kind == .directory, identity: identity)
    }
  }

  func contents(of path: String) -> [UInt8]? {
    guard path.hasPrefix("/"), FileStatus(path: path)?.kind == .file else { return nil }
    return try? InputFile(path: path, most: SourceFile.greatestSize).bytes()
  }
}
