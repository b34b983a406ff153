// The targets whose names need no import in the files of this one, nor where this one is imported.

@_exported import MetricData
@_exported import MetricPlan
