/// How SQLite reads texts that other engines have types for.
extension SQLite {
  /// Millionths of a decimal text, with or without an exponent: its digits, cut six places after the point
  /// and read as a whole number.
  func millionths(_ text: String) -> String {
    let zeros = "'000000000000000000000000000000'"
    let signed = "SELECT LOWER(\(text)) AS v"
    let parts =
      "SELECT CASE WHEN v LIKE '-%' THEN -1 ELSE 1 END AS s, LTRIM(SUBSTR(v, 1, INSTR(v || 'e', 'e') - 1), '+-') AS m,"
      + " CAST(SUBSTR(v, INSTR(v || 'e', 'e') + 1) AS INTEGER) AS e FROM (\(signed))"
    let cut = "INSTR(m || '.', '.') + e + 35"
    return "(SELECT s * CAST(SUBSTR(\(zeros) || REPLACE(m, '.', '') || \(zeros), 1, \(cut)) AS INTEGER)"
      + " FROM (\(parts)))"
  }

  /// Microseconds since 1970 of an RFC 3339 text. Fractions are cut to six digits; a leap second is the last
  /// microsecond before the next minute.
  func microseconds(_ text: String) -> String {
    let behind = "SELECT v, LTRIM(SUBSTR(v, 20), '.0123456789') AS z FROM (SELECT UPPER(\(text)) AS v)"
    let parts =
      "SELECT v, z, SUBSTR(v, 21, LENGTH(v) - LENGTH(z) - 20) || '000000' AS f, SUBSTR(v, 18, 2) = '60' AS leap"
      + " FROM (\(behind))"
    let time =
      "SUBSTR(v, 1, 10) || ' ' || SUBSTR(v, 12, 6) || CASE WHEN leap THEN '59' ELSE SUBSTR(v, 18, 2) END"
    let zone =
      "CASE WHEN z = 'Z' THEN 0 ELSE CAST(SUBSTR(z, 1, 1) || '1' AS INTEGER)"
      + " * (SUBSTR(z, 2, 2) * 60 + SUBSTR(z, 5, 2)) END"
    let microseconds = "CASE WHEN leap THEN 999999 ELSE CAST(SUBSTR(f, 1, 6) AS INTEGER) END"
    return "(SELECT (CAST(STRFTIME('%s', \(time)) AS INTEGER) - (\(zone)) * 60) * 1000000 + \(microseconds)"
      + " FROM (\(parts)))"
  }
}
