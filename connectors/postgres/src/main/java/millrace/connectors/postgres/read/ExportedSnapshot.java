package millrace.connectors.postgres.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.Endpoint;
import millrace.spi.catalog.SharedSnapshot.Held;
import org.jspecify.annotations.Nullable;

/// A state that a transaction has exported and keeps. It has locked the tables against being
/// emptied or dropped.
public final class ExportedSnapshot {

  /// The parameter by which a reader is told which snapshot it shares.
  public static final String NAME = "snapshot";

  private ExportedSnapshot() {}

  /// Takes it.
  ///
  /// @param session is the state's from here on, and closed if it can't be taken
  /// @param ends of the session's database; those that are told to read in another state are left
  ///   alone
  public static Held take(Session session, List<Endpoint> ends) {
    try {
      String locks = String.join(", ", readable(session, ends));
      session.execute(Session.BEGIN_READING);
      if (!locks.isEmpty()) {
        // Before the first query: the snapshot is then not older than the locks.
        session.execute("LOCK TABLE " + locks + " IN ACCESS SHARE MODE");
      }
      String name = session.one("SELECT pg_catalog.pg_export_snapshot()", row -> row.getString(1));
      List<@Nullable Endpoint> reading = new ArrayList<>();
      ends.forEach(end -> reading.add(end.text(NAME).isPresent() ? end : end.with(NAME, name)));
      return new Held(reading, "", session::close);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /// The tables among what is read that are there and may be read.
  private static List<String> readable(Session session, List<Endpoint> ends) {
    String named =
        ends.stream()
            .map(end -> end.text("table"))
            .flatMap(Optional::stream)
            .map(text -> "(" + PostgresSql.text(QualifiedName.parse(text).folded().sql()) + ")")
            .distinct()
            .collect(Collectors.joining(", "));
    return named.isEmpty()
        ? List.of()
        : session.query(
            """
            SELECT named.sql FROM (VALUES %s) named (sql)
            JOIN pg_catalog.pg_class c ON c.oid = pg_catalog.to_regclass(named.sql)
            WHERE c.relkind IN ('r', 'p') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
            """
                .formatted(named),
            row -> row.getString(1));
  }
}
