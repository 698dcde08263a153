package millrace.connectors.postgres.net;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.codec.Money;
import org.jspecify.annotations.Nullable;

/// What every session has the server do alike, whatever others have set.
final class SessionSettings {

  /// Fixes the spelling of values, whatever the server, the database or the user has set, and
  /// switches off the time limits that would end a long copy, as pg_dump does. A transaction that
  /// has waited for another sees what that one has done, and an index gives all rows that it finds.
  private static final List<String> SETTINGS =
      List.of(
          "client_encoding = 'UTF8'",
          "DateStyle = 'ISO, YMD'",
          "IntervalStyle = 'postgres'",
          "TimeZone = 'UTC'",
          "extra_float_digits = 1",
          "bytea_output = 'hex'",
          "array_nulls = on",
          "xmloption = 'content'",
          "quote_all_identifiers = off",
          "gin_fuzzy_search_limit = 0",
          "default_transaction_isolation = 'read committed'",
          "statement_timeout = 0",
          "lock_timeout = 0",
          "idle_in_transaction_session_timeout = 0");

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

  /// The user's search path, and the schemas that it leads to.
  private static final String PATH =
      "SELECT pg_catalog.current_setting('search_path'),"
          + " pg_catalog.array_to_string(pg_catalog.current_schemas(true), pg_catalog.chr(1));";

  private static final String PG_CATALOG = "pg_catalog";

  private static final int IDLE_TIMEOUT_SINCE = 140_000;
  private static final int TRANSACTION_TIMEOUT_SINCE = 170_000;

  private SessionSettings() {}

  /// Search paths of a session; both null if the user's path finds the server's own schema first.
  ///
  /// @param users finds the user's schemas
  /// @param own finds them behind the server's own, whose types, functions and operators they would
  ///   hide
  record SearchPaths(@Nullable String users, @Nullable String own) {}

  /// Sends all of them in one message.
  ///
  /// @param version of the server
  static SearchPaths send(Connection connection, int version) throws SQLException {
    StringBuilder settings = new StringBuilder(PATH).append(COMMITS_LAST).append(MONEY);
    SETTINGS.forEach(setting -> settings.append("SET ").append(setting).append(';'));
    if (version >= IDLE_TIMEOUT_SINCE) {
      settings.append("SET idle_session_timeout = 0;");
    }
    if (version >= TRANSACTION_TIMEOUT_SINCE) {
      settings.append("SET transaction_timeout = 0;");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(settings.toString());
      try (ResultSet path = statement.getResultSet()) {
        path.next();
        List<String> schemas = new ArrayList<>(List.of(path.getString(2).split("\u0001")));
        if (schemas.indexOf(PG_CATALOG) <= 0) {
          return new SearchPaths(null, null);
        }
        schemas.remove(PG_CATALOG);
        return new SearchPaths(path.getString(1), PostgresSql.names(schemas));
      }
    }
  }
}
