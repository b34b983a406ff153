import Foundation
import Testing

@testable import MetricCatalogue

@Suite struct EscapingTests {
  @Test func textIsEscapedAndMarkupIsNot() {
    let hostile = "<script>alert(\"x\")</script> & 'y'"
    let inner: HTML = "<b>\(hostile)</b>"
    let outer: HTML = "<p title=\"\(hostile)\">\(inner)</p>"
    let escaped = "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;"
    #expect(outer.text == "<p title=\"\(escaped)\"><b>\(escaped)</b></p>")
  }
}

extension EscapingTests {
  @Test func charactersThatDeceiveAreShown() {
    let deceiving: HTML = "\("a\u{202E}b\u{0}c\u{1B}[31m\u{85}")"
    #expect(deceiving.text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}[31m\u{FFFD}")
  }

  /// Whatever a definition or a dataset says, a page has its one script and no other markup.
  @Test func nothingHostileGetsIntoAPage() throws {
    let hostile = "\\\"><script>alert(1)</script><img src=x onerror=alert(2)>'`"
    let source = """
      /// <script>alert(0)</script> and `<b>` and an open ` "quote".
      measure mood {
        title "\(hostile)"
        deprecated "\(hostile)"
        allow W007 "\(hostile)"
        audience team
        for habit
        value last(Habit.name)
      }
      test "\(hostile)" { log "a" from 2026-01-01 "#"  expect done for "a" at 2026-01-01 = true }
      /// A.
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      /// B.
      measure by_kind { for app  value count(HabitEntry)  by habit.unit  at least 1 users }
      """
    let text = "\"><script>alert(1)</script>"
    let catalogue = Sample.catalogue(
      source.replacing("value last(Habit.name)", with: "value first(HabitEntry)"),
      rows: [("done", text, "", "", .bool(true)), ("by_kind", "", text, "", .int(4))], named: [text])
    for page in catalogue.pages {
      #expect(page.text.components(separatedBy: "<script").count == 2, "\(page.path)")
      #expect(!page.text.contains("<img"), "\(page.path)")
      #expect(!page.text.contains("<b>"), "\(page.path)")
    }
    let done = try #require(catalogue.pages.first { $0.path == "metrics/done.html" })
    #expect(done.text.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
  }
}
