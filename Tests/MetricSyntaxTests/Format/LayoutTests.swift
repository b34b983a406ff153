import Testing

@Suite struct LayoutTests {
  @Test func shortDeclarationsStayOnTheirLine() {
    #expect(formatted("streak s {of done best}") == "streak s { of done  best }\n")
    #expect(
      formatted("entity B {id:ID level:\"a\"|\"b\"? n:Int?min -1}")
        == "entity B { id : ID  level : \"a\" | \"b\" ?  n : Int? min -1 }\n")
    #expect(formatted("streak s { of done\n}") == "streak s {\n  of done\n}\n")
    #expect(formatted("test \"t\" { log \"a\" from 2026-01-01 \"#\" }").hasPrefix("test \"t\" {\n  log "))
  }

  @Test func longOrManyClausesTakeALineEach() {
    let five = "measure m { title \"t\" unit u for user value 1 by level }"
    #expect(
      formatted(five) == """
        measure m {
          title "t"
          unit u
          for user
          value 1
          by level
        }

        """)
    let long = "measure m { for user value \(String(repeating: "a", count: 90)) }"
    #expect(formatted(long).hasPrefix("measure m {\n  for user\n  value aaa"))
  }

  @Test func longListsOfMetricsBreakBeforeAName() {
    let name = String(repeating: "a", count: 38)
    #expect(
      formatted("report r { metrics \(name)1, \(name)2, \(name)3 }") == """
        report r {
          metrics \(name)1, \(name)2,
                  \(name)3
        }

        """)
  }

  @Test func daysBelongToTheThresholds() {
    #expect(formatted("level l {of m at 1,5,30   days}") == "level l { of m  at 1, 5, 30 days }\n")
  }

  @Test func aBlankLineStandsAroundTallDeclarations() {
    let text = "streak a { of b }\nstreak c { of b }\nstreak d { of b\n}\nstreak e { of b }\n"
    #expect(
      formatted(text) == """
        streak a { of b }
        streak c { of b }

        streak d {
          of b
        }

        streak e { of b }

        """)
  }

  @Test func fieldsLineUpInNeighbourhoods() {
    let text = """
      fact A setting {
        id: ID
        /// Doc.
        longName: "x" | "y" ?
        twice = least(longName*2,-1)
        consent standard

        b: Decimal ? min 0 pii
      }
      """
    #expect(
      formatted(text) == """
        fact A setting {
          id       : ID
          /// Doc.
          longName : "x" | "y" ?
          twice    = least(longName * 2, -1)
          consent  standard

          b : Decimal? min 0 pii
        }

        """)
  }

  @Test func stepsAndStatementsLineUp() {
    let text = """
      funnel f {
        for user
        step one Event where name=="a"
        step eleven Event
        within 3 days
      }
      test "t" {
        log "a" from 2026-01-01 "#"
        log "bcd" from 2026-01-01 "#"
        given A{x:1,y:-2.5,z:"s"}
        expect f part "one" at 2026-01-01=none
        expect longer for "a" at 2026-01-01=true

        expect a for "x" at 2026-01-01=1
        expect bc for "xyz" group "g" at 2026-01-01=-1
      }
      """
    #expect(
      formatted(text) == """
        funnel f {
          for user
          step one    Event where name == "a"
          step eleven Event
          within 3 days
        }

        test "t" {
          log "a"   from 2026-01-01 "#"
          log "bcd" from 2026-01-01 "#"
          given A { x: 1, y: -2.5, z: "s" }
          expect f      part "one" at 2026-01-01 = none
          expect longer for "a" at 2026-01-01 = true

          expect a  for "x"   at 2026-01-01 = 1
          expect bc for "xyz" group "g" at 2026-01-01 = -1
        }

        """)
  }

  @Test func spacesInsideExpressions() {
    let text = """
      measure m {
        for user
        value - ( a . b ) * - x+80%/least ( 1 , if not ( c ) then- 1 else - - 2 )
        target count( F . x through l where day in[ - 1 ,2 ] over last 7 days )-2026-01-31
      }
      """
    #expect(
      formatted(text) == """
        measure m {
          for user
          value -(a.b) * -x + 80% / least(1, if not (c) then -1 else - -2)
          target count(F.x through l where day in [-1, 2] over last 7 days) - 2026-01-31
        }

        """)
  }

  @Test func longExpressionsBreakBeforeTheirLoosestOperators() {
    let a = String(repeating: "a", count: 40)
    let b = String(repeating: "b", count: 50)
    let text = """
      measure m {
        for user where \(a) == 1 and \(b) == 2 or \(a) > 3 and \(b) > 4 or c
        value count(\(a) where \(b) == 1 and c is not none over last 7 days) / \(b)
        target if \(a) then \(b) else if c then \(a) else \(b)
      }
      """
    #expect(
      formatted(text) == """
        measure m {
          for user where \(a) == 1
                            and \(b) == 2
                         or \(a) > 3
                            and \(b) > 4
                         or c
          value count(\(a)
                      where \(b) == 1 and c is not none
                      over last 7 days)
                / \(b)
          target if \(a) then \(b)
                 else if c then \(a)
                 else \(b)
        }

        """)
  }

  @Test func aLongListOfTextsKeepsItsLines() {
    let long = String(repeating: "x", count: 60)
    let text = """
      fact A {
        name : "a" | "b"
          | "\(long)"
          | "c" | "\(long)y"
      }
      """
    #expect(
      formatted(text) == """
        fact A {
          name : "a" | "b"
               | "\(long)"
               | "c" | "\(long)y"
        }

        """)
    #expect(formatted("fact A {\n n : \"a\"\n | \"b\"\n}") == "fact A {\n  n : \"a\" | \"b\"\n}\n")
  }

  @Test func aWordOfTheAntiPatternsKeepsItsLine() {
    let text = "streak s {\n of done\n reset  monthly {again}  5 . 3 per - x\n}\n"
    #expect(formatted(text) == "streak s {\n  of done\n  reset monthly {again} 5 . 3 per - x\n}\n")
  }
}
