import MetricData

/// Takes the records of a dataset as they are made, and writes each record type as CSV.
///
/// The bytes go to `write` piece by piece, so that no dataset has to fit into memory. Records keep the order
/// in which they come.
public final class DatasetOutput {
  /// By record: its columns.
  private var columns: [String: [String]] = [:]
  /// In the order in which they were declared.
  public private(set) var records: [String] = []
  public private(set) var rowCounts: [String: Int] = [:]
  private let write: (_ record: String, _ bytes: [UInt8]) -> Void

  /// - Parameter write: takes the next bytes of a record's file; the first are its header.
  public init(write: @escaping (_ record: String, _ bytes: [UInt8]) -> Void) {
    self.write = write
  }

  /// Says which columns a record has. A record that is declared has a file, if only with a header.
  func declare(_ record: String, _ names: [String]) {
    guard columns[record] == nil else { return }
    columns[record] = names
    records.append(record)
    rowCounts[record] = 0
    write(record, Array(CSVText.line(names).utf8))
  }

  /// Adds a record; columns that are not given are missing.
  func add(_ record: String, _ values: [String: String]) {
    guard let names = columns[record] else { return }
    rowCounts[record, default: 0] += 1
    write(record, Array(CSVText.line(names.map { values[$0] ?? "" }).utf8))
  }
}
