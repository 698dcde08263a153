package millrace.connectors.postgres.codec;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.data.Form;
import org.jspecify.annotations.Nullable;

/// The forms that COPY speaks, and what they cost.
///
/// Costs are nanoseconds of CPU per byte of text, the server's share included, as measured with
/// rows of shape unload on one machine; only their proportions matter.
public final class PostgresForms {

  public static final String BINARY = "postgresql-binary";
  public static final String TEXT = "postgresql-text";
  public static final String CSV = "csv";

  public static final double READ_BINARY = 7.5;
  public static final double READ_COLUMNS = 8.2;
  public static final double READ_TEXT = 8.6;
  public static final double READ_CSV = 9.5;
  static final double WRITE_BINARY = 10.5;
  static final double WRITE_COLUMNS = 11.5;
  static final double WRITE_TEXT = 13.5;
  static final double WRITE_CSV = 14.5;

  /// Columns of which some have no binary form that we know.
  static final double WRITE_COLUMNS_AS_TEXT = 16;

  /// The dialects that COPY csv speaks, as the file connector spells them: everything of one byte.
  private static final Pattern CSV_DIALECT =
      Pattern.compile(
          "delimiter=(?<delimiter>.);quote=(?<quote>.);escape=(?<escape>.);null=(?<null>.*?)"
              + ";newline=LF;header=false;charset=UTF-8",
          Pattern.DOTALL);

  private static final String NEVER_A_DELIMITER = "\\.abcdefghijklmnopqrstuvwxyz0123456789\r\n";

  private PostgresForms() {}

  /// The options of a COPY for CSV of that dialect, or null if it can't speak it.
  public static @Nullable String csvOptions(Form form) {
    Matcher dialect = CSV_DIALECT.matcher(form.signature());
    if (!form.name().equals(CSV) || !dialect.matches()) {
      return null;
    }
    String delimiter = dialect.group("delimiter");
    String quote = dialect.group("quote");
    String escape = dialect.group("escape");
    String nulls = dialect.group("null");
    boolean oneByteEach = (delimiter + quote + escape).chars().allMatch(c -> c > 0 && c < 128);
    boolean allowed =
        oneByteEach
            && !NEVER_A_DELIMITER.contains(delimiter)
            && !delimiter.equals(quote)
            && !nulls.contains(delimiter)
            && !nulls.contains(quote)
            && nulls.chars().allMatch(c -> c >= ' ' && c != '\\');
    if (!allowed || quote.matches("[\r\n]") || escape.matches("[\r\n]")) {
      return null;
    }
    return "FORMAT csv, DELIMITER %s, QUOTE %s, ESCAPE %s, NULL %s"
        .formatted(
            PostgresSql.text(delimiter),
            PostgresSql.text(quote),
            PostgresSql.text(escape),
            PostgresSql.text(nulls));
  }

  /// The bytes that decide where a row of CSV ends.
  record CsvMarks(byte quote, byte escape) {}

  /// Those of a dialect that COPY csv speaks; null for any other.
  static @Nullable CsvMarks csvMarks(Form form) {
    Matcher dialect = CSV_DIALECT.matcher(form.signature());
    return csvOptions(form) == null || !dialect.matches()
        ? null
        : new CsvMarks(
            (byte) dialect.group("quote").charAt(0), (byte) dialect.group("escape").charAt(0));
  }

  /// The signature of rows in COPY's text form: what tells the types apart, in column order.
  public static String textSignature(List<PostgresType> types) {
    return types.stream()
        .map(type -> type.identity().replace("\\", "\\\\").replace(";", "\\;"))
        .collect(Collectors.joining(";"));
  }

  /// What COPY FROM costs in a form, or -1 if the target can't take it.
  ///
  /// Frames carry every column as it is, so that none may be left out or added.
  public static double costOfWriting(Form form, LoadPlan plan, InsertMethod method) {
    List<PostgresType> types = plan.slots().stream().map(LoadColumn::type).toList();
    if (form.equals(Form.COLUMNS)) {
      return method == InsertMethod.NATIVE && BinaryEncoder.speaks(plan.slots())
          ? WRITE_COLUMNS
          : WRITE_COLUMNS_AS_TEXT;
    }
    if (method != InsertMethod.NATIVE) {
      return -1;
    }
    if (!plan.placeColumns().isEmpty()) {
      return -1;
    }
    return switch (form.name()) {
      case BINARY -> takesBinary(types, form.signature()) ? WRITE_BINARY : -1;
      case TEXT -> form.signature().equals(textSignature(types)) ? WRITE_TEXT : -1;
      default -> csvOptions(form) != null && isAllText(types) ? WRITE_CSV : -1;
    };
  }

  private static boolean takesBinary(List<PostgresType> types, String signature) {
    List<String> wires = PostgresTypes.wires(signature);
    if (wires.size() != types.size()) {
      return false;
    }
    for (int i = 0; i < wires.size(); i++) {
      if (!types.get(i).takesWire(wires.get(i))) {
        return false;
      }
    }
    return true;
  }

  /// Only text means the same to the server as to us; it would take `yesterday` for a date.
  private static boolean isAllText(List<PostgresType> types) {
    return types.stream().allMatch(type -> type.wire().equals("text"));
  }
}
