package millrace.connectors.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.connectors.file.FileHead.FirstRecord;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.DelimiterGuess;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Recognises first lines that are neither header nor record, and says which option leaves them
/// out: comments, and lines that other programs write before the header.
///
/// It speaks only if the records behind agree with each other, and none of them with the first
/// line: then each of them would be a bad record. Of fields in one column nobody can tell.
final class HeadAdvice {

  /// What comments begin with.
  private static final List<String> MARKS = List.of("#", "//", "--", "%", "!");

  /// Fewer records may agree by chance.
  private static final int RECORDS_MIN = 2;

  /// Behind lines that have fields too: they may be the records, and those behind them bad.
  private static final int RECORDS_BEHIND_FIELDS_MIN = 3;

  /// Of so many records one may have another number of fields.
  private static final int RECORDS_PER_MISFIT = 20;

  private static final int LINES_MAX = 200;

  /// If the file can be read as one column, fewer fields by another delimiter tell nothing.
  private static final int WIDTH_ELSE_MIN = 3;

  private final FileHead head;
  private final String delimiter;
  private final List<FirstRecord> records;

  private HeadAdvice(FileHead head, String delimiter, int fieldBytesMax) {
    this.head = head;
    this.delimiter = delimiter;
    records = head.firstRecords(fieldBytesMax);
  }

  /// What is to be said of a file, if something is.
  ///
  /// @param lead the file as it would be read
  static Optional<Fault.User> of(FileHead lead, InputSpec spec) {
    CsvDialect given = spec.dialect();
    if (lead.isEmpty() || given.framing().documents() || given.framing().lengthPrefix() > 0) {
      return Optional.empty();
    }
    List<String> delimiters =
        spec.delimiterIsFree() ? DelimiterGuess.USUAL : List.of(lead.dialect().delimiter());
    HeadAdvice asRead = of(lead, given, lead.dialect().delimiter(), spec.fieldBytesMax());
    boolean agrees = asRead != null && asRead.agrees();
    if (agrees && lead.width() > 1) {
      return Optional.empty();
    }
    Fault.User best = null;
    int most = agrees ? WIDTH_ELSE_MIN - 1 : 0;
    for (String delimiter : delimiters) {
      HeadAdvice advice = of(lead, given, delimiter, spec.fieldBytesMax());
      Fault.User fault = advice == null ? null : advice.fault();
      if (advice != null && fault != null && advice.settledWidth() > most) {
        most = advice.settledWidth();
        best = fault;
      }
    }
    return Optional.ofNullable(best);
  }

  /// Whether the first record begins with what comments begin with, and a blank. A header may begin
  /// so as well.
  static boolean isLikeComment(FileHead lead) {
    String first = lead.firstFields().getFirst();
    return MARKS.stream().anyMatch(mark -> first.startsWith(mark + " "));
  }

  private static @Nullable HeadAdvice of(
      FileHead lead, CsvDialect given, String delimiter, int fieldBytesMax) {
    try {
      FileHead head = FileHead.ofSample(lead.file(), given.delimited(delimiter), fieldBytesMax);
      return new HeadAdvice(head, delimiter, fieldBytesMax);
    } catch (Fault.User _) {
      // By this delimiter it can't be read at all.
      return null;
    }
  }

  private Fault.@Nullable User fault() {
    if (records.isEmpty()) {
      return null;
    }
    String mark = comment();
    if (mark != null) {
      return new Fault.User(
          name()
              + ", line "
              + records.getFirst().line()
              + " begins with '"
              + mark
              + "' as a comment does, and the other lines have "
              + fields(settledWidth())
              + ".",
          "If it is one, say --comment '" + mark + "'.");
    }
    int first = firstSettled();
    if (first <= 0 || first > LINES_MAX) {
      return null;
    }
    long line = records.get(first).line();
    return new Fault.User(
        name()
            + ": the fields begin on line "
            + line
            + ", with "
            + fields(settledWidth())
            + "; the lines before have fewer.",
        "If they are no records, say --skip-lines " + (line - 1) + ".");
  }

  /// Whether nearly all records have as many fields as the first.
  private boolean agrees() {
    return records.isEmpty()
        || misfits(records, records.getFirst().fields()) <= records.size() / RECORDS_PER_MISFIT;
  }

  private String name() {
    return head.file().name();
  }

  private String fields(int count) {
    return count + " fields by " + DelimiterGuess.spelled(delimiter);
  }

  /// What the first line begins with, if all other lines that do not begin so agree, and not with
  /// it.
  private @Nullable String comment() {
    FirstRecord first = records.getFirst();
    for (String mark : MARKS) {
      if (first.beginning().startsWith(mark)) {
        List<FirstRecord> others = new ArrayList<>(records);
        others.removeIf(record -> record.beginning().startsWith(mark));
        int width = settledWidth();
        boolean agree = others.size() >= RECORDS_MIN && misfits(others, width) == 0;
        return width > 1 && agree && first.fields() != width ? mark : null;
      }
    }
    return null;
  }

  /// How many fields most records have; of two numbers that are as frequent, the larger.
  private int settledWidth() {
    Map<Integer, Integer> counts = new HashMap<>();
    records.forEach(record -> counts.merge(record.fields(), 1, Integer::sum));
    return counts.entrySet().stream()
        .max(
            Map.Entry.<Integer, Integer>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(0);
  }

  private static long misfits(List<FirstRecord> records, int width) {
    return records.stream().filter(record -> record.fields() != width).count();
  }

  /// Which record is the first of those that agree, if those before have fewer fields; else -1.
  private int firstSettled() {
    int width = settledWidth();
    int first = 0;
    while (records.get(first).fields() != width) {
      if (records.get(first).fields() > width) {
        return -1;
      }
      first++;
    }
    List<FirstRecord> others = records.subList(first, records.size());
    boolean haveFields = records.subList(0, first).stream().allMatch(each -> each.fields() > 1);
    boolean agree =
        others.size() >= (haveFields ? RECORDS_BEHIND_FIELDS_MIN : RECORDS_MIN)
            && misfits(others, width) <= others.size() / RECORDS_PER_MISFIT;
    // A header may have fewer names than there are fields below it, which is another mistake.
    boolean isHeader = first == 1 && records.getFirst().fields() > 1;
    return width > 1 && agree && !isHeader ? first : -1;
  }
}
