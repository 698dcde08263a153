package millrace.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.engine.Rows;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Whatever stands in a `--where`, its rows are those of SQL's three-valued logic, or it is
/// refused.
class FilterFuzzTest {

  private static final List<String> NAMES = List.of("id", "name", "active");
  private static final List<Type> TYPES =
      List.of(new Type.Int(64), Type.Text.UNLIMITED, new Type.Bool());

  private static final List<@Nullable Long> IDS =
      Arrays.asList(1L, -2L, null, 7L, Long.MAX_VALUE, 0L);
  private static final List<@Nullable String> TEXTS =
      Arrays.asList("a", "", "b%ä", null, "ä\\_b", "aab");
  private static final List<@Nullable Boolean> TRUTHS =
      Arrays.asList(true, false, null, true, null, false);

  private static final Columns BATCH = batch();

  private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");
  private static final List<Long> NUMBERS = List.of(1L, -2L, 0L, 6L, Long.MAX_VALUE);
  private static final String LETTERS = "ab%_\\ä'";
  private static final int DEPTH_MAX = 4;

  private static Columns batch() {
    List<String> rows =
        java.util.stream.IntStream.range(0, IDS.size())
            .mapToObj(
                row -> word(IDS.get(row)) + "|" + word(TEXTS.get(row)) + "|" + TRUTHS.get(row))
            .map(row -> row.replace("|null", "|NULL"))
            .toList();
    return Rows.of(NAMES, TYPES, rows);
  }

  private static String word(@Nullable Object value) {
    return value == null ? "NULL" : value.toString();
  }

  /// A condition and its opposite: no row has both, and unknown stays unknown.
  @FuzzTest
  void aConditionAndItsOppositeShareTheRowsOrItIsRefused(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    Condition condition;
    try {
      condition = FilterCompiler.compile(text, BATCH.schema());
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageStartingWith("--where \"");
      assertThat(fault.advice()).isNotBlank();
      return;
    }
    Condition opposite = FilterCompiler.compile("NOT (" + text + "\n)", BATCH.schema());
    Condition both = FilterCompiler.compile("(" + text + "\n) AND active", BATCH.schema());
    for (int row = 0; row < BATCH.rows(); row++) {
      int truth = condition.test(BATCH, row);
      assertThat(truth).isBetween(Condition.FALSE, Condition.TRUE);
      assertThat(opposite.test(BATCH, row)).as("row %d", row).isEqualTo(-truth);
      Boolean active = TRUTHS.get(row);
      int other = active == null ? 0 : active ? 1 : -1;
      assertThat(both.test(BATCH, row)).as("row %d", row).isEqualTo(Math.min(truth, other));
    }
  }

  /// A condition that the bytes describe, and what it is for a row by plain rules.
  private record Made(String sql, boolean isBare, IntUnaryOperator truth) {

    String within() {
      return isBare ? sql : "(" + sql + ")";
    }
  }

  /// Makes conditions of bytes, as long as there are any.
  private static final class Maker {

    private final byte[] data;
    private int at;

    Maker(byte[] data) {
      this.data = data;
    }

    private int next(int end) {
      return at < data.length ? (data[at++] & 0xFF) % end : 0;
    }

    Made condition(int depth) {
      return switch (next(depth < DEPTH_MAX ? 9 : 6)) {
        case 0 -> ofNumbers();
        case 1 -> ofTexts();
        case 2 -> isNull();
        case 3 -> new Made("active", true, row -> truth(TRUTHS.get(row)));
        case 4 -> among();
        case 5 -> like();
        case 6 -> {
          Made inner = condition(depth + 1);
          yield new Made("NOT " + inner.within(), true, row -> -inner.truth.applyAsInt(row));
        }
        case 7 -> joined(depth, "AND", true);
        default -> joined(depth, "OR", false);
      };
    }

    private Made joined(int depth, String word, boolean least) {
      Made one = condition(depth + 1);
      Made two = condition(depth + 1);
      return new Made(
          one.within() + " " + word + " " + two.within(),
          false,
          row -> {
            int first = one.truth.applyAsInt(row);
            int second = two.truth.applyAsInt(row);
            return least ? Math.min(first, second) : Math.max(first, second);
          });
    }

