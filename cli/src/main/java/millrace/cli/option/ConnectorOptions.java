package millrace.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.connectors.Connectors;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The connectors' own options on the command line: every parameter of a URL is also an option,
/// which goes to each end that knows it and whose URL does not set it. One that says how an end is
/// read goes to ends that are read alone; one that says how an end is written is an option of the
/// verbs that write, and goes to that end alone.
public final class ConnectorOptions {

  /// Those whose value is a list: given again, they add to it.
  private static final Set<String> LISTS = Set.of("columns", "fields", "null-string");

  private ConnectorOptions() {}

  /// Adds them all to a verb, but for those whose name the verb itself uses. Its help names the
  /// systems only: {@link #help} has the options of one.
  public static void addTo(CommandSpec verb) {
    boolean writes = option(verb, "mode") != null;
    for (Connector connector : Connectors.ALL.all()) {
      for (Option option : connector.options()) {
        boolean fits = writes || option.of().fits(false);
        if (fits && option(verb, option.name()) == null) {
          verb.addOption(spec(option).hidden(true).build());
        }
      }
    }
    verb.usageMessage()
        .footerHeading(
            "%nEach system has options of its own: millrace help "
                + String.join(", ", systems())
                + ".%n"
                + (writes ? HelpTopic.sentence() + "%n" : ""));
  }

  /// An option of a verb; null if there is none. By the map, since picocli's own search spells the
  /// names of all options each time, which took a third of a short command line.
  private static @Nullable OptionSpec option(CommandSpec verb, String name) {
    return verb.optionsMap().get("--" + name);
  }

  /// The systems that have options.
  public static List<String> systems() {
    return Connectors.ALL.all().stream()
        .filter(connector -> !connector.options().isEmpty())
        .map(Connector::name)
        .toList();
  }

  /// The options of a connector, as a help text that ends with a line end.
  ///
  /// @param columns how wide it is
  public static String help(Connector connector, int columns) {
    CommandSpec options = CommandSpec.create();
    connector.options().forEach(option -> options.addOption(spec(option).build()));
    return new CommandLine(options).setUsageHelpWidth(columns).getHelp().optionList();
  }

  private static OptionSpec.Builder spec(Option option) {
    OptionSpec.Builder spec = OptionSpec.builder("--" + option.name());
    if (option.flag()) {
      spec.type(Boolean.class).arity("0");
    } else if (LISTS.contains(option.name())) {
      spec.type(List.class)
          .auxiliaryTypes(String.class)
          .arity("1")
          .paramLabel(escaped(option.example()));
    } else {
      spec.type(String.class).arity("1").paramLabel(escaped(option.example()));
    }
    return spec.description(escaped(option.help()));
  }

  /// A text as picocli prints it unchanged.
  private static String escaped(String text) {
    return text.replace("%", "%%");
  }

  /// Those that the user gave.
  public static Map<String, String> given(CommandSpec verb) {
    Map<String, String> given = new TreeMap<>();
    for (Connector connector : Connectors.ALL.all()) {
      for (Option option : connector.options()) {
        OptionSpec spec = option(verb, option.name());
        Object value = spec == null ? null : spec.getValue();
        if (value != null) {
          given.put(
              option.name(),
              value instanceof List<?> list
                  ? list.stream().map(Object::toString).collect(Collectors.joining(","))
                  : value.toString());
        }
      }
    }
    return given;
  }

  /// The ends with the options that are theirs.
  ///
  /// @param lastIsTarget whether the last end is written
  /// @throws Fault.User if none of them knows an option
  public static List<Endpoint> apply(
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
      List<String> labels = requested(name, ends, lastIsTarget);
      throw new Fault.User(
          "--" + name + " means nothing to " + String.join(" or ", labels) + ".", "Leave it out.");
    }
    return applied;
  }

  /// The ends that an option might have been meant for.
  private static List<String> requested(String name, List<Endpoint> ends, boolean lastIsTarget) {
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
