/// Words of SQL, spreadsheets and programming languages, and what to write instead: the one table behind the
/// answers of the parser, the resolver, the command line and `metricc explain`.
///
///     FamiliarWord.note("avg", as: .function)?.message  // "write `average(Record.field)`"
///
/// A new word is a line here. Capitals, `_` and spaces count nothing: `countDistinct` is `COUNT_DISTINCT`.
package enum FamiliarWord {
  /// What people take the word for.
  package enum Place: String, CaseIterable {
    case declaration, header, clause, window, period, subject, function, comparison, type, modifier, operand,
      number, sign, suffix, group, audience, statement, command, option
  }

  /// What to write instead of a word; nil where nothing is known about it.
  package static func note(_ word: String, as place: Place) -> Note? {
    answers[place]?[key(word)].map { answer in
      let call = place == .function ? answer.prefixMatch(of: /write `(\w+)\(Record(?:\.field)?\)`/) : nil
      return Note(answer, replacement: call.map { String($0.output.1) })
    }
  }

  /// The same wherever the word may stand in definitions, each with its place.
  package static func notes(_ word: String) -> [(place: Place, message: String)] {
    Place.allCases.filter { $0 != .option && $0 != .header }.compactMap { place in
      answers[place]?[key(word)].map { (place, $0) }
    }
  }

  /// The words that have an answer at a place.
  package static func words(_ place: Place) -> [String] { (answers[place] ?? [:]).keys.sorted() }

  private static func key(_ word: String) -> String {
    word.contains(where: \.isLetter) ? word.lowercased().filter { !"_- ".contains($0) } : word
  }

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
      metric metrics kpi indicator query select view formula calculation: a number is declared with `measure NAME { for app  value … }`
      table model event record struct class source type interface schema object create property properties: records are declared with `fact`, `entity` or `link`
      segment audience filter: write the condition inside, `count(Record where …)`, or declare who belongs: `completion NAME { for user  every day  when … }`
      goal target challenge: write `progress NAME { for habit  value sum(HabitEntry.value)  target 10 }`
      dimension enum: a field declares its texts: `plan : "free" | "pro"`
      cohort: write `retention`, or `by cohort week` in a funnel
      average avg sum count total percentile ratio rate: write `measure NAME { for app  value sum(Record.field) }`
      semanticmodel semanticmodels models version sources - ---: definitions are not YAML: write `measure NAME { for app  value sum(Record.field) }`
      dashboard chart reports: write `report NAME { title "…"  metrics dau, wau }`
      experiment flag insight alert trend trends action: only records and metrics are declared: `fact`, `entity` or `link`, and `measure`, `funnel` or `retention`
      override replace: each name is declared once; `extend Record { … }` adds fields
      extends inherits implements: write `extend Record { … }`; it adds fields to a record
      habit: write `completion NAME { for habit  every day  when … }`
      with: write each step as a metric of its own; another metric reads it by its name
      from import include use package module require: all `.metric` files given together form one library; nothing is imported
      func function def let var const: name an expression by making it a `measure`, or a computed field of a record
      --: comments start with `//`
      { [: definitions are not JSON: write `measure NAME { for app  value sum(Record.field) }`
      run: each query is a metric: `measure NAME { for app  value … }`
    header:
      for every when of over by: write it inside the braces: `NAME { for app  … }`
      extends inherits implements with: a declaration extends no other; `extend Record { … }` adds fields to a record
      is as = := :: write `NAME { for app  value … }`: the expression is a clause inside the braces
      (: a declaration has no parameters: write `NAME { … }`
    clause:
      each everyday: write `every day`
      completion metric base: write `of COMPLETION` in a streak, momentum or level
      order: a metric has all its groups; `eval --sort NAME --top 10` chooses rows
      where: write it inside the aggregate, `count(Record where …)`; `for SUBJECT where …` chooses subjects
      if: a completion has `when …`; in an expression write `value if … then … else …`
      times: write `every week  when count(Record) >= 3`
      day: write `every day` in a completion, `after 1, 7 days` in a retention
      round decimals precision: values keep six digits; `floor(a + 0.5)` rounds to a whole number
      from: a metric reads the records that its expression names: `value count(Record)`; a calendar week may start `from monday`
      through: write it inside the aggregate: `count(Record through LINK)`
      per: `for SUBJECT` says whom each number is about; `eval --from DAY --every day` gives one for each day
      numerator denominator: write the division: `value a / b`
      fillnullswith fillnull default: write `value if x is none then 0 else x`; `sum` and `count` of nothing are 0 already
      exclude excluding exclusion except: write `rest when weekday(day) == "sunday"` in a completion, `step NAME Record where … and not …` in a funnel
      conversionwindow conversion timelimit maxtime: write `within 14 days`
      decay alpha: write `half life 10 days`
      minimum atleast minusers: write `at least 5 users` beside `by`
      every: a window belongs to a `completion`; other metrics take `over last 7 days`
      parameters params variables filters tags meta config: not part of a definition
      group groupby dimension dimensions breakdown segment split partition: write `by FIELD`
      filter having condition: filter inside the aggregate: `count(Record where …)`; `for SUBJECT where …` chooses subjects
      window during period range between since timeframe lookback rolling: write `over last 7 days` for the period of a number, `every week` for the window of a completion
      frequency interval grain timegrain granularity cadence schedule recurrence daily weekly monthly: write `every day`, `every week` or `every calendar month`
      select measure expression formula expr sql calculate compute agg aggregate: write `value …`
      count sum average avg distinct percentile: write `value` before the aggregate
      min max: write `value` before the aggregate; a streak's longest run is `best`
      longest record: write `best` in a streak
      last past trailing: write `over last 7 days`
      then: a funnel has steps, `step NAME FACT where …`; a choice is an expression, `value if … then … else …`
      case when else end: a choice is an expression, `value if … then … else …`
      steps stage: write `step NAME FACT where …`
      cohort cohorts: write `by cohort month`
      returns on: write `return FACT` and `after 1, 7 days` in a retention
      owner source: not part of a definition; `metricc doc --owner NAME --source ADDRESS` shows both
      label name description doc comment: write `title "…"`, or a `///` comment above the metric
      subject entity scope app user users: write `for SUBJECT`, such as `for user` or `for app`
      goal objective: write `target …` in a `progress`
      limit top orderby sort sortby sorted offset: a metric has all its groups; `eval --sort NAME --top 10` chooses rows
      join using: references join records: `book.level` follows `bookId`; a `link` record is named with `through`
      threshold thresholds levels: write `at 7, 30, 100` in a `level`
      freeze skip pause: write `rest when …`, or `grace 1 day` in a streak
      visibility visible access role: write `audience user` or `audience team`
      begin: write `start FACT` in a retention
      type: write the aggregate: `value sum(Record.field)`
      format percent percentage minutes hours days seconds euros dollars: say what the number counts: `unit minutes`
      unless: write `where not …` inside the aggregate
      and: a metric has one subject and one value; write a metric for each
      as alias: the name comes first, `measure NAME { … }`; no value is cast
      ago: `offset` always looks back: `offset 7 days`
      current: `of COMPLETION` alone is the current streak
    window:
      monday tuesday wednesday thursday friday saturday sunday: write `every day` and `when weekday(day) == "monday" and …`; `every calendar week from monday` is a week that starts then
      weekday weekdays workday workdays working: write `every day`, and `rest when weekday(day) in ["saturday", "sunday"]`
      weekend weekends: write `every day`, and `rest when weekday(day) not in ["saturday", "sunday"]`
      fortnight biweekly: write `every 2 weeks`
      other second alternate: write `every 2 days`
    period:
      (: groups are a clause, `by FIELD`; a period is written like `over last 7 days`
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
      isin in: write `name in ["a", "b"]`
      isnull isna isnan isnone notnull notna isblank: ask with `is none` or `is not none`
      groupby group partitionby: write `by FIELD` after the value
      orderby order sort sortby sortvalues sorted limit top head tail rank rownumber: a metric has all its groups; `eval --sort NAME --top 10` chooses rows
      map reduce apply foreach agg aggregate collect resample: an aggregate reads all facts: `sum(Record.field)`, `count(Record where …)`
      join merge innerjoin leftjoin: references join records: `book.level` follows `bookId`; a `link` record is named with `through`
      avg mean: write `average(Record.field)`
      median: write `percentile(Record.field, 50)`
      quantile percentilecont percentiledisc approxpercentile approxquantile: write `percentile(Record.field, 95)`
      p50 p75 p90 p95 p99: write `percentile(Record.field, 95)` with the rank you want
      total sumof sumx: write `sum(Record.field)`
      minimum smallest: write `min(Record.field)`, or `least(a, b)` of two values
      maximum largest: write `max(Record.field)`, or `greatest(a, b)` of two values
      stickiness: declare both as metrics and divide them: `daily_users / weekly_users`
      lookup vlookup xlookup: a reference leads to the other record: `book.level`
      uniques dau wau mau activeusers uniqueusers uniqueevents users usercount countusers: write `distinct(Event.userId over last 7 days)` in a metric `for app`
      countdistinct distinctcount uniqcount approxcountdistinct approxdistinct nunique unique uniq uniqexact countunique cardinality: write `distinct(Record.field)`
      calculate calc countif sumif countifs sumifs averageif avgif countwhere: write the condition inside: `count(Record where …)`
      number length len size rows events eventtotals eventcount: write `count(Record)`
      round tofixed: values keep six digits; `floor(a + 0.5)` rounds to a whole number
      trunc truncate int cast toint: write `floor(a)`
      ceil ceiling: write `-floor(-a)`
      abs: write `greatest(a, -a)`
      coalesce ifnull nvl zeroifnull iferror: write `if a is none then 0 else a`; `sum` and `count` of nothing are 0 already
      if iff iif case when switch cond: write `if … then … else …`
      nullif safedivide div divide ratio percent percentage proportion derived derive: write `a / b`, which is `none` where `b` is 0
      dayofweek dow isodow weekdayname dayname: write `weekday(day)`
      datediff daysbetween timestampdiff datesub dateadd: subtract one day from another: `day - last(Record)`
      datetrunc month year week quarter strftime todate extract datepart: give the metric a window, `over calendar month`, or evaluate it at each month's end: `eval --from DAY --every month`
      lag lead previous prior shift: write the metric's name with an offset: `minutes offset 7 days`
      cumsum cumulative runningtotal runningsum: an aggregate without a period is cumulative: `sum(Record.field)`
      movingaverage rolling rollingaverage rollingsum movingsum rollingavg rollingmean: write `sum(Record.field over last 7 days) / 7`
      firstvalue earliest argmin: write `first(Record.field)`
      lastvalue latest argmax mostrecent: write `last(Record.field)`
      activedays daycount countdays: write `days(Record)`
      pow power square: there are no powers; write `a * a`
      mod remainder: there is no remainder operator; `floor(a / b)` is the whole part of a division
      stdev std stddevpop stddevsamp standarddeviation: write `stddev(Record.field)`, which is that of the whole population
      variance var varpop varsamp mode ntile corr: there is no such function; `stddev`, `percentile`, `min` and `max` describe a spread
      sqrt exp log ln: there is no such function; numbers are added, subtracted, multiplied and divided
      metric ref measure: a metric is read by its name alone: `revenue / 2`
      like ilike contains includes matches regexp regex startswith endswith prefix substr substring strpos: texts are compared whole, with `==` and `in ["a", "b"]`; to match a part, store the kind of the record in a field of its own
      lower upper trim concat replace split format: texts are compared whole, with `==` and `in ["a", "b"]`; prepare the values before they become records
      exists any some boolor has: write `count(Record where …) >= 1`
      filter where: filter inside the aggregate: `count(Record where …)`; `for SUBJECT where …` chooses subjects
      every all: count what breaks the rule: `count(Record where not …) == 0`
      growth change delta diff pctchange yoy mom wow: compare a metric with its earlier value: `(visits - visits offset 28 days) / visits offset 28 days`
      hour minute second date: a day is the smallest unit, and an `Instant` only orders the facts of one day
      streak longeststreak: declare it: `streak NAME { of COMPLETION }`
      retention cohort funnel conversion churn lifetimevalue ltv: declare a `funnel` or a `retention`, and read its parts
      today currentdate currenttimestamp getdate curdate sysdate: write `day`, the reference day
    comparison:
      where: words are written in small letters, and a condition inside the aggregate: `count(Record where …)`
      over: words are written in small letters; a period is `over last 7 days`, and groups are `by FIELD`
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
      [ { array list set map json object dict jsonb: a field holds one value; make each element a record of its own
      optional nullable required: the type comes first; `?` after it makes the field optional: `Decimal?`
      references reference foreign ref belongsto: write the entity's name: `userId : User`
      duration interval timedelta: write `Decimal min 0` and say the unit in the field's name: `minutes`
    modifier:
      optional nullable null nil: write `?` after the type
      required notnull not nonnull !: a field without `?` is required
      max: only `min` bounds a field
      unique primary key index: `check --data` finds duplicate ids
      [: a field holds one value; make each element a record of its own
      (: a type has no length and no arguments; a list of allowed texts is written `"free" | "pro"`
      |: alternatives are texts: `"free" | "pro"`; `?` after the type makes a field optional
      @ @@: there are no attributes; write `pii`, `min 0` or `tombstone` after the type, and `?` where a value may be missing
      <: a type has no arguments; only `min` bounds a field: `Decimal min 0`
      > >= <=: only `min` bounds a field: `Decimal min 0`
      or: allowed texts are separated by `|`: `"free" | "pro"`
      readonly const let var public static: the name comes first: `name : Text`
      check constraint: write `min 0` for the least value; `check --data` checks the rest
      description comment label: write a `///` comment above the field
      = default: a stored field has no default: a missing value stays missing; a computed field can replace it: `x = if y is none then 0 else y`
      personal private sensitive secret: write `pii`
      deleted: write `tombstone`
    operand:
      count sum average min max distinct days percentile first last: its record follows in parentheses: `count(Record)`, `sum(Record.field)`
      lambda function fn func: there are no functions to write: `count(Record where value > 3)` has a condition, `extend Record { x = … }` a computed field
      select from: write the expression alone: `value count(Record)`
      interval: the difference of two days is a number: `day - last(Record) <= 7`
      properties props attributes: write the field's own name; `extend Record { plan : Text? }` declares one
      null nil undefined na nan none: write `none`; ask with `is none`
      currentdate currenttimestamp: write `day`, the reference day
      date: write `day`: inside `where` the day of the fact, elsewhere the reference day
      case when switch else end: write `if … then … else …`
      weekday dayofweek: write `weekday(day)`
      true yes: write `true`
      false no: write `false`
    number:
      d dy: write the unit as a word: `7 days`
      w wk wks: write the unit as a word: `2 weeks`
      m mo mon q y yr: lengths are days or weeks: `30 days`, `365 days`
      h hr hrs min s sec: a day is the shortest length: `1 day`
      k mm e: write all digits: `1_000`
      x b: write the decimal number
    sign:
      $ £ € ¥: a number has no sign: `unit euros` says what it counts; there are no variables
      {: write the expression alone, without braces
      ^: there are no powers; write `a * a`
      ~ ~~: texts are compared whole, with `==` and `in ["a", "b"]`
      &: write `and`
      ${ {{: names stand alone, without signs around them; there are no variables or templates
      @ @@: there are no attributes or variables; a clause is a word, such as `deprecated "…"`
      `: names stand alone, without quotes
      \: an expression goes on in the next line by itself
      --: comments start with `//`
      = :: a clause has no signs: `value sum(Record.field)`, `at 7, 30`
    suffix:
      ! !!: remove it: what is missing is `none`, and `not` comes before its operand
      [: a condition follows `where`, a field follows a dot: `count(Event where value > 3)`, `book.level`
      ** ^^: there are no powers; write `a * a`
      =! <!: write `!=`
      <=>: two comparisons are joined with `and`
      .. ... ..<: write both ends: `a >= 1 and a <= 5`; lists are written out: `1, 7, 30`
      =~ !~ ~=: texts are compared whole, with `==` and `in ["a", "b"]`
      ??: write `if a is none then 0 else a`
      ?.: write a plain point: `book.level` is `none` where a reference is missing
      ?: write `if … then … else …`
      .: a function comes before its operand, `f(x)`, and a field of the fact stands alone: `name == "a"`
      ::: no value is cast: an Int becomes a Decimal where one is needed, and `floor(a)` makes a whole number
      -> ->>: follow a reference with a dot, `book.level`; each query is a metric of its own
      |: write `or`
      |> >>: a function comes before its operand: `floor(sum(Record.field))`
      ===: write `==`
      !==: write `!=`
      += -= *= /= ++ :=: a metric changes nothing; write the whole expression
    group:
      day week month quarter year date time: funnels and retentions take `by cohort month`; to see any metric over time, evaluate a series: `eval --from DAY --every month`
      weekday: write a computed field in the record: `weekday = weekday(dayKey)`
    audience:
      admin internal staff private company employees analyst owner: write `audience team`
      public all everyone everybody customer customers users external self: write `audience user`
    statement:
      assert should check verify then it: write `expect NAME at DAY = VALUE`
      when with setup let record insert: write `given Record { field: value }`, or `log "habit" from DAY "##.#"`
      def func test: write `test "NAME" { … }` outside of other braces
    command:
      lint validate verify typecheck parse: check
      run evaluate calculate compute query export sum value: eval
      format: fmt
      docs catalogue catalog document site html: doc
      compile generate transpile dbt: sql
      compare: diff
      new create start: init
      man: manual
      languageserver: lsp
      trace debug: why
      serve dev: watch
      show describe list ls lineage inspect: plan
      error codes search: explain
      load convert: import
      codegen: swift
      coverage: test
      version: --version
    option:
      user habit id person customer who: --subject
      csv json ndjson outputformat table: --format
      chart plot graph series sparkline history: --from
      dryrun: --check
      test only metric: --filter
      full everything details: --all
      wide pivot: --layout
      rename map mapping fields: --column
      timezone tz: --zone
      anonymize anonymise hash mask: --pseudonymize
      quiet silent: --no-progress
      date day on asof today: --at
      since start begin after: --from
      until end before: --to
      granularity interval step by: --every
      out o file outfile outputfile destination: --output
      limit head first n: --top
      order orderby sortby: --sort
      input source csv dataset: --data
      name select: --metric
      engine backend target database db: --dialect
    """#
}
