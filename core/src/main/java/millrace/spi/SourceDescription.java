package millrace.spi;

import java.util.List;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;

/// What a source is, found out before the plan is made.
///
/// @param label how to name it in plans, reports and errors
/// @param schema its columns after the selection's `columns` and with all `Wanted` types settled
/// @param conditionColumns how many of them, the last ones, are read only for the condition that
///   the engine applies, and go no further
/// @param forms those it speaks besides columns; the planner asks {@link Source#cost} for more
/// @param rowsEstimate about how many rows, whatever the limit, or -1 where unknown
/// @param bytesEstimate about how many bytes of its own, whatever the limit, or -1 where unknown
/// @param lanesMax most lanes that can read at once
/// @param lanesWhy why not more, for example `stdin is one stream`; empty where lanes are unlimited
/// @param cutsToSize whether its splits are about as large as they are asked to be, so that lanes
///   can come and go while the run goes on
/// @param filters whether it applies the selection's `where` itself
/// @param limits whether it applies the selection's `limit` itself
/// @param readAs how it is read as far as that was found out by looking, such as the delimiter and
///   the header of a text file; empty if there was nothing to find out
/// @param notes what the user should know, one sentence each: rows that are not to be seen
public record SourceDescription(
    String label,
    Schema schema,
    int conditionColumns,
    List<Form> forms,
    long rowsEstimate,
    long bytesEstimate,
    int lanesMax,
    String lanesWhy,
    boolean cutsToSize,
    boolean filters,
    boolean limits,
    String readAs,
    List<String> notes) {

  public SourceDescription {
    notes = List.copyOf(notes);
  }

  /// A source of which nothing was to be found out by looking.
  public SourceDescription(
      String label,
      Schema schema,
      int conditionColumns,
      List<Form> forms,
      long rowsEstimate,
      long bytesEstimate,
      int lanesMax,
      String lanesWhy,
      boolean cutsToSize,
      boolean filters,
      boolean limits,
      List<String> notes) {
    this(
        label,
        schema,
        conditionColumns,
        forms,
        rowsEstimate,
        bytesEstimate,
        lanesMax,
        lanesWhy,
        cutsToSize,
        filters,
        limits,
        "",
        notes);
  }

  /// The columns that go on to the target.
  public Schema passed() {
    if (conditionColumns == 0) {
      return schema;
    }
    List<Column> columns = schema.columns().subList(0, schema.width() - conditionColumns);
    List<String> names = columns.stream().map(Column::name).toList();
    return new Schema(columns, names.containsAll(schema.key()) ? schema.key() : List.of());
  }
}
