package millrace.engine.lane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.plan.Plan;
import millrace.plan.mapping.AddedValue;
import millrace.plan.mapping.MappedColumn;

/// How the target's columns are made of those that are read. A column that the user casts, and that
/// is of another type at both ends, takes two steps: a value has to be one of the type between.
///
/// @param isNeeded whether any column takes two steps
/// @param read of each column between, the position of the source's
/// @param schema the columns between, under the source's names
/// @param taken of each column of the target, the position of the one between, or of the source's
///   if there are no two steps
/// @param constants by position in the target, the text of the value that all rows have
record Casts(
    boolean isNeeded,
    List<Integer> read,
    Schema schema,
    List<Integer> taken,
    Map<Integer, String> constants) {

  static Casts of(Plan plan) {
    Schema source = plan.source().schema();
    Schema target = plan.writePlan().schema();
    List<MappedColumn> columns = plan.work().taken();
    boolean isNeeded = false;
    List<Integer> read = new ArrayList<>();
    List<Column> between = new ArrayList<>();
    List<Integer> ofBetween = new ArrayList<>();
    Map<Integer, String> constants = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      MappedColumn column = columns.get(i);
      Type to = target.column(i).type();
      AddedValue added = column.constant();
      ofBetween.add(added == null ? read.size() : -1);
      if (added != null) {
        constants.put(i, added.spelled(to, plan.work().begun()));
        continue;
      }
      Column from = source.column(column.position());
      Type cast = column.column().type();
      boolean isCast = column.isCast() && !cast.equals(from.type()) && !cast.equals(to);
      isNeeded |= isCast;
      read.add(column.position());
      between.add(isCast ? from.as(cast) : from);
    }
    List<Integer> ofSource = columns.stream().map(MappedColumn::position).toList();
    return new Casts(
        isNeeded, read, Schema.of(between), isNeeded ? ofBetween : ofSource, constants);
  }
}
