package millrace.connectors.kudu.write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// How a new table is cut into tablets, as `--partition-by` says.
///
/// The grammar: parts separated by `;`, each `hash(column, …) buckets` or `range(column) width from
/// start to end`, of which there is at most one; the width is a number and a unit (minute, hour,
/// day, week, month, year; none for whole numbers); `to end` may be left out.
///
/// @param hashes none or more
/// @param range null if there is none
record PartitionBy(List<Hash> hashes, @Nullable Range range) {

  private static final Pattern HASH =
      Pattern.compile("hash\\s*\\(([^)]*)\\)\\s*(\\d{1,6})", Pattern.CASE_INSENSITIVE);
  private static final Pattern RANGE =
      Pattern.compile(
          "range\\s*\\(([^)]*)\\)\\s*(\\d{1,18})\\s*([a-z]*)\\s+from\\s+(.+?)(?:\\s+to\\s+(.+))?",
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
  record Range(String column, Width width, String start, @Nullable String end) {}

  /// How wide a range is.
  ///
  /// @param count in units
  /// @param unit empty for whole numbers
  record Width(long count, String unit) {

    /// As a user reads it.
    String label() {
      return unit.isEmpty() ? Long.toString(count) : count + " " + unit + (count == 1 ? "" : "s");
    }

    /// In microseconds, if it is always the same; null for months and years.
    @Nullable Duration duration() {
      return switch (unit) {
        case "second" -> Duration.ofSeconds(count);
        case "minute" -> Duration.ofMinutes(count);
        case "hour" -> Duration.ofHours(count);
        case "day" -> Duration.ofDays(count);
        case "week" -> Duration.ofDays(7 * count);
        default -> null;
      };
    }
  }

  PartitionBy {
    hashes = List.copyOf(hashes);
  }

  /// Reads what the user has written.
  ///
  /// @throws Fault.User if it can't be understood
  static PartitionBy parse(String text) {
    List<Hash> hashes = new ArrayList<>();
    Range range = null;
    for (String part : text.split(";", -1)) {
      Matcher hash = HASH.matcher(part.strip());
      Matcher ranged = RANGE.matcher(part.strip());
      if (hash.matches()) {
        hashes.add(new Hash(names(hash.group(1)), Integer.parseInt(hash.group(2))));
      } else if (ranged.matches() && range == null) {
        range = range(ranged, part);
      } else {
        throw bad(part);
      }
    }
    return new PartitionBy(hashes, range);
  }

  private static Range range(Matcher ranged, String part) {
    List<String> columns = names(ranged.group(1));
    String unit = ranged.group(3).toLowerCase(java.util.Locale.ROOT).replaceAll("s$", "");
    boolean known =
        List.of("", "second", "minute", "hour", "day", "week", "month", "year").contains(unit);
    long count = Long.parseLong(ranged.group(2));
    if (columns.size() != 1 || !known || count == 0) {
      throw bad(part);
    }
    return new Range(
        columns.getFirst(), new Width(count, unit), ranged.group(4).strip(), ranged.group(5));
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
