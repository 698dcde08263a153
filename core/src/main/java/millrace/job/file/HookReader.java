package millrace.job.file;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import millrace.fault.Fault;
import millrace.text.Section;
import millrace.text.YamlNode;

/// Reads the hooks of a job file. One thread.
final class HookReader {

  private static final List<String> KEYS =
      List.of("type", "command", "shell", "env", "timeout", "on_failure", "query", "connection");

  private final String file;
  private final JobVariables variables;

  HookReader(String file, JobVariables variables) {
    this.file = file;
    this.variables = variables;
  }

  /// The hooks of a list.
  ///
  /// @param path what messages call the list, such as `hooks.start`
  /// @throws Fault.User if one makes no sense
  List<JobHook> hooks(String path, YamlNode list) {
    boolean isList = !list.items().isEmpty() || "".equals(list.text());
    boolean isEmptyList = list.text() == null && list.fields().isEmpty();
    if (!isList && !isEmptyList) {
      throw at(list, path + " is no list of hooks.", "Begin each with a dash: - type: command");
    }
    List<JobHook> hooks = new ArrayList<>();
    list.items().forEach(item -> hooks.add(hook(path, item)));
    return hooks;
  }

  private JobHook hook(String path, YamlNode item) {
    if (item.fields().isEmpty()) {
      throw at(
          item, path + ": a hook is no group of keys.", "Write - command: [program, argument].");
    }
    Section keys = new Section(file, path, item, KEYS);
    YamlNode type = item.fields().get("type");
    YamlNode command = item.fields().get("command");
    YamlNode query = item.fields().get("query");
    String kind = type == null ? (query == null ? "command" : "query") : type.text();
    if (!"command".equals(kind) && !"query".equals(kind)) {
      throw at(
          type == null ? item : type,
          path + ": hooks of type " + kind + " are not there yet.",
          "Write type: command or type: query.");
    }
    if (command != null && query != null) {
      throw at(query, path + ": a hook is a command or a query.", "Make two hooks of it.");
    }
    if ("query".equals(kind)) {
      return query(path, item, keys);
    }
    boolean shell = keys.flag("shell", false);
    if (command == null) {
      throw at(item, path + ": a hook has no command:.", "Write command: [program, argument].");
    }
    List<YamlNode> words = words(path, command, shell);
    return new JobHook(
        item.line(),
        filled(words),
        shell,
        env(keys),
        timeout(keys),
        onlyWarns(keys),
        null,
        shown(words));
  }

  private List<String> filled(List<YamlNode> texts) {
    return texts.stream()
        .map(each -> variables.fill(Objects.requireNonNull(each.text()), each.line(), false))
        .toList();
  }

  private List<String> shown(List<YamlNode> texts) {
    return texts.stream()
        .map(each -> variables.shown(Objects.requireNonNull(each.text()), each.line()))
        .toList();
  }

  private JobHook query(String path, YamlNode item, Section keys) {
    YamlNode query = item.fields().get("query");
    if (query == null) {
      throw at(item, path + ": a hook has no query:.", "Write query: UPDATE …");
    }
    for (String key : List.of("shell", "env")) {
      if (item.fields().containsKey(key)) {
        throw at(item, path + ": " + key + ": is for commands, and this is SQL.", "Leave it out.");
      }
    }
    List<YamlNode> all = query.items().isEmpty() ? List.of(query) : query.items();
    for (YamlNode each : all) {
      if (each.text() == null || each.text().isBlank()) {
        throw at(each, path + ".query holds what is no statement.", "Write query: UPDATE …");
      }
    }
    YamlNode connection = item.fields().get("connection");
    String named = connection == null ? "target" : keys.text("connection", "target");
    String filled =
        variables.fill(named, connection == null ? item.line() : connection.line(), false);
    return new JobHook(
        item.line(),
        List.of(),
        false,
        Map.of(),
        timeout(keys),
        onlyWarns(keys),
        new JobHook.Query(filled, filled(all)),
        shown(all));
  }

  private List<YamlNode> words(String path, YamlNode command, boolean shell) {
    if (shell) {
      if (command.text() == null || command.text().isBlank()) {
        throw at(
            command,
            path + ".command is no text, and shell: true wants one for the shell.",
            "Write command: \"psql … | grep …\", or leave shell: out.");
      }
      return List.of(command);
    }
    if (command.items().isEmpty()) {
      throw at(
          command,
          path + ".command is no list of words, and no shell would read it.",
          "Write [program, argument, …], or add shell: true.");
    }
    for (YamlNode word : command.items()) {
      if (word.text() == null) {
        throw at(word, path + ".command holds what is no word.", "Write one text for each word.");
      }
    }
    if (filled(command.items()).getFirst().isBlank()) {
      throw at(command, path + ".command names no program.", "Write it as the first word.");
    }
    return command.items();
  }

  private Map<String, String> env(Section keys) {
    YamlNode node = keys.child("env");
    Map<String, String> env = new TreeMap<>();
    if (node == null) {
      return env;
    }
    node.fields()
        .forEach((name, value) -> {
          if (value.text() == null) {
            throw at(value, "env." + name + " is not a single value.", "Write one value.");
          }
          env.put(name, variables.fill(value.text(), value.line(), false));
        });
    return env;
  }

  private static Duration timeout(Section keys) {
    String text = keys.text("timeout", "0");
    if (text.matches("[0-9]{1,6}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    return keys.time("timeout", "0");
  }

  private static boolean onlyWarns(Section keys) {
    String text = keys.text("on_failure", "abort");
    return switch (text) {
      case "abort" -> false;
      case "warn" -> true;
      default ->
          throw keys.bad(
              "on_failure", "'" + text + "' is neither abort nor warn.", "abort is the default.");
    };
  }

  private Fault.User at(YamlNode node, String what, String advice) {
    return new Fault.User(file + ", line " + node.line() + ": " + what, advice);
  }
}
