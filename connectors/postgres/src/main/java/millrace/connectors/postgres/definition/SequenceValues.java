package millrace.connectors.postgres.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.connectors.postgres.net.Session;

/// Where sequences stand, and the statements that bring others there.
final class SequenceValues {

  /// So many are read by one query.
  private static final int AT_ONCE = 500;

  private SequenceValues() {}

  /// Where one stands.
  ///
  /// @param last the last value that was drawn, or the next one if none was
  /// @param isFresh whether it stands where it begins
  /// @param ascends whether its values become greater
  record Position(long last, boolean called, boolean isFresh, boolean ascends) {

    /// Brings another one there, unless it has gone further.
    ///
    /// @param sequence an expression of type `regclass`
    String statement(String sequence) {
      return "SELECT pg_catalog.setval(%s, %d, %s) WHERE coalesce(pg_catalog.pg_sequence_last_value(%s) %s %d, true)"
          .formatted(sequence, last, called, sequence, ascends ? "<" : ">", last);
    }
  }

  private record Sequence(long oid, String name, long start, long increment) {}

  private record State(long last, boolean called) {

    Position of(Sequence sequence) {
      return new Position(last, called, !called && last == sequence.start, sequence.increment > 0);
    }
  }

  /// All that this user may read, by their numbers in the catalog.
  static Map<Long, Position> of(Session session) {
    List<Sequence> sequences =
        session.query(
            """
            SELECT c.oid::bigint, pg_catalog.format('%I.%I', n.nspname, c.relname), s.seqstart,
              s.seqincrement
            FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE CASE WHEN c.relkind = 'S'
                THEN pg_catalog.has_sequence_privilege(c.oid, 'SELECT') ELSE false END
              AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND c.relpersistence <> 't'
            """,
            row -> new Sequence(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4)));
    Map<Long, Sequence> byOid = new HashMap<>();
    sequences.forEach(each -> byOid.put(each.oid, each));
    Map<Long, Position> positions = new HashMap<>();
    for (int i = 0; i < sequences.size(); i += AT_ONCE) {
      List<Sequence> some =
          new ArrayList<>(sequences.subList(i, Math.min(sequences.size(), i + AT_ONCE)));
      session
          .query(
              some.stream()
                  .map(each ->
                      "SELECT " + each.oid + "::bigint, last_value, is_called FROM " + each.name)
                  .collect(Collectors.joining(" UNION ALL ")),
              row -> Map.entry(row.getLong(1), new State(row.getLong(2), row.getBoolean(3))))
          .forEach(state -> {
            Sequence sequence = byOid.get(state.getKey());
            if (sequence != null) {
              positions.put(sequence.oid, state.getValue().of(sequence));
            }
          });
    }
    return positions;
  }
}
