package millrace.connectors.oracle.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.types.TypeTable;
import org.jspecify.annotations.Nullable;

/// Cuts rows that have no rowids to go by: each lane reads those whose columns have its share of
/// hashes (ORA_HASH). The server goes through all rows once for each lane.
///
/// A row is in one range alone if its columns have the same values whenever it is read.
final class HashCut {

  /// How many hashes there are.
  private static final long HASHES = 1L << 32;

  private static final String HASHED =
      "(VARCHAR2|CHAR)( CHAR| BYTE)?|N(VARCHAR2|CHAR)|RAW|NUMBER|FLOAT|BINARY_(FLOAT|DOUBLE)|DATE"
          + "|TIMESTAMP.*|INTERVAL.*";

  private HashCut() {}

  /// Null if no column has a hash.
  ///
  /// @param what the rows are of, as the beginning of a sentence
  /// @param columns by whose values rows are told apart
  static @Nullable Cut of(String what, List<ColumnInfo> columns, Dialect.Profile profile) {
    List<String> hashes = new ArrayList<>();
    for (ColumnInfo column : columns) {
      if (TypeTable.bare(column.typedAs()).matches(HASHED)) {
        // Each column has another seed, so that equal values do not make up for each other.
        hashes.add(
            "NVL(ORA_HASH(%s, %d, %d), 0)"
                .formatted(profile.names().quoted(column.name()), HASHES - 1, hashes.size()));
      }
    }
    if (hashes.isEmpty()) {
      return null;
    }
    String sql =
        hashes.size() == 1
            ? hashes.getFirst()
            : "MOD(" + String.join(" + ", hashes) + ", " + HASHES + ")";
    return new Cut(
        sql,
        profile.types().find("NUMBER(10)"),
        false,
        (_, wanted) -> starts(wanted.lanes()),
        what
            + " is read by ranges of ORA_HASH, one for each lane: the server goes through all of"
            + " its rows for each.");
  }

  private static Stream<String> starts(int lanes) {
    return LongStream.range(1, lanes).mapToObj(lane -> String.valueOf(lane * HASHES / lanes));
  }
}
