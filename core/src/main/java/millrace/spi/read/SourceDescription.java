package millrace.spi.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.text.NameList;

/// What a source is, found out before the plan is made.
///
/// @param label how to name it in plans, reports and errors
/// @param schema its columns after the selection's `columns` and with all `ColumnRequest` types
///   settled
/// @param named whether its columns have names of their own; those of a file without a header pair
///   with a target's by position
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
/// @param meant by name, the types of columns that are read as text only so that no value is cut:
///   the engine makes their values of it, and one that is none is a bad record
public record SourceDescription(
    String label,
    Schema schema,
    boolean named,
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
    List<String> notes,
    Map<String, Type> meant) {

  public SourceDescription {
    notes = List.copyOf(notes);
    meant = Map.copyOf(meant);
  }

  /// Of a source that reads all columns as what they are.
  public SourceDescription(
      String label,
      Schema schema,
      boolean named,
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
    this(
        label,
        schema,
        named,
        conditionColumns,
        forms,
        rowsEstimate,
        bytesEstimate,
        lanesMax,
        lanesWhy,
        cutsToSize,
        filters,
        limits,
        readAs,
        notes,
        Map.of());
  }

  /// The same, with columns that are read as text only so that no value is cut.
  public SourceDescription meaning(Map<String, Type> types) {
    return new SourceDescription(
        label,
        schema,
        named,
        conditionColumns,
        forms,
        rowsEstimate,
        bytesEstimate,
        lanesMax,
        lanesWhy,
        cutsToSize,
        filters,
        limits,
        readAs,
        notes,
        types);
  }

  /// A source with names of its own, of which nothing was to be found out by looking.
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
        true,
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

  /// The columns that go on to the target. Those without names of their own go on under the names
  /// that the target has at their positions.
  ///
  /// @param columnRequest what the source was described for
  /// @throws Fault.User if there are more columns without names than the target has
  public Schema passed(ColumnRequest columnRequest) {
    List<Column> columns =
        schema.columns().subList(0, schema.width() - conditionColumns).stream()
            .map(this::passed)
            .toList();
    if (!named && columnRequest instanceof ColumnRequest.Like(Schema target, boolean _)) {
      return Schema.of(renamed(columns, target.names()));
    }
    if (conditionColumns == 0 && meant.isEmpty()) {
      return schema;
    }
    List<String> names = columns.stream().map(Column::name).toList();
    return new Schema(columns, names.containsAll(schema.key()) ? schema.key() : List.of());
  }

  private Column passed(Column column) {
    Type type = meant.get(column.name());
    return type == null ? column : new Column(column.name(), type, column.nullable(), null);
  }

  private List<Column> renamed(List<Column> columns, List<String> names) {
    if (columns.size() > names.size()) {
      List<String> first = columns.subList(0, names.size()).stream().map(Column::name).toList();
      throw new Fault.User(
          label
              + " has "
              + columns.size()
              + " columns without names, and the target only "
              + names.size()
              + ": "
              + NameList.spelled(names, ", ")
              + ".",
          "Choose which ones go: --select " + String.join(",", first));
    }
    List<Column> renamed = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      renamed.add(new Column(names.get(i), column.type(), column.nullable(), column.declared()));
    }
    return renamed;
  }
}
