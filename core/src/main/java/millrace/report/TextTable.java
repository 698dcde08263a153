package millrace.report;

import java.util.ArrayList;
import java.util.List;

/// A table for a terminal: a head, a rule, rows; columns aligned by what is seen, not by counting
/// characters.
///
/// Used by one thread.
public final class TextTable {

  private static final String GAP = "  ";

  private final List<String> head;
  private final List<Boolean> right;
  private final List<List<String>> rows = new ArrayList<>();

  /// @param head the columns' titles; one that begins with `>` is aligned to the right
  public TextTable(List<String> head) {
    this.head =
        head.stream().map(title -> title.startsWith(">") ? title.substring(1) : title).toList();
    this.right = head.stream().map(title -> title.startsWith(">")).toList();
  }

  /// Adds a row of as many cells as the head has.
  public void row(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  /// The lines, without trailing blanks.
  public List<String> lines() {
    int[] widths = new int[head.size()];
    measure(head, widths);
    rows.forEach(row -> measure(row, widths));
    List<String> lines = new ArrayList<>();
    lines.add(line(head, widths));
    List<String> rule = new ArrayList<>();
    for (int width : widths) {
      rule.add("-".repeat(width));
    }
    lines.add(line(rule, widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  /// How many cells the widest line takes.
  public int width() {
    return lines().stream().mapToInt(DisplayWidth::of).max().orElse(0);
  }

  private static void measure(List<String> cells, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], DisplayWidth.of(cells.get(i)));
    }
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cells.get(i);
      String blanks = " ".repeat(widths[i] - DisplayWidth.of(cell));
      line.append(i == 0 ? "" : GAP);
      line.append(right.get(i) ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing();
  }
}
