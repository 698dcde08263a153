package millrace.plan.mapping;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.read.Selection;
import millrace.text.NameList;

/// What the user asks of the columns between source and target. Columns are called as the source
/// calls them, but for those that are added.
///
/// @param renames new names, by the source's
/// @param casts types, by the source's names or by those of added columns
/// @param added the values of columns that the source does not have, by name
/// @param dropped columns that are left out
/// @param newColumns what becomes of columns that the target does not have
/// @param fitNames whether names that are too long for the target are cut
public record Mapping(
    Map<String, String> renames,
    Map<String, Type> casts,
    Map<String, AddedValue> added,
    List<String> dropped,
    NewColumns newColumns,
    boolean fitNames)
    implements Serializable {

  /// Nothing is asked.
  public static final Mapping NONE =
      new Mapping(Map.of(), Map.of(), Map.of(), List.of(), NewColumns.ERROR, false);

  public Mapping {
    renames = Collections.unmodifiableMap(new LinkedHashMap<>(renames));
    casts = Collections.unmodifiableMap(new LinkedHashMap<>(casts));
    added = Collections.unmodifiableMap(new LinkedHashMap<>(added));
    dropped = List.copyOf(dropped);
  }

  /// The same, leaving these out.
  public Mapping dropping(List<String> names) {
    return new Mapping(renames, casts, added, names, newColumns, fitNames);
  }

  /// What of it is about some of the source's columns, if no others are read.
  public Mapping of(List<String> columns) {
    Map<String, String> names = new LinkedHashMap<>(renames);
    Map<String, Type> types = new LinkedHashMap<>(casts);
    names.keySet().removeIf(name -> Selection.position(name, columns) < 0);
    types
        .keySet()
        .removeIf(name -> added.containsKey(name) || Selection.position(name, columns) < 0);
    return new Mapping(names, types, Map.of(), List.of(), NewColumns.ERROR, fitNames);
  }

  /// Whether it asks for something that goes by the names of the target's columns.
  public boolean pairsByName() {
    return !renames.isEmpty() || newColumns != NewColumns.ERROR || fitNames;
  }

  /// What tells it from another, for the hash of a job, whatever the order in which it was asked
  /// for; empty if it asks for nothing.
  public String identity() {
    return equals(NONE)
        ? ""
        : List.of(
                new TreeMap<>(renames),
                new TreeMap<>(casts),
                added,
                dropped.stream().sorted().toList(),
                newColumns,
                fitNames)
            .toString();
  }

  /// Turns a source's columns into those that go to the target, in the source's order, with the
  /// added ones behind them.
  ///
  /// @param label the source, for errors
  /// @param nameBytesMax how long names may be in the target
  /// @throws Fault.User if a column is not there, or two have one name
  public List<MappedColumn> apply(String label, Schema passed, int nameBytesMax) {
    List<String> known = passed.names();
    Map<Integer, String> names = new LinkedHashMap<>();
    renames.forEach((from, to) -> {
      int at = position("--rename " + from + "=" + to, label, from, known);
      if (names.put(at, to) != null) {
        throw new Fault.User(
            "--rename gives column " + known.get(at) + " two names.", "Leave one of them out.");
      }
    });
    Set<Integer> out = new HashSet<>();
    dropped.forEach(name -> out.add(position("--drop " + name, label, name, known)));
    out.stream()
        .filter(names::containsKey)
        .findFirst()
        .ifPresent(at -> {
          throw new Fault.User(
              "Column " + known.get(at) + " is both renamed and dropped.",
              "Leave one of them out.");
        });
    Map<Integer, Type> types = new LinkedHashMap<>();
    casts.forEach((name, type) -> {
      if (!added.containsKey(name)) {
        types.put(position("--cast " + name + ":" + type.label(), label, name, known), type);
      }
    });
    List<MappedColumn> mapped = new ArrayList<>();
    for (int i = 0; i < passed.width(); i++) {
      if (!out.contains(i)) {
        Column column = passed.column(i);
        String name = names.getOrDefault(i, column.name());
        Type type = types.get(i);
        Column renamed = new Column(name, column.type(), column.nullable(), column.declared());
        mapped.add(
            new MappedColumn(i, type == null ? renamed : renamed.as(type), type != null, null));
      }
    }
    added.forEach((name, value) -> {
      Type cast = casts.get(name);
      Column column = Column.of(name, cast == null ? value.type() : cast);
      mapped.add(new MappedColumn(-1, column, cast != null, value));
    });
    if (mapped.isEmpty()) {
      throw passed.width() == 0
          ? new Fault.User(label + " has no columns.", "Name another table.")
          : new Fault.User("No column of " + label + " is left.", "Drop fewer.");
    }
    checkNames(mapped);
    return fitNames ? FittedNames.fit(mapped, nameBytesMax) : List.copyOf(mapped);
  }

  private int position(String option, String label, String name, List<String> known) {
    int at = Selection.position(name, known);
    if (at >= 0) {
      return at;
    }
    String before =
        renames.entrySet().stream()
            .filter(rename -> rename.getValue().equals(name))
            .map(rename -> "It is called " + rename.getKey() + " there. ")
            .findFirst()
            .orElse(Nearest.hint(name, known));
    throw new Fault.User(
        option + ": " + label + " has no column '" + name + "'.",
        (before.strip() + " It has " + NameList.spelled(known, ", ") + ".").strip());
  }

  private static void checkNames(List<MappedColumn> mapped) {
    Set<String> names = new HashSet<>();
    for (MappedColumn each : mapped) {
      String name = each.column().name();
      if (!names.add(name)) {
        throw new Fault.User(
            "Two columns would be called " + name + ".",
            "Give one of them another name by --rename, or leave it out by --drop.");
      }
    }
  }

  /// The columns as the target gets them.
  ///
  /// @param passed what they were made of, for its key
  public Schema schema(Schema passed, List<MappedColumn> mapped) {
    List<Column> columns = mapped.stream().map(MappedColumn::column).toList();
    List<String> key = new ArrayList<>();
    for (String name : passed.key()) {
      int position = passed.indexOf(name);
      mapped.stream()
          .filter(each -> each.position() == position)
          .findFirst()
          .ifPresent(each -> key.add(each.column().name()));
    }
    return new Schema(columns, key.size() == passed.key().size() ? key : List.of());
  }

  /// What columns of the source are called in the target, with those that are added.
  public List<String> newNames(List<String> names) {
    List<String> renamed = List.copyOf(renames.keySet());
    List<String> all = new ArrayList<>();
    for (String name : names) {
      int at = Selection.position(name, renamed);
      if (Selection.position(name, dropped) < 0) {
        all.add(at < 0 ? name : renames.getOrDefault(renamed.get(at), name));
      }
    }
    all.addAll(added.keySet());
    return all;
  }

  /// A target's columns under the names that the source has for them: what a source without types
  /// is to take them from. A cast wins over the target's type.
  ///
  /// @param cut by the source's names, those that were cut
  public Schema asSourceNames(Schema target, Map<String, String> cut) {
    List<String> known = target.names();
    Map<Integer, String> sourceNames = new LinkedHashMap<>();
    Map<String, String> others = new LinkedHashMap<>(renames);
    others.putAll(cut);
    others.forEach((from, to) -> {
      int at = Selection.position(to, known);
      if (at >= 0) {
        sourceNames.put(at, from);
      }
    });
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < target.width(); i++) {
      Column column = target.column(i);
      String name = sourceNames.getOrDefault(i, column.name());
      // A column that goes elsewhere is none of this name.
      if (sourceNames.containsKey(i)
          || Selection.position(name, List.copyOf(others.keySet())) < 0) {
        columns.add(new Column(name, column.type(), column.nullable(), column.declared()));
      }
    }
    casts.forEach((name, type) -> {
      int at = Selection.position(name, columns.stream().map(Column::name).toList());
      if (added.containsKey(name)) {
        return; // A column of the source may have that name too, and goes elsewhere.
      }
      if (at >= 0) {
        columns.set(at, columns.get(at).as(type));
      } else {
        columns.add(Column.of(name, type));
      }
    });
    // It is not looked at, so that none of its values can be bad.
    columns.replaceAll(column ->
        Selection.position(column.name(), dropped) < 0 ? column : column.as(Type.Text.UNLIMITED));
    return Schema.of(columns);
  }

  /// The types that the user says of the source's columns, by name.
  public Map<String, Type> declared() {
    Map<String, Type> declared = new LinkedHashMap<>(casts);
    declared.keySet().removeAll(added.keySet());
    dropped.forEach(name -> declared.put(name, Type.Text.UNLIMITED));
    return declared;
  }
}
