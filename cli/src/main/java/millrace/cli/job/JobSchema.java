package millrace.cli.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import millrace.cli.option.CopyMode;
import millrace.cli.option.StreamRequest;
import millrace.fault.Fault;
import millrace.job.file.JobKeys;
import millrace.report.ReportJson;
import picocli.CommandLine.Model.OptionSpec;

/// The JSON Schema of job files, for editors.
public final class JobSchema {

  private static final String STREAM = "#/definitions/stream";
  private static final String HOOKS = "#/definitions/hooks";
  private static final Set<String> LISTS =
      Set.of("select", "key", "exclude", "primary_key", "drop");

  private static final Set<String> PAIRS = Set.of("columns", "rename", "cast", "add");

  private JobSchema() {}

  /// The schema as text.
  public static String text() {
    try {
      return ReportJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(schema());
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("the schema can't be written", e);
    }
  }

  private static ObjectNode schema() {
    ObjectNode schema = object();
    schema.put("$schema", "http://json-schema.org/draft-07/schema#");
    schema.put("title", "A job of millrace run");
    closed(schema);
    schema.putArray("required").add("streams");
    ObjectNode keys = schema.putObject("properties");
    text(keys, "source", "What streams are read from: a connection, a URL, or LOCAL for files.");
    text(keys, "target", "What streams go to, likewise.");
    keys.putObject("defaults").put("$ref", STREAM);
    ObjectNode streams = keys.putObject("streams");
    streams.put("description", "Tables, files or wildcards, each with its options.");
    streams.put("type", "object").put("minProperties", 1);
    streams
        .putObject("additionalProperties")
        .putArray("anyOf")
        .add(object().put("type", "null"))
        .add(object().put("$ref", STREAM));
    ObjectNode env = keys.putObject("env");
    env.put("description", "Variables: {NAME} elsewhere in the file.").put("type", "object");
    scalar(env.putObject("additionalProperties"));
    ObjectNode hooks = keys.putObject("hooks");
    closed(hooks);
    for (String when : List.of("start", "end")) {
      hooks.withObjectProperty("properties").putObject(when).put("$ref", HOOKS);
    }
    ObjectNode definitions = schema.putObject("definitions");
    stream(definitions.putObject("stream"));
    hooks(definitions.putObject("hooks"));
    return schema;
  }

  private static void stream(ObjectNode stream) {
    closed(stream);
    ObjectNode keys = stream.putObject("properties");
    StreamRequest.options()
        .forEach((name, option) -> {
          option(keys.putObject(name), name, option);
          if (name.indexOf('-') >= 0) {
            option(keys.putObject(name.replace('-', '_')), name, option);
          }
        });
    for (String name : new TreeSet<>(JobKeys.UNDERSTOOD.keySet())) {
      ObjectNode key = keys.putObject(name);
      key.put("description", JobKeys.UNDERSTOOD.get(name));
      ofSling(key, name);
    }
    JobKeys.OF_JOB.stream()
        .sorted()
        .forEach(name ->
            keys.putObject(name).put("description", "Of the job as a whole: below defaults:."));
  }

  private static void ofSling(ObjectNode key, String name) {
    switch (name) {
      case "disabled" -> key.put("type", "boolean");
      case "source_options", "target_options" -> key.put("type", "object");
      case "hooks" -> {
        closed(key);
        for (String when : List.of("pre", "post")) {
          key.withObjectProperty("properties").putObject(when).put("$ref", HOOKS);
        }
      }
      case "mode" -> {
        key.putArray("enum").add("full-refresh").add("incremental");
        CopyMode.words().forEach(key.withArrayProperty("enum")::add);
      }
      case "primary_key" -> key.putArray("type").add("string").add("array");
      default -> key.put("type", "string");
    }
  }

  private static void option(ObjectNode key, String name, OptionSpec option) {
    String words =
        String.join(" ", option.description())
            .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue()))
            .replace("%%", "%");
    key.put("description", words);
    if (option.arity().max() == 0) {
      key.put("type", "boolean");
      return;
    }
    scalar(key);
    if (LISTS.contains(name)) {
      key.withArrayProperty("type").add("array");
    } else if (PAIRS.contains(name)) {
      key.withArrayProperty("type").add("array").add("object");
    }
  }

  private static void hooks(ObjectNode hooks) {
    hooks.put("type", "array");
    ObjectNode hook = hooks.putObject("items");
    closed(hook);
    ObjectNode keys = hook.putObject("properties");
    keys.putObject("type").putArray("enum").add("command").add("query");
    ObjectNode command = keys.putObject("command");
    command.put("description", "A list of words; with shell: true a text for the shell.");
    command.putArray("type").add("array").add("string");
    ObjectNode query = keys.putObject("query");
    query.put("description", "A statement of SQL, or a list of them.");
    query.putArray("type").add("string").add("array");
    text(keys, "connection", "Where the SQL goes: source, target, or another connection.");
    keys.putObject("shell").put("type", "boolean");
    keys.putObject("env").put("type", "object");
    scalar(keys.putObject("timeout").put("description", "Seconds, or a time such as 5m."));
    keys.putObject("on_failure").putArray("enum").add("abort").add("warn");
  }

  private static void text(ObjectNode keys, String name, String words) {
    keys.putObject(name).put("type", "string").put("description", words);
  }

  private static void scalar(ObjectNode key) {
    key.putArray("type").add("string").add("number").add("boolean");
  }

  private static void closed(ObjectNode node) {
    node.put("type", "object").put("additionalProperties", false);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
