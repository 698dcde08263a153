package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.TypeSamples;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a value on its way into a column of another type that exists already: it is the
/// same there, or it is refused. Nothing is rounded, cut, padded, shifted or wrapped around.
public interface ExistingTypesSuite extends Suite {

  Job.RejectPolicy ALL_MAY_BE_REFUSED = new Job.RejectPolicy(Long.MAX_VALUE, null);

  Pattern TRIED = Pattern.compile("(?i)tried_(\\d+)");

  /// How the engine names each column that it can't convert.
  Pattern NOT_CONVERTED = Pattern.compile("(?i)column \"tried_(\\d+)\" is ");

  int RANDOM_VALUES = 5;

  int LENGTH = 7;

  @ParameterizedTest
  @MethodSource("types")
  default void aValueIsTheSameInAColumnOfAnotherTypeOrIsRefused(Type existing) {
    needs(Behaviour.EXISTING_COLUMNS);
    needs(existing);
    // A column for each incoming type; a row for each value, with nothing in its other columns.
    List<Type> incoming = TypeSamples.types();
    Endpoint table = table("existing_type");
    write(columns(Collections.nCopies(incoming.size(), existing)), List.of(), table);
    List<Sent> sent = new ArrayList<>();
    for (int column = 0; column < incoming.size(); column++) {
      for (Object value : samples(incoming.get(column))) {
        if (value.equals("") && !can(Behaviour.EMPTY_TEXT)) {
          continue;
        }
        sent.add(new Sent(column, incoming.get(column), value));
      }
    }
    append(incoming, sent, table);
    Schema there = described(table);
    List<String> changed = new ArrayList<>();
    for (Row row : read(there, table)) {
      Sent before = sent.get(Integer.parseInt(String.valueOf(row.value(0))));
      int column = before.column() + 1;
      Object arrived = row.value(column);
      boolean byValue = existing instanceof Type.Json && !can(Behaviour.JSON_TEXT);
      if (!before.isSame(there.column(column).type(), arrived)
          && !(byValue && JsonByValue.isSame(before.value(), arrived))) {
        changed.add(before + " became " + arrived);
      }
    }
    assertThat(changed).as("in a column of " + existing.label()).isEmpty();
  }

