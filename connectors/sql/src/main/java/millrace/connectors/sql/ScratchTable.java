package millrace.connectors.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.StagingName;

/// Tables beside a target by which probes and sweeps measure it, for connectors that are a {@link
/// millrace.spi.Scratch}.
public final class ScratchTable {

  private static final String TABLE = "table";

  /// What stands before a table's own name.
  private static final Pattern SCHEMA = Pattern.compile("(?:\"(?:[^\"]|\"\")*\"|[^.\"])+\\.");

  private ScratchTable() {}

  /// The endpoint of another table in the same schema; in the default one if it is of a query.
  public static Endpoint beside(Endpoint endpoint, String name) {
    Matcher schema = SCHEMA.matcher(endpoint.text(TABLE).orElse(""));
    Map<String, String> parameters = new HashMap<>(endpoint.parameters());
    parameters.remove("query");
    parameters.put(TABLE, (schema.lookingAt() ? schema.group() : "") + name);
    return new Endpoint(endpoint.scheme(), endpoint.location(), parameters, endpoint.secret());
  }

  /// Drops a scratch table, and what copies into it have left; fine if nothing is there.
  ///
  /// @param after what stands behind the name of a table that is dropped for good; may be empty
  /// @throws Fault if it is there and can't be dropped
  public static void discard(SqlDatabase database, TableName table, String after) {
    Dialect dialect = database.dialect();
    String mark = table.name() + StagingName.MARK;
    try (SqlSession session = SqlSession.open(database, true)) {
      List<TableName> staging =
          dialect.catalog().tables(session, table.schema()).stream()
              .filter(name -> name.regionMatches(true, 0, mark, 0, mark.length()))
              .map(table::beside)
              .toList();
      Stream.concat(Stream.of(table), staging.stream())
          .filter(each -> dialect.catalog().exists(session, each))
          .map(each -> "DROP TABLE " + each.sql(dialect.names()) + after)
          .forEach(session::execute);
    } catch (Fault e) {
      String left = "The scratch table " + table.name() + " is left behind: " + e.getMessage();
      String dropIt = "Drop it: DROP TABLE " + table.sql(dialect.names()) + after + ";";
      throw e instanceof Fault.Transient passing
          ? new Fault.Transient(left, dropIt, passing.retryAfterMillis(), e)
          : new Fault.External(left, dropIt, e);
    }
  }
}
