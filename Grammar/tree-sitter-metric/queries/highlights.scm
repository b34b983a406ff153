; Colours for the metric language. Later patterns win over earlier ones.

(comment) @comment
(doc_comment) @comment.documentation
(string) @string
(number) @number
(day) @number
(boolean) @constant.builtin
(none) @constant.builtin

(identifier) @variable
(record_name) @type
(path "." (identifier) @property)
(call function: (identifier) @function.builtin)
((record_name) @type.builtin
  (#any-of? @type.builtin "ID" "Text" "Int" "Decimal" "Bool" "DayKey" "Instant"))

(metric name: (identifier) @function)
(expect metric: (identifier) @function)
(of (path . (identifier) @function))
(metrics (identifier) @function)
(report name: (identifier) @function)
(step name: (identifier) @label)
(subject subject: (identifier) @variable.builtin)
(unit unit: (_) @constant)
(allow code: (record_name) @constant)
(field name: (identifier) @property)
(given_field name: (identifier) @property)

[
  "completion" "streak" "momentum" "progress" "measure" "level" "funnel" "retention"
  "fact" "entity" "link" "extend" "test" "report" "language"
] @keyword.type

[
  "title" "unit" "audience" "owner" "tags" "approved" "on" "meaning" "deprecated" "allow" "reading" "metrics" "without" "for" "every" "when" "limit" "rest" "of" "grace" "forgive" "half" "life"
  "over" "value" "target" "at" "least" "users" "nearest" "step" "within" "order" "start" "return" "after" "by" "slice" "cohort"
  "user" "team" "any" "strict" "first" "each" "as" "later" "to" "calendar" "from" "last" "all" "time" "through" "where"
  "given" "log" "expect" "group" "part"
] @keyword
(best) @keyword
(previous) @keyword
(previous_calendar "previous" @keyword)

[
  "day" "days" "week" "weeks" "window" "windows" "month" "months" "quarter" "year"
  "monday" "tuesday" "wednesday" "thursday" "friday" "saturday" "sunday"
  "january" "february" "march" "april" "may" "june" "july" "august" "september" "october" "november" "december"
] @constant

["setting" "consent" "default" "none" "min" "stored" "observed" "pii" "tombstone" "essential" "standard" "detailed"] @keyword.modifier

["if" "then" "else"] @keyword.conditional

["and" "or" "not" "in" "is" "offset"] @keyword.operator

["==" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "=" "|" "?"] @operator

["," ":" "."] @punctuation.delimiter
["{" "}" "(" ")" "[" "]"] @punctuation.bracket

(forbidden
  [
    "stored" "cached" "persist" "store" "cache" "save" "increment" "decrement" "reset" "override"
    "expire" "rollover" "carry" "penalty" "missed" "late" "deadline" "punish" "lose"
    "timezone" "timestamp" "now" "today"
  ] @error)
