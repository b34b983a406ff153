/// Asks of single texts what the readers ask of cells, for whoever writes records.
package final class FieldCheck {
  private let columns: [ColumnSchema]
  private let rules: FieldRules
  private let pool = StringPool()

  package init(_ schema: TableSchema) {
    columns = schema.columns
    rules = FieldRules(schema, pool: pool)
  }

  /// Why the text is no value of the field; nil where it is, or where there is no such field.
  package func fault(of text: String, in field: String) -> String? {
    guard let index = columns.firstIndex(where: { $0.name == field }) else { return nil }
    let column = columns[index]
    guard !text.isEmpty else { return column.isRequired ? CellFault.missing(column).message : nil }
    // Any other text is one, and would only fill the pool.
    guard column.type != .text || column.choices != nil else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      do throws(CellFault) {
        _ = try rules[index].decode(bytes, pool)
        return nil
      } catch {
        return error.finding(bytes, in: column).message
      }
    }
  }
}
