import MetricData
import MetricEvaluate
import MetricLanguage
struct Layout { static let fileWidth = 100; var width: Int; var isColored: Bool }
struct ResultTable { var rows: [ResultRow]; var days: [DayKey]; var metrics: [MetricSummary]; var layout: Layout; var text: String { "" } }
