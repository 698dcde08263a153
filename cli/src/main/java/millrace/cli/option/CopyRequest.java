package millrace.cli.option;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.cli.Context;
import millrace.cli.HelpText;
import millrace.connectors.Connectors;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.io.store.StorePath;
import millrace.job.NameTemplate;
import millrace.job.TablesRequest;
import millrace.plan.Job;
import millrace.plan.ShellWords;
import millrace.resume.ResumeChoice;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TablePattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// What a copy is asked for: both ends, and every option that says how rows move. The verbs that
/// copy have it as a part; by itself it reads a command line that was put together, such as that of
/// one point of a sweep.
@Command
public final class CopyRequest {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = HelpText.END)
  private String from;

  @Parameters(index = "1", paramLabel = "TO", description = "Where the rows go, likewise.")
  private String to;

  @Mixin private JobOptions jobOptions;
  @Mixin private RetryOptions retry;

  /// Keeps that it was refused, so that the last run is the last one.
  ///
  /// @param verb what was asked
  public void keepRefused(Context context, String verb, Fault fault) {
    context.keepRefused(verb, from, to, fault);
  }

  /// The job, with the connectors' own options.
  ///
  /// @throws Fault.User if an end or an option makes no sense
  public Job job(Endpoints endpoints) {
    Endpoint source = endpoints.parse(from);
    List<Endpoint> ends =
        ConnectorOptions.apply(
            ConnectorOptions.given(spec), List.of(source, endpoints.target(source, to)), true);
    Job job = jobOptions.job(ends.getFirst(), ends.getLast());
    Path rejects = job.rejects().file();
    if (rejects != null && isTarget(rejects, job.to())) {
      throw new Fault.User(
          "--rejects " + rejects + " is the target itself.", "Name another file for bad records.");
    }
    return job;
  }

  /// Both ends as they are written, with the connectors' own options: of many tables, FROM names
  /// them all, and TO is a template.
  private List<Endpoint> ends(Endpoints endpoints) {
    return ConnectorOptions.apply(
        ConnectorOptions.given(spec), List.of(endpoints.parse(from), endpoints.parse(to)), true);
  }

  /// The schemes of both ends.
  ///
  /// @throws Fault.User if an end or an option makes no sense
  public Set<String> systems(Endpoints endpoints) {
    return ends(endpoints).stream().map(Endpoint::scheme).collect(Collectors.toSet());
  }

  /// Whether the ends name many tables, by their URLs or by options.
  ///
  /// @throws Fault.User if an end or an option makes no sense
  public boolean namesMany(Endpoints endpoints) {
    List<Endpoint> ends = ends(endpoints);
    return NameTemplate.isTemplate(ends.getLast()) || TablePattern.isIn(ends.getFirst());
  }

  /// What is asked of copies of many tables.
  ///
  /// @param many which of them are meant
  /// @param choice what becomes of an earlier run
  /// @throws Fault.User if an end or an option makes no sense
  public TablesRequest tables(Endpoints endpoints, ManyOptions many, ResumeChoice choice) {
    List<Endpoint> ends = ends(endpoints);
    Job job = jobOptions.job(ends.getFirst(), ends.getLast());
    return new TablesRequest(
        spec(job, choice, CopySpec.Measures.NONE),
        many.only(),
        many.excluded(),
        true,
        many.definitions(),
        many.grants());
  }

  /// The copy of a job that this asks for.
  ///
  /// @param job made by {@link #job}
  /// @param choice what becomes of an earlier run
  /// @throws Fault.User if options contradict each other
  public CopySpec spec(Job job, ResumeChoice choice, CopySpec.Measures measures) {
    return new CopySpec(job, choice, retryPolicy(), measures, jobOptions.increment());
  }

  /// Whether it is incremental.
  public boolean isIncremental() {
    return jobOptions.increment() != null;
  }

  /// Whether standard output is for rows, also if no copy can be made of the request.
  public boolean fillsStandardOutput(Context context) {
    try {
      return context.endpoints().parse(to).isStandardStream();
    } catch (Fault _) {
      // The connections can't be read, or it is none of them.
      return to.equals("-");
    }
  }

  private static boolean isTarget(Path rejects, Endpoint to) {
    if (rejects instanceof StorePath) {
      return rejects.toString().equals(to.location());
    }
    Path absolute = rejects.toAbsolutePath().normalize();
    return Connectors.ALL.of(to).place(to).paths().stream()
        .anyMatch(path -> path.toAbsolutePath().normalize().equals(absolute));
  }

  /// How long a copy goes on if nothing moves.
  ///
  /// @throws Fault.User if a time is none
  public RetryPolicy retryPolicy() {
    return retry.retryPolicy();
  }

  /// The same request with other values of some options.
  ///
  /// @param requested the verb whose request it is, as it was parsed
  /// @param settings by option name without dashes; they win over what was asked
  /// @throws Fault.User if there is no such option, or it takes no such value
  public static CopyRequest with(
      CopyRequest request, CommandSpec requested, Map<String, String> settings) {
    CopyRequest combined = new CopyRequest();
    CommandLine line = line(combined);
    combined.spec = line.getCommandSpec();
    List<String> words = words(requested, combined.spec, settings.keySet());
    settings.forEach((name, value) -> add(words, find(combined.spec, name), List.of(value)));
    read(line, words, request.from, request.to);
    return combined;
  }

  /// What reads options of a copy, and of the connectors, into an object of ours.
  static CommandLine line(Object request) {
    CommandLine line = new CommandLine(request);
    ConnectorOptions.addTo(line.getCommandSpec());
    return line.setExpandAtFiles(false).setCaseInsensitiveEnumValuesAllowed(true);
  }

  /// Reads a command line that was put together.
  ///
  /// @param options the words of its options
  /// @throws Fault.User if an option takes no such value
  static void read(CommandLine line, List<String> options, String from, String to) {
    List<String> words = new ArrayList<>(options);
    words.addAll(List.of("--", from, to));
    try {
      line.parseArgs(words.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new Fault.User(
          Endpoints.redactArguments(String.valueOf(e.getMessage())),
          "See `millrace copy --help`.",
          e);
    }
  }

  /// The options of the copy that were asked for, as words.
  ///
  /// @param requested the verb whose request it is, as it was parsed
  /// @param known the options that a copy has
  /// @param without names of options to leave out, without dashes
  private static List<String> words(CommandSpec requested, CommandSpec known, Set<String> without) {
    List<String> words = new ArrayList<>();
    for (OptionSpec option : requested.commandLine().getParseResult().matchedOptionsSet()) {
      boolean isKnown = known.findOption(option.longestName()) != null;
      if (isKnown && !belongsToVerb(option, requested) && !without.contains(name(option))) {
        add(words, option, option.originalStringValues());
      }
    }
    return words;
  }

  /// The options of a stream that were asked for, with their values, by name without dashes.
  ///
  /// @param requested the verb whose request it is, as it was parsed
  public static Map<String, String> given(CommandSpec requested) {
    Set<String> known = StreamRequest.options().keySet();
    Map<String, String> given = new LinkedHashMap<>();
    for (OptionSpec option : requested.commandLine().getParseResult().matchedOptionsSet()) {
      if (known.contains(name(option)) && !belongsToVerb(option, requested)) {
        List<String> values = option.originalStringValues();
        given.put(
            name(option),
            option.arity().max() > 0
                ? String.join(",", values)
                : values.isEmpty() || values.getLast().isEmpty() ? "true" : values.getLast());
      }
    }
    return given;
  }

  /// Where rows come from, as it was written; may hold a password.
  public String from() {
    return from;
  }

  /// Where rows go, likewise.
  public String to() {
    return to;
  }

  /// The ends and options of the copy as a shell takes them, without passwords.
  ///
  /// @param requested the verb whose request it is, as it was parsed
  public String shellLine(CommandSpec requested) {
    List<String> words = words(requested, spec, Set.of());
    words.addAll(0, List.of(from, to));
    return ShellWords.line(words);
  }

  /// Whether the command line itself gives an option of the copy.
  ///
  /// @param requested the verb, as it was parsed
  /// @param name without dashes
  public static boolean asks(CommandSpec requested, String name) {
    OptionSpec option = requested.commandLine().getParseResult().matchedOption("--" + name);
    return option != null && !belongsToVerb(option, requested);
  }

  /// Whether it is the verb's and no copy's, even if a connector has one of that name.
  private static boolean belongsToVerb(OptionSpec option, CommandSpec verb) {
    return option.userObject() instanceof Field field
        && field.getDeclaringClass().isInstance(verb.userObject());
  }

  private static String name(OptionSpec option) {
    return option.longestName().replaceFirst("^--", "");
  }

  private static OptionSpec find(CommandSpec spec, String name) {
    OptionSpec option = spec.findOption("--" + name);
    if (option != null) {
      return option;
    }
    Set<String> known = new TreeSet<>();
    spec.options().forEach(each -> known.add(name(each)));
    String hint = Nearest.hint(name, known);
    throw new Fault.User(
        name + " is no option of a copy that can be varied or kept in a profile.",
        hint.isEmpty() ? "`millrace sweep --help` has them all." : hint);
  }

  /// Adds an option with its values to the words of a command line.
  static void add(List<String> words, OptionSpec option, List<String> values) {
    if (option.arity().max() > 0) {
      values.forEach(value -> words.add(option.longestName() + "=" + value));
      return;
    }
    String value = values.isEmpty() ? "" : values.getLast();
    if (value.isEmpty() || value.equalsIgnoreCase("true")) {
      words.add(option.longestName());
    } else if (!value.equalsIgnoreCase("false")) {
      throw new Fault.User(
          option.longestName() + " is true or false, not " + value + ".", "Write true,false.");
    }
  }

  /// Whether a setting reaches an end: what a URL says wins over an option. True also if no end
  /// knows it, which is for {@link #job} to tell.
  public boolean reaches(String name, Endpoints endpoints) {
    boolean isSet = false;
    Endpoint source = endpoints.parse(from);
    Endpoint target = endpoints.target(source, to);
    for (Endpoint end : List.of(source, target)) {
      Connector connector = Connectors.ALL.of(end);
      boolean isTarget = end.equals(target);
      if (connector.options().stream()
          .filter(option -> option.of().fits(isTarget))
          .anyMatch(option -> option.name().equals(name))) {
        if (!end.parameters().containsKey(name)) {
          return true;
        }
        isSet = true;
      }
    }
    return !isSet;
  }
}
