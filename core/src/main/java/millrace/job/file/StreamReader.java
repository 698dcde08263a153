package millrace.job.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.write.Mode;
import millrace.text.NameList;
import millrace.text.Section;
import millrace.text.YamlNode;
import org.jspecify.annotations.Nullable;

/// Reads the streams of a job file, each with what `defaults:` says. One thread.
final class StreamReader {

  private static final String MODE = "mode";
  private static final String KEY = "key";
  private static final String PRIMARY_KEY = "primary-key";
  private static final String HOOKS = "hooks";
  private static final String SOURCE_OPTIONS = "source-options";
  private static final String TARGET_OPTIONS = "target-options";

  private static final Set<String> LISTS = Set.of("select", KEY, PRIMARY_KEY, "exclude", "drop");

  /// Options that name columns with something to each, and what stands between the two.
  private static final Map<String, String> PAIRS =
      Map.of("columns", ":", "cast", ":", "rename", "=", "add", "=");

  private final String file;
  private final Set<String> options;
  private final JobVariables variables;
  private final HookReader hooks;
  private Map<String, YamlNode> defaults = Map.of();

  StreamReader(String file, Set<String> options, JobVariables variables) {
    this.file = file;
    this.options = options;
    this.variables = variables;
    hooks = new HookReader(file, variables);
  }

  /// Takes what holds for each stream that does not say otherwise.
  ///
  /// @return what it says of the job as a whole
  Map<String, StreamSetting> defaults(YamlNode node) {
    defaults = keys("defaults", node);
    Map<String, StreamSetting> ofJob = new LinkedHashMap<>();
    for (String name : JobKeys.OF_JOB) {
      YamlNode value = defaults.remove(name);
      if (value != null) {
        ofJob.put(name, setting(name, value));
      }
    }
    YamlNode lanes = defaults.remove("lanes");
    if (lanes != null) {
      ofJob.put("lanes", setting("lanes", lanes));
    }
    return ofJob;
  }

  /// One stream.
  ///
  /// @throws Fault.User if anything in it makes no sense
  JobStream stream(String spelled, YamlNode node) {
    String name = variables.fill(spelled, node.line(), false);
    variables.define("stream_name", name);
    Map<String, YamlNode> all = keys("stream " + spelled, node);
    for (String ofJob : JobKeys.OF_JOB) {
      if (all.containsKey(ofJob)) {
        throw at(all.get(ofJob), ofJob + " is for the whole job.", "Write it below defaults:.");
      }
    }
    defaults.forEach((key, value) -> {
      boolean isMap = key.equals(SOURCE_OPTIONS) || key.equals(TARGET_OPTIONS);
      all.merge(key, value, (given, other) -> isMap ? merged(other, given) : given);
    });
    YamlNode disabled = all.remove("disabled");
    all.remove("description");
    YamlNode object = all.remove("object");
    YamlNode query = all.remove("sql");
    YamlNode hooksNode = all.remove(HOOKS);
    YamlNode source = all.remove(SOURCE_OPTIONS);
    YamlNode target = all.remove(TARGET_OPTIONS);
    Section hookKeys =
        new Section(
            file,
            HOOKS,
            hooksNode == null ? YamlNode.none(node.line()) : hooksNode,
            List.of("pre", "post"));
    return new JobStream(
        node.line(),
        name,
        object == null ? null : setting("object", object),
        query == null ? null : query(query),
        settings(all),
        parameters(SOURCE_OPTIONS, source),
        parameters(TARGET_OPTIONS, target),
        hooks(hookKeys, "pre"),
        hooks(hookKeys, "post"),
        disabled != null && flag("disabled", disabled));
  }

  private List<JobHook> hooks(Section keys, String name) {
    YamlNode list = keys.child(name);
    return list == null ? List.of() : hooks.hooks(HOOKS + "." + name, list);
  }

  /// Parameters of an end, whatever their spelling in either place.
  private static YamlNode merged(YamlNode below, YamlNode above) {
    List<String> given = above.fields().keySet().stream().map(StreamReader::parameter).toList();
    Map<String, YamlNode> fields = new LinkedHashMap<>(below.fields());
    fields.keySet().removeIf(name -> given.contains(parameter(name)));
    fields.putAll(above.fields());
    return new YamlNode(above.line(), above.text(), fields, above.items());
  }

