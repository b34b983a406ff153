import Foundation

/// The rules of the SARIF 2.1.0 schema for the objects that the tool writes: which properties each may
/// have and must have, their types, and the least values of numbers. No object may have others.
enum SARIFSchema {
  private indirect enum Shape: Sendable {
    case text, uri
    case number(least: Int)
    case oneOf([String])
    case object(String)
    /// All items differ.
    case list(Shape)
  }

  private struct Rule: Sendable {
    var properties: [String: Shape]
    var required: [String] = []
    /// At least one of these must be there.
    var anyOf: [String] = []
  }

  /// What is wrong with a log, a line each; empty for a valid one.
  static func mistakes(in log: [String: Any]) -> [String] { mistakes(in: log, as: "log", at: "$") }

  static func mistakes(in object: [String: Any], as name: String, at place: String) -> [String] {
    guard let rule = rules[name] else { return ["\(place): no rule for \(name)"] }
    var found = object.keys.filter { rule.properties[$0] == nil }.sorted().map {
      "\(place): \($0) is unknown"
    }
    found += rule.required.filter { object[$0] == nil }.map { "\(place): \($0) is missing" }
    if !rule.anyOf.isEmpty, rule.anyOf.allSatisfy({ object[$0] == nil }) {
      found.append("\(place): none of \(rule.anyOf.joined(separator: ", "))")
    }
    for (key, shape) in rule.properties.sorted(by: { $0.key < $1.key }) {
      if let value = object[key] { found += mistakes(in: value, as: shape, at: "\(place).\(key)") }
    }
    return found
  }

  private static func mistakes(in value: Any, as shape: Shape, at place: String) -> [String] {
    switch shape {
    case .text: return value is String ? [] : ["\(place): no text"]
    case .uri:
      guard let text = value as? String, URL(string: text, encodingInvalidCharacters: false) != nil else {
        return ["\(place): no URI"]
      }
      return []
    case .number(let least):
      guard let number = value as? Int else { return ["\(place): no number"] }
      return number < least ? ["\(place): \(number) is less than \(least)"] : []
    case .oneOf(let texts):
      return (value as? String).map(texts.contains) == true ? [] : ["\(place): none of \(texts)"]
    case .object(let name):
      guard let object = value as? [String: Any] else { return ["\(place): no object"] }
      return mistakes(in: object, as: name, at: place)
    case .list(let item):
      guard let list = value as? [Any] else { return ["\(place): no list"] }
      var found = list.enumerated().flatMap { mistakes(in: $1, as: item, at: "\(place)[\($0)]") }
      if Set(list.compactMap { $0 as? NSObject }).count < list.count, !place.hasSuffix(".results") {
        found.append("\(place): two items are equal")
      }
      return found
    }
  }

  private static let rules: [String: Rule] = [
    "log": Rule(
      properties: ["$schema": .uri, "version": .oneOf(["2.1.0"]), "runs": .list(.object("run"))],
      required: ["version", "runs"]),
    "run": Rule(
      properties: [
        "tool": .object("tool"), "results": .list(.object("result")),
        "columnKind": .oneOf(["utf16CodeUnits", "unicodeCodePoints"]),
      ], required: ["tool"]),
    "tool": Rule(properties: ["driver": .object("driver")], required: ["driver"]),
    "driver": Rule(
      properties: ["name": .text, "version": .text, "rules": .list(.object("rule"))], required: ["name"]),
    "rule": Rule(
      properties: [
        "id": .text, "name": .text, "shortDescription": .object("message"),
        "fullDescription": .object("message"),
        "help": .object("help"), "helpUri": .text,
      ], required: ["id"]),
    "help": Rule(properties: ["text": .text, "markdown": .text], required: ["text"]),
    "result": Rule(
      properties: [
        "ruleId": .text, "ruleIndex": .number(least: -1),
        "level": .oneOf(["none", "note", "warning", "error"]), "message": .object("message"),
        "locations": .list(.object("location")), "relatedLocations": .list(.object("location")),
        "fixes": .list(.object("fix")),
      ], required: ["message"]),
    "message": Rule(properties: ["text": .text, "id": .text], anyOf: ["text", "id"]),
    "location": Rule(
      properties: [
        "id": .number(least: -1), "physicalLocation": .object("physicalLocation"),
        "logicalLocations": .list(.object("logicalLocation")), "message": .object("message"),
      ]),
    "physicalLocation": Rule(
      properties: ["artifactLocation": .object("artifactLocation"), "region": .object("region")],
      anyOf: ["artifactLocation"]),
    "logicalLocation": Rule(properties: ["name": .text, "kind": .text]),
    "artifactLocation": Rule(properties: ["uri": .uri]),
    "region": Rule(
      properties: [
        "startLine": .number(least: 1), "startColumn": .number(least: 1), "endLine": .number(least: 1),
        "endColumn": .number(least: 1), "charOffset": .number(least: -1),
      ], anyOf: ["startLine", "charOffset"]),
    "fix": Rule(
      properties: ["description": .object("message"), "artifactChanges": .list(.object("artifactChange"))],
      required: ["artifactChanges"]),
    "artifactChange": Rule(
      properties: [
        "artifactLocation": .object("artifactLocation"), "replacements": .list(.object("replacement")),
      ], required: ["artifactLocation", "replacements"]),
    "replacement": Rule(
      properties: ["deletedRegion": .object("region"), "insertedContent": .object("content")],
      required: ["deletedRegion"]),
    "content": Rule(properties: ["text": .text]),
  ]
}
