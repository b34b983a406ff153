import Foundation

/// The names in a folder.
enum Folder {
  /// All names but hidden ones, in the order of their bytes. Nil where the folder cannot be read;
  /// `errno` says why.
  static func names(in path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted(by: bytesPrecede)
  }

  /// The order of UTF-8 bytes, whatever the language of the machine.
  static func bytesPrecede(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// The path of a name in a folder; the folder `.` is left out.
  static func join(_ folder: String, _ name: String) -> String {
    if folder == "." || folder == "./" { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// What follows the last dot of a path's last part; nil without one.
  static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }
}
