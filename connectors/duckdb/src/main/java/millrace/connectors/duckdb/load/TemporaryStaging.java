package millrace.connectors.duckdb.load;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.TableName;

/// The temporary table of one connection that rows wait in if they can't go straight to their
/// table: for a merge, or because bad ones are to be found among them.
public final class TemporaryStaging {

  public static final TableName NAME = new TableName("temp", "millrace_stage");
  public static final String TABLE = DuckDbSql.name(NAME);

  private final List<AppendColumn> slots;
  private final CarriedColumns carriedColumns;
  private final String prefix;

  /// @param slots its columns
  /// @param others names of further columns of the target, which may stand beside them in a query
  public TemporaryStaging(
      List<AppendColumn> slots, List<String> others, CarriedColumns carriedColumns) {
    this.slots = slots;
    this.carriedColumns = carriedColumns;
    prefix =
        prefix(Stream.concat(slots.stream().map(AppendColumn::name), others.stream()).toList());
  }

  /// A beginning that none of the names has.
  private static String prefix(List<String> names) {
    String prefix = "_";
    while (true) {
      String start = prefix;
      if (names.stream().noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith(start))) {
        return prefix;
      }
      prefix += "_";
    }
  }

  /// The name of a column beside those of the rows, as SQL spells it.
  String extraColumn(String name) {
    return DuckDbSql.name(prefix + name);
  }

  /// The column that grows in the order of the source.
  public String order() {
    return prefix + "order";
  }

  /// The statement that makes it.
  public String ddl() {
    Stream<String> columns = slots.stream().map(s -> DuckDbSql.name(s.name()) + " " + s.declared());
    Stream<String> more =
        Stream.concat(carriedColumns.sent().stream(), carriedColumns.computed().stream())
            .map(column -> extraColumn(column.name()) + " " + column.type());
    return "CREATE TEMP TABLE millrace_stage ("
        + Stream.concat(columns, more).collect(Collectors.joining(", "))
        + ", %s BIGINT AS ((CAST(%s AS BIGINT) << 40) + %s))"
            .formatted(DuckDbSql.name(order()), extraColumn("split"), extraColumn("number"));
  }

  /// The statement that moves all rows into their table.
  public String move(TableName table) {
    String names = DuckDbSql.names(slots.stream().map(AppendColumn::name).toList());
    return "INSERT INTO "
        + DuckDbSql.name(table)
        + " ("
        + names
        + ") SELECT "
        + names
        + " FROM "
        + TABLE;
  }
}
