package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;

/// An index of the old table, to be built on the one that takes its place, under a name that is
/// free until the old one is gone.
///
/// A key is built as an index, which has the old one's storage parameters and lets others be built
/// beside it, and becomes a constraint at the end. Of an exclusion constraint PostgreSQL can't make
/// the index alone.
///
/// @param current its name until then
/// @param wanted the name that it has on the old table
/// @param tablespace where it is to lie
/// @param locks whether building it locks the table for itself
/// @param create builds it
/// @param settle gives it its name once the old one is gone, and makes a key of a key's index
public record IndexCopy(
    String current, String wanted, String tablespace, boolean locks, String create, String settle) {

  /// @param definition behind the table's name
  /// @param key what the constraint that it stands behind is called in SQL; empty for none
  /// @param exclusion the definition of its exclusion constraint; empty for none
  /// @param deferral when the constraint is checked; empty for at once
  private record Index(
      String name,
      String create,
      String definition,
      String key,
      String exclusion,
      String deferral,
      String tablespace) {

    IndexCopy copy(String current, QualifiedName target, QualifiedName staging) {
      String alter = "ALTER TABLE " + target.sql();
      if (!exclusion.isEmpty()) {
        return new IndexCopy(
            current,
            name,
            tablespace,
            true,
            "ALTER TABLE " + staging.sql() + addConstraint(current) + exclusion,
            alter
                + " RENAME CONSTRAINT "
                + PostgresSql.name(current)
                + " TO "
                + PostgresSql.name(name));
      }
      return new IndexCopy(
          current,
          name,
          tablespace,
          false,
          create + PostgresSql.name(current) + " ON " + staging.sql() + definition,
          key.isEmpty()
              ? "ALTER INDEX "
                  + new QualifiedName(target.schema(), current, true).sql()
                  + " RENAME TO "
                  + PostgresSql.name(name)
              : alter
                  + addConstraint(name)
                  + key
                  + " USING INDEX "
                  + PostgresSql.name(current)
                  + deferral);
    }

    private static String addConstraint(String constraint) {
      return " ADD CONSTRAINT " + PostgresSql.name(constraint) + " ";
    }
  }

  /// All valid ones of the old table, for a table that waits under another name. The primary key is
  /// first.
  static List<IndexCopy> all(Session session, Relation old, QualifiedName staging) {
    String id = staging.name().substring(staging.name().lastIndexOf('_'));
    List<IndexCopy> copies = new ArrayList<>();
    for (Index index : indexes(session, old)) {
      String current = "millrace" + id + "_" + (copies.size() + 1);
      copies.add(index.copy(current, old.name(), staging));
    }
    return copies;
  }

  private static List<Index> indexes(Session session, Relation old) {
    return session.withQualifiedNames(() ->
        session.query(
            """
            SELECT c.relname, x.word,
              substr(
                pg_get_indexdef(i.indexrelid),
                1 + length(format('%s%I ON %I.%I', x.word, c.relname, n.nspname, t.relname))),
              CASE k.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' ELSE '' END,
              CASE WHEN i.indisexclusion THEN pg_get_constraintdef(k.oid) ELSE '' END,
              CASE WHEN k.condeferrable THEN ' DEFERRABLE' ELSE '' END
                || CASE WHEN k.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END,
            """
                + OldTable.TABLESPACE
                + """
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
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7)),
            old.oid()));
  }

  /// Builds it.
  ///
  /// @throws Fault.Data if a row does not fit it, under the name that the user knows
  void build(Session session) {
    try {
      session.transaction(() -> {
        session.execute("SET LOCAL default_tablespace = " + PostgresSql.text(tablespace));
        session.execute(create);
      });
    } catch (Fault.Data e) {
      String message = String.valueOf(e.getMessage()).replace(current, wanted);
      throw new Fault.Data(message, e.advice(), null);
    }
  }

  /// Building it, for whichever connection.
  Consumer<Session> work() {
    return this::build;
  }
}
