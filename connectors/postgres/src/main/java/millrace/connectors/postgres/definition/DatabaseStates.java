package millrace.connectors.postgres.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.TableDefinitions.Made;

/// What objects hold beside the rows of tables: the values of sequences that no column owns, and
/// the rows of materialized views.
///
/// @param source where they stand
/// @param target where they are to stand
record DatabaseStates(Session source, Session target) {

  /// How they come to hold that in the target, in the order of what they need.
  ///
  /// @param objects what there is in the target in the end
  /// @param readBy the table that a view reads: nobody fills it again if their rows come later
  List<Made> of(Collection<DatabaseObject> objects, Function<DatabaseObject, String> readBy) {
    List<Made> made = new ArrayList<>();
    Map<Long, SequenceValues.Position> positions = SequenceValues.of(source);

    Set<String> filled = filled(source);
    filled.removeAll(filled(target));
    for (DatabaseObject object : objects) {
      SequenceValues.Position at = positions.get(object.id().oid());
      if (object.kind().equals("sequence") && at != null && !at.isFresh()) {
        String sequence = PostgresSql.text(object.identity()) + "::pg_catalog.regclass";
        made.add(new Made("value of sequence", object.identity(), List.of(at.statement(sequence))));
      }
    }
    for (DatabaseObject object : objects) {
      if (object.kind().equals("materialized view") && filled.contains(object.identity())) {
        made.add(
            new Made(
                "rows of materialized view",
                object.identity(),
                List.of("REFRESH MATERIALIZED VIEW " + object.identity()),
                readBy.apply(object)));
      }
    }
    return made;
  }

  private static Set<String> filled(Session session) {
    return new HashSet<>(
        session.query(
            """
            SELECT pg_catalog.format('%I.%I', n.nspname, c.relname)
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'm' AND c.relispopulated
            """,
            row -> row.getString(1)));
  }
}
