import MetricPlan
import Synchronization

extension MetricSession {
  /// A value now, and then each time that a change of the records changes it.
  ///
  ///     for try await streak in try session.updates(of: "daily_streak", for: "read", on: today, as: Int.self) { … }
  ///
  /// It is for one day: take another one when the day turns. What nobody has taken is replaced by the newest value. A
  /// subject that no record names has no value yet. It ends with the session, or by throwing a `SessionError` where a
  /// number leaves its range.
  ///
  /// - Throws: as `value` does, but for a subject that is unknown.
  public func updates<Element: MetricConvertible & Sendable>(
    of metric: String, part: String = "", for subject: String = "", group: GroupKey? = nil, on day: DayKey,
    as type: Element.Type = Element.self
  ) throws(SessionError) -> AsyncThrowingStream<Element?, any Error> {
    let id = try known.id(metric)
    func value(_ session: MetricSession) throws(SessionError) -> Element? {
      guard session.session.isKnown(subject, of: id) || subject.isEmpty else { return nil }
      return try session.value(of: metric, part: part, for: subject, group: group, on: day)
    }
    let first = try value(self)
    let (stream, continuation) = AsyncThrowingStream<Element?, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let feed = Feed(metric: metric, subject: subject) { continuation.finish() }
    continuation.onTermination = { [isOver = feed.isOver] _ in isOver.set() }
    continuation.yield(first)
    var last = first?.metricValue
    // The session holds the feed.
    feed.refresh = { [unowned self] in
      do throws(SessionError) {
        let next = try value(self)
        guard next?.metricValue != last else { return }
        last = next?.metricValue
        continuation.yield(next)
      } catch {
        continuation.finish(throwing: error)
      }
    }
    feeds.append(feed)
    return stream
  }

  /// Informs the feeds whose values a change may have changed.
  func publish(_ change: SessionChange) -> SessionChange {
    feeds.removeAll(where: \.isOver.isSet)
    for feed in feeds {
      if let subjects = change.metrics[feed.metric], subjects?.contains(feed.subject) ?? true {
        feed.refresh()
      }
    }
    return change
  }
}

/// A subscriber to a value.
final class Feed {
  let metric: String
  let subject: String
  let isOver = Flag()
  var refresh: () -> Void = {}
  private let end: () -> Void

  init(metric: String, subject: String, end: @escaping () -> Void) {
    (self.metric, self.subject, self.end) = (metric, subject, end)
  }

  deinit { end() }

  /// Set by a subscriber that stops listening, on any thread.
  final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
