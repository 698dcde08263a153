package millrace.connectors.sql.structure;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.structure.StructureFacts.CheckFact;
import millrace.connectors.sql.structure.StructureFacts.ColumnFact;
import millrace.connectors.sql.structure.StructureFacts.IndexPart;
import millrace.connectors.sql.structure.StructureFacts.KeyPart;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableStructure.Action;
import org.jspecify.annotations.Nullable;

/// What to ask a catalog of the tables of one schema. Each question mark stands for the schema. An
/// empty query has no rows.
///
/// @param columns table, column, default, next number or what {@link #next} is asked of; of columns
///   with a default or number
/// @param next gives the next number of what `%s` is; empty if that is known
/// @param indexes table, index, what it is, column, whether it falls; in order. What it is: P for a
///   primary key, K for a unique key, U for no value twice, I for all other values, else why other
///   systems have none
/// @param foreignKeys table, key, column, the other schema, table and column, what becomes of rows
///   if the other row is deleted, and if it gets another key; in order
/// @param checks table, check, condition
/// @param others what is left: kind, name, and its table or nothing
/// @param backslash whether a backslash in a text makes the next letter mean itself
public record StructureQueries(
    String columns,
    String next,
    String indexes,
    String foreignKeys,
    String checks,
    String others,
    boolean backslash) {

  /// Asks a database.
  @FunctionalInterface
  public interface Asker {

    /// All rows of a query.
    ///
    /// @param texts for its question marks
    <T> List<T> query(String sql, SqlSession.RowMapper<T> mapper, String... texts);
  }

  /// What a catalog says of one schema.
  public StructureFacts read(Asker asker, String schema) {
    List<LeftOut> leftOut = new ArrayList<>();
    List<CheckFact> partsLeft = new ArrayList<>();
    ask(
        asker,
        others,
        schema,
        row -> {
          String table = Objects.requireNonNullElse(row.getString(3), "");
          String kind = row.getString(1).toLowerCase(Locale.ROOT);
          return table.isEmpty()
              ? leftOut.add(
                  LeftOut.of(
                      kind, schema.isEmpty() ? row.getString(2) : schema + "." + row.getString(2)))
              : partsLeft.add(new CheckFact(table, row.getString(2), kind));
        });
    return new StructureFacts(
        ask(asker, columns, schema, row -> column(asker, row)),
        ask(
            asker,
            indexes,
            schema,
            row ->
                new IndexPart(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getInt(5) != 0)),
        ask(
            asker,
            foreignKeys,
            schema,
            row ->
                new KeyPart(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    new TableName(row.getString(4), row.getString(5)),
                    Objects.requireNonNullElse(row.getString(6), ""),
                    action(row.getString(7)),
                    action(row.getString(8)))),
        ask(
            asker,
            checks,
            schema,
            row -> new CheckFact(row.getString(1), row.getString(2), row.getString(3))),
        partsLeft,
        leftOut,
        backslash);
  }

  private ColumnFact column(Asker asker, ResultSet row) throws SQLException {
    String number = row.getString(4);
    return new ColumnFact(
        row.getString(1),
        row.getString(2),
        Objects.requireNonNullElse(row.getString(3), ""),
        number == null ? null : next(asker, number));
  }

  private @Nullable Long next(Asker asker, String number) {
    if (next.isEmpty()) {
      return Long.valueOf(number);
    }
    return asker.query(next.formatted(number), row -> row.getLong(1)).getFirst();
  }

  private static <T> List<T> ask(
      Asker asker, String sql, String schema, SqlSession.RowMapper<T> mapper) {
    if (sql.isEmpty()) {
      return List.of();
    }
    int marks = (int) sql.chars().filter(letter -> letter == '?').count();
    return asker.query(sql, mapper, Collections.nCopies(marks, schema).toArray(String[]::new));
  }

  /// The action that a catalog names; none if it names none.
  static Action action(@Nullable String named) {
    String name = Objects.requireNonNullElse(named, "").toUpperCase(Locale.ROOT).replace(' ', '_');
    for (Action each : Action.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return Action.NO_ACTION;
  }
}
