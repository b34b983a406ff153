import Foundation

/// Definitions as they were at a revision of a git repository: `git:main`, `git:v1.2:Definitions`.
///
/// Nothing is checked out; `git` is asked for the files.
struct GitSources {
  let revision: String
  /// Relative to `folder`; empty for all of it.
  let path: String
  /// Where git runs; nil is the working directory.
  private let folder: String?

  /// The argument comes without its `git:`; the fallback is the path where it names none.
  init(_ argument: Substring, fallback: String) throws(CommandFailure) {
    let halves = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    revision = String(halves[0])
    let named = halves.count == 2 && !halves[1].isEmpty ? String(halves[1]) : fallback
    // git takes paths in its own folder only; one from the root may lead to another repository.
    switch named.hasPrefix("/") ? FileStatus(path: named)?.kind : nil {
    case .directory: (folder, path) = (named, "")
    case .file, .other:
      let url = URL(fileURLWithPath: named)
      (folder, path) = (url.deletingLastPathComponent().path, url.lastPathComponent)
    case nil: (folder, path) = (nil, named)
    }
    guard !revision.isEmpty, !revision.hasPrefix("-") else {
      throw .usage("\("git:\(argument)".quoted) names no revision; write `git:main` or `git:main:path`")
    }
  }

  /// The sources, their paths as `git:main:Definitions/a.metric`.
  func sources() throws(CommandFailure) -> [SourceFile] {
    _ = try git(["rev-parse", "--is-inside-work-tree"], "this folder is not in a git repository")
    _ = try git(
      ["rev-parse", "--verify", "--quiet", "\(revision)^{tree}"],
      "git does not know the revision \(revision.quoted)")
    let listed = try git(
      ["ls-tree", "-r", "-z", "--name-only", revision, "--", path.isEmpty ? "." : path],
      "git cannot list \(path.quoted) at \(revision.quoted)")
    // As in folders, names with a dot at the front are skipped.
    let names = listed.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.filter { name in
      name.hasSuffix(SourceDiscovery.suffix)
        && !name.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." && $0 != ".." }
    }
    guard !names.isEmpty else {
      let place = path.isEmpty ? "" : " in \(path.quoted)"
      throw .unreadable("there is no `.metric` file\(place) at the revision \(revision.quoted)")
    }
    return try names.sorted(by: Folder.bytesPrecede).map { name throws(CommandFailure) in
      let bytes = try git(["show", "\(revision):./\(name)"], "git cannot read \(name.quoted)")
      return SourceFile(path: "git:\(revision):\(name)", bytes: bytes)
    }
  }

  /// The commits that add a text to the files, or take it away, the newest first.
  func revisions(changing text: String) throws(CommandFailure) -> [String] {
    let output = try git(
      ["log", "--format=%H", "-S\(text)", revision, "--", path.isEmpty ? "." : path], "git has no history")
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Who commits here.
  static func userName() throws(CommandFailure) -> String {
    let name = try? GitSources("HEAD", fallback: ".").git(["config", "user.name"], "")
    let text = name.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) } ?? ""
    guard !text.isEmpty else { throw .usage("who approves? write `--by \"NAME\"`, or set git's user.name") }
    return text
  }

  /// What `git` writes to its standard output; a failure carries what it says itself.
  private func git(_ arguments: [String], _ failure: String) throws(CommandFailure) -> [UInt8] {
    guard let program = ProgramRun.find("git") else { throw .unreadable("git is not installed") }
    let run = try ProgramRun.of(program, (folder.map { ["-C", $0] } ?? []) + arguments, input: "")
    guard run.status == 0 else {
      let last = run.errors.split(separator: "\n").last.map { ": \(printable(String($0)))" } ?? ""
      throw .unreadable(failure + last)
    }
    return run.output
  }
}

extension MetricLibrary {
  /// The definitions of a file, a folder, or `git:REVISION[:PATH]`; a revision without a path takes the other's.
  init(version: String, pathFrom other: String) throws(CommandFailure) {
    if version.hasPrefix("git:") {
      let fallback = other.hasPrefix("git:") ? "" : other
      self.init(sources: try GitSources(version.dropFirst(4), fallback: fallback).sources())
    } else if version.contains(":"), FileStatus(path: version) == nil {
      // `HEAD:path` is how git itself writes it.
      throw .unreadable(
        "there is no file \(version.quoted); a revision is written `git:\(printable(version))`")
    } else {
      self.init(sources: try SourceDiscovery.sources(at: [version]))
    }
  }
}