  /// A document is checked whoever takes it, in columns of JSON that exist and in those that are
  /// made.
  @Test
  default void textThatIsNoDocumentIsABadRecordInAColumnOfJson() {
    Endpoint table = table("existing_json");
    needs(Behaviour.EXISTING_COLUMNS);
    needs(new Type.Json());
    write(columns(List.of(new Type.Json())), List.of(), table);
    needs(described(table).column(1).type() instanceof Type.Json, "a type of JSON");
    List<String> bad =
        List.of(
            "{\"a\":}",
            "not json",
            "NaN",
            "[NaN]",
            "{\"a\":1",
            "{\"a\":1} x",
            "01",
            "1.",
            "[1,]",
            " ");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < bad.size(); i++) {
      rows.add(Row.of(2 * i, "{\"n\": " + i + "}"));
      rows.add(Row.of(2 * i + 1, bad.get(i)));
    }
    Schema texts = columns(List.of(Type.Text.UNLIMITED));
    into(texts, rows, table).mode(Mode.APPEND).rejects(ALL_MAY_BE_REFUSED).run();
    assertThat(read(described(table), table))
        .extracting(row -> ((Number) Objects.requireNonNull(row.value(0))).intValue())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, bad.size()).map(i -> 2 * i).boxed().toList());
  }

  /// All of them are kept, or the report counts the document, or it is a bad record.
  @Test
  default void membersOfOneNameAreNotLostInSilence() {
    needs(Behaviour.EXISTING_COLUMNS);
    needs(new Type.Json());
    Endpoint table = table("repeated_members");
    Schema schema = columns(List.of(new Type.Json()));
    List<Row> rows = List.of(Row.of(0, "{\"a\": 1, \"b\": {\"c\": 2, \"\\u0063\": 3}}"));
    write(schema, List.of(), table);
    Ran run = into(schema, rows, table).mode(Mode.APPEND).rejects(ALL_MAY_BE_REFUSED).run();
    List<Row> found = read(schema, table);
    if (run.meter().rejects() > 0) {
      assertThat(found).isEmpty();
    } else if (run.meter().lostMembers().sum() > 0) {
      assertThat(found).hasSize(1);
      assertThat(run.notes()).anyMatch(note -> note.contains("two members of one name"));
    } else {
      RowCheck.sameRows(schema, rows, found);
    }
  }

  /// Rows of a text that fills its column, of one that is a letter longer or a space longer, of one
  /// with spaces up to the limit and beyond it, and of none.
  private static List<Row> lengths(Type.Text type) {
    String wave = "\uD83C\uDF0A";
    int most = type.lengthMax() == 0 ? LENGTH : type.lengthMax();
    int size =
        switch (type.unit()) {
          case CHARACTERS -> 1;
          case UTF16 -> 2;
          case BYTES -> 4;
        };
    String full = wave.repeat(most / size) + "x".repeat(most % size);
    return List.of(
        Row.of(0, full),
        Row.of(1, full + "y"),
        Row.of(2, full + " "),
        Row.of(3, "z" + " ".repeat(most - 1)),
        Row.of(4, "z" + " ".repeat(most)),
        Row.of(5, null));
  }

  @Test
  default void aTextThatIsTooLongForItsColumnIsSetAsideAloneWithItsLength(@TempDir Path folder)
      throws IOException {
    needs(Behaviour.EXISTING_COLUMNS);
    Endpoint table = table("text_length");
    write(columns(List.of(new Type.Text(LENGTH))), List.of(), table);
    Schema there = described(table);
    Type.Text type = (Type.Text) there.column(1).type();
    Schema texts = columns(List.of(Type.Text.UNLIMITED));
    List<Row> rows = lengths(type);
    Path file = folder.resolve("bad.csv");
    into(texts, rows, table).mode(Mode.APPEND).rejects(new Job.RejectPolicy(3, file)).run();
    List<Integer> kept = type.lengthMax() == 0 ? List.of(0, 1, 2, 3, 4, 5) : List.of(0, 3, 5);
    RowCheck.sameRows(texts, kept.stream().map(rows::get).toList(), read(texts, table));
    if (type.lengthMax() > 0) {
      int length = type.lengthMax() + 1;
      assertThat(Files.readAllLines(Job.RejectPolicy.reasons(file)))
          .hasSize(3)
          .allMatch(line -> line.contains("\"tried_0\""))
          .allMatch(line -> line.contains(type.label() + ": it has " + length + " "));
    }
  }

  private static Schema columns(List<Type> types) {
    List<Column> columns = new ArrayList<>(List.of(Column.of("id", new Type.Int(64))));
    for (int i = 0; i < types.size(); i++) {
      columns.add(Column.of("tried_" + i, types.get(i)));
    }
    return Schema.of(columns);
  }

  /// Adds what the columns take of the values; a column that is refused as a whole is left out.
  private void append(List<Type> incoming, List<Sent> sent, Endpoint table) {
    Schema all = columns(incoming);
    Set<Integer> refused = new TreeSet<>();
    while (refused.size() < incoming.size()) {
      List<Integer> left =
          IntStream.range(0, all.width()).filter(i -> !refused.contains(i - 1)).boxed().toList();
      List<Row> rows = new ArrayList<>();
      for (int id = 0; id < sent.size(); id++) {
        @Nullable Object[] values = new @Nullable Object[all.width()];
        values[0] = (long) id;
        values[sent.get(id).column() + 1] = sent.get(id).value();
        if (!refused.contains(sent.get(id).column())) {
          rows.add(Row.of(values).pick(left));
        }
      }
      Schema schema = Schema.of(left.stream().map(all::column).toList());
      try {
        into(schema, rows, table).mode(Mode.APPEND).rejects(ALL_MAY_BE_REFUSED).run();
        return;
      } catch (Fault.User fault) {
        assertThat(refused.addAll(refusedBy(fault))).as(fault.toString()).isTrue();
      }
    }
  }

  /// All columns that the engine refuses at once, or the first that anything else names.
  private static Set<Integer> refusedBy(Fault fault) {
    String said = String.valueOf(fault.getMessage());
    Set<Integer> columns = new TreeSet<>();
    NOT_CONVERTED
        .matcher(said)
        .results()
        .forEach(each -> columns.add(Integer.valueOf(each.group(1))));
    if (columns.isEmpty()) {
      Matcher named = TRIED.matcher(said);
      assertThat(named.find()).as(fault.toString()).isTrue();
      columns.add(Integer.valueOf(named.group(1)));
    }
    return columns;
  }

  private static List<Object> samples(Type type) {
    List<Object> values = new ArrayList<>(TypeSamples.edges(type));
    if (type instanceof Type.Text) {
      values.addAll(List.of("1", "-0.5", "1e3", "007", "true", "2024-02-29", "12:34:56.7"));
      values.addAll(List.of("16777217", "9007199254740993", "-9007199254740993.0", "1e23"));
    }
    Random random = new Random(11);
    for (int i = 0; i < RANDOM_VALUES; i++) {
      values.add(TypeSamples.random(type, random));
    }
    return values;
  }

  /// A value as it was sent, for that column.
  record Sent(int column, Type type, Object value) {

    /// Whether it means the same as a value that arrived.
    boolean isSame(Type existing, @Nullable Object arrived) {
      boolean wasFloat = value instanceof Double;
      if (wasFloat && arrived instanceof Double) {
        return value.equals(arrived);
      }
      if (arrived instanceof Double number) {
        return isNumber(existing, number, meanings(type, value));
      }
      return value instanceof Double number
          ? isNumber(type, number, meanings(existing, arrived))
          : !Collections.disjoint(meanings(type, value), meanings(existing, arrived));
    }

    /// Whether a spelling makes that float, to its last bit.
    private static boolean isNumber(Type type, double number, Set<String> spellings) {
      return spellings.stream()
          .map(spelling -> spelling.replaceFirst("(?i)^(-?)inf(inity)?$", "$1Infinity"))
          .filter(spelling -> spelling.matches("-?(\\d.*|NaN|Infinity)"))
          .anyMatch(spelling ->
              isHeld(spelling, number)
                  && (type.equals(new Type.Float(32))
                      ? Float.compare(Float.parseFloat(spelling), (float) number) == 0
                      : Double.compare(Double.parseDouble(spelling), number) == 0));
    }

    /// Whether a whole number is that float, or its fewest digits.
    private static boolean isHeld(String spelling, double number) {
      if (!Double.isFinite(number) || !spelling.matches("-?\\d+(\\.0*)?")) {
        return true;
      }
      BigDecimal whole = new BigDecimal(spelling);
      float single = (float) number;
      return Stream.of(
              new BigDecimal(number),
              new BigDecimal(Double.toString(number)),
              new BigDecimal(Float.isFinite(single) ? Float.toString(single) : "0"))
          .anyMatch(kept -> kept.compareTo(whole) == 0);
    }
  }

  /// What a value may mean, in words that are the same whatever type holds it: numbers without
  /// zeros at their end, a midnight as a date and a time, the rest as text.
  private static Set<String> meanings(Type type, @Nullable Object value) {
    String text =
        value instanceof String string ? string : RowCheck.shown(Column.of("tried", type), value);
    return switch (type) {
      case Type.Bool _, Type.Numeric _ -> Set.of(number(text));
      case Type.Date _ -> Set.of(text + " 00:00:00");
      case Type.Time _, Type.Timestamp _ -> Set.of(withoutZeros(text));
      case Type.Text _, Type.Json _ -> new HashSet<>(List.of(text, ofText(text)));
      case Type.Uuid _, Type.Opaque _ -> Set.of(text);
      case Type.Bytes _ -> Set.of(text, "\\x" + text);
    };
  }

  private static String number(String text) {
    return switch (text) {
      case "true" -> "1";
      case "false" -> "0";
      case "-0", "-0.0" -> "-0";
      default -> {
        try {
          yield new BigDecimal(text).stripTrailingZeros().toPlainString();
        } catch (NumberFormatException _) {
          yield text.toLowerCase(Locale.ROOT);
        }
      }
    };
  }

  /// Text means what it spells, if it spells a number, a date or a time.
  private static String ofText(String text) {
    if (text.matches("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?|true|false")) {
      return number(text);
    }
    if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
      return text + " 00:00:00";
    }
    return text.matches("(\\d{4,6}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([-+]\\d\\d|Z)?")
        ? withoutZeros(text.replaceFirst("(\\+00|Z)$", ""))
        : text.replaceFirst(
            "^(\\p{XDigit}{8})-(\\p{XDigit}{4})-(\\p{XDigit}{4})-(\\p{XDigit}{4})-(\\p{XDigit}{12})$",
            "$1$2$3$4$5");
  }

  private static String withoutZeros(String text) {
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
