package millrace.job;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;

/// Which tables are copied, and where each goes. Pure.
public final class TableTargets {

  /// A table and its target.
  public record Pair(TableEntry from, Endpoint to) {}

  /// A name of a list.
  ///
  /// @param place where it stands, for messages, such as `list.txt, line 3`
  public record Listed(String name, String place) {}

  private TableTargets() {}

  /// The tables of a list that are asked for.
  ///
  /// @param requested the end that names them, for messages
  /// @param only names, each with its schema or without; all if empty
  /// @param excluded patterns of names, likewise
  /// @throws Fault.User if none is left, or a name is not there
  public static List<TableEntry> chosen(
      List<TableEntry> list, Endpoint requested, List<Listed> only, List<String> excluded) {
    List<TableEntry> chosen = new ArrayList<>(list);
    if (!only.isEmpty()) {
      only.forEach(each -> refuseIfMissing(each, list, requested));
      chosen.removeIf(entry -> only.stream().noneMatch(each -> isMeant(each.name(), entry)));
    }
    chosen.removeIf(entry -> excluded.stream().anyMatch(name -> isMeant(name, entry)));
    if (chosen.isEmpty()) {
      throw new Fault.User(
          list.isEmpty()
              ? "No table of " + requested.label() + " is one that " + named(requested) + "."
              : "--exclude leaves no table of " + requested.label() + ".",
          "See what there is: millrace tables.");
    }
    return chosen;
  }

  private static void refuseIfMissing(Listed name, List<TableEntry> list, Endpoint requested) {
    if (list.stream().noneMatch(entry -> isMeant(name.name(), entry))) {
      String hint =
          Nearest.hint(
              name.name(),
              list.stream().flatMap(entry -> Stream.of(entry.name(), entry.label())).toList());
      throw new Fault.User(
          name.place()
              + ": "
              + requested.label()
              + " has no table "
              + name.name()
              + " among those that "
              + named(requested)
              + ".",
          hint.isEmpty() ? "See what there is: millrace tables." : hint);
    }
  }

  /// Those patterns that leave nothing out.
  public static List<String> idle(List<TableEntry> list, List<String> excluded) {
    return excluded.stream()
        .filter(name -> list.stream().noneMatch(entry -> isMeant(name, entry)))
        .toList();
  }

  private static String named(Endpoint requested) {
    return requested.text("table").map(table -> "'" + table + "' names").orElse("are named");
  }

  /// Whether a name, with its schema or without, or a pattern of names means a table.
  public static boolean isMeant(String name, TableEntry entry) {
    TablePattern pattern = TablePattern.parse(name);
    return pattern.schema().isEmpty()
        ? pattern.matches(entry.name()) || pattern.matches(entry.label())
        : pattern.matchesIn(entry.schema(), entry.name())
            || pattern.matchesWhole(entry.name())
            || (!pattern.schemaQuoted() && pattern.matchesWhole(entry.label()));
  }

  /// Each table with its target.
  ///
  /// @param sameSystem whether both ends are of one system, so that names stay to the letter
  /// @throws Fault.User if two tables would go into one, or all into one
  public static List<Pair> pairs(
      List<TableEntry> tables, NameTemplate template, boolean sameSystem) {
    List<Pair> pairs = new ArrayList<>();
    TargetPlaces<TableEntry> taken = new TargetPlaces<>();
    for (TableEntry table : tables) {
      Endpoint to = template.of(table, sameSystem);
      TableEntry other = taken.take(to, sameSystem, table);
      if (other != null) {
        throw new Fault.User(
            named(other, table)
                + " and "
                + named(table, other)
                + " would both go to "
                + labelOf(to)
                + ".",
            NameTemplate.isTemplate(template.end())
                ? "Leave one out by --exclude, and copy it by itself under another name."
                : "Write {table} in the name of the target, such as 'out/{table}.csv' or"
                    + " 'PROD:public.{table}'.");
      }
      pairs.add(new Pair(table, to));
    }
    return pairs;
  }

  /// A table, so that it is told from the other: files in two folders may have one name.
  private static String named(TableEntry table, TableEntry other) {
    return table.label().equals(other.label()) ? table.end().label() : table.label();
  }

  /// A target as messages name it: with its table, and the partition if there is one.
  public static String labelOf(Endpoint to) {
    return to.labelWithTable()
        + to.text(NameTemplate.PARTITION).map(", partition "::concat).orElse("");
  }

  /// Whether only a part of a table is written, which others may write other parts of.
  public static boolean isPart(Endpoint to) {
    return to.text(NameTemplate.PARTITION).isPresent();
  }
}
