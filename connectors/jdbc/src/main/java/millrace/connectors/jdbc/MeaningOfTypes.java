package millrace.connectors.jdbc;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.JavaTimes;
import millrace.connectors.sql.types.Lobs;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.CellOf;
import millrace.connectors.sql.types.TypeTable.Meaning;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.Type;
import millrace.data.Type.Text.Unit;

/// The words of a {@link DialectFile} for types, as rows of a type table. Pure.
///
/// | words | a column of |
/// |---|---|
/// | `bool`, `int16`, `int32`, `int64`, `float32`, `float64` | those; whole numbers may have bounds: `int16 0 255` |
/// | `decimal`, `decimal 19 4` | the declaration's numbers, or fixed ones |
/// | `date`, `time`, `timestamp`, `timestamptz` | text as ISO 8601 has it; behind it digits of the seconds, or `java` for objects of java.time, of which `gregorian` takes none before 1582-10-15 |
/// | `uuid`, `json`, `text`, `clob`, `bytes`, `blob` | `bytes exactly` are filled up if they are too few |
final class MeaningOfTypes {

  /// Texts that may be this long are without a limit to users, unless the file has another number.
  private static final int UNLIMITED_FROM = 1_000_000;

  /// Stands for a declaration that the file does not know.
  static final String UNKNOWN = "unknown";

  private final DialectFile file;
  private final Unit unit;

  MeaningOfTypes(DialectFile file) {
    this.file = file;
    unit =
        switch (file.text("text.unit")) {
          case "utf16" -> Unit.UTF16;
          case "characters" -> Unit.CHARACTERS;
          default -> Unit.BYTES;
        };
  }

  /// The table; its last row takes what the file does not know.
  ///
  /// @param system what columns carry as the name of their declarations' system
  TypeTable table(String system) {
    List<Row> rows = new ArrayList<>();
    file.reads().forEach(read -> rows.add(row(read.pattern(), read.meaning())));
    rows.add(row(".*", List.of(UNKNOWN)));
    return new TypeTable(system, rows, this::declaration);
  }

  private Row row(String pattern, List<String> words) {
    String word = words.getFirst();
    int first = number(words, 1);
    int second = number(words, 2);
    boolean inJava = words.contains("java");
    return switch (word) {
      case "bool" -> Row.of(pattern, new Type.Bool(), Cells.BOOLEAN);
      case "int16", "int32", "int64" ->
          Row.of(
              pattern, new Type.Int(bits(word)), words.size() > 1 ? bounded(words) : Cells.INTEGER);
      case "float32", "float64" -> Row.of(pattern, new Type.Float(bits(word)), Cells.REAL);
      case "decimal" ->
          Row.of(
              pattern,
              first < 0 ? Type.Decimal::new : (_, _) -> new Type.Decimal(first, second),
              Cells.DECIMAL);
      case "date" -> Row.of(pattern, new Type.Date(), time(inJava));
      case "time" -> timed(pattern, new Type.Time(), words);
      case "timestamp" -> timed(pattern, new Type.Timestamp(false), words);
      case "timestamptz" -> timed(pattern, new Type.Timestamp(true), words);
      case "uuid" -> Row.of(pattern, new Type.Uuid(), Cells.SPELLED);
      case "json" -> Row.of(pattern, new Type.Json(), Cells.documents(Cells.TEXT));
      case "text" -> Row.of(pattern, (length, _) -> text(length), Cells.TEXT);
      case "clob" -> Row.of(pattern, Type.Text.UNLIMITED, Lobs.TEXT);
      case "blob" -> Row.of(pattern, new Type.Bytes(), Lobs.BYTES);
      case "bytes" -> {
        boolean exactly = words.contains("exactly");
        CellOf cell =
            (length, _) ->
                length <= 0 ? Cells.BYTES : Cells.BYTES.checked(Cells.bytes(length, exactly));
        Meaning bytes = (_, _) -> new Type.Bytes();
        yield Row.of(pattern, bytes, cell);
      }
      case UNKNOWN -> Row.of(pattern, new Type.Opaque(), Cells.TEXT);
      default -> throw new IllegalArgumentException(file.name() + ": no type is called " + word);
    };
  }

  private static Cell bounded(List<String> words) {
    return Cells.INTEGER.checked(
        Cells.between(Long.parseLong(words.get(1)), Long.parseLong(words.get(2))));
  }

  private static int bits(String word) {
    return Integer.parseInt(word.replaceAll("\\D", ""));
  }

  private static int number(List<String> words, int at) {
    return words.size() > at && words.get(at).matches("\\d{1,9}")
        ? Integer.parseInt(words.get(at))
        : -1;
  }

  private static Cell time(boolean inJava) {
    return inJava ? JavaTimes.CELL : Cells.CALENDAR;
  }

  /// A number among the words says how many digits the seconds have if the declaration does not.
  private static Row timed(String pattern, Type type, List<String> words) {
    int digits = number(words, 1);
    boolean inJava = words.contains("java");
    boolean gregorian = words.contains("gregorian");
    CellOf cell =
        (declared, _) ->
            time(inJava)
                .checked(Cells.fraction(declared < 0 || digits == 0 ? digits : declared))
                .checked(gregorian ? JavaTimes::beforeGregorian : (_, _) -> null);
    Meaning meaning = (_, _) -> type;
    return Row.of(pattern, meaning, cell);
  }

  private Type text(int length) {
    return length <= 0 || length >= file.number("text.unlimited", UNLIMITED_FROM)
        ? Type.Text.UNLIMITED
        : new Type.Text(length, unit);
  }

  /// The declaration of a new column; empty if the database has no such type.
  private String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> file.text("make.bool");
      case Type.Int(int bits) -> file.text("make.int" + bits);
      case Type.Float(int bits) -> file.text("make.float" + bits);
      case Type.Decimal(int precision, int scale) ->
          precision > 0
                  && precision <= file.number("decimal.max", 0)
                  && scale >= 0
                  && scale <= precision
              ? file.text("make.decimal").formatted(precision, scale)
              : file.text("make.text");
      case Type.Date _ -> file.text("make.date");
      case Type.Time _ -> file.text("make.time");
      case Type.Timestamp(boolean zoned) ->
          file.text(zoned ? "make.timestamptz" : "make.timestamp");
      case Type.Uuid _ -> file.values().getOrDefault("make.uuid", varchar(36, Unit.CHARACTERS));
      case Type.Bytes _ -> file.text("make.bytes");
      case Type.Text(int most, Unit in) -> most == 0 ? file.text("make.text") : varchar(most, in);
      case Type.Json _, Type.Opaque _ -> file.text("make.text");
    };
  }

  /// With room for all texts of that length, in whatever the database counts.
  private String varchar(int most, Unit in) {
    long room =
        switch (unit) {
          case UTF16 -> in == Unit.CHARACTERS ? 2L * most : most;
          case CHARACTERS -> most;
          case BYTES -> in == Unit.CHARACTERS ? 4L * most : in == Unit.UTF16 ? 3L * most : most;
        };
    return room > file.number("varchar.max", 0)
        ? file.text("make.text")
        : file.text("make.varchar").formatted(room);
  }
}
