package millrace.connectors.postgres.net;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.codec.Money;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/// What every session has the server do alike, whatever others have set.
public final class SessionSettings {

  /// Fixes the spelling of values, whatever the server, the database or the user has set, and
  /// switches off the time limits that would end a long copy, as pg_dump does. A transaction that
  /// has waited for another sees what that one has done, and an index gives all rows that it finds.
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("client_encoding", "UTF8"),
          Map.entry("DateStyle", "ISO, YMD"),
          Map.entry("IntervalStyle", "postgres"),
          Map.entry("TimeZone", "UTC"),
          Map.entry("extra_float_digits", "1"),
          Map.entry("bytea_output", "hex"),
          Map.entry("array_nulls", "on"),
          Map.entry("xmloption", "content"),
          Map.entry("quote_all_identifiers", "off"),
          Map.entry("gin_fuzzy_search_limit", "0"),
          Map.entry("default_transaction_isolation", "read committed"),
          Map.entry("statement_timeout", "0"),
          Map.entry("lock_timeout", "0"),
          Map.entry("idle_in_transaction_session_timeout", "0"));

  /// A receipt must be true even if the server crashes right after it: rows that a lane was told
  /// are committed are not written again. Other settings than `off` wait for more, and stay.
  private static final String COMMITS_LAST =
      "SELECT pg_catalog.set_config('synchronous_commit', 'on', false)"
          + " WHERE pg_catalog.current_setting('synchronous_commit') = 'off';";

  /// Amounts of money are spelled alike too, unless the locale has another number of digits after
  /// the point than `C`, as for yen: there what is stored would mean a hundredth. See {@link
  /// Money}.
  private static final String MONEY =
      "SELECT pg_catalog.set_config('lc_monetary', 'C', false)"
          + " WHERE pg_catalog.scale('1'::pg_catalog.money::pg_catalog.numeric) = "
          + Money.USUAL_DIGITS
          + ";";

  /// The user's search path, the schemas that it leads to, and what of the others is as it was.
  private static final String FOUND =
      "SELECT pg_catalog.current_setting('search_path'),"
          + " pg_catalog.array_to_string(pg_catalog.current_schemas(true), pg_catalog.chr(1)),"
          + " pg_catalog.current_setting('synchronous_commit'),"
          + " pg_catalog.current_setting('lc_monetary');";

  /// What DISCARD ALL does, which is no statement of several, but for plans, which may stay.
  private static final String FORGET =
      "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; DISCARD TEMP;"
          + " DISCARD SEQUENCES; SELECT pg_catalog.pg_advisory_unlock_all(), ";

  /// How many statements stand before it, each with a result.
  private static final int BEFORE_FOUND = 3;

  private static final String NAME = "application_name";

  private static final String PG_CATALOG = "pg_catalog";

  private static final int IDLE_TIMEOUT_SINCE = 140_000;
  private static final int TRANSACTION_TIMEOUT_SINCE = 170_000;

  /// Has a process add what it did to the server's statistics as soon as it has no transaction.
  public static final String REPORT = "pg_catalog.pg_stat_force_next_flush()";

  public static final int REPORTS_SINCE = 150_000;

  private SessionSettings() {}

  /// Search paths of a session; both null if the user's path finds the server's own schema first.
  ///
  /// @param users finds the user's schemas
  /// @param internal finds them behind the server's own, whose types, functions and operators they
  ///   would hide
  record SearchPaths(@Nullable String users, @Nullable String internal) {}

  /// What a session was found with, and given.
  ///
  /// @param settings by name, as they are from now on
  record Given(SearchPaths paths, Map<String, String> settings) {}

  /// Sends all of them in one message.
  ///
  /// @param version of the server
  static Given send(BaseConnection connection, int version) throws SQLException {
    Map<String, String> settings = settings(version);
    try (Statement statement = connection.createStatement()) {
      statement.execute(COMMITS_LAST + MONEY + "SELECT " + set(settings) + ";" + FOUND);
      for (int i = 0; i < BEFORE_FOUND; i++) {
        statement.getMoreResults();
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        settings.put("synchronous_commit", row.getString(3));
        settings.put("lc_monetary", row.getString(4));
        String name = connection.getParameterStatus(NAME);
        if (name != null) {
          settings.put(NAME, name);
        }
        return new Given(paths(row), settings);
      }
    }
  }

  private static SearchPaths paths(ResultSet row) throws SQLException {
    List<String> schemas = new ArrayList<>(List.of(row.getString(2).split("\u0001", -1)));
    if (schemas.indexOf(PG_CATALOG) <= 0) {
      return new SearchPaths(null, null);
    }
    schemas.remove(PG_CATALOG);
    return new SearchPaths(row.getString(1), PostgresSql.names(schemas));
  }

  private static Map<String, String> settings(int version) {
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    if (version >= IDLE_TIMEOUT_SINCE) {
      settings.put("idle_session_timeout", "0");
    }
    if (version >= TRANSACTION_TIMEOUT_SINCE) {
      settings.put("transaction_timeout", "0");
    }
    return settings;
  }

  private static String set(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(each ->
            "pg_catalog.set_config("
                + PostgresSql.text(each.getKey())
                + ", "
                + PostgresSql.text(each.getValue())
                + ", false)")
        .collect(Collectors.joining(", "));
  }

  /// What makes a session what it was after {@link #send}, whatever was done by it, and has its
  /// process add what that was to the server's statistics before it answers.
  ///
  /// @param version of the server
  static String again(boolean isIdle, int version, Given given) {
    Map<String, String> settings = new TreeMap<>(given.settings);
    if (given.paths.internal != null) {
      settings.put("search_path", given.paths.internal);
    }
    return (isIdle ? "" : "ROLLBACK;")
        + FORGET
        + set(settings)
        + (version < REPORTS_SINCE ? "" : ", " + REPORT);
  }
}
