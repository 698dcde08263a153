package millrace.cli;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.LogEvent;
import org.jspecify.annotations.Nullable;

/// Makes a script of what was sent to the stand-in for an Oracle server. Any user's worksheet takes
/// it: values stand in the place of binds, tables are in the user's own schema, and each kind of
/// statement comes once.
final class OracleScript {

  private static final String HEAD =
      """
      -- The statements that Millrace sends to an Oracle server, with values in the place of binds.
      -- Run it in a worksheet of a database on which you may make tables. It makes tables whose names
      -- begin with MILLRACE_, and drops them. V$ views, DBA_EXTENTS and AS OF SCN need rights: without
      -- them ORA-00942, ORA-01031 or ORA-41900 is as it should be. BOOLEAN and VECTOR need 23ai.
      -- Every other error is news to us: please report it with the statement and your release.
      """;

  /// What a block gives back needs variables.
  private static final String DB_VERSION =
      "DECLARE v VARCHAR2(99); c VARCHAR2(99); BEGIN DBMS_UTILITY.DB_VERSION(v, c);";

  private static final int TEXT_MAX = 200;
  private static final Pattern BIND = Pattern.compile("'[^']*'|\"[^\"]*\"|:\\d+|\\?");
  private static final Pattern RANDOM = Pattern.compile("(?i)(?<=_)[0-9a-f]{8}(?![0-9a-z])");
  private static final Pattern DDL =
      Pattern.compile("(?s)(CREATE|DROP|TRUNCATE|COMMENT|RENAME|ALTER (?!SESSION)).*");
  private static final Pattern MADE =
      Pattern.compile("(?s)CREATE (TABLE|VIEW|SEQUENCE|SYNONYM|PACKAGE(?! BODY)) (\\S+).*");
  private static final Pattern RENAMED = Pattern.compile("ALTER TABLE (\\S+) RENAME TO (\\S+)");
  private static final Pattern DROPPED = Pattern.compile("DROP (?:TABLE|VIEW) (\\S+).*");
  private static final Pattern BACK = Pattern.compile("ROLLBACK TO (SAVEPOINT )?(.*)");

  private final String user;
  private final Map<String, String> numbers = new HashMap<>();
  private final Map<String, String> made = new LinkedHashMap<>();
  private final Set<String> kinds = new LinkedHashSet<>();
  private final StringBuilder text = new StringBuilder();
  private boolean isOpen;

  private OracleScript(String user) {
    this.user = user;
  }

  /// Of all that was carried out.
  ///
  /// @param user in whose schema; what was done in another is left out
  static String of(String user, List<LogEvent> events) {
    OracleScript script = new OracleScript(user);
    for (LogEvent event : events) {
      if (event instanceof LogEvent.Executed executed && executed.error() == 0) {
        script.add(executed);
      } else if (event instanceof LogEvent.Committed) {
        script.commit();
      }
    }
    script.commit();
    script.made.forEach((name, kind) ->
        script.write("DROP " + kind + " " + name + (kind.equals("TABLE") ? " PURGE" : "")));
    return HEAD + script.text;
  }

  /// The kinds of statements in a script: those that differ by more than values and numbers.
  static Set<String> kinds(String script) {
    Set<String> kinds = new LinkedHashSet<>();
    for (String each : script.replaceAll("(?m)^-- .*\n", "").split(";\n(/\n)?", -1)) {
      if (!each.isBlank()) {
        kinds.add(kind(each.strip()));
      }
    }
    return kinds;
  }

  private void add(LogEvent.Executed executed) {
    String sql = own(executed);
    if (!sql.contains("\"OTHER\".") && (kinds.add(kind(sql)) || DDL.matcher(sql).matches())) {
      note(sql);
      Matcher back = BACK.matcher(sql);
      if (back.matches()) {
        write("SAVEPOINT " + back.group(2));
      }
      write(sql);
      isOpen |= !sql.startsWith("SELECT") && !DDL.matcher(sql).matches();
    }
  }

