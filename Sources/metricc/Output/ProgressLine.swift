import Dispatch
import Synchronization

/// One line on standard error that says what a long run is doing.
///
/// It appears after about a second, is redrawn a few times a second, and goes away where anything else is written.
/// Nothing reads a clock: a timer draws what was said last.
enum ProgressLine {
  private struct State {
    var text = ""
    var drawn = ""
    var isOnScreen = false
    var timer: (any DispatchSourceTimer)?
  }

  /// Whether the run has one; its command line says so before anything is shown.
  nonisolated(unsafe) static var isShown = false
  private static let state = Mutex(State())
  private static let erasure = "\r\u{1B}[K"

  /// What the run does now; any thread may say it.
  static func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let text = text()
    state.withLock { state in
      state.text = text
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "metricc.progress"))
      timer.schedule(deadline: .now() + .seconds(1), repeating: .milliseconds(100))
      timer.setEventHandler { draw() }
      timer.resume()
      state.timer = timer
    }
  }

  static func clear() { write("") }

  /// Removes the line; the next one appears after a second again.
  static func finish() {
    clear()
    state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
    }
  }

  private static func draw() {
    state.withLock { state in
      guard state.text != state.drawn else { return }
      (state.drawn, state.isOnScreen) = (state.text, true)
      // A line that wraps cannot be erased.
      let text = DisplayWidth.cut(printable(state.text), to: Terminal.columns(of: .error) - 1)
      BufferedOutput.writeToStandardError(erasure + text)
    }
  }

  /// Writes to standard error, in place of the line where one is on the screen.
  static func writeInItsPlace(_ text: String) { if !Capture.takes(remark: text) { write(text) } }

  private static func write(_ text: String) {
    state.withLock { state in
      let written = (state.isOnScreen ? erasure : "") + text
      if !written.isEmpty { BufferedOutput.writeToStandardError(written) }
      (state.text, state.drawn, state.isOnScreen) = ("", "", false)
    }
  }
}
