import MetricImport

extension Harness {
  /// Imports twice: both times the same records come out, or the same failure.
  func imports(_ bytes: [UInt8]) -> String? {
    let pieces = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2, let kind = ImportKind(rawValue: String(decoding: pieces[0], as: UTF8.self))
    else {
      return nil
    }
    var parts = [Array(pieces[1])]
    if kind.needsMapping {
      parts = pieces[1].split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
      guard parts.count == 2 else { return nil }
    }
    let first = Harness.imported(kind, parts)
    return first == Harness.imported(kind, parts) ? nil : "importing twice gives different records"
  }

  /// The bytes of all files, or what went wrong.
  private static func imported(_ kind: ImportKind, _ parts: [[UInt8]]) -> [String: [UInt8]] {
    var written: [String: [UInt8]] = [:]
    let output = DatasetOutput { record, bytes in written[record, default: []] += bytes }
    let mapping = parts.count > 1 ? parts[0] : []
    return mapping.withUnsafeBytes { mapping in
      parts[parts.count - 1].withUnsafeBytes { export in
        do throws(ImportFailure) {
          _ = try convert(
            kind, [ExportFile(name: "export", bytes: export)],
            mapping: kind.needsMapping ? ExportFile(name: "mapping", bytes: mapping) : nil,
            options: ImportOptions(zone: Zone("Pacific/Apia"), dateOrder: .dayMonth), to: output)
          return written
        } catch {
          return ["failure": Array(error.description.utf8)]
        }
      }
    }
  }
}
