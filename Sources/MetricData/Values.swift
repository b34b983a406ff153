/// Whoever reads data has values, and schemas to read it with.
@_exported import MetricValues