    private Made ofNumbers() {
      long number = NUMBERS.get(next(NUMBERS.size()));
      String operator = OPERATORS.get(next(OPERATORS.size()));
      boolean flipped = next(2) == 1;
      return new Made(
          flipped ? number + " " + operator + " id" : "id " + operator + " " + number,
          true,
          row -> {
            Long id = IDS.get(row);
            return id == null ? 0 : holds((flipped ? -1 : 1) * Long.compare(id, number), operator);
          });
    }

    private Made ofTexts() {
      String operator = OPERATORS.get(next(OPERATORS.size()));
      String text = text();
      return new Made(
          "name " + operator + " " + quoted(text), true, row -> compared(row, text, operator));
    }

    private Made isNull() {
      int column = next(3);
      boolean not = next(2) == 1;
      List<? extends @Nullable Object> values = List.of(IDS, TEXTS, TRUTHS).get(column);
      return new Made(
          NAMES.get(column) + (not ? " IS NOT NULL" : " IS NULL"),
          true,
          row -> (values.get(row) == null) != not ? 1 : -1);
    }

    private Made among() {
      boolean not = next(2) == 1;
      if (next(2) == 1) {
        String least = text();
        String most = text();
        return new Made(
            "name " + (not ? "NOT " : "") + "BETWEEN " + quoted(least) + " AND " + quoted(most),
            true,
            row ->
                (not ? -1 : 1) * Math.min(compared(row, least, ">="), compared(row, most, "<=")));
      }
      int count = 1 + next(3);
      List<Long> numbers =
          java.util.stream.Stream.generate(() -> NUMBERS.get(next(NUMBERS.size())))
              .limit(count)
              .toList();
      String list = numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
      return new Made(
          "id " + (not ? "NOT " : "") + "IN (" + list + ")",
          true,
          row -> {
            Long id = IDS.get(row);
            return id == null ? 0 : numbers.contains(id) == not ? -1 : 1;
          });
    }

    private Made like() {
      boolean not = next(2) == 1;
      String pattern = text();
      Pattern regex = Pattern.compile(regex(pattern), Pattern.DOTALL);
      return new Made(
          "name " + (not ? "NOT " : "") + "LIKE " + quoted(pattern),
          true,
          row -> {
            String name = TEXTS.get(row);
            return name == null ? 0 : regex.matcher(name).matches() == not ? -1 : 1;
          });
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      for (int left = next(5); left > 0; left--) {
        text.append(LETTERS.charAt(next(LETTERS.length())));
      }
      // The parser takes a quote behind a backslash for one in the text, and SQL does not.
      String made = text.toString();
      return made.indexOf('\\') < 0 ? made : made.replace("'", "").replaceFirst("\\\\+$", "");
    }
  }

  private static String regex(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      if (letter == '\\' && i + 1 < pattern.length()) {
        i++;
        regex.append(Pattern.quote(pattern.substring(i, i + 1)));
      } else {
        regex.append(
            letter == '%' ? ".*" : letter == '_' ? "." : Pattern.quote(Character.toString(letter)));
      }
    }
    return regex.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static int truth(@Nullable Boolean value) {
    return value == null ? 0 : value ? 1 : -1;
  }

  private static int compared(int row, String text, String operator) {
    String name = TEXTS.get(row);
    return name == null
        ? 0
        : holds(
            Arrays.compareUnsigned(
                name.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8)),
            operator);
  }

  private static int holds(int order, String operator) {
    boolean holds =
        switch (operator) {
          case "=" -> order == 0;
          case "<>" -> order != 0;
          case "<" -> order < 0;
          case "<=" -> order <= 0;
          case ">" -> order > 0;
          default -> order >= 0;
        };
    return holds ? 1 : -1;
  }

  @FuzzTest
  void rowsAreThoseOfPlainRules(byte[] data) {
    Made made = new Maker(data).condition(0);
    Condition condition = FilterCompiler.compile(made.sql(), BATCH.schema());
    for (int row = 0; row < BATCH.rows(); row++) {
      assertThat(condition.test(BATCH, row))
          .as("row %d: %s", row, made.sql())
          .isEqualTo(made.truth().applyAsInt(row));
    }
  }
}
