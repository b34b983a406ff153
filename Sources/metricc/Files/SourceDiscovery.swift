import Foundation

/// Finds and reads the `.metric` files at the paths of a command line.
///
/// Paths keep the order in which they are given; a folder's files come in the order of their path's
/// bytes. Hidden files and folders are skipped, links are followed, and a file that is reached
/// twice counts once.
struct SourceDiscovery {
  static let suffix = ".metric"

  /// In the order of the sources.
  private var files: [String] = []
  private var problems: [String] = []
  private var seenFiles: Set<FileStatus.Identity> = []

  /// The sources at the paths; a failure names every path that is at fault.
  static func sources(at paths: [String]) throws(CommandFailure) -> [SourceFile] {
    var search = SourceDiscovery()
    for path in paths { search.add(path) }
    guard search.problems.isEmpty else {
      throw CommandFailure(messages: search.problems, status: .unreadable)
    }
    return try search.files.map { path throws(CommandFailure) in
      SourceFile(path: path, bytes: try InputFile(path: path, most: SourceFile.greatestSize).bytes())
    }
  }

  private mutating func add(_ path: String) {
    guard let status = FileStatus(path: path) else {
      return problems.append(SystemError.cannotRead(path) + advice(path))
    }
    switch status.kind {
    case .directory: addFolder(path)
    case .file where !path.hasSuffix(SourceDiscovery.suffix):
      problems.append("\(path.quoted) is neither a folder nor a `.metric` file")
    case .file, .other: addFile(path, status)
    }
  }

  /// What was probably meant by a path where nothing is: its file, or the name of a metric.
  private func advice(_ path: String) -> String {
    if FileStatus(path: path + SourceDiscovery.suffix) != nil {
      return suggestion(path + SourceDiscovery.suffix)
    }
    let isName = path.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName
      ? "; a path is a `.metric` file or a folder; `--metric NAME` chooses a metric, `diff git:NAME` reads a branch"
      : ""
  }

  private mutating func addFile(_ path: String, _ status: FileStatus) {
    if seenFiles.insert(status.identity).inserted { files.append(path) }
  }

  private mutating func addFolder(_ path: String) {
    let problemCount = problems.count
    var found: [(path: String, status: FileStatus)] = []
    // A path in two folders given, or one inside the other, is searched twice and counts once.
    var seenFolders: Set<FileStatus.Identity> = []
    search(path, &found, &seenFolders)
    if found.isEmpty, problems.count == problemCount {
      problems.append("there is no `.metric` file in \(path.quoted)")
    }
    for (path, status) in found.sorted(by: { Folder.bytesPrecede($0.path, $1.path) }) {
      addFile(path, status)
    }
  }

  private mutating func search(
    _ folder: String, _ found: inout [(path: String, status: FileStatus)],
    _ seenFolders: inout Set<FileStatus.Identity>
  ) {
    guard let status = FileStatus(path: folder), let names = try? Folder.names(in: folder) else {
      return problems.append(SystemError.cannotRead(folder))
    }
    guard seenFolders.insert(status.identity).inserted else { return }
    for name in names {
      let path = Folder.join(folder, name)
      let isSource = name.hasSuffix(SourceDiscovery.suffix)
      guard let status = FileStatus(path: path) else {
        // A link to nowhere matters only where it claims to be a definition.
        if isSource { problems.append(SystemError.cannotRead(path)) }
        continue
      }
      switch status.kind {
      case .directory: search(path, &found, &seenFolders)
      case .file where isSource: found.append((path, status))
      case .file, .other: continue
      }
    }
  }
}

extension SourceFile {
  static func standardInput() throws(CommandFailure) -> SourceFile {
    let held = try HeldBytes(reading: 0, path: "standard input", most: greatestSize)
    return SourceFile(path: "<standard input>", bytes: Array(held.bytes))
  }

  var wholeText: String { text(0, bytes.count) }

  /// Replaces the contents of a file of definitions, whole or not at all.
  static func rewrite(_ path: String, _ bytes: [UInt8]) throws(CommandFailure) {
    guard FileStatus(path: path)?.kind == .file else {
      throw .unreadable("cannot write \(path.quoted): it is not a regular file")
    }
    try AtomicFile.write(bytes, to: path, replacesInput: true)
  }
}
