import Dispatch
import Synchronization

/// One line on standard error that says what a long run is doing.
///
/// It appears after about a second, is redrawn a few times a second and goes away at the end. Nothing
/// reads a clock: a timer draws what was said last.
final class ProgressLine: Sendable {
  private struct State {
    var text = ""
    var drawn = ""
    var isFinished = false
  }

  /// Whether a line is on the screen, of whichever run.
  private static let isOnScreen = Mutex(false)

  private let state = Mutex(State())
  /// Made and started once; cancelling is safe from any thread.
  nonisolated(unsafe) private let timer: (any DispatchSourceTimer)?

  init(isShown: Bool) {
    guard isShown else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "metricc.progress"))
    self.timer = timer
    timer.schedule(deadline: .now() + .seconds(1), repeating: .milliseconds(100))
    timer.setEventHandler { [weak self] in self?.draw() }
    timer.resume()
  }

  deinit { timer?.cancel() }

  /// What the run does now; any thread may say it.
  func show(_ text: @autoclosure () -> String) {
    guard timer != nil else { return }
    let text = text()
    state.withLock { $0.text = text }
  }

  /// Removes the line until something else is said.
  func clear() { remove(forGood: false) }

  /// Removes the line.
  func finish() { remove(forGood: true) }

  private func remove(forGood: Bool) {
    state.withLock { state in
      if !state.drawn.isEmpty { ProgressLine.writeInItsPlace("") }
      state.text = ""
      state.drawn = ""
      state.isFinished = state.isFinished || forGood
    }
  }

  private func draw() {
    state.withLock { state in
      guard !state.isFinished, state.text != state.drawn else { return }
      state.drawn = state.text
      ProgressLine.isOnScreen.withLock {
        $0 = true
        // A line that wraps cannot be erased.
        let text = DisplayWidth.cut(Quoting.printable(state.text), to: Terminal.columns(of: .error) - 1)
        BufferedOutput.writeToStandardError("\r\u{1B}[K\(text)")
      }
    }
  }

  /// Writes to standard error, in place of the line where one is on the screen.
  static func writeInItsPlace(_ text: String) {
    guard !Capture.takes(remark: text) else { return }
    isOnScreen.withLock { isOnScreen in
      BufferedOutput.writeToStandardError((isOnScreen ? "\r\u{1B}[K" : "") + text)
      isOnScreen = false
    }
  }
}
