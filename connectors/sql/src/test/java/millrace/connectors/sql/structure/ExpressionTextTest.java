package millrace.connectors.sql.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Defaults and checks as catalogs spell them.
class ExpressionTextTest {

  private static final Map<String, Type> COLUMNS =
      Map.of(
          "n", new Type.Int(32),
          "t", Type.Text.UNLIMITED,
          "d", new Type.Date(),
          "at", new Type.Timestamp(false),
          "b", new Type.Bool(),
          "and so", Type.Text.UNLIMITED);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "n  | 0                                     | Digits[digits=0]",
        "n  | (-1)                                  | Digits[digits=-1]",
        "n  | '-1'::integer                         | Digits[digits=-1]",
        "n  | ((2))                                 | Digits[digits=2]",
        "n  | CAST('7' AS INTEGER)                  | Digits[digits=7]",
        "n  | 1 + 1                                 | null",
        "n  | nextval('s'::regclass)                | null",
        "n  | 'x'                                   | null",
        "n  | b'101'                                | null",
        "t  | 'it''s'::character varying            | Words[text=it's]",
        "t  | ''                                    | Words[text=]",
        "t  | _utf8mb4'a'                           | Words[text=a]",
        "t  | 5                                     | Words[text=5]",
        "t  | upper('a')                            | null",
        "t  | 'a' + 'b'                             | null",
        "t  | now()                                 | null",
        "t  | X'41'                                 | null",
        "t  | 'open                                 | null",
        "d  | '2020-01-02'::date                    | Words[text=2020-01-02]",
        "d  | DATE '2020-01-02'                     | Words[text=2020-01-02]",
        "d  | '0000-00-00'                          | null",
        "d  | CURRENT_DATE                          | Now[]",
        "d  | curdate()                             | Now[]",
        "at | current_timestamp(6)                  | Now[]",
        "at | SYSDATE                               | Now[]",
        "at | (now() + '1 day'::interval)           | null",
        "at | CURRENT_TIMESTAMP::timestamp(3) without time zone | Now[]",
        "b  | b'1'                                  | Truth[value=true]",
        "b  | false                                 | Truth[value=false]",
        "b  | 0                                     | Truth[value=false]",
      })
  void aDefaultIsAConstantOrNothingOfOurs(String column, String text, String constant) {
    assertThat(
            String.valueOf(
                ExpressionText.constant(
                    text, COLUMNS.getOrDefault(column, new Type.Bytes()), false)))
        .isEqualTo(constant);
  }

  private static @Nullable Type type(String column) {
    return COLUMNS.get(column);
  }

  private static String condition(String text) {
    return String.valueOf(ExpressionText.condition(text, ExpressionTextTest::type, false))
        .replaceAll("(Digits|Words|Comparison|OneOf|All)", "")
        .replaceAll("(column|operator|value|values|digits|text|conditions)=", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "(n > 0)                                              | [n, >, [0]]",
        "0 <= n                                               | [n, >=, [0]]",
        "(n >= (0)::numeric)                                  | [n, >=, [0]]",
        "((n >= 1) AND (n <= 5))                              | [[[n, >=, [1]], [n, <=, [5]]]]",
        "n between 1 and 5 and t <> 'x'      | [[[n, >=, [1]], [n, <=, [5]], [t, <>, [x]]]]",
        "n BETWEEN 1 AND 5                                    | [[[n, >=, [1]], [n, <=, [5]]]]",
        "(t = ANY (ARRAY['a'::text, 'b'::text]))              | [t, [[a], [b]]]",
        "((t)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))"
            + " | [t, [[a], [b]]]",
        "~\"and so\" IN('and', 'or')~                         | [and so, [[and], [or]]]",
        "`t` in (_utf8mb4'a',_utf8mb4'b')                     | [t, [[a], [b]]]",
        "d > '2000-01-01'::date                               | [d, >, [2000-01-01]]",
        "(n > 0) OR (n < -5)                                  | null",
        "n > 0 AND (t = 'a' OR t = 'b')                       | null",
        "NOT n > 0                                            | null",
        "n NOT IN (1, 2)                                      | null",
        "length(t) > 2                                        | null",
        "t LIKE 'a%'                                          | null",
        "n > 0 + 1                                            | null",
        "n = n                                                | null",
        "other > 1                                            | null",
        "n IS NOT NULL                                        | null",
        "n IN ()                                              | null",
        "n > 0)                                               | null",
        "n >                                                  | null",
        "(n > 0) AND                                          | null",
      })
  void aConditionIsOneOfOursOrNothing(String text, String condition) {
    assertThat(condition(text.replace("~", ""))).isEqualTo(condition);
  }

  @Test
  void aBackslashMeansItselfInSomeSystemsOnly() {
    assertThat(ExpressionText.constant("'a\\\\b\\'c'", Type.Text.UNLIMITED, true))
        .hasToString("Words[text=a\\b'c]");
    assertThat(ExpressionText.constant("'a\\'", Type.Text.UNLIMITED, false))
        .hasToString("Words[text=a\\]");
  }
}
