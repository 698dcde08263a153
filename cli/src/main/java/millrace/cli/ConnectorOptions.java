package millrace.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.plan.Endpoints;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The connectors' own options on the command line: every parameter of a URL is also an option,
/// which goes to each end that knows it and whose URL does not set it; one that says how an end is
/// written is an option of the verbs that write, and goes to that end alone.
final class ConnectorOptions {

  private ConnectorOptions() {}

  /// What one name means to each connector that knows it.
  private static final class Shared {
    private final Map<String, Option> byConnector = new LinkedHashMap<>();

    private String connectors() {
      return String.join(", ", byConnector.keySet());
    }

    private OptionSpec spec() {
      Option first = byConnector.values().iterator().next();
      boolean alike =
          byConnector.values().stream().allMatch(option -> option.help().equals(first.help()));
      List<String> help = new ArrayList<>();
      byConnector.forEach((connector, option) -> help.add(connector + ": " + option.help()));
      OptionSpec.Builder spec = OptionSpec.builder("--" + first.name());
      if (first.flag()) {
        spec.type(Boolean.class).arity("0");
      } else {
        spec.type(String.class).arity("1").paramLabel(escaped(first.example()));
      }
      return spec.description(
              (alike ? List.of(first.help()) : help)
                  .stream().map(ConnectorOptions::escaped).toArray(String[]::new))
          .build();
    }
  }

  /// Adds them all to a verb, but for those whose name the verb itself uses.
  static void addTo(CommandSpec verb) {
    boolean writes = verb.findOption("--mode") != null;
    Map<String, Shared> byName = new LinkedHashMap<>();
    for (Connector connector : Connectors.all()) {
      for (Option option : connector.options()) {
        boolean fits = writes || !option.ofTarget();
        if (fits && verb.findOption("--" + option.name()) == null) {
          byName
              .computeIfAbsent(option.name(), _ -> new Shared())
              .byConnector
              .put(connector.name(), option);
        }
      }
    }
    Map<String, ArgGroupSpec.Builder> groups = new LinkedHashMap<>();
    for (Shared shared : byName.values()) {
      groups
          .computeIfAbsent(
              shared.connectors(),
              names ->
                  ArgGroupSpec.builder()
                      .exclusive(false)
                      .heading("%nOptions of " + names + ", also as parameters of a URL:%n"))
          .addArg(shared.spec());
    }
    groups.values().forEach(group -> verb.addArgGroup(group.build()));
  }

  /// A text as picocli prints it unchanged.
  private static String escaped(String text) {
    return text.replace("%", "%%");
  }

  /// Those that the user gave.
  static Map<String, String> given(CommandSpec verb) {
    Map<String, String> given = new TreeMap<>();
    for (Connector connector : Connectors.all()) {
      for (Option option : connector.options()) {
        OptionSpec spec = verb.findOption("--" + option.name());
        Object value = spec == null ? null : spec.getValue();
        if (value != null) {
          given.put(option.name(), value.toString());
        }
      }
    }
    return given;
  }

  /// The ends with the options that are theirs.
  ///
  /// @param given those of targets among them only where the last end is written
  /// @throws Fault.User where none of them knows an option
  static List<Endpoint> apply(Map<String, String> given, List<Endpoint> ends) {
    Set<String> targets = ofTarget();
    Map<String, String> values = new TreeMap<>(given);
    values.keySet().removeAll(targets);
    Set<String> known = new HashSet<>();
    List<Endpoint> applied = new ArrayList<>();
    for (Endpoint end : ends) {
      Connector connector = Connectors.of(end);
      boolean last = applied.size() == ends.size() - 1;
      connector.options().stream()
          .filter(option -> last || !option.ofTarget())
          .forEach(option -> known.add(option.name()));
      applied.add(Endpoints.withOptions(end, connector, last ? given : values));
    }
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        List<Endpoint> asked = targets.contains(name) ? List.of(ends.getLast()) : ends;
        List<String> labels = asked.stream().map(Endpoint::label).toList();
        throw new Fault.User(
            "--" + name + " means nothing to " + String.join(" or ", labels) + ".",
            "Leave it out.");
      }
    }
    return applied;
  }

  private static Set<String> ofTarget() {
    Set<String> targets = new HashSet<>();
    for (Connector connector : Connectors.all()) {
      connector.options().stream()
          .filter(Option::ofTarget)
          .forEach(option -> targets.add(option.name()));
    }
    return targets;
  }
}
