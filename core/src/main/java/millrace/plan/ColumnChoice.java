package millrace.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.mapping.MappedColumn;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// What the source is asked for, and what its columns are called and typed on their way. Pure.
final class ColumnChoice {

  private ColumnChoice() {}

  /// What the source is asked for.
  ///
  /// @param cut names of the source that are cut, with what they become
  static ColumnRequest wanted(Job job, TargetDescription target, Map<String, String> cut) {
    Schema existing = target.existing(job.writeOptions());
    boolean cuts = job.rejects().cutsNanoseconds();
    if (existing != null && target.storage().keepsTypes()) {
      boolean byPosition = job.writeOptions().byPosition();
      Schema like = byPosition ? existing : job.mapping().asSourceNames(existing, cut);
      return new ColumnRequest.Like(cuts ? timesAsText(like) : like, byPosition);
    }
    Map<String, Type> declared = job.mapping().declared();
    if (cuts) {
      declared.replaceAll((_, type) -> isTime(type) ? Type.Text.UNLIMITED : type);
    }
    return target.storage().keepsTypes()
        ? new ColumnRequest.Typed(declared)
        : new ColumnRequest.Untyped(job.selection().conditionNames(), declared);
  }

  /// What cuts times, the engine, has to see their text.
  private static Schema timesAsText(Schema schema) {
    return new Schema(
        schema.columns().stream()
            .map(column ->
                isTime(column.type())
                    ? new Column(column.name(), Type.Text.UNLIMITED, column.nullable(), null)
                    : column)
            .toList(),
        schema.key());
  }

  private static boolean isTime(Type type) {
    return type instanceof Type.Timestamp || type instanceof Type.Time;
  }

  /// The names that are too long for the target, with what they become; none unless that is asked.
  static Map<String, String> cut(
      Job job, SourceDescription from, ColumnRequest request, TargetDescription to) {
    if (!job.mapping().fitNames()) {
      return Map.of();
    }
    Map<String, String> cut = new LinkedHashMap<>();
    Schema passed = from.passed(request);
    List<MappedColumn> uncut = job.mapping().apply(from.label(), passed, Integer.MAX_VALUE);
    List<MappedColumn> fitted = mapped(job, from, passed, to);
    for (int i = 0; i < uncut.size(); i++) {
      String name = fitted.get(i).column().name();
      if (uncut.get(i).constant() == null && !uncut.get(i).column().name().equals(name)) {
        cut.put(passed.column(uncut.get(i).position()).name(), name);
      }
    }
    return cut;
  }

  /// The columns as the mapping makes them of those that the source passes.
  ///
  /// @throws Fault.User if one is not there, or two have one name
  static List<MappedColumn> mapped(
      Job job, SourceDescription from, Schema passed, TargetDescription to) {
    return job.mapping().apply(from.label(), passed, to.storage().nameBytesMax());
  }

  /// The columns as the target is to take them: of the old table's types, if they are to stay. A
  /// type that only one system knows stays the source's, and a cast wins.
  static Schema requested(
      Job job, Schema incoming, List<MappedColumn> mapped, @Nullable Schema old) {
    if (old == null || job.writeOptions().types() != WriteOptions.Types.TARGET) {
      return incoming;
    }
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      Column column = incoming.column(i);
      int at = Selection.position(column.name(), old.names());
      boolean isRetained =
          at >= 0 && !mapped.get(i).isCast() && !(column.type() instanceof Type.Opaque);
      columns.add(
          isRetained
              ? new Column(
                  column.name(),
                  old.column(at).type(),
                  column.nullable(),
                  old.column(at).declared())
              : column);
    }
    return new Schema(columns, incoming.key());
  }
}
