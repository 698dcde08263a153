package millrace.text;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import org.jspecify.annotations.Nullable;

/// The keys of one part of a file that a user has written in YAML. What is wrong is told with its
/// line.
public final class Section {

  private final String file;
  private final String path;
  private final YamlNode node;

  /// @param path such as `load`; empty for the whole file
  /// @param known the keys that may stand here
  /// @throws Fault.User if another one does
  public Section(String file, String path, YamlNode node, List<String> known) {
    this.file = file;
    this.path = path;
    this.node = node;
    boolean isText = node.text() != null && !node.text().isEmpty();
    if (isText || !node.items().isEmpty()) {
      throw at(node, path + " is no group of keys.", "It takes " + String.join(", ", known) + ".");
    }
    for (Map.Entry<String, YamlNode> each : node.fields().entrySet()) {
      if (!known.contains(each.getKey())) {
        String hint = Nearest.hint(each.getKey(), known).strip();
        throw at(
            each.getValue(),
            "there is no key " + name(each.getKey()) + ".",
            hint.isEmpty() ? "It takes " + String.join(", ", new TreeSet<>(known)) + "." : hint);
      }
    }
  }

  private String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private Fault.User at(YamlNode where, String what, String advice) {
    return new Fault.User(line(where) + ": " + what, advice);
  }

  private String line(YamlNode where) {
    return file + ", line " + where.line();
  }

  /// A key with its line, or that of its part if it is not there.
  public String place(String key) {
    YamlNode value = node.fields().get(key);
    return line(value == null ? node : value) + ": " + name(key);
  }

  /// Refuses a value with its line.
  public Fault.User bad(String key, String why, String advice) {
    return new Fault.User(place(key) + " " + why, advice);
  }

  /// The part below a key; null if it is not there.
  public @Nullable YamlNode child(String key) {
    return node.fields().get(key);
  }

  /// The text of a key.
  public String text(String key, String otherwise) {
    YamlNode value = node.fields().get(key);
    if (value == null) {
      return otherwise;
    }
    if (value.text() == null) {
      throw at(value, name(key) + " is a list or a group, not a value.", "");
    }
    return value.text().strip();
  }

  /// A whole number.
  public long number(String key, long otherwise, long min, long max) {
    String text = text(key, Long.toString(otherwise)).replace("_", "").replace(",", "");
    if (!text.matches("\\d{1,18}") || Long.parseLong(text) < min || Long.parseLong(text) > max) {
      throw bad(key, "'" + text + "' is no number from " + min + " to " + max + ".", "");
    }
    return Long.parseLong(text);
  }

  /// A share, written as `2 %` or `0.02`.
  public double share(String key, double otherwise) {
    String text = text(key, Double.toString(otherwise));
    boolean perCent = text.endsWith("%");
    String digits = perCent ? text.substring(0, text.length() - 1).strip() : text;
    if (!digits.matches("\\d{1,3}(\\.\\d{1,10})?")) {
      throw bad(key, "'" + text + "' is no share.", "Write for example 2 %.");
    }
    double share = Double.parseDouble(digits) / (perCent ? 100 : 1);
    if (share > 1) {
      throw bad(key, "'" + text + "' is more than all.", "Write for example 2 %.");
    }
    return share;
  }

  /// A time, such as `1m`.
  public Duration time(String key, String otherwise) {
    String text = text(key, otherwise);
    try {
      return TimeSpan.parse(key, text);
    } catch (Fault.User e) {
      throw bad(key, "'" + text + "' is not a duration.", e.advice());
    }
  }

  /// A moment, such as `2019-04-01 23:55:00`.
  public LocalDateTime moment(String key, String otherwise) {
    String text = text(key, otherwise);
    try {
      return LocalDateTime.parse(text.replace(' ', 'T'));
    } catch (DateTimeParseException _) {
      throw bad(key, "'" + text + "' is no moment.", "Write for example 2019-04-01 23:55:00.");
    }
  }

  /// Whether something is so.
  public boolean flag(String key, boolean otherwise) {
    String text = text(key, Boolean.toString(otherwise));
    return switch (text) {
      case "true", "yes" -> true;
      case "false", "no" -> false;
      default -> throw bad(key, "'" + text + "' is neither yes nor no.", "");
    };
  }
}