  /// The keys of a group by their canonical names.
  private Map<String, YamlNode> keys(String path, YamlNode node) {
    boolean isText = node.text() != null && !node.text().isEmpty();
    if (isText || !node.items().isEmpty()) {
      throw at(node, path + " is no group of keys.", "Write below it for example object: NAME.");
    }
    Map<String, YamlNode> keys = new LinkedHashMap<>();
    node.fields()
        .forEach((spelled, value) -> {
          String name = canonical(spelled);
          checkKnown(path, spelled, name, value);
          if (keys.put(name, value) != null) {
            throw at(value, spelled + " is there twice.", "Leave one of them out.");
          }
        });
    return keys;
  }

  private void checkKnown(String path, String spelled, String name, YamlNode value) {
    String refused = JobKeys.REFUSED.get(name);
    if (refused != null) {
      throw at(value, spelled + " is not for a job.", refused);
    }
    Set<String> understood = new TreeSet<>();
    JobKeys.UNDERSTOOD.keySet().forEach(key -> understood.add(canonical(key)));
    if (!understood.contains(name) && !options.contains(name) && !JobKeys.OF_JOB.contains(name)) {
      understood.addAll(options);
      String hint = Nearest.hint(name, understood);
      throw at(
          value,
          path + ": there is no key " + spelled + ".",
          hint.isEmpty()
              ? "It takes options of copy and "
                  + String.join(", ", new TreeSet<>(JobKeys.UNDERSTOOD.keySet()))
                  + "."
              : hint);
    }
  }

  private static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Our name for a parameter of an end.
  private static String parameter(String spelled) {
    String name = canonical(spelled);
    return JobKeys.RENAMED.getOrDefault(name, name);
  }

  private StreamSetting query(YamlNode node) {
    StreamSetting query = setting("query", node);
    if (query.value().startsWith("file:") || query.value().isBlank()) {
      throw at(node, "sql: is no query.", "Write the query itself: sql: SELECT …");
    }
    return query;
  }

  private Map<String, StreamSetting> settings(Map<String, YamlNode> all) {
    Map<String, StreamSetting> settings = new LinkedHashMap<>();
    YamlNode key = all.remove(PRIMARY_KEY);
    if (key != null && all.containsKey(KEY)) {
      throw at(key, "primary_key and key are one thing.", "Leave one of them out.");
    }
    all.forEach((name, node) -> settings.put(name, setting(name, node)));
    StreamSetting mode = settings.get(MODE);
    if (mode != null) {
      settings.put(
          MODE,
          new StreamSetting(
              MODE, mode(mode, key != null, settings.containsKey("update-key")), mode.line()));
    }
    if (mode != null && !List.of("merge", "insert-only", "append").contains(modeOf(settings))) {
      settings.keySet().removeAll(List.of("update-key", "overlap", "chunk", "deletes"));
    } else if ("append".equals(modeOf(settings))) {
      settings.keySet().removeAll(List.of("overlap", "deletes"));
    }
    // Of another mode it says nothing, as in Sling.
    if (key != null && List.of("merge", "insert-only").contains(modeOf(settings))) {
      settings.put(KEY, new StreamSetting(KEY, setting(PRIMARY_KEY, key).value(), key.line()));
    }
    return settings;
  }

  private static String modeOf(Map<String, StreamSetting> settings) {
    StreamSetting mode = settings.get(MODE);
    return mode == null ? "" : mode.value();
  }

