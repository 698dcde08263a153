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
/// which goes to each end that knows it and whose URL does not set it.
final class ConnectorOptions {

  private ConnectorOptions() {}

  /// Adds them all to a verb, but for those whose name the verb itself uses.
  static void addTo(CommandSpec verb) {
    Map<String, Option> options = new LinkedHashMap<>();
    Map<String, List<String>> owners = new LinkedHashMap<>();
    for (Connector connector : Connectors.all()) {
      for (Option option : connector.options()) {
        if (verb.findOption("--" + option.name()) == null) {
          options.putIfAbsent(option.name(), option);
          owners.computeIfAbsent(option.name(), _ -> new ArrayList<>()).add(connector.name());
        }
      }
    }
    Set<List<String>> done = new HashSet<>();
    for (List<String> group : owners.values()) {
      if (done.add(group)) {
        List<Option> members =
            options.values().stream()
                .filter(option -> group.equals(owners.get(option.name())))
                .toList();
        verb.addArgGroup(group(group, members));
      }
    }
  }

  private static ArgGroupSpec group(List<String> connectors, List<Option> members) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .exclusive(false)
            .heading("%nOptions of " + String.join(", ", connectors) + ":%n");
    for (Option option : members) {
      group.addArg(
          OptionSpec.builder("--" + option.name())
              .type(String.class)
              .arity("1")
              .paramLabel(option.example().replace("%", "%%"))
              .description(option.help().replace("%", "%%"))
              .build());
    }
    return group.build();
  }

  /// Those that the user gave.
  static Map<String, String> given(CommandSpec verb) {
    Map<String, String> given = new TreeMap<>();
    for (Connector connector : Connectors.all()) {
      for (Option option : connector.options()) {
        OptionSpec spec = verb.findOption("--" + option.name());
        if (spec != null && spec.getValue() instanceof String value) {
          given.put(option.name(), value);
        }
      }
    }
    return given;
  }

  /// The ends with the options that are theirs.
  ///
  /// @throws Fault.User where none of them knows an option
  static List<Endpoint> apply(Map<String, String> given, List<Endpoint> ends) {
    Set<String> known = new HashSet<>();
    List<Endpoint> applied = new ArrayList<>();
    for (Endpoint end : ends) {
      Connector connector = Connectors.of(end);
      connector.options().forEach(option -> known.add(option.name()));
      applied.add(Endpoints.withOptions(end, connector, given));
    }
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        List<String> labels = ends.stream().map(Endpoint::label).toList();
        throw new Fault.User(
            "--" + name + " means nothing to " + String.join(" or ", labels) + ".",
            "Leave it out.");
      }
    }
    return applied;
  }
}
