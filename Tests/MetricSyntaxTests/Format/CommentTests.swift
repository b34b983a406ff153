import Testing

/// Every comment keeps its place: above what follows, or behind what it stands behind.
@Suite struct CommentTests {
  @Test func ownLinesTakeTheIndentationOfWhatFollows() {
    let text = """
          //  about the file
      /// Doc of the metric.
      completion done {
              /// Doc of the clause.
       for habit
      // about the window
          every day
      when count(HabitEntry) >= 1
      // the last word
      }
         // the end
      """
    #expect(
      formatted(text) == """
        //  about the file
        /// Doc of the metric.
        completion done {
          /// Doc of the clause.
          for habit
          // about the window
          every day
          when count(HabitEntry) >= 1
          // the last word
        }
        // the end

        """)
  }

  @Test func trailingOnesStandTwoSpacesBehind() {
    let text = """
      completion done {// why
        for habit // whose
        every day            // rolling
        when count(HabitEntry) >= 1//enough\t
      } // done
      """
    #expect(
      formatted(text) == """
        completion done {  // why
          for habit  // whose
          every day  // rolling
          when count(HabitEntry) >= 1  //enough
        }  // done

        """)
  }

  /// Whatever comments stand between, operands and operators stand where they would on lines of their own.
  @Test func anExpressionBelowACommentKeepsItsColumn() {
    let text = """
      completion done {
        for habit
        when // below
          count(HabitEntry) // many
            >= // enough
          1
          and habit.name == "a"
        every day
      }
      """
    #expect(
      formatted(text) == """
        completion done {
          for habit
          when  // below
               count(HabitEntry)  // many
                   >=  // enough
                      1
               and habit.name == "a"
          every day
        }

        """)
  }

  @Test func onesInsideAnExpressionBreakIt() {
    let text = """
      measure m {
        for user
        value count(A) + // first
          // own
          count(B)
        over last // how long
          7 days
      }
      """
    #expect(
      formatted(text) == """
        measure m {
          for user
          value count(A)
                +  // first
                  // own
                  count(B)
          over last  // how long
              7 days
        }

        """)
  }

  @Test func oneBlankLineAtMostIsKept() {
    let text = """


      // one


      // two
      streak a { of done }



      // three

      streak b {

        of done


        // four

        best

      }


      """
    #expect(
      formatted(text) == """
        // one

        // two
        streak a { of done }

        // three

        streak b {
          of done

          // four

          best
        }

        """)
  }

  /// A doc comment behind a token and one below it are one where nothing stands between.
  @Test func docCommentsKeepTheirOwners() {
    let text = """
      streak a { /// of nothing

        /// of the clause
        of done } /// behind
      /// below it
      streak b { of done }
      """
    #expect(
      formatted(text) == """
        streak a {  /// of nothing

          /// of the clause
          of done
        }  /// behind
        /// below it
        streak b { of done }

        """)
  }

  @Test func aFileOfComments() {
    #expect(formatted("\n\n // one\n\n\n // two") == "// one\n\n// two\n")
    #expect(formatted(" \n\n") == "")
    #expect(formatted("\u{FEFF}streak a{of b}\r\n// c\r\n") == "streak a { of b }\n// c\n")
  }

  @Test func headersAndEmptyBraces() {
    let text = "link A { }\nlink B { // none\n}\ntest \"t\" // why\n{ given A { } }\n"
    #expect(
      formatted(text) == """
        link A {}

        link B {  // none
        }

        test "t"  // why
            {
          given A {}
        }

        """)
  }
}
