package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// How a new table is cut into tablets, as `--partition-by` says.
///
/// The grammar: parts separated by `;`, each `hash(column, …) buckets` or `range(column) width from
/// start to end with hash(column, …) buckets`. The width is a number and a unit (minute, hour, day,
/// week, month, year; none for whole numbers). The last range may leave `to end` out, and any range
/// its own buckets.
///
/// @param hashes none or more
/// @param ranges none or more, of one column
record PartitionBy(List<Hash> hashes, List<Range> ranges) {

  private static final Pattern HASH =
      Pattern.compile("hash\\s*\\(([^)]*)\\)\\s*(\\d{1,6})", Pattern.CASE_INSENSITIVE);
  private static final Pattern RANGE =
      Pattern.compile(
          "range\\s*\\(([^)]*)\\)\\s*(\\d{1,18})\\s*([a-z]*)\\s+from\\s+(.+?)"
              + "(?:\\s+to\\s+(.+?))?(?:\\s+with\\s+(hash.+))?",
          Pattern.CASE_INSENSITIVE);

  /// Buckets by a hash of columns.
  record Hash(List<String> columns, int buckets) {

    Hash {
      columns = List.copyOf(columns);
    }
  }

  /// Ranges of one width.
  ///
  /// @param start as the user spelled it
  /// @param end likewise; null if ranges are made as rows need them
  /// @param hashes their own buckets; empty if they have those of the table
  record Range(String column, Width width, String start, @Nullable String end, List<Hash> hashes) {

    Range {
      hashes = List.copyOf(hashes);
    }
  }

  /// How wide a range is.
  ///
  /// @param count in units
  /// @param unit empty for whole numbers
  record Width(long count, String unit) {

    /// As a user reads it.
    String label() {
      return unit.isEmpty() ? Long.toString(count) : count + " " + unit + (count == 1 ? "" : "s");
    }
  }

  PartitionBy {
    hashes = List.copyOf(hashes);
    ranges = List.copyOf(ranges);
  }

  /// Reads what the user has written.
  ///
  /// @throws Fault.User if it can't be understood
  static PartitionBy parse(String text) {
    List<Hash> hashes = new ArrayList<>();
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      Matcher ranged = RANGE.matcher(part.strip());
      if (!ranged.matches()) {
        hashes.add(hash(part));
        continue;
      }
      Range range = range(ranged, part);
      if (!ranges.isEmpty()) {
        follows(ranges.getLast(), range);
      }
      ranges.add(range);
    }
    return new PartitionBy(hashes, ranges);
  }

  private static void follows(Range before, Range range) {
    if (!before.column.equals(range.column)) {
      throw new Fault.User(
          "--partition-by: ranges go by " + before.column + " and by " + range.column + ".",
          "A table has ranges of one column.");
    }
    if (before.end == null) {
      throw new Fault.User(
          "--partition-by: the ranges from " + before.start + " have no end.",
          "Write where they end. Only the last may leave it out.");
    }
  }

  private static Hash hash(String part) {
    Matcher hash = HASH.matcher(part.strip());
    if (!hash.matches()) {
      throw bad(part);
    }
    return new Hash(names(hash.group(1)), Integer.parseInt(hash.group(2)));
  }

  private static Range range(Matcher ranged, String part) {
    List<String> columns = names(ranged.group(1));
    String unit = ranged.group(3).toLowerCase(Locale.ROOT).replaceAll("s$", "");
    boolean known =
        List.of("", "second", "minute", "hour", "day", "week", "month", "year").contains(unit);
    long count = Long.parseLong(ranged.group(2));
    if (columns.size() != 1 || !known || count == 0) {
      throw bad(part);
    }
    List<Hash> hashes = new ArrayList<>();
    if (ranged.group(6) != null) {
      for (String hash : ranged.group(6).split("(?i)\\s+and\\s+", -1)) {
        hashes.add(hash(hash));
      }
    }
    return new Range(
        columns.getFirst(),
        new Width(count, unit),
        ranged.group(4).strip(),
        ranged.group(5),
        hashes);
  }

  private static List<String> names(String list) {
    return NameList.parse("--partition-by", list);
  }

  private static Fault.User bad(String part) {
    return new Fault.User(
        "--partition-by: \"" + part.strip() + "\" is not understood.",
        "Write for example: hash(building_id, device_id) 4; range(time_stamp) 1 hour from"
            + " 2018-01-01 to 2018-02-01");
  }
}
