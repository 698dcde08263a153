package millrace.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
/// which goes to each end that knows it and whose URL does not set it. One that says how an end is
/// read goes to ends that are read alone; one that says how an end is written is an option of the
/// verbs that write, and goes to that end alone.
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
    for (Connector connector : Connectors.ALL.all()) {
      for (Option option : connector.options()) {
        boolean fits = writes || option.of().fits(false);
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
    for (Connector connector : Connectors.ALL.all()) {
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
  /// @param lastIsTarget whether the last end is written
  /// @throws Fault.User where none of them knows an option
  static List<Endpoint> apply(
      Map<String, String> given, List<Endpoint> ends, boolean lastIsTarget) {
    TreeSet<String> unknown = new TreeSet<>(given.keySet());
    List<Endpoint> applied = new ArrayList<>();
    for (Endpoint end : ends) {
      boolean target = lastIsTarget && applied.size() == ends.size() - 1;
      Connector connector = Connectors.ALL.of(end);
      Map<String, String> values = new TreeMap<>(given);
      values
          .keySet()
          .retainAll(
              connector.options().stream()
                  .filter(option -> option.of().fits(target))
                  .map(Option::name)
                  .toList());
      unknown.removeAll(values.keySet());
      applied.add(Endpoints.withOptions(end, connector, values));
    }
    if (!unknown.isEmpty()) {
      String name = unknown.first();
      List<String> labels = asked(name, ends, lastIsTarget);
      throw new Fault.User(
          "--" + name + " means nothing to " + String.join(" or ", labels) + ".", "Leave it out.");
    }
    return applied;
  }

  /// The ends that an option might have been meant for.
  private static List<String> asked(String name, List<Endpoint> ends, boolean lastIsTarget) {
    Set<Option.Of> of =
        Connectors.ALL.all().stream()
            .flatMap(connector -> connector.options().stream())
            .filter(option -> option.name().equals(name))
            .map(Option::of)
            .collect(Collectors.toSet());
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      boolean target = lastIsTarget && i == ends.size() - 1;
      if (of.stream().anyMatch(each -> each.fits(target))) {
        labels.add(ends.get(i).label());
      }
    }
    return labels;
  }
}
