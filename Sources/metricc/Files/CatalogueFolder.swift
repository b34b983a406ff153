import Foundation

/// The folder of a catalogue or of another work of many files: replaced as a whole, and nothing in it that
/// an older run did not write is touched.
///
/// A hidden file lists all files, so that the next run knows which it may replace and which are gone.
struct CatalogueFolder {
  struct Contents {
    /// `catalogue`, and `page of the catalogue`.
    let name, file: String
    /// The hidden file that lists what was written.
    let manifestName: String
    /// How the names of its files end.
    let endings: [String]

    static let catalogue = Contents(
      name: "catalogue", file: "page of the catalogue", manifestName: ".metricc-catalogue",
      endings: [".html"])
    static let dbtProject = Contents(
      name: "dbt project of metricc", file: "file of the dbt project", manifestName: ".metricc-dbt",
      endings: [".sql", ".yml"])
  }

  let path: String
  private let contents: Contents
  /// The files of the catalogue that is there already; nil if there is none.
  private let old: [String]?

  /// Looks at the folder, and refuses one that holds something else.
  init(path: String, contents: Contents = .catalogue) throws(CommandFailure) {
    (self.path, self.contents) = (path, contents)
    switch FileStatus(path: path)?.kind {
    case nil: old = nil
    case .file, .other: throw .unreadable("cannot write \(path.quoted): it is not a folder")
    case .directory:
      old = CatalogueFolder.manifest(in: path, contents)
      _ = try Folder.names(in: path)
      guard old != nil || !CatalogueFolder.holdsFiles(path) else {
        throw .unreadable(
          "\(path.quoted) holds files and no \(contents.name); name a new or an empty folder, and "
            + "nothing of yours is overwritten")
      }
    }
  }

  /// Writes the files, given by paths inside the folder; those of an older catalogue go away.
  func write(_ files: [(path: String, text: String)]) throws(CommandFailure) {
    for file in files where old?.contains(file.path) != true {
      // In its folder, but nothing that it wrote.
      let target = Folder.join(path, file.path)
      guard FileStatus(path: target) == nil else {
        throw .unreadable("\(target.quoted) exists and is not a \(contents.file)")
      }
    }
    let inner = Set(files.map { ($0.path as NSString).deletingLastPathComponent }).subtracting([""])
    let folders = [path] + inner.sorted().map { Folder.join(path, $0) }
    let new = folders.filter { FileStatus(path: $0) == nil }
    // A folder that was created for nothing is removed; one with files in it stays.
    defer { for folder in new.reversed() { rmdir(folder) } }
    for folder in folders { try Folder.make(folder) }
    try Interruption.deferring { () throws(CommandFailure) in
      // Until all is in place, the list names what was there and what comes: a later run may replace both.
      let paths = Set(files.map(\.path))
      let (manifest, before) = (manifest(paths), manifest(paths.union(old ?? [])))
      try moveIntoPlace([before] + files + [manifest])
      for file in old ?? [] where !paths.contains(file) { unlink(Folder.join(path, file)) }
    }
  }

  private func manifest(_ paths: Set<String>) -> (path: String, text: String) {
    (contents.manifestName, paths.sorted().map { $0 + "\n" }.joined())
  }

  /// Writes everything into a folder beside the pages, then moves file by file: errors of space or permissions come
  /// before the first page changes.
  private func moveIntoPlace(_ files: [(path: String, text: String)]) throws(CommandFailure) {
    let scratch = Folder.join(path, ".metricc-\(getpid()).tmp")
    try Folder.make(scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    for (index, file) in files.enumerated() {
      try AtomicFile.write(file.text.utf8, to: Folder.join(scratch, "\(index)"))
    }
    for (index, file) in files.enumerated() {
      let target = Folder.join(path, file.path)
      guard rename(Folder.join(scratch, "\(index)"), target) == 0 else {
        throw .unreadable(SystemError.cannotWrite(target))
      }
    }
  }

  /// Whether there is anything besides empty folders and the leftovers of a killed run.
  private static func holdsFiles(_ path: String) -> Bool {
    let names = FileManager.default.enumerator(atPath: path)?.lazy.compactMap { $0 as? String }
    return names?.contains {
      !($0.hasPrefix(".metricc-") && $0.prefix { $0 != "/" }.hasSuffix(".tmp"))
        && FileStatus(path: Folder.join(path, $0))?.kind != .directory
    } ?? false
  }

  /// The files that an older run wrote. A line that leads out of the folder, or to what it never writes, is
  /// not believed.
  private static func manifest(in folder: String, _ contents: Contents) -> [String]? {
    let path = Folder.join(folder, contents.manifestName)
    guard let bytes = try? InputFile(path: path, most: SourceFile.greatestSize).bytes() else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { line in
      contents.endings.contains { line.hasSuffix($0) } && !line.hasPrefix("/")
        && !line.split(separator: "/").contains("..")
    }
  }
}
