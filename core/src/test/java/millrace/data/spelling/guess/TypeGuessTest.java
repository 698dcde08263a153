package millrace.data.spelling.guess;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which type a user gets for a column of a file, by its fields.
class TypeGuessTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "true|F|t; boolean",
        "t|f; boolean",
        "f|f|f; text",
        "1|0; int64",
        "yes|no; text",
        "1|-2|9223372036854775|0; int64",
        "123456789012345678; int64",
        "1234567890123456789; decimal(38,0)",
        "007; text",
        "-0; float64",
        "+819012345678; text",
        "03-1234-5678; text",
        "1.5|2|-3.25; decimal(18,2)",
        ".5|1; decimal(18,1)",
        "1234567890123.456; decimal(38,3)",
        "0.1234567890123456789012345678901234567890; decimal",
        "00.5; text",
        "5.; text",
        "1e5|2; float64",
        "1.5|NaN|-inf; float64",
        "NaN|NaN; text",
        "1e5|0.30000000000000004; float64",
        "1e5|0.12345678901234567890; text",
        "1e400; text",
        "1,5; text",
        "2024-02-29|infinity; date",
        "infinity; text",
        "2024-02-30; text",
        "2024-02-29|2024-02-29 12:00:00; timestamp",
        "2024-02-29T12:00:00.5; timestamp",
        "2024-02-29T12:00:00Z|2024-02-29 12:00:00+09:00; timestamptz",
        "2024-02-29 12:00:00|2024-02-29 12:00:00Z; text",
        "12:34:56|00:00:00.5; time",
        "12:34; text",
        "20240229; int64",
        "c0de0000-1111-2222-3333-444455556666; uuid",
        "c0de0000111122223333444455556666; text",
        "{\"a\":1}|[]; json",
        "{a}; text",
        "1|x; text",
        "1|''; text",
      })
  void sample(String fields, String type) {
    assertThat(guess(SpellingStyle.ISO, fields.split("\\|", -1))).isEqualTo(type);
  }

  @Test
  void aColumnOfNullsIsText() {
    assertThat(guess(SpellingStyle.ISO)).isEqualTo("text");
  }

  /// What is in the sample, and what comes behind it that would have made another guess.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1|2; 007|+42|-0|-007|1.0",
        "12345678901234567890; 007|+42|-0",
        "1.5; 007.5|+1.5|-0.00|1.55|1.50|15e-1|1e3",
        "0.1234567890123456789012345678901234567890; 1e3",
        "1e3; 9007199254740993|0.1000000000000000055|-12345678901234567e0|007|+1|1e400",
        "true|false; 1|0|yes|on",
        "2024-02-29; 2024-02-29 00:00:00|12024-02-29 00:00",
        "12:34:56; 12:34",
        "c0de0000-1111-2222-3333-444455556666; c0de0000111122223333444455556666",
      })
  void whatWouldHaveMadeAnotherGuessIsRefused(String fields, String later) {
    for (String field : later.split("\\|", -1)) {
      assertThat(isTaken(fields, field)).as(field).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1|2; 0|-7|9223372036854775807",
        "1.5; 0|-0.5|.5|7|NaN",
        "1e3; -0|-0.5|0.30000000000000004|9007199254740992|1.000000000000000000e+3|-inf|NaN",
        "true|false; T|FALSE",
        "12:34:56; 12:34:56.789",
        "c0de0000-1111-2222-3333-444455556666; C0DE0000-1111-2222-3333-444455556666",
        "2024-02-29 12:00:00; 2024-02-29",
      })
  void whatTheGuessHoldsIsTaken(String fields, String later) {
    for (String field : later.split("\\|", -1)) {
      assertThat(isTaken(fields, field)).as(field).isTrue();
    }
  }

  private static boolean isTaken(String fields, String later) {
    Type type = typeOf(SpellingStyle.ISO, fields.split("\\|", -1));
    Vector into = Vector.of(type, 1);
    byte[] bytes = ("9" + later + "9").getBytes(StandardCharsets.UTF_8);
    int end = bytes.length - 1;
    ValueParser parser = Spelling.parser(type, SpellingStyle.ISO);
    GuessCheck check = GuessCheck.of(type, SpellingStyle.ISO);
    return GuessCheck.parse(parser, check, bytes, 1, end, into, 0);
  }

  @Test
  void aFieldInTheUsersFormatIsATimestampBeforeItIsANumber() {
    SpellingStyle style = new SpellingStyle(null, null, "yyyymmddhhmmss", null);
    assertThat(guess(style, "21530424004401", "38440101000000")).isEqualTo("timestamp");
    assertThat(guess(style, "280731594835")).isEqualTo("int64");
    SpellingStyle zoned = new SpellingStyle(null, "HHmm", "yyyy-MM-dd'T'HH:mmXXX", null);
    assertThat(guess(zoned, "2024-02-29T12:00+09:00")).isEqualTo("timestamptz");
    assertThat(guess(zoned, "2359", "0000")).isEqualTo("time");
  }

  private static String guess(SpellingStyle style, String... fields) {
    return typeOf(style, fields).label();
  }

  private static Type typeOf(SpellingStyle style, String... fields) {
    TypeGuess guess = new TypeGuess(style);
    for (String field : fields) {
      byte[] bytes = ("9" + field.replace("''", "") + "9").getBytes(StandardCharsets.UTF_8);
      guess.see(bytes, 1, bytes.length - 1);
    }
    return guess.type();
  }
}
