package millrace.connectors.file.csv;

import java.util.List;
import java.util.Optional;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.InputFile;
import millrace.fault.Fault;

/// Finds out what stands between the fields of a file, by the first records of its sample.
///
/// A delimiter fits if the first record has at least two fields by it and nearly all other records
/// have as many. If several fit, the one goes first by which a record has as many fields as are
/// expected, then the comma, since it is what a file has if nobody says otherwise. Of a single
/// record nobody can tell: it counts only if as many fields are expected as it has.
public final class DelimiterGuess {

  /// In this order: of two that fit, the first is taken.
  public static final List<String> USUAL = List.of(",", ";", "\t", "|");

  /// Of so many records one may have another number of fields.
  private static final int RECORDS_PER_MISFIT = 20;

  private DelimiterGuess() {}

  /// The usual delimiter that fits best, its own counting like any other; empty if none does.
  ///
  /// @param given the dialect as the user says it
  /// @param expected how many fields a record should have; 0 if nobody knows
  public static Optional<String> of(
      InputFile file, CsvDialect given, int expected, int fieldBytesMax) {
    List<Fit> fits =
        USUAL.stream()
            .map(each -> new Fit(each, width(file, given, each, expected, fieldBytesMax)))
            .filter(each -> each.width() > 1)
            .toList();
    return fits.stream()
        .filter(each -> each.width() == expected)
        .findFirst()
        .or(() -> fits.stream().findFirst())
        .map(Fit::delimiter);
  }

  private record Fit(String delimiter, int width) {}

  /// How a delimiter is written behind `--delimiter`.
  public static String spelled(String delimiter) {
    return delimiter.equals("\t") ? "tab" : "'" + delimiter + "'";
  }

  /// What to type for a delimiter of the source.
  public static String advice(String delimiter) {
    String value = delimiter.equals("\t") ? "tab" : delimiter;
    return "Say --delimiter "
        + spelled(delimiter)
        + ", or ?delimiter="
        + value
        + " behind the source's own name.";
  }

  /// How many fields nearly all records have; 0 if they differ.
  private static int width(
      InputFile file, CsvDialect given, String delimiter, int expected, int fieldBytesMax) {
    List<Integer> widths;
    try {
      FileHead head = FileHead.ofSample(file, given.delimited(delimiter), fieldBytesMax);
      widths = head.widths(fieldBytesMax);
    } catch (Fault.User _) {
      // By this delimiter it can't be read at all.
      return 0;
    }
    int width = widths.isEmpty() ? 0 : widths.getFirst();
    long others = widths.stream().filter(each -> each != width).count();
    boolean alone = widths.size() == 1 && width != expected;
    return alone || others > widths.size() / RECORDS_PER_MISFIT ? 0 : width;
  }
}
