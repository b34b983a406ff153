/// What a cell of a record can be.
protocol ResultCell: JSONWritable { var plainText: String { get } }

extension Value: ResultCell {}
extension String: ResultCell { var plainText: String { self } }
extension DayKey: ResultCell { var plainText: String { description } }
extension GroupKey: ResultCell { var plainText: String { text } }

/// Results for programs: the names of the columns, and a value for each in every record.
struct ResultRecords {
  var columns: [String]
  var count: Int
  var record: (Int) -> [any ResultCell]

  fileprivate func object(_ index: Int) -> JSONText {
    .object(zip(columns, record(index)).map { ($0, $1.json) })
  }
}

extension ResultRecords {
  /// A record for each row: `metric,subject,group,part,at,value`, then `open` where a week or month is open, `before`
  /// and `change` where it is compared, and `rest`, of how many rows a row is the sum, where some are added up.
  init(
    _ rows: [ResultRow], open: DayKey? = nil, earlier: EarlierValues? = nil,
    rest: [Int: ArrangedRows.Rest]? = nil
  ) {
    let columns =
      ["metric", "subject", "group", "part", "at", "value"] + (open == nil ? [] : ["open"])
      + (earlier == nil ? [] : ["before", "change"]) + (rest == nil ? [] : ["rest"])
    self.init(columns: columns, count: rows.count) { index in
      let row = rows[index]
      var cells: [any ResultCell] = [row.metric, row.subject, row.group, row.part, row.at, row.value]
      if let open { cells.append(Value.bool(row.at == open)) }
      if let earlier {
        let before = rest?[index]?.before ?? earlier[row.place] ?? .none
        cells += [before, row.value.minus(before)]
      }
      if let rest { cells.append(rest[index].map { Value.int(Int64($0.count)) } ?? .none) }
      return cells
    }
  }

  func write(as format: RowFormat, to output: BufferedOutput) {
    switch format {
    case .csv:
      output.write(CSVText.line(columns))
      for index in 0..<count { output.write(CSVText.line(record(index).map(\.plainText))) }
    case .json:
      output.write("[")
      for index in 0..<count { output.write("\(index == 0 ? "\n" : ",\n")\(object(index))") }
      output.write(count == 0 ? "]\n" : "\n]\n")
    case .ndjson:
      for index in 0..<count { output.write("\(object(index))\n") }
    }
  }
}
