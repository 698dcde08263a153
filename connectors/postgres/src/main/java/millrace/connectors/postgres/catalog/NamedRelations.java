package millrace.connectors.postgres.catalog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.connectors.postgres.net.Session;

/// Looks many relations up by one query.
///
/// @param session whose server is asked
public record NamedRelations(Session session) {

  /// Which of these names have a relation, in the same order, each as {@link PostgresCatalog#find}
  /// sees it.
  public List<Boolean> areThere(List<QualifiedName> names) {
    int bytesMax = new PostgresCatalog(session).nameBytesMax();
    String[] asWritten =
        names.stream().map(name -> findable(name, bytesMax)).toArray(String[]::new);
    String[] folded =
        names.stream().map(name -> findable(name.folded(), bytesMax)).toArray(String[]::new);
    return session.query(
        """
        SELECT coalesce(pg_catalog.to_regclass(nullif(written, '')),
          pg_catalog.to_regclass(nullif(folded, ''))) IS NOT NULL
        FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS each(written, folded, place)
        ORDER BY place
        """,
        row -> row.getBoolean(1),
        asWritten,
        folded);
  }

  /// Empty if it can't be there: the server would cut a longer name off.
  private static String findable(QualifiedName name, int bytesMax) {
    boolean isTooLong = name.name().getBytes(StandardCharsets.UTF_8).length > bytesMax;
    return isTooLong ? "" : name.sql();
  }
}
