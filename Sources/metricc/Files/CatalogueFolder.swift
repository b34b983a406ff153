import Foundation

/// The folder of a catalogue: replaced as a whole, and nothing in it that the catalogue did not write
/// is touched.
///
/// All pages are written beside their places first; only when every one of them is on the disk are they
/// moved there. `.metricc-catalogue` lists them, so that the next run knows which files it may replace
/// and which pages are gone.
struct CatalogueFolder {
  let path: String
  /// The files of the catalogue that is there already; nil where there is none.
  private let old: [String]?

  static let manifestName = ".metricc-catalogue"

  /// Looks at the folder, and refuses one that holds something else.
  init(path: String) throws(CommandFailure) {
    self.path = path
    switch FileStatus(path: path)?.kind {
    case nil: old = nil
    case .file, .other: throw .unreadable("cannot write \(Quoting.quoted(path)): it is no folder")
    case .directory:
      old = CatalogueFolder.manifest(in: path)
      guard let names = Folder.names(in: path) else { throw .unreadable(SystemError.cannotRead(path)) }
      guard old != nil || names.isEmpty else {
        throw .unreadable(
          "\(Quoting.quoted(path)) holds files and no catalogue; name a new or an empty folder, and "
            + "nothing of yours is overwritten")
      }
    }
  }

  /// Writes the files, given by paths inside the folder; those of an older catalogue go away.
  func write(_ files: [(path: String, text: String)]) throws(CommandFailure) {
    let folders = Set(files.map { ($0.path as NSString).deletingLastPathComponent })
    for folder in folders.sorted() { try makeFolder(folder.isEmpty ? path : Folder.join(path, folder)) }
    let manifest = files.map(\.path).sorted().joined(separator: "\n") + "\n"
    let all = files + [(path: CatalogueFolder.manifestName, text: manifest)]
    for file in all where old?.contains(file.path) != true && file.path != CatalogueFolder.manifestName {
      // In the catalogue's folder, but nothing that it wrote.
      let target = Folder.join(path, file.path)
      guard FileStatus(path: target) == nil else {
        throw .unreadable("\(Quoting.quoted(target)) is there and is no page of the catalogue")
      }
    }
    try moveIntoPlace(all)
    let new = Set(all.map(\.path))
    for file in old ?? [] where !new.contains(file) { unlink(Folder.join(path, file)) }
  }

  /// Writes everything into a folder beside the pages, then moves file by file: what can fail for want
  /// of room or rights fails before the first page changes.
  private func moveIntoPlace(_ files: [(path: String, text: String)]) throws(CommandFailure) {
    let scratch = Folder.join(path, ".metricc-\(getpid()).tmp")
    try makeFolder(scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    for (index, file) in files.enumerated() {
      let page = try AtomicFile(path: Folder.join(scratch, "\(index)"))
      page.stream.write(file.text)
      try page.commit()
    }
    for (index, file) in files.enumerated() {
      let target = Folder.join(path, file.path)
      guard rename(Folder.join(scratch, "\(index)"), target) == 0 else {
        throw .unreadable(SystemError.cannotWrite(target))
      }
    }
  }

  private func makeFolder(_ folder: String) throws(CommandFailure) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .unreadable(SystemError.cannotWrite(folder))
    }
  }

  /// The files that an older run wrote. A line that leads out of the folder, or to what is no page, is
  /// not believed.
  private static func manifest(in folder: String) -> [String]? {
    let path = Folder.join(folder, manifestName)
    guard let file = try? InputFile(path: path) else { return nil }
    let text = file.withBytes { String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").map(String.init).filter { line in
      line.hasSuffix(".html") && !line.hasPrefix("/") && !line.split(separator: "/").contains("..")
    }
  }
}
