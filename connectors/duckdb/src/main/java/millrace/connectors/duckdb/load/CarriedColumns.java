package millrace.connectors.duckdb.load;

import java.util.List;
import java.util.stream.Stream;
import org.duckdb.DuckDBColumnType;

/// What rows bring into DuckDB beside their columns.
public enum CarriedColumns {
  NOTHING,
  /// The split, and the row's number in it: the order of the source.
  ORDER,
  /// The order, and what a bad record is reported with: where it stood, the record itself, and the
  /// first column whose text is no value of its type, with the text.
  PLACE;

  /// A column of it.
  record Column(String name, DuckDBColumnType type) {}

  /// The columns that come from the batch, in their order.
  List<Column> sent() {
    return switch (this) {
      case NOTHING -> List.of();
      case ORDER ->
          List.of(
              new Column("split", DuckDBColumnType.INTEGER),
              new Column("number", DuckDBColumnType.BIGINT));
      case PLACE ->
          Stream.concat(
                  ORDER.sent().stream(),
                  Stream.of(
                      new Column("source_row", DuckDBColumnType.BIGINT),
                      new Column("line", DuckDBColumnType.BIGINT),
                      new Column("byte", DuckDBColumnType.BIGINT),
                      new Column("record", DuckDBColumnType.VARCHAR),
                      new Column("row_of_split", DuckDBColumnType.BIGINT)))
              .toList();
    };
  }

  /// The columns that are computed from the row's values, in their order.
  List<Column> computed() {
    return this == PLACE
        ? List.of(
            new Column("misfit", DuckDBColumnType.INTEGER),
            new Column("misfit_text", DuckDBColumnType.VARCHAR))
        : List.of();
  }
}
