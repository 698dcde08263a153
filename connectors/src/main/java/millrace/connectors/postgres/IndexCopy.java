package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A key or index of the old table, to be built on the one that takes its place, under a name that
/// is free until the old one is gone.
///
/// @param current its name until then
/// @param wanted the name that it has on the old table
/// @param isConstraint whether it stands behind a constraint
/// @param statement builds it
record IndexCopy(String current, String wanted, boolean isConstraint, String statement) {

  /// @param rest of the index's definition, behind the table's name
  private record Index(String name, String create, String rest, @Nullable String constraint) {}

  /// All of the old table's, for a table that waits under another name. The primary key is first.
  static List<IndexCopy> all(Session session, Relation old, TableName staging) {
    String id = staging.name().substring(staging.name().lastIndexOf('_'));
    List<IndexCopy> copies = new ArrayList<>();
    for (Index index : indexes(session, old)) {
      String current = "millrace" + id + "_" + (copies.size() + 1);
      String statement =
          index.constraint == null
              ? index.create + Sql.name(current) + " ON " + staging.sql() + index.rest
              : "ALTER TABLE "
                  + staging.sql()
                  + " ADD CONSTRAINT "
                  + Sql.name(current)
                  + " "
                  + index.constraint;
      copies.add(new IndexCopy(current, index.name, index.constraint != null, statement));
    }
    return copies;
  }

  private static List<Index> indexes(Session session, Relation old) {
    return new Catalog(session)
        .withQualifiedNames(() ->
            session.query(
                """
                SELECT c.relname, x.word,
                  substr(
                    pg_get_indexdef(i.indexrelid),
                    1 + length(format('%s%I ON %I.%I', x.word, c.relname, n.nspname, t.relname))),
                  pg_get_constraintdef(k.oid)
                FROM pg_index i
                CROSS JOIN LATERAL (
                  SELECT CASE WHEN i.indisunique THEN 'CREATE UNIQUE INDEX '
                    ELSE 'CREATE INDEX ' END) AS x(word)
                JOIN pg_class c ON c.oid = i.indexrelid
                JOIN pg_class t ON t.oid = i.indrelid
                JOIN pg_namespace n ON n.oid = t.relnamespace
                LEFT JOIN pg_constraint k
                  ON k.conindid = i.indexrelid AND k.conrelid = i.indrelid
                    AND k.contype IN ('p', 'u', 'x')
                WHERE i.indrelid = ?::bigint::oid AND i.indisvalid
                ORDER BY i.indisprimary DESC, c.relname
                """,
                row ->
                    new Index(
                        row.getString(1), row.getString(2), row.getString(3), row.getString(4)),
                old.oid()));
  }

  /// Builds it.
  ///
  /// @throws Fault.Data where a row does not fit it, under the name that the user knows
  void build(Session session) {
    try {
      session.execute(statement);
    } catch (Fault.Data e) {
      String said = String.valueOf(e.getMessage()).replace(current, wanted);
      throw new Fault.Data(said, e.advice(), null);
    }
  }

  /// Building it, for whichever connection.
  Consumer<Session> work() {
    return this::build;
  }

  /// The statement that gives it its name, once the old one is gone.
  String rename(TableName table) {
    return isConstraint
        ? "ALTER TABLE "
            + table.sql()
            + " RENAME CONSTRAINT "
            + Sql.name(current)
            + " TO "
            + Sql.name(wanted)
        : "ALTER INDEX "
            + new TableName(table.schema(), current, true).sql()
            + " RENAME TO "
            + Sql.name(wanted);
  }
}
