package millrace.cli.show;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.spi.catalog.LeftOut;

/// What does not come along with tables, in groups: a line for each kind of thing, and at most ten
/// unless all is asked for.
public final class LeftOutText {

  private static final int LINES_MAX = 10;
  private static final int NAMES_MAX = 3;

  private LeftOutText() {}

  /// The lines; none if nothing is left out.
  ///
  /// @param advice how it comes along all the same; follows
  /// @param all whether everything is named
  public static List<String> lines(List<LeftOut> left, List<String> advice, boolean all) {
    if (left.isEmpty()) {
      return List.of();
    }
    Map<String, List<LeftOut>> kinds =
        left.stream()
            .collect(Collectors.groupingBy(LeftOut::kind, TreeMap::new, Collectors.toList()));
    List<String> groups =
        kinds.entrySet().stream()
            .map(kind ->
                "  " + counted(kind.getKey(), kind.getValue().size()) + names(kind.getValue(), all))
            .toList();
    List<String> lines = new ArrayList<>(List.of("Not copied:"));
    if (all || groups.size() <= LINES_MAX) {
      lines.addAll(groups);
    } else {
      lines.addAll(groups.subList(0, LINES_MAX - 1));
      String others =
          kinds.entrySet().stream()
              .skip(LINES_MAX - 1)
              .map(kind -> counted(kind.getKey(), kind.getValue().size()))
              .collect(Collectors.joining(", "));
      lines.add("  " + others);
    }
    boolean isCut = !all && !lines.subList(1, lines.size()).equals(groupsOf(kinds));
    lines.addAll(advice);
    if (isCut) {
      lines.add("--verbose names all of them.");
    }
    return lines;
  }

  private static List<String> groupsOf(Map<String, List<LeftOut>> kinds) {
    return kinds.entrySet().stream()
        .map(kind ->
            "  " + counted(kind.getKey(), kind.getValue().size()) + names(kind.getValue(), true))
        .toList();
  }

  /// A number of things, such as `7 views`.
  static String counted(String kind, int count) {
    return count + " " + (count == 1 ? kind : plural(kind));
  }

  private static String plural(String kind) {
    int of = kind.indexOf(" of ");
    if (of > 0) {
      return plural(kind.substring(0, of)) + kind.substring(of);
    }
    if (kind.endsWith("y") && !kind.endsWith("key")) {
      return kind.substring(0, kind.length() - 1) + "ies";
    }
    if (kind.endsWith("x") || kind.endsWith("class")) {
      return kind + "es";
    }
    return kind.endsWith("s") ? kind : kind + "s";
  }

  /// Names, those that several tables share once; and why, which is said once if it is the same of
  /// all and not of the name.
  private static String names(List<LeftOut> left, boolean all) {
    Map<String, Set<String>> tables = new TreeMap<>();
    String first = left.getFirst().why();
    boolean isSame =
        left.size() > 1
            && first.startsWith("since ")
            && left.stream().allMatch(each -> each.why().equals(first));
    for (LeftOut each : left) {
      String why = isSame || each.why().isEmpty() ? "" : " (" + each.why() + ")";
      tables.computeIfAbsent(each.name() + why, _ -> new LinkedHashSet<>()).add(each.table());
    }
    List<String> names =
        tables.entrySet().stream().map(each -> of(each.getKey(), each.getValue(), all)).toList();
    int shown = all ? names.size() : Math.min(names.size(), NAMES_MAX);
    String more = shown < names.size() ? "and " + (names.size() - shown) + " more" : "";
    String text =
        Stream.concat(names.stream().limit(shown), Stream.of(more))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
    return (isSame ? " (" + first + ")" : "") + (text.isEmpty() ? "" : ": " + text);
  }

  private static String of(String name, Collection<String> tables, boolean all) {
    List<String> named = tables.stream().filter(table -> !table.isEmpty()).sorted().toList();
    String of =
        named.isEmpty()
            ? ""
            : "of "
                + (all || named.size() == 1 ? String.join(", ", named) : named.size() + " tables");
    return (name + " " + of).strip();
  }
}
