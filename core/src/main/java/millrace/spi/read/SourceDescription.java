package millrace.spi.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.text.NameList;

/// What a source is, found out before the plan is made. Made by name: {@link #of}, and then what is
/// special about it.
///
/// @param label how to name it in plans, reports and errors
/// @param schema its columns after the selection's `columns` and with all `ColumnRequest` types
///   settled
/// @param named whether its columns have names of their own; those of a file without a header pair
///   with a target's by position
/// @param forms those it speaks besides columns; the planner asks {@link DescribedSource#cost} for
///   more
/// @param size how much there is
/// @param lanes how many can read at once
/// @param pushDown what of the selection it does itself
/// @param reading what was found out by looking, and what the user should know
public record SourceDescription(
    String label,
    Schema schema,
    boolean named,
    List<Form> forms,
    Size size,
    LaneLimit lanes,
    PushDown pushDown,
    Reading reading)
    implements Serializable {

  private static final String OWN_STATE = "it has no state that another process could read";

  public SourceDescription {
    forms = List.copyOf(forms);
  }

  /// How much a source has, whatever the limit.
  ///
  /// @param rows about how many, or -1 if unknown
  /// @param bytes about how many of its own, or -1 if unknown
  /// @param cuts whether its splits are about as large as they are asked to be, so that lanes can
  ///   come and go while the run goes on
  public record Size(long rows, long bytes, boolean cuts) implements Serializable {}

  /// What of the selection a source does itself. The engine does the rest.
  ///
  /// @param where whether it applies the condition
  /// @param limit whether it applies the limit
  /// @param conditionColumns how many of its columns, the last ones, are read only for the
  ///   condition that the engine applies, and go no further
  public record PushDown(boolean where, boolean limit, int conditionColumns)
      implements Serializable {}

  /// How a source is read.
  ///
  /// @param as what was found out by looking, such as the delimiter and the header of a text file;
  ///   empty if there was nothing to find out
  /// @param notes what the user should know, one sentence each: rows that are not to be seen
  /// @param declaredTypes by name, the types of columns that are read as text only so that no value
  ///   is cut: the engine makes their values of it, and one that is none is a bad record
  /// @param records how bad records are laid out so that they can be mended and read as the source
  ///   was
  /// @param comments what is written down about a table and its columns, by their names; read only
  ///   if a table may be made of it, see {@link ColumnRequest.Typed}
  /// @param oneProcess why its splits are read by the process alone that has made them, as the end
  ///   of a sentence; empty if others read the same: a split carries its state, or its rows neither
  ///   change nor move to another split
  public record Reading(
      String as,
      List<String> notes,
      Map<String, Type> declaredTypes,
      RecordFile records,
      TableComments comments,
      String oneProcess)
      implements Serializable {

    public Reading {
      notes = List.copyOf(notes);
      declaredTypes = Map.copyOf(declaredTypes);
    }
  }

  /// A source of unknown size that any number of lanes can read in columns alone, that leaves
  /// condition and limit to the engine, that has rows and no records, and whose splits are read by
  /// one process.
  public static SourceDescription of(String label, Schema schema) {
    return new SourceDescription(
        label,
        schema,
        true,
        List.of(),
        new Size(-1, -1, false),
        LaneLimit.NONE,
        new PushDown(false, false, 0),
        new Reading("", List.of(), Map.of(), RecordFile.ROWS, TableComments.NONE, OWN_STATE));
  }

  /// The same, whether or not its columns have names of their own.
  public SourceDescription withNames(boolean has) {
    return new SourceDescription(label, schema, has, forms, size, lanes, pushDown, reading);
  }

  /// The same, speaking these forms besides columns.
  public SourceDescription withForms(List<Form> others) {
    return new SourceDescription(label, schema, named, others, size, lanes, pushDown, reading);
  }

  /// The same, with about so much in it.
  ///
  /// @param cuts see {@link Size}
  public SourceDescription withSize(long rows, long bytes, boolean cuts) {
    Size other = new Size(rows, bytes, cuts);
    return new SourceDescription(label, schema, named, forms, other, lanes, pushDown, reading);
  }

  /// The same, for so many lanes at once.
  public SourceDescription withLanes(LaneLimit limit) {
    return new SourceDescription(label, schema, named, forms, size, limit, pushDown, reading);
  }

  /// The same, applying condition and limit itself.
  public SourceDescription pushingDown() {
    PushDown all = new PushDown(true, true, 0);
    return new SourceDescription(label, schema, named, forms, size, lanes, all, reading);
  }

  /// The same, with so many columns at its end that are for the engine's condition alone.
  public SourceDescription withConditionColumns(int count) {
    PushDown none = new PushDown(false, false, count);
    return new SourceDescription(label, schema, named, forms, size, lanes, none, reading);
  }

  /// The same, of records that are read like that.
  ///
  /// @param as see {@link Reading}, as for the others
  public SourceDescription withReading(String as, List<String> notes, RecordFile records) {
    return with(new Reading(as, notes, Map.of(), records, TableComments.NONE, reading.oneProcess));
  }

  /// The same, of a table that is read like that.
  ///
  /// @param notes see {@link Reading}, as for the others
  public SourceDescription withReading(
      List<String> notes, Map<String, Type> declaredTypes, TableComments comments) {
    return with(
        new Reading("", notes, declaredTypes, RecordFile.ROWS, comments, reading.oneProcess));
  }

  /// The same, with splits that other processes read just so.
  ///
  /// @param whyNot see {@link Reading#oneProcess}; empty if they do
  public SourceDescription withOneProcess(String whyNot) {
    return with(
        new Reading(
            reading.as,
            reading.notes,
            reading.declaredTypes,
            reading.records,
            reading.comments,
            whyNot));
  }

  private SourceDescription with(Reading other) {
    return new SourceDescription(label, schema, named, forms, size, lanes, pushDown, other);
  }

  /// The columns that go on to the target. Those without names of their own go on under the names
  /// that the target has at their positions.
  ///
  /// @param columnRequest what the source was described for
  /// @throws Fault.User if there are more columns without names than the target has
  public Schema passed(ColumnRequest columnRequest) {
    List<Column> columns =
        schema.columns().subList(0, schema.width() - pushDown.conditionColumns).stream()
            .map(this::passed)
            .toList();
    if (!named && columnRequest instanceof ColumnRequest.Like(Schema target, boolean _)) {
      return Schema.of(renamed(columns, target.names()));
    }
    if (pushDown.conditionColumns == 0 && reading.declaredTypes.isEmpty()) {
      return schema;
    }
    List<String> names = columns.stream().map(Column::name).toList();
    return new Schema(columns, names.containsAll(schema.key()) ? schema.key() : List.of());
  }

  private Column passed(Column column) {
    Type type = reading.declaredTypes.get(column.name());
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
