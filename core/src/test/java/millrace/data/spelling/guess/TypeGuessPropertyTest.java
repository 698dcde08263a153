package millrace.data.spelling.guess;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Whatever a column holds, its own sample does not contradict its guess.
class TypeGuessPropertyTest {

  private static final List<SpellingStyle> STYLES =
      List.of(
          SpellingStyle.ISO,
          new SpellingStyle("yyyymmdd", null, null, null),
          new SpellingStyle(null, "hhmmss", "yyyymmddhhmmss", null),
          new SpellingStyle("dd.mm.yyyy", null, "dd.mm.yyyy hh:mm", null));

  @Property(tries = 20_000)
  void everySampledFieldFitsTheGuess(
      @ForAll("columns") List<String> column, @ForAll("styles") SpellingStyle style) {
    TypeGuess guess = new TypeGuess(style);
    for (String field : column) {
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      guess.see(bytes, 0, bytes.length);
    }
    Type type = guess.type();
    ValueParser parser = Spelling.parser(type, style);
    GuessCheck check = GuessCheck.of(type, style);
    for (String field : column) {
      byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
      Vector into = Vector.of(type, 1);
      assertThat(GuessCheck.parse(parser, check, bytes, 0, bytes.length, into, 0))
          .as("'" + field + "' as " + type.label() + " in " + column)
          .isTrue();
    }
  }

  @Provide
  Arbitrary<SpellingStyle> styles() {
    return Arbitraries.of(STYLES);
  }

  /// Columns of one kind of field, or of two.
  @Provide
  Arbitrary<List<String>> columns() {
    Arbitrary<Arbitrary<String>> kinds =
        Arbitraries.of(List.of(dates(), moments(), times(), numbers(), words(), noise()));
    return kinds
        .list()
        .ofMinSize(1)
        .ofMaxSize(2)
        .flatMap(some -> Arbitraries.oneOf(some).list().ofMinSize(1).ofMaxSize(6));
  }

  private static Arbitrary<String> dates() {
    return Arbitraries.of(
        "2024-01-01",
        "0009-12-31",
        "12024-02-29",
        "-0044-03-15",
        "20240229",
        "28.02.2024",
        "infinity");
  }

  private static Arbitrary<String> moments() {
    return Arbitraries.of(
        "2024-01-01 00:00:00",
        "2024-01-01T00:00:00",
        "2024-01-01 00:00",
        "12024-02-29 00:00:00.000",
        "2024-01-01 00:00:00Z",
        "2024-01-01 00:00:00+09:00",
        "2024-01-01 12:34:56.789",
        "2024-01-01 24:00:00",
        "20240229123456",
        "28.02.2024 00:00",
        "-infinity");
  }

  private static Arbitrary<String> times() {
    return Arbitraries.of("00:00:00", "12:34:56", "12:34", "24:00:00", "123456", "12:34:56.789");
  }

  private static Arbitrary<String> numbers() {
    Arbitrary<String> digits = Arbitraries.strings().withChars("0123456789").ofMaxLength(22);
    Arbitrary<String> plain =
        Arbitraries.strings().withChars("0123456789.-+eE").ofMinLength(1).ofMaxLength(8);
    Arbitrary<String> fixed =
        digits.flatMap(whole ->
            digits.flatMap(part -> Arbitraries.of(whole, "-" + whole, whole + "." + part)));
    return Arbitraries.oneOf(
        fixed, plain, Arbitraries.of("-0", "0", "NaN", "inf", "1e3", "-0.00", "007", "1.50", ".5"));
  }

  private static Arbitrary<String> words() {
    return Arbitraries.of(
        "true", "FALSE", "t", "F", "c0de0000-1111-2222-3333-444455556666", "{\"a\": 1}", "[]");
  }

  private static Arbitrary<String> noise() {
    return Arbitraries.strings().withChars("0129-:. TZ+aef{}").ofMaxLength(20);
  }
}
