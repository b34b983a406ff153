/// Words of SQL, spreadsheets and programming languages, and what to write instead: the one table behind the
/// answers of the parser, the resolver, the command line and `metricc explain`.
///
///     FamiliarWord.note("avg", as: .function)?.message  // "write `average(Record.field)`"
///
/// A new word is a line here. Capitals, `_` and spaces count nothing: `countDistinct` is `COUNT_DISTINCT`.
package enum FamiliarWord {
  /// What people take the word for.
  package enum Place: String, CaseIterable {
    case declaration, clause, window, period, subject, function, comparison, type, modifier, operand, group,
      command, option
  }

  /// What to write instead of a word; nil where nothing is known about it.
  package static func note(_ word: String, as place: Place) -> Note? {
    answers[place]?[key(word)].map { Note($0) }
  }

  /// The same wherever the word may stand in definitions, each with its place.
  package static func notes(_ word: String) -> [(place: Place, message: String)] {
    Place.allCases.filter { $0 != .option }.compactMap { place in
      answers[place]?[key(word)].map { (place, $0) }
    }
  }

  /// The words that have an answer at a place.
  package static func words(_ place: Place) -> [String] { (answers[place] ?? [:]).keys.sorted() }

  private static func key(_ word: String) -> String { word.lowercased().filter { !"_- ".contains($0) } }

  /// By place and word. The table is read once, when the first word is requested.
  private static let answers: [Place: [String: String]] = {
    var answers: [Place: [String: String]] = [:]
    var place = Place.declaration
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2 else {
        place = Place(rawValue: String(line.dropLast())) ?? place
        continue
      }
      for word in parts[0].split(separator: " ") {
        answers[place, default: [:]][String(word)] = String(parts[1])
      }
    }
    return answers
  }()

  private static let table = #"""
    declaration:
      metric kpi indicator query select view: a number is declared with `measure NAME { for app  value … }`
      table model event record struct class source type: records are declared with `fact`, `entity` or `link`
      dimension enum: a field declares its texts: `plan : "free" | "pro"`
      cohort: write `retention`, or `by cohort week` in a funnel
      average avg sum count total percentile ratio rate: write `measure NAME { for app  value sum(Record.field) }`
      habit: write `completion NAME { for habit  every day  when … }`
      import include use: all `.metric` files given together form one library; nothing is imported
      func function def let var const: name an expression by making it a `measure`, or a computed field of a record
    clause:
      group groupby dimension dimensions breakdown segment split partition: write `by FIELD`
      filter having condition: filter inside the aggregate: `count(Record where …)`; `for SUBJECT where …` chooses subjects
      window period range between since timeframe lookback rolling: write `over last 7 days` for the period of a number, `every week` for the window of a completion
      frequency interval grain granularity cadence daily weekly monthly: write `every day`, `every week` or `every calendar month`
      select measure expression formula expr sql calculate compute agg aggregate: write `value …`
      count sum average avg distinct percentile: write `value` before the aggregate
      min max: write `value` before the aggregate; a streak's longest run is `best`
      longest record: write `best` in a streak
      last past trailing: write `over last 7 days`
      then: a funnel has steps, `step NAME FACT where …`; a choice is an expression, `value if … then … else …`
      else end: a choice is an expression, `value if … then … else …`
      steps stage: write `step NAME FACT where …`
      cohort cohorts: write `by cohort month`
      returns on: write `return FACT` and `after 1, 7 days` in a retention
      owner source: not part of a definition; `metricc doc --owner NAME --source ADDRESS` shows both
      label name description doc comment: write `title "…"`, or a `///` comment above the metric
      subject entity per scope app user users: write `for SUBJECT`, such as `for user` or `for app`
      goal objective: write `target …` in a `progress`
      limit top orderby sort offset: a metric has all its groups; `eval --sort NAME --top 10` chooses rows
      join using: references join records: `book.level` follows `bookId`; a `link` record is named with `through`
      threshold thresholds levels: write `at 7, 30, 100` in a `level`
      freeze skip pause: write `rest when …`, or `grace 1 day` in a streak
      visibility visible access role: write `audience user` or `audience team`
      begin: write `start FACT` in a retention
      format type: say what the number counts: `unit minutes`
      case: write `value if … then … else …`
      as alias: the name comes first: `measure NAME { … }`
      ago: an `offset` leads back by itself: `offset 7 days`
      current: `of COMPLETION` alone is the current streak
    window:
      monday tuesday wednesday thursday friday saturday sunday: write `every day` and `when weekday(day) == "monday" and …`; `every calendar week from monday` is a week that starts then
      weekday weekdays workday workdays: write `every day`, and `rest when weekday(day) in ["saturday", "sunday"]`
      weekend weekends: write `every day`, and `rest when weekday(day) not in ["saturday", "sunday"]`
      fortnight biweekly: write `every 2 weeks`
      other second alternate: write `every 2 days`
    period:
      today: write `over last 1 day`
      yesterday: write `over last 1 day`, and read the metric's name with `offset 1 day`
      this current: write `over calendar week` or `over calendar month`; both end at the reference day
      mtd: write `over calendar month`
      wtd: write `over calendar week`
      ytd: years are no periods; write `over last 365 days`
      rolling trailing past previous: write `over last 7 days`
      ever everything lifetime always: write `over all time`, or nothing: that is the default
    subject:
      all everyone everything everybody total overall global company: `for app` is one number for everything
      each every per any: name the subject alone: `for user`
    function:
      avg mean: write `average(Record.field)`
      median: write `percentile(Record.field, 50)`
      quantile percentilecont percentiledisc approxpercentile approxquantile: write `percentile(Record.field, 95)`
      p50 p75 p90 p95 p99: write `percentile(Record.field, 95)` with the rank you want
      total sumof: write `sum(Record.field)`
      minimum smallest: write `min(Record.field)`, or `least(a, b)` of two values
      maximum largest: write `max(Record.field)`, or `greatest(a, b)` of two values
      countdistinct distinctcount uniqcount approxcountdistinct nunique unique uniq uniqexact countunique cardinality: write `distinct(Record.field)`
      countif sumif countifs sumifs averageif avgif countwhere: write the condition inside: `count(Record where …)`
      number length len size rows: write `count(Record)`
      round: values keep six digits; `floor(a + 0.5)` rounds to a whole number
      trunc truncate int cast toint: write `floor(a)`
      ceil ceiling: write `-floor(-a)`
      abs: write `greatest(a, -a)`
      coalesce ifnull nvl isnull zeroifnull: write `if a is none then 0 else a`; `sum` and `count` of nothing are 0 already
      iff iif case when switch cond: write `if … then … else …`
      nullif safedivide div: write `a / b`, which is `none` where `b` is 0
      dayofweek dow isodow weekdayname dayname: write `weekday(day)`
      datediff daysbetween timestampdiff datesub dateadd: subtract one day from another: `day - last(Record)`
      datetrunc month year week quarter strftime todate extract datepart: give the metric a window, `over calendar month`, or evaluate it at each month's end: `eval --from DAY --every month`
      lag lead previous prior shift: write the metric's name with an offset: `minutes offset 7 days`
      cumsum cumulative runningtotal runningsum: an aggregate without a period is cumulative: `sum(Record.field)`
      movingaverage rolling rollingavg rollingmean: write `sum(Record.field over last 7 days) / 7`
      firstvalue earliest argmin: write `first(Record.field)`
      lastvalue latest argmax mostrecent: write `last(Record.field)`
      activedays daycount countdays: write `days(Record)`
      stddev stdev std variance var mode sqrt pow power exp log ln mod rank rownumber ntile corr: there is no such function; `average`, `percentile`, `min` and `max` describe a spread
      like ilike contains includes matches regexp regex startswith endswith prefix substr substring strpos: texts are compared whole, with `==` and `in ["a", "b"]`; to match a part, store the kind of the record in a field of its own
      lower upper trim concat replace split format: texts are compared whole, with `==` and `in ["a", "b"]`; prepare the values before they become records
      exists any has: write `count(Record where …) >= 1`
      every all: count what breaks the rule: `count(Record where not …) == 0`
      growth change delta diff pctchange yoy mom wow: compare a metric with its earlier value: `(visits - visits offset 28 days) / visits offset 28 days`
      hour minute second: a day is the smallest unit, and an `Instant` only orders the facts of one day
      streak longeststreak: declare it: `streak NAME { of COMPLETION }`
      retention cohort funnel conversion: declare a `funnel` or a `retention`, and read its parts
      currentdate currenttimestamp getdate curdate sysdate: write `day`, the reference day
    comparison:
      like ilike contains includes matches regexp rlike similar startswith endswith: texts are compared whole, with `==` and `in ["a", "b"]`; to match a part, store the kind of the record in a field of its own
      between: write `a >= 1 and a <= 5`
      equals equal eq isequal: write `==`
      mod div: there is no remainder operator; `/` divides
      xor: write `a != b`
      notin: write `not in ["a", "b"]`
    type:
      string str varchar char nvarchar enum category keyword: write `Text`, or its allowed texts: `"free" | "pro"`
      integer int64 int32 bigint smallint long number uint count: write `Int`
      float double real numeric money currency float64 number decimal128 percent: write `Decimal`
      boolean flag bit: write `Bool`
      date localdate day calendardate: write `DayKey`, the local date on which it happened
      timestamp datetime time timestamptz datetimetz epoch moment: write `DayKey` for the local date that counts; an `Instant` only orders the facts of one day
      uuid guid identifier key primarykey serial objectid: write `ID`; a reference to another record has its entity's name
      array list set map json object dict jsonb: a field holds one value; make each element a record of its own
      references reference foreign ref belongsto: write the entity's name: `userId : User`
      duration interval timedelta: write `Decimal min 0` and say the unit in the field's name: `minutes`
    modifier:
      optional nullable null nil: write `?` after the type
      required notnull not: a field without `?` is required
      max: only `min` bounds a field
      unique primary key index: `check --data` finds duplicate ids
      default: a missing value stays missing; a computed field can replace it: `x = if y is none then 0 else y`
      personal private sensitive secret: write `pii`
      deleted: write `tombstone`
    operand:
      null nil undefined na nan: write `none`; ask with `is none`
      currentdate currenttimestamp: write `day`, the reference day
      date: write `day`: inside `where` the day of the fact, elsewhere the reference day
      case when switch: write `if … then … else …`
      weekday dayofweek: write `weekday(day)`
      true yes: write `true`
      false no: write `false`
    group:
      day week month quarter year date time: funnels and retentions take `by cohort month`; to see any metric over time, evaluate a series: `eval --from DAY --every month`
      weekday: write a computed field in the record: `weekday = weekday(dayKey)`
    command:
      lint validate verify typecheck: check
      run evaluate calculate compute query: eval
      format: fmt
      docs catalogue catalog document site html: doc
      compile generate transpile: sql
      compare: diff
      new create start: init
      man: manual
      languageserver: lsp
      trace debug: why
      serve dev: watch
      show describe parse: plan
      version: --version
    option:
      user habit id person customer: --subject
      date day on asof today: --at
      since start begin after: --from
      until end before: --to
      granularity interval step by: --every
      out o file outfile outputfile destination: --output
      limit head first n: --top
      order orderby sortby: --sort
      input source csv dataset: --data
      name only select: --metric
      engine backend target database db: --dialect
    """#
}