  /// A mode of ours for one of Sling's.
  private String mode(StreamSetting setting, boolean hasKey, boolean hasUpdateKey) {
    String mode = setting.value().strip().toLowerCase(Locale.ROOT);
    List<String> known =
        new ArrayList<>(
            List.of("full-refresh", "incremental", "snapshot", "backfill", "definition-only"));
    for (Mode each : Mode.values()) {
      known.add(each.name().toLowerCase(Locale.ROOT));
    }
    known.add("insert-only");
    if (!known.contains(mode)) {
      String hint = Nearest.hint(mode, known);
      throw at(
          setting.line(),
          "there is no mode '" + setting.value() + "'.",
          hint.isEmpty() ? "Modes are " + String.join(", ", known) + "." : hint);
    }
    return switch (mode) {
      case "full-refresh" -> "replace";
      case "incremental" -> {
        if (!hasKey && !hasUpdateKey) {
          throw at(
              setting.line(),
              "mode: incremental has neither primary_key: nor update_key:.",
              "Name the columns of the key, so that changed rows take the place of old ones, or the"
                  + " column by which new rows are known.");
        }
        yield hasKey ? "merge" : "append";
      }
      case "snapshot" ->
          throw at(
              setting.line(),
              "mode: snapshot adds a column with the time, which is not there yet.",
              "mode: append adds the rows as they are.");
      case "backfill", "definition-only" ->
          throw at(
              setting.line(),
              "mode: " + mode + " is not there yet.",
              "A where: says which rows are copied.");
      default -> mode;
    };
  }

  private Map<String, StreamSetting> parameters(String path, @Nullable YamlNode node) {
    Map<String, StreamSetting> parameters = new LinkedHashMap<>();
    if (node == null) {
      return parameters;
    }
    if (node.fields().isEmpty() && !"".equals(node.text())) {
      throw at(node, path + " is no group of keys.", "Write below it for example delimiter: ';'.");
    }
    node.fields()
        .forEach((spelled, value) -> {
          String ours = parameter(spelled);
          if (parameters.put(ours, setting(ours, value)) != null) {
            throw at(value, spelled + " is there twice.", "Leave one of them out.");
          }
        });
    return parameters;
  }

  private StreamSetting setting(String name, YamlNode node) {
    boolean ofTables = name.equals("object") || name.equals("rejects");
    return new StreamSetting(
        name, variables.fill(value(name, node), node.line(), ofTables), node.line());
  }

  /// A value as the command line would have it.
  private String value(String name, YamlNode node) {
    String text = node.text();
    if (text != null) {
      checkExcludes(name, node, List.of(text));
      return text;
    }
    if (LISTS.contains(name) && !node.items().isEmpty()) {
      List<String> words = node.items().stream().map(item -> word(name, item)).toList();
      checkExcludes(name, node, words);
      return NameList.spelled(words, ",");
    }
    String between = PAIRS.get(name);
    if (between != null && !node.fields().isEmpty()) {
      List<String> columns = new ArrayList<>();
      node.fields()
          .forEach((column, item) ->
              columns.add(quoted(column) + between + inPair(between, word(column, item))));
      return String.join(",", columns);
    }
    if (between != null && !node.items().isEmpty()) {
      return String.join(",", node.items().stream().map(item -> word(name, item)).toList());
    }
    throw at(node, name + " is a list or a group, not a value.", "Write one value.");
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  /// Of `name=value`, a value that holds what would end it stands in quotes.
  private static String inPair(String between, String value) {
    boolean isBare = !between.equals("=") || value.indexOf(',') < 0;
    return isBare ? value : quoted(value);
  }

  private void checkExcludes(String name, YamlNode node, List<String> words) {
    if (name.equals("select") && words.stream().anyMatch(word -> word.startsWith("-"))) {
      throw at(node, "select: can't leave columns out by a -.", "Name them below drop:.");
    }
  }

  private String word(String name, YamlNode item) {
    if (item.text() == null || item.text().isEmpty()) {
      throw at(item, name + " holds what is no value.", "Write one text for each.");
    }
    return item.text();
  }

  private boolean flag(String name, YamlNode node) {
    String text = setting(name, node).value();
    return switch (text) {
      case "true", "yes" -> true;
      case "false", "no", "" -> false;
      default -> throw at(node, name + " '" + text + "' is neither true nor false.", "");
    };
  }

  private Fault.User at(YamlNode node, String what, String advice) {
    return at(node.line(), what, advice);
  }

  private Fault.User at(int line, String what, String advice) {
    return new Fault.User(file + ", line " + line + ": " + what, advice);
  }
}
