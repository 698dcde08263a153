package millrace.connectors.duckdb;

import java.util.List;

/// What rows bring into DuckDB beside their columns.
enum Beside {
  NOTHING,
  /// The split, and the row's number in it: the order of the source.
  ORDER,
  /// The order, and what a bad record is reported with: where it stood, the record itself, and the
  /// first column whose text is no value of its type, with the text.
  PLACE;

  /// The columns that come from the batch, each as its name and type.
  List<String> sent() {
    return switch (this) {
      case NOTHING -> List.of();
      case ORDER -> List.of("split INTEGER", "number BIGINT");
      case PLACE ->
          List.of(
              "split INTEGER",
              "number BIGINT",
              "source_row BIGINT",
              "line BIGINT",
              "byte BIGINT",
              "record VARCHAR");
    };
  }

  /// The columns that are computed from the row's values, each as its name and type.
  List<String> computed() {
    return this == PLACE ? List.of("misfit INTEGER", "misfit_text VARCHAR") : List.of();
  }
}
