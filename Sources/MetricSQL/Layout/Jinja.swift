/// A dialect inside a template of dbt: names and constants of the definitions cannot become template code.
struct Jinja: Dialect {
  let base: any Dialect

  /// Text that the template gives back as it is.
  static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var escaped = ""
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar == "{", ["{", "%", "#"].contains(next) {
        escaped += "{{ '{' }}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  func quoted(_ identifier: String) -> String { Jinja.escaped(base.quoted(identifier)) }
  func literal(_ text: String) -> String { Jinja.escaped(base.literal(text)) }
  /// `dbt run --vars '{at: 2026-06-30}'`
  func parameter(_ day: SQLDayParameter) -> String { "'{{ var(\"\(day.rawValue)\") }}'" }

  var name: String { base.name }
  var dayParameter: String { base.dayParameter }
  var dbtReplacement: String { base.dbtReplacement }
  var reservedWords: Set<String> { base.reservedWords }
  var withKeyword: String { base.withKeyword }
  var deepestExpression: Int? { base.deepestExpression }
  var temporaryTable: String { base.temporaryTable }
  var namesEveryColumn: Bool { base.namesEveryColumn }
  var settings: String { base.settings }
  var sessionSettings: String { base.sessionSettings }
  func creation(of table: String) -> String { base.creation(of: table) }
  func behindCreation(of table: String) -> String { base.behindCreation(of: table) }
  func removal(of table: String) -> String { base.removal(of: table) }
  var resultTableEnd: String { base.resultTableEnd }
  var tableEnd: String { base.tableEnd }
  func declaration(of type: SQLStoredType, isRequired: Bool) -> String {
    base.declaration(of: type, isRequired: isRequired)
  }
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? { base.query(of: file, fields) }
  func rows(_ rows: [String]) -> String { base.rows(rows) }
  func signed(_ count: String) -> String { base.signed(count) }
  func neighbour(_ value: String) -> String { base.neighbour(value) }
  var marksShared: Bool { base.marksShared }
  var streamsShared: Bool { base.streamsShared }
  var scansTwice: Bool { base.scansTwice }
  var aggregatesPercentiles: Bool { base.aggregatesPercentiles }
  func literal(_ number: Int64) -> String { base.literal(number) }
  func name(of type: SQLType) -> String { base.name(of: type) }
  func name(of type: SQLStoredType) -> String { base.name(of: type) }
  func reading(_ column: String, as type: SQLStoredType) -> String { base.reading(column, as: type) }
  func presence(of column: String, _ type: SQLStoredType) -> String { base.presence(of: column, type) }
  func call(_ operation: SQLOperation, _ arguments: [String]) -> String { base.call(operation, arguments) }
  func call(_ aggregate: SQLAggregate, _ argument: String) -> String { base.call(aggregate, argument) }
  func nullOrder(isDescending: Bool) -> String { base.nullOrder(isDescending: isDescending) }
  func series(throughRowOf query: String, column: String) -> String? {
    base.series(throughRowOf: query, column: column)
  }
  func series(through bound: String, relation name: String, column: String) -> String {
    base.series(through: bound, relation: name, column: column)
  }
}
