package millrace.job.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.text.Section;
import millrace.text.YamlNode;
import org.jspecify.annotations.Nullable;

/// Reads job files in the layout of Sling's replications. What can't be understood is refused with
/// its line, before anything is opened.
public final class JobReader {

  private static final String ADVICE =
      "Write source:, target: and streams:, or let millrace copy … --save write a job.";

  private final String file;
  private final JobInputs inputs;
  private final JobVariables variables;

  private JobReader(String file, JobInputs inputs) {
    this.file = file;
    this.inputs = inputs;
    variables = new JobVariables(file, inputs);
  }

  /// Reads a file.
  ///
  /// @throws Fault.User if it is no job
  public static JobDescription read(Path file, JobInputs inputs) {
    try {
      return parse(file.toString(), Files.readString(file), inputs);
    } catch (IOException e) {
      throw new Fault.User("Can't read " + file + ": " + FileTrouble.reason(e) + ".", ADVICE, e);
    }
  }

  /// Reads a job.
  ///
  /// @param file its name, for messages
  /// @throws Fault.User if it is none
  public static JobDescription parse(String file, String text, JobInputs inputs) {
    String document = text.replaceFirst("^\uFEFF", "");
    try {
      return new JobReader(file, inputs).job(YamlNode.parse(file, document, ADVICE));
    } catch (Fault.User e) {
      throw BareBrace.orSame(file, document, e);
    }
  }

  private JobDescription job(YamlNode root) {
    Section all =
        new Section(
            file, "", root, List.of("source", "target", "defaults", "streams", "env", "hooks"));
    YamlNode env = all.child("env");
    if (env != null) {
      declare(env);
    }
    StreamSetting source = end(all, "source");
    StreamSetting target = end(all, "target");
    define(source, "source");
    define(target, "target");
    StreamReader reader = new StreamReader(file, inputs.options(), variables);
    YamlNode defaults = all.child("defaults");
    Map<String, StreamSetting> ofJob = defaults == null ? Map.of() : reader.defaults(defaults);
    HookReader hooks = new HookReader(file, variables);
    YamlNode hooksNode = all.child("hooks");
    Section hookKeys =
        new Section(
            file,
            "hooks",
            hooksNode == null ? YamlNode.none(root.line()) : hooksNode,
            List.of("start", "end"));
    List<JobHook> start = hooks(hooks, hookKeys, "start");
    List<JobHook> end = hooks(hooks, hookKeys, "end");
    List<JobStream> streams = streams(all, reader);
    variables.checkUsed();
    return new JobDescription(file, source, target, streams, start, end, ofJob);
  }

  private void declare(YamlNode env) {
    if (env.fields().isEmpty() && !"".equals(env.text())) {
      throw at(env.line(), "env is no group of variables.", "Write below it NAME: value.");
    }
    env.fields()
        .forEach((name, value) -> {
          if (value.text() == null) {
            throw at(value.line(), "env." + name + " is not a single value.", "Write one value.");
          }
          variables.declare(name, value.text(), value.line());
        });
  }

  private void define(@Nullable StreamSetting end, String name) {
    if (end == null || !end.value().matches("[A-Za-z0-9_-]+")) {
      return;
    }
    variables.define(name + "_name", end.value());
    String schema = inputs.schemas().apply(end.value());
    if (!schema.isEmpty()) {
      variables.define(name + "_schema", schema);
    }
  }

  private @Nullable StreamSetting end(Section all, String key) {
    YamlNode node = all.child(key);
    if (node == null) {
      return null;
    }
    String text = all.text(key, "");
    if (text.isEmpty()) {
      throw at(node.line(), key + " is empty.", "Name a connection or write a URL.");
    }
    return new StreamSetting(key, variables.fill(text, node.line(), false), node.line());
  }

  private static List<JobHook> hooks(HookReader reader, Section keys, String name) {
    YamlNode list = keys.child(name);
    return list == null ? List.of() : reader.hooks("hooks." + name, list);
  }

  private List<JobStream> streams(Section all, StreamReader reader) {
    YamlNode node = all.child("streams");
    if (node != null && !node.items().isEmpty()) {
      String first = node.items().getFirst().text();
      throw at(
          node.line(),
          "streams: is a list.",
          "Write each name with a colon and without the dash: "
              + (first == null ? "orders" : first)
              + ":");
    }
    if (node == null || node.fields().isEmpty()) {
      throw at(
          node == null ? 1 : node.line(),
          "there is no stream.",
          "Write streams:, below it for example public.orders:");
    }
    List<JobStream> streams = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    node.fields()
        .forEach((name, value) -> {
          JobStream stream = reader.stream(name, value);
          Integer other = lines.put(stream.name(), stream.line());
          if (other != null) {
            throw at(
                stream.line(),
                "the stream " + stream.name() + " is that of line " + other + ".",
                "Leave one of them out.");
          }
          streams.add(stream);
        });
    return streams;
  }

  private Fault.User at(int line, String what, String advice) {
    return new Fault.User(file + ", line " + line + ": " + what, advice);
  }
}
