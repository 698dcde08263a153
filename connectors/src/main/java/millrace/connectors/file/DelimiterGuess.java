package millrace.connectors.file;

import java.util.List;
import java.util.Optional;
import millrace.fault.Fault;

/// Finds out what stands between the fields of a file, by the first records of its sample.
///
/// A delimiter fits if the first record has at least two fields by it and nearly all other records
/// have as many. The comma is asked first, since it is what a file has if nobody says otherwise. Of
/// a single record nobody can tell: it counts only if as many fields are expected as it has.
final class DelimiterGuess {

  /// In this order: of two that fit, the first is taken.
  static final List<String> USUAL = List.of(",", ";", "\t", "|");

  /// Of so many records one may have another number of fields.
  private static final int RECORDS_PER_MISFIT = 20;

  private DelimiterGuess() {}

  /// The usual delimiter that fits best; empty if none does.
  ///
  /// @param said the dialect as the user says it; its own delimiter counts like any other
  /// @param expected how many fields a record should have; 0 if nobody knows
  static Optional<String> of(InputFile file, CsvDialect said, int expected, int fieldBytesMax) {
    return USUAL.stream()
        .filter(each -> fits(file, said, each, expected, fieldBytesMax))
        .findFirst();
  }

  /// How a delimiter is written behind `--delimiter`.
  static String spelled(String delimiter) {
    return delimiter.equals("\t") ? "tab" : "'" + delimiter + "'";
  }

  /// What to type for a delimiter of the source.
  static String advice(String delimiter) {
    String value = delimiter.equals("\t") ? "tab" : delimiter;
    return "Say --delimiter "
        + spelled(delimiter)
        + ", or ?delimiter="
        + value
        + " behind the source's own name.";
  }

  private static boolean fits(
      InputFile file, CsvDialect said, String delimiter, int expected, int fieldBytesMax) {
    List<Integer> widths;
    try {
      FileHead head = FileHead.ofSample(file, said.delimited(delimiter), fieldBytesMax);
      widths = head.widths(fieldBytesMax);
    } catch (Fault.User _) {
      // By this delimiter it can't be read at all.
      return false;
    }
    int width = widths.isEmpty() ? 0 : widths.getFirst();
    if (width < 2 || (widths.size() == 1 && width != expected)) {
      return false;
    }
    long others = widths.stream().filter(each -> each != width).count();
    return others <= widths.size() / RECORDS_PER_MISFIT;
  }
}
