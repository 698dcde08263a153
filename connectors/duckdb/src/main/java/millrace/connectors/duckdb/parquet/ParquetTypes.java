package millrace.connectors.duckdb.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;

/// What columns become in a Parquet file, so that no value changes on the way through DuckDB.
final class ParquetTypes {

  /// Types that Parquet keeps and DuckDB has no meaning for outside of itself.
  private static final Set<String> PRESERVED = Set.of("TIMESTAMP_NS");

  /// Types that DuckDB writes to Parquet with a loss (HUGEINT becomes DOUBLE, an INTERVAL loses its
  /// microseconds, a TIMETZ its offset) or as something else (a TUPLE as a STRUCT).
  private static final Pattern CHANGED =
      Pattern.compile(
          "\\b(U?HUGEINT|INTERVAL|TIME WITH TIME ZONE|UNION|VARIANT|BIT|BIGNUM|TIME_NS|GEOMETRY|"
              + "JSON|TIMESTAMP_S|TIMESTAMP_MS|ENUM|TUPLE)\\b");

  private ParquetTypes() {}

  /// The columns as they are handed over: lists of other systems as DuckDB spells them.
  static Schema handedOver(Schema incoming) {
    List<Column> columns =
        incoming.columns().stream()
            .map(column -> {
              String declared = declaration(column);
              Type type =
                  column.type() instanceof Type.Opaque && DuckDbTypes.isNested(declared)
                      ? DuckDbTypes.accepted(declared, column)
                      : column.type();
              return new Column(column.name(), type, column.nullable(), column.declared());
            })
            .toList();
    return new Schema(columns, incoming.key());
  }

  /// Where each column of a new file goes.
  static List<AppendColumn> slots(Schema incoming) {
    return incoming.columns().stream()
        .map(column ->
            AppendColumn.of(column, column.name(), column.type(), declaration(column), false))
        .toList();
  }

  private static String declaration(Column column) {
    String declared = column.declaredIn(DuckDbTypes.SYSTEM);
    if (declared != null && column.type() instanceof Type.Opaque) {
      // Others know JSON in it as well as alone.
      boolean isKnown = column.type().nested() != null;
      return isPreserved(isKnown ? DuckDbTypes.jsonAsText(declared) : declared)
          ? declared
          : "VARCHAR";
    }
    if (declared != null && !CHANGED.matcher(declared).find()) {
      return declared;
    }
    return DuckDbTypes.declaration(column.as(column.type()));
  }

  private static boolean isPreserved(String declared) {
    boolean nested = DuckDbTypes.isNested(declared);
    return PRESERVED.contains(declared)
        || (nested && !CHANGED.matcher(DuckDbTypes.withoutQuoted(declared)).find());
  }

  /// What the user should know, a sentence for each column that becomes text.
  static List<String> notes(Schema incoming) {
    List<String> notes = new ArrayList<>();
    for (Column column : incoming.columns()) {
      boolean hasType =
          column.type() instanceof Type.Opaque || column.type() instanceof Type.Decimal;
      if (hasType && declaration(column).equals("VARCHAR")) {
        notes.add(
            "\""
                + column.name()
                + "\" ("
                + column.declaration()
                + ") becomes text: its values cross as text.");
      }
    }
    return notes;
  }
}
