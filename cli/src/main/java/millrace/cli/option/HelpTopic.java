package millrace.cli.option;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Options of a copy that have a page of help of their own, `millrace help TOPIC`, and are hidden
/// in the help of verbs. To add a topic, add it to {@link #ALL}.
///
/// @param name as the user types it
/// @param about what it is about, for the help of verbs
/// @param options an object whose fields are the options
/// @param examples lines of examples
public record HelpTopic(String name, String about, Object options, List<String> examples) {

  /// All that there are.
  public static final List<HelpTopic> ALL =
      List.of(
          new HelpTopic(
              "mapping",
              "renaming, casts, added columns",
              new MappingOptions(),
              List.of(
                  "millrace copy price.csv prod:prices --rename id=article,price=amount --drop"
                      + " junk",
                  "millrace copy price.csv prod:prices --cast 'price:decimal(12,2)'",
                  "millrace copy price.csv prod:prices --add src=night --add 'loaded_at=now()'",
                  "millrace copy price.csv prod:prices --mode append --new-columns add")),
          new HelpTopic(
              "incremental",
              "only what is new",
              new IncrementalOptions(),
              List.of(
                  "millrace copy prod:orders lake:orders --mode merge --update-key updated_at",
                  "millrace copy prod:log lake:log --mode append --update-key id --chunk 1000000",
                  "millrace copy prod:orders lake:orders --mode merge --deletes")));

  /// The topic of that name.
  public static Optional<HelpTopic> find(String name) {
    return ALL.stream().filter(topic -> topic.name.equals(name)).findFirst();
  }

  /// The names of all.
  public static List<String> names() {
    return ALL.stream().map(HelpTopic::name).toList();
  }

  /// One sentence that lists them, for the help of verbs.
  static String sentence() {
    return "More: millrace help "
        + ALL.stream()
            .map(topic -> topic.name + " (" + topic.about + ")")
            .collect(Collectors.joining(", "))
        + ".";
  }

  /// The page, which ends with a line end.
  ///
  /// @param columns how wide it is
  public String page(int columns) {
    CommandSpec shown = CommandSpec.create();
    for (OptionSpec option : CommandSpec.forAnnotatedObject(options).options()) {
      shown.addOption(OptionSpec.builder(option).hidden(false).build());
    }
    String list = new CommandLine(shown).setUsageHelpWidth(columns).getHelp().optionList();
    return "Options of copies: "
        + about
        + "."
        + System.lineSeparator()
        + list
        + System.lineSeparator()
        + "Examples:"
        + System.lineSeparator()
        + examples.stream()
            .map(example -> "  " + example + System.lineSeparator())
            .collect(Collectors.joining());
  }
}
