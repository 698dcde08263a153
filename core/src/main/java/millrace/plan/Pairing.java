package millrace.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.read.Selection;
import millrace.spi.write.TargetColumn;
import millrace.text.NameList;

/// Which of the columns that come go where, for every target alike.
///
/// If the target exists, they are paired with its columns. By name, a column goes into the one of
/// the same name, or else into the only one whose name differs in case alone. By position, it goes
/// into the one at its place among those that can be written. Values for a column that the target
/// makes itself are left out.
///
/// @param taken positions of the columns that the target takes
/// @param partners of each of them, the target's own; empty if the target is made anew
/// @param notes what becomes of the other columns
/// @param lacking the columns that come and that the target does not have, if that is no error
record Pairing(
    List<Integer> taken, List<TargetColumn> partners, List<String> notes, List<Column> lacking) {

  Pairing {
    taken = List.copyOf(taken);
    partners = List.copyOf(partners);
    notes = List.copyOf(notes);
    lacking = List.copyOf(lacking);
  }

  private Pairing(List<Integer> taken, List<TargetColumn> partners, List<String> notes) {
    this(taken, partners, notes, List.of());
  }

  /// All go into a target that is made of them.
  static Pairing anew(Schema incoming) {
    return new Pairing(IntStream.range(0, incoming.width()).boxed().toList(), List.of(), List.of());
  }

  /// Pairs by name those that a target which exists has columns for, and leaves the others out.
  ///
  /// @param label the target, for errors
  /// @param becomes what becomes of the others, as a sentence of which `%s` are: they, is or are,
  ///   the target, it or them
  /// @throws Fault.User as {@link #of}
  static Pairing ofKnown(
      String label, Schema incoming, List<TargetColumn> columns, String becomes) {
    List<String> known = columns.stream().map(TargetColumn::name).toList();
    List<Integer> found = new ArrayList<>();
    List<Column> lacking = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      if (Selection.position(incoming.column(i).name(), known) >= 0) {
        found.add(i);
      } else {
        lacking.add(incoming.column(i));
      }
    }
    Pairing pairing = of(label, taken(incoming, found), columns, false, true);
    List<String> notes = new ArrayList<>(pairing.notes);
    if (!lacking.isEmpty()) {
      boolean isOne = lacking.size() == 1;
      notes.addFirst(
          becomes.formatted(
              NameList.columns(lacking.stream().map(Column::name).toList()),
              isOne ? "is" : "are",
              label,
              isOne ? "it" : "them"));
    }
    return new Pairing(
        pairing.taken.stream().map(found::get).toList(), pairing.partners, notes, lacking);
  }

  /// Pairs them with the columns of a target that exists.
  ///
  /// @param label the target, for errors
  /// @param inserts whether rows are made of them, so that no column may lack a value
  /// @throws Fault.User if a column has no counterpart, or one that must be filled is not
  static Pairing of(
      String label,
      Schema incoming,
      List<TargetColumn> columns,
      boolean byPosition,
      boolean inserts) {
    List<TargetColumn> partners =
        byPosition ? byPosition(label, incoming, columns) : byName(label, incoming, columns);
    List<TargetColumn> unfilled = new ArrayList<>(columns);
    unfilled.removeAll(partners);
    unfilled.removeIf(column -> !inserts || !column.isWritable());
    checkFilled(label, unfilled);
    List<String> notes = new ArrayList<>();
    if (!unfilled.isEmpty()) {
      notes.add(
          "the source has nothing for "
              + named(unfilled)
              + ": new rows get the default there, a trigger's value, or null");
    }
    List<TargetColumn> made = partners.stream().filter(column -> !column.isWritable()).toList();
    if (!made.isEmpty()) {
      notes.add(
          "the target itself makes the values of "
              + named(made)
              + " ("
              + made.stream()
                  .map(TargetColumn::generated)
                  .distinct()
                  .collect(Collectors.joining(", "))
              + "): the source's are left out");
    }
    List<Integer> taken =
        IntStream.range(0, partners.size())
            .filter(i -> partners.get(i).isWritable())
            .boxed()
            .toList();
    if (taken.isEmpty()) {
      throw new Fault.User(
          "No column of the source can be written to " + label + ".",
          "Choose others with --select.");
    }
    return new Pairing(taken, taken.stream().map(partners::get).toList(), notes);
  }

  private static String named(List<TargetColumn> columns) {
    return NameList.columns(columns.stream().map(TargetColumn::name).toList());
  }

  /// Some of the columns.
  static Schema taken(Schema from, List<Integer> positions) {
    List<Column> columns = positions.stream().map(from::column).toList();
    Schema taken = Schema.of(columns);
    return taken.names().containsAll(from.key()) ? new Schema(columns, from.key()) : taken;
  }

  private static List<TargetColumn> byPosition(
      String label, Schema incoming, List<TargetColumn> columns) {
    List<TargetColumn> writable = columns.stream().filter(TargetColumn::isWritable).toList();
    List<TargetColumn> partners = incoming.width() <= writable.size() ? writable : columns;
    if (incoming.width() > partners.size()) {
      throw new Fault.User(
          "The source has "
              + incoming.width()
              + " columns, and "
              + label
              + " only "
              + columns.size()
              + ".",
          "Choose which ones go with --select.");
    }
    return partners.subList(0, incoming.width());
  }

  private static List<TargetColumn> byName(
      String label, Schema incoming, List<TargetColumn> columns) {
    List<TargetColumn> partners = new ArrayList<>();
    List<String> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    List<String> known = columns.stream().map(TargetColumn::name).toList();
    for (Column column : incoming.columns()) {
      int at = Selection.position(column.name(), known);
      TargetColumn partner = at < 0 ? null : columns.get(at);
      if (partner == null) {
        missing.add(column.name());
      } else if (taken.add(partner.name())) {
        partners.add(partner);
        found.add(column.name());
      } else {
        throw new Fault.User(
            "Two columns of the source go into column " + partner.name() + " of " + label + ".",
            "Leave one of them out with --select.");
      }
    }
    if (!missing.isEmpty()) {
      throw noSuchColumn(label, missing, found, columns);
    }
    return partners;
  }

  private static Fault.User noSuchColumn(
      String label, List<String> missing, List<String> found, List<TargetColumn> columns) {
    List<String> known = columns.stream().map(TargetColumn::name).toList();
    String hint = Nearest.hint(missing.getFirst(), known);
    String advice =
        found.isEmpty()
            ? "Pair the columns --by-position, or give the source's columns these names by"
                + " --rename: "
                + NameList.spelled(known, ", ")
                + "."
            : "Leave them out with --select "
                + NameList.spelled(found, ",")
                + ", or say what becomes of them: --new-columns ignore or add.";
    return new Fault.User(
        label
            + " has no "
            + NameList.columns(missing)
            + ", which the source has."
            + (hint.isEmpty() ? "" : " " + hint),
        advice);
  }

  /// A column that the source does not have gets its default, or what a trigger gives it; without
  /// either it must take nulls.
  private static void checkFilled(String label, List<TargetColumn> unfilled) {
    List<String> empty =
        unfilled.stream()
            .filter(column -> !column.nullable() && !column.hasDefault())
            .map(TargetColumn::name)
            .toList();
    if (!empty.isEmpty()) {
      throw new Fault.User(
          "The source has nothing for "
              + NameList.columns(empty)
              + " of "
              + label
              + ", which must not be null and has no default.",
          "Add the column to the source, or give it a default.");
    }
  }

  /// Refuses columns whose names a new table of the target can't tell apart.
  ///
  /// @throws Fault.User if there are such
  static void checkApart(String label, Schema incoming) {
    Map<String, String> names = new HashMap<>();
    for (String name : incoming.names()) {
      String other = names.put(name.toLowerCase(Locale.ROOT), name);
      if (other != null) {
        throw new Fault.User(
            label + ": two columns are named \"" + name + "\", and case does not count.",
            "Leave one out with --drop, or give it another name by --rename.");
      }
    }
  }
}
