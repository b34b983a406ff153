/// A document that an editor holds: its text counts, whatever is on the disk.
package struct Document: Sendable {
  /// As the client writes it.
  package var uri: String
  package var version: Int?
  package var text: DocumentText
}

/// The open documents and the libraries that they belong to.
///
/// A document has a key: its path, or its URI where it is not a file. A library is read when its first document is
/// opened, and kept.
package final class Workspace {
  let files: any WorkspaceFiles
  private(set) var folders: [String] = []
  private(set) var documents: [String: Document] = [:]
  private(set) var libraries: [LibraryRoot: OpenLibrary] = [:]
  private var roots: [String: LibraryRoot] = [:]

  package init(files: any WorkspaceFiles) { self.files = files }

  static func key(of uri: String) -> String { DocumentURI.path(of: uri) ?? uri }

  /// The URI of a key, as the client writes it where it has the document open.
  func uri(of key: String) -> String {
    documents[key]?.uri ?? (key.hasPrefix("/") ? DocumentURI.file(key) : key)
  }

  private var layout: LibraryLayout { LibraryLayout(files: files, folders: folders) }

  private func root(of key: String) -> LibraryRoot { roots[key] ?? layout.root(of: key) }

  func open(_ uri: String, version: Int?, text: String) {
    let key = Workspace.key(of: uri)
    documents[key] = Document(uri: uri, version: version, text: DocumentText(text))
    sync(key)
  }

  func change(_ uri: String, version: Int?, _ edit: (inout DocumentText) -> Void) {
    let key = Workspace.key(of: uri)
    guard var document = documents.removeValue(forKey: key) else { return }
    edit(&document.text)
    document.version = version
    documents[key] = document
    sync(key)
  }

  /// Closes a document: what is on the disk counts again.
  func close(_ uri: String) {
    let key = Workspace.key(of: uri)
    if documents.removeValue(forKey: key) != nil { diskChanged(key) }
  }

  /// Brings an open document's text into its library.
  private func sync(_ key: String) {
    guard let document = documents[key] else { return }
    let library = library(of: key)
    if !library.update(key, document.text.bytes) { load(library) }
  }

  /// Notes that a file was changed, created or deleted on disk.
  func diskChanged(_ path: String) {
    if Path.name(of: path) == LibraryLayout.marker { return reload() }
    // A folder that is gone.
    for library in libraries.values where library.paths.contains(where: { $0.hasPrefix(path + "/") }) {
      load(library)
    }
    guard path.hasSuffix(LibraryLayout.suffix) || roots[path] != nil, documents[path] == nil else { return }
    guard let bytes = path.hasPrefix("/") ? files.contents(of: path) : nil else {
      for library in libraries.values where library.index(of: path) != nil { load(library) }
      roots[path] = nil
      return
    }
    guard let library = libraries[root(of: path)] else { return }
    if !library.update(path, bytes) { load(library) }
  }

  func changeFolders(added: [String], removed: [String]) {
    folders.removeAll { removed.contains($0) }
    for folder in added where !folders.contains(folder) { folders.append(folder) }
    reload()
  }

  /// Finds the libraries of all open documents again.
  private func reload() {
    roots = [:]
    libraries = [:]
    for key in documents.keys.sorted() { sync(key) }
  }

  /// The library of a document or file; reads it where that has not happened.
  func library(of key: String) -> OpenLibrary {
    let root = root(of: key)
    roots[key] = root
    if let library = libraries[root] { return library }
    let library = OpenLibrary(root: root)
    libraries[root] = library
    load(library)
    return library
  }

  /// Reads the files of a library, open documents from their text.
  private func load(_ library: OpenLibrary) {
    let unsaved = documents.keys.filter { root(of: $0) == library.root }
    let members = Set(layout.members(of: library.root)).union(unsaved)
    library.replaceFiles(
      members.compactMap { path in
        (documents[path]?.text.bytes ?? files.contents(of: path)).map { (path, $0) }
      })
    // It is empty, or no document belongs to it any more.
    if library.paths.isEmpty { libraries[library.root] = nil }
  }

  /// Reads the libraries of all workspace folders, for questions about the whole workspace.
  func loadFolders() {
    for folder in folders where libraries[.tree(folder)] == nil {
      _ = library(of: Path.join(folder, LibraryLayout.suffix))
    }
  }

  /// The open libraries by the path of their first file.
  var ordered: [OpenLibrary] {
    libraries.values.filter { !$0.paths.isEmpty }.sorted { left, right in
      left.paths[0].utf8.lexicographicallyPrecedes(right.paths[0].utf8)
    }
  }
}
