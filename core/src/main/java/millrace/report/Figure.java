package millrace.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/// One number of a report with its name, whatever it is of.
///
/// Reports are walked as JSON, where each number's name ends in its unit, so that what a report
/// comes to hold is compared without more ado.
///
/// @param section the part of the report it is of, such as `stages`; empty for the run as a whole
/// @param name unique within the section
/// @param unit how to tell it
/// @param value what was measured
public record Figure(String section, String name, Unit unit, double value) {

  /// Reports say so if something is not known.
  private static final double UNKNOWN = -1;

  /// What was found best; 0 of it says that it was not sought.
  private static final String FOUND = "found";

  /// What a figure counts.
  public enum Unit {
    NANOS,
    SECONDS,
    BYTES,
    MB_PER_S,
    PERCENT,
    NUMBER
  }

  /// All numbers of a report that are known, by section and name, in its order.
  public static Map<String, Figure> of(Report report) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    JsonNode root = ReportJson.MAPPER.valueToTree(report);
    for (Map.Entry<String, JsonNode> field : root.properties()) {
      String name = field.getKey();
      if (field.getValue().isContainerNode()) {
        walk(figures, words(name), List.of(), field.getValue());
      } else {
        add(figures, "", List.of(words(name)), field.getValue());
      }
    }
    return figures;
  }

  private static void walk(
      Map<String, Figure> figures, String section, List<String> path, JsonNode node) {
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        walk(figures, section, with(path, words(field.getKey())), field.getValue());
      }
    } else if (node.isArray()) {
      int number = 1;
      for (JsonNode element : node) {
        String key = key(element);
        walk(figures, section, with(path, key.isEmpty() ? "#" + number : key), element);
        number++;
      }
    } else {
      add(figures, section, path, node);
    }
  }

  private static List<String> with(List<String> path, String step) {
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  /// What names an element of a list: all that it says in words.
  private static String key(JsonNode element) {
    StringJoiner key = new StringJoiner(" ");
    for (JsonNode field : element) {
      if (field.isTextual() && !field.asText().isEmpty()) {
        key.add(field.asText());
      }
    }
    return key.toString();
  }

  private static void add(
      Map<String, Figure> figures, String section, List<String> path, JsonNode node) {
    double nothing = section.equals(FOUND) ? 0 : UNKNOWN;
    if (!node.isNumber() || node.asDouble() == nothing) {
      return;
    }
    Figure figure = new Figure(section, name(path), unit(path), node.asDouble());
    figures.putIfAbsent(section + "/" + figure.name, figure);
  }

  /// The path without what the value shows anyhow.
  private static String name(List<String> path) {
    String leaf = path.getLast().replaceFirst("(^| )(nanos|s|percent|mb per s)$", "");
    List<String> steps = new ArrayList<>(path.subList(0, path.size() - 1));
    boolean says = !leaf.isEmpty() && !(leaf.equals("change") && !steps.isEmpty());
    if (says) {
      steps.add(leaf);
    }
    return String.join(", ", steps);
  }

  /// By the end of the name; a counter's change is of what the counter's own name ends in.
  private static Unit unit(List<String> path) {
    String leaf = path.getLast();
    if (leaf.equals("change") && path.size() > 1) {
      leaf = path.get(path.size() - 2);
    }
    String name = leaf.toLowerCase(Locale.ROOT).replace(' ', '_');
    if (name.endsWith("nanos")) {
      return Unit.NANOS;
    } else if (name.endsWith("percent")) {
      return Unit.PERCENT;
    } else if (name.endsWith("mb_per_s")) {
      return Unit.MB_PER_S;
    } else if (name.matches("(.*_)?bytes(_.*)?") && !name.contains("_per_")) {
      return Unit.BYTES;
    }
    return name.endsWith("_s") && !name.endsWith("_per_s") ? Unit.SECONDS : Unit.NUMBER;
  }

  private static String words(String name) {
    return name.replace('_', ' ');
  }

  /// The value as a user reads it.
  public String text() {
    return switch (unit) {
      case NANOS -> duration(value);
      case SECONDS -> duration(value * 1e9);
      case BYTES -> ReportText.size(Math.round(value));
      case PERCENT -> String.format(Locale.ROOT, "%.1f %%", value);
      case MB_PER_S -> String.format(Locale.ROOT, "%,.1f MB/s", value);
      case NUMBER ->
          value == Math.rint(value)
              ? String.format(Locale.ROOT, "%,.0f", value)
              : String.format(Locale.ROOT, "%,.2f", value);
    };
  }

  /// Two runs may differ in what is over soon.
  private static String duration(double nanos) {
    if (nanos >= 1e9 || nanos == 0) {
      return ReportText.duration(Math.round(nanos));
    }
    return nanos >= 1e6
        ? String.format(Locale.ROOT, "%.1f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
  }
}
