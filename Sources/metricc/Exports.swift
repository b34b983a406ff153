// The targets whose names need no import in the files of this one, nor where this one is imported.

@_exported import MetricEvaluate
@_exported import MetricLanguage
@_exported import MetricLanguageServer