  private void note(String sql) {
    Matcher table = MADE.matcher(sql);
    if (table.matches()) {
      made.put(bare(table.group(2)), table.group(1));
    }
    Matcher renamed = RENAMED.matcher(sql);
    if (renamed.matches()) {
      made.remove(bare(renamed.group(1)));
      made.put(bare(renamed.group(2)), "TABLE");
    }
    Matcher dropped = DROPPED.matcher(sql);
    if (dropped.matches()) {
      made.remove(bare(dropped.group(1)));
    }
  }

  private static String bare(String name) {
    return name.startsWith("\"") ? name : "\"" + name.toUpperCase(Locale.ROOT) + "\"";
  }

  private void commit() {
    if (isOpen) {
      write("COMMIT");
      isOpen = false;
    }
  }

  private void write(String sql) {
    text.append(sql.endsWith(";") ? sql + "\n/\n" : sql + ";\n");
  }

  private static String kind(String sql) {
    return sql.replaceAll("'[^']*'", "''")
        .replaceAll("\\s+", " ")
        .replaceAll("(?<![A-Za-z0-9])-?\\d+(\\.\\d+)?", "0")
        .replaceAll("(?i)(MILLRACE(_[a-z]+)*_)\\d+", "$10")
        .replaceAll("\\(0(, 0)*\\)", "(0)");
  }

  private String own(LogEvent.Executed executed) {
    String sql = withValues(executed.sql().strip(), executed.first());
    sql = RANDOM.matcher(sql).replaceAll(found -> number(found.group()));
    return sql.replaceAll("(?<=MILLRACE_\\d{1,4})(-[0-9a-f]{4})+", "")
        .replaceAll("AS OF SCN \\d+", "AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER")
        .replace("\"" + user + "\".", "")
        .replace("'" + user + "'", "USER")
        .replace("BEGIN DBMS_UTILITY.DB_VERSION(NULL , NULL );", DB_VERSION);
  }

  private String number(String random) {
    return numbers.computeIfAbsent(
        random.toLowerCase(Locale.ROOT), _ -> String.valueOf(numbers.size() + 1));
  }

  private static String withValues(String sql, List<@Nullable Object> values) {
    StringBuilder all = new StringBuilder();
    Matcher bind = BIND.matcher(sql);
    int next = 0;
    while (bind.find()) {
      boolean isBind = bind.group().startsWith(":") || bind.group().equals("?");
      String instead = isBind && next < values.size() ? literal(values.get(next)) : bind.group();
      next += isBind ? 1 : 0;
      bind.appendReplacement(all, Matcher.quoteReplacement(instead));
    }
    return bind.appendTail(all).toString().strip();
  }

  private static String literal(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case String text -> text(text);
      case byte[] bytes ->
          "HEXTORAW('"
              + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, TEXT_MAX))
              + "')";
      case LocalDateTime time ->
          "TIMESTAMP '"
              + DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS", Locale.ROOT)
                  .format(time)
              + "'";
      case OffsetDateTime time -> literal(time.toZonedDateTime());
      case ZonedDateTime time ->
          "TIMESTAMP '"
              + DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS xxx", Locale.ROOT)
                  .format(time)
              + "'";
      case Period months -> "NUMTOYMINTERVAL(" + months.toTotalMonths() + ", 'MONTH')";
      case Duration span -> "NUMTODSINTERVAL(" + span.toSeconds() + ", 'SECOND')";
      default -> value.toString();
    };
  }

  private static String text(String value) {
    String plain = value.replaceAll("[&;\\p{Cntrl}]", " ");
    String cut =
        plain.length() <= TEXT_MAX
            ? plain
            : plain.startsWith("{") ? "{}" : plain.substring(0, TEXT_MAX);
    return "'" + cut.replace("'", "''") + "'";
  }
}
