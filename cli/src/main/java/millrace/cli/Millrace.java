package millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import millrace.cli.command.CopyCommand;
import millrace.cli.command.RunCommand;
import millrace.cli.option.Connections;
import millrace.endpoint.Endpoints;
import millrace.engine.remote.Cluster;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `millrace`; the launcher starts it.
@Command(
    name = "millrace",
    addMethodSubcommands = false,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "VERB",
    description = {
      "Moves bulk data between files and databases, and says which part was the slowest.",
      "%nmillrace VERB --help has the options of a verb, millrace help SYSTEM those of a system."
    },
    footer = {
      "%nExamples:",
      "  millrace demo                                                      "
          + "all of it in a minute",
      "  millrace copy orders.csv 'postgresql://me@host/shop?table=orders'  one table",
      "  millrace copy 'prod:public.*' 'out/{table}.parquet'                every table",
      "  millrace verify orders.csv prod:orders                             "
          + "are both sides the same?"
    })
public final class Millrace implements Callable<Integer>, ShowsStacks {

  private static final Logger OURS = Logger.getLogger("millrace");

  private static final String[] VERSION = {"-V", "--version"};

  /// Verbs and options of earlier versions, with what to use in their place.
  private static final Map<String, String> GONE =
      Map.of(
          "oracle-setup", "Run bench/oracle-setup, a script of the repository.",
          "--methods", "Use --jfr FILE, and `jfr view hot-methods FILE`.");

  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print the stack of every fault, and what the libraries log.")
  private boolean debug;

  @Override
  public boolean debugs() {
    return debug;
  }

  /// Starts it as a process.
  public static void main(String[] args) {
    main(args, null, null);
  }

  /// The same as the driver of a cluster.
  ///
  /// @param cluster whose processes work splits off; null if this one does
  /// @param caller a stream whose end stops it; null if nobody holds one
  public static void main(String[] args, @Nullable Cluster cluster, @Nullable InputStream caller) {
    Console console = Console.ofProcess();
    Stop stop = new Stop();
    if (stop.install(console)) {
      if (caller != null) {
        stop.endsWith(caller, console);
      }
      Thread.setDefaultUncaughtExceptionHandler((_, thrown) -> lost(thrown, console, stop));
      int code = run(args, console, stop, cluster);
      if (cluster != null) {
        cluster.close();
      }
      System.exit(stop.ended(code));
    }
  }

  /// A thread of a library has ended that should not: where memory ran out, others may wait for it
  /// for ever, as for the one that serves all connections of an HTTP client.
  static void lost(Throwable thrown, Console console, Stop stop) {
    if (thrown instanceof OutOfMemoryError) {
      console.clearLine();
      Faults.print(Context.of(console, stop), Fault.of(thrown), false, null);
      System.exit(ExitCode.EXTERNAL.number());
    }
    thrown.printStackTrace(console.err());
  }

  /// Runs one command line and returns its exit code.
  static int run(String[] args, Console console, Stop stop) {
    return run(args, console, stop, null);
  }

  private static int run(String[] args, Console console, Stop stop, @Nullable Cluster cluster) {
    if (args.length == 1 && List.of(VERSION).contains(args[0])) {
      // Setting picocli up would take most of the time of such a start.
      Arrays.stream(new Version().getVersion()).forEach(console.out()::println);
      return exitCode(ExitCode.OK.number(), false, console);
    }
    Context context = Context.of(console, stop).on(cluster);
    CommandLine root = new CommandLine(new Millrace());
    addHelp(root.getCommandSpec());
    Verbs.add(root, context, args);
    root.setOut(writer(console.out()))
        .setErr(writer(console.err()))
        .setExpandAtFiles(false)
        .setUsageHelpWidth(HelpText.COLUMNS)
        .setExecutionStrategy(parsed -> execute(parsed, console))
        .setParameterExceptionHandler((e, _) -> misused(e, context, args))
        .setExecutionExceptionHandler((e, command, _) -> failed(e, command, context));
    try {
      List<String> words = Arrays.stream(args).map(Millrace::standardStream).toList();
      int code = root.execute(words.toArray(String[]::new));
      return exitCode(code, copies(root.getParseResult()), console);
    } catch (Error e) {
      // Out of memory, or a class or native library that does not load: picocli lets these pass.
      return failed(e, root, context);
    }
  }

  /// The exit code of a command that has ended with that one: what was to be read and got lost is
  /// told as that. A copy has done its work all the same, and must not be done again.
  ///
  /// @param copies whether it copied
  private static int exitCode(int code, boolean copies, Console console) {
    IOException lost = console.lostOutput();
    boolean isWell = code == ExitCode.OK.number() || code == ExitCode.DIFFERENT.number();
    if (lost == null || !isWell) {
      return code;
    }
    if (Faults.isBrokenPipe(lost)) {
      return copies ? code : ExitCode.PIPE.number();
    }
    console.err().println("millrace: standard output can't be written: " + lost.getMessage());
    return copies ? code : ExitCode.EXTERNAL.number();
  }

  private static boolean copies(@Nullable ParseResult parsed) {
    ParseResult verb = parsed == null ? null : parsed.subcommand();
    return verb != null
        && (verb.commandSpec().userObject() instanceof CopyCommand
            || verb.commandSpec().userObject() instanceof RunCommand)
        && !verb.isUsageHelpRequested();
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, stream.charset());
  }

  private static void addHelp(CommandSpec root) {
    root.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .scopeType(ScopeType.INHERIT)
            .description("Show this help.")
            .build());
    root.addOption(
        OptionSpec.builder(VERSION)
            .versionHelp(true)
            .description("Show the versions of Millrace and Java.")
            .build());
    Map<String, String> codes = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      codes.put(Integer.toString(code.number()), code.meaning());
    }
    root.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(codes);
  }

  private static int execute(ParseResult parsed, Console console) {
    setLogging(Faults.debugs(parsed.commandSpec()) ? Level.FINE : Level.OFF, console);
    ParseResult verb = parsed.subcommand();
    if (verb != null && !verb.isUsageHelpRequested()) {
      Connections.warn(console);
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  /// Our libraries log to java.util.logging. They stay silent, because a fault says all that a user
  /// needs; for those who debug, ours say more than theirs, which could print what they send.
  private static void setLogging(Level level, Console console) {
    LogManager.getLogManager().reset();
    if (level.equals(Level.OFF)) {
      return;
    }
    Handler handler = new Printed(console);
    handler.setLevel(level);
    Logger everyone = Logger.getLogger("");
    everyone.setLevel(Level.INFO);
    everyone.addHandler(handler);
    OURS.setLevel(level);
  }

  /// Prints what is logged where everything else is printed that is no result.
  private static final class Printed extends Handler {

    private final Formatter formatter = new SimpleFormatter();
    private final PrintStream stream;

    private Printed(Console console) {
      stream = console.err();
    }

    @Override
    public void publish(LogRecord entry) {
      if (isLoggable(entry)) {
        stream.print(formatter.format(entry));
      }
    }

    @Override
    public void flush() {
      stream.flush();
    }

    @Override
    public void close() {
      // The stream is the process's.
    }
  }

  private static int misused(ParameterException e, Context context, String[] args) {
    Console console = context.console();
    CommandSpec command = e.getCommandLine().getCommandSpec();
    // The message may repeat an argument, and an argument may hold a password.
    console.err().println("millrace: " + Endpoints.redactArguments(message(e, args)));
    console.err().println("  See `" + command.qualifiedName() + " --help`.");
    return ExitCode.USER.number();
  }

  /// What is wrong with the command line; a misspelled verb or option with the one that is near.
  private static String message(ParameterException e, String[] args) {
    String repeated = isRepetition(e) ? repeated(args) : null;
    if (repeated != null) {
      return "Option '" + repeated + "' is given more than once.";
    }
    CommandLine command = e.getCommandLine();
    String first =
        switch (e) {
          case UnmatchedArgumentException unknown -> unknown.getUnmatched().getFirst();
          // What looks like an option and is none may well be why something is missing.
          case MissingParameterException _ -> unknownOption(args, command.getCommandSpec());
          default -> "";
        };
    if (first.startsWith("-")) {
      String name = first.split("=", 2)[0];
      Set<String> options = command.getCommandSpec().optionsMap().keySet();
      String hint = GONE.getOrDefault(name, Nearest.hint(name, options));
      return ("Unknown option: '" + first + "'. " + hint).strip();
    }
    if (!first.isEmpty() && command.getParent() == null) {
      Set<String> verbs = command.getSubcommands().keySet();
      String hint = GONE.getOrDefault(first, Nearest.hint(first, verbs));
      return "There is no verb '"
          + first
          + "'. "
          + (hint.isEmpty() ? "Verbs are " + String.join(", ", verbs) + "." : hint);
    }
    return String.valueOf(e.getMessage());
  }

  /// The first of the arguments that is written like an option, and is none of the command's; empty
  /// if there is none.
  private static String unknownOption(String[] args, CommandSpec command) {
    Map<String, OptionSpec> known = command.optionsMap();
    boolean isValue = false;
    for (String arg : args) {
      OptionSpec option = known.get(arg.split("=", 2)[0]);
      if (arg.equals("--")) {
        return "";
      }
      if (!isValue && option == null && arg.matches("--?[A-Za-z].*")) {
        return arg;
      }
      isValue = !isValue && option != null && !arg.contains("=") && option.arity().min() > 0;
    }
    return "";
  }

  private static boolean isRepetition(ParameterException e) {
    return e instanceof OverwrittenOptionException || e instanceof MaxValuesExceededException;
  }

  /// The first option that stands among the arguments again, which picocli tells of a group of
  /// options by listing all of them; null if none does.
  private static @Nullable String repeated(String[] args) {
    Set<String> seen = new HashSet<>();
    for (String arg : args) {
      String name = arg.split("=", 2)[0];
      if (name.startsWith("--") && !seen.add(name)) {
        return name;
      }
    }
    return null;
  }

  /// `-` with parameters would be taken for an option.
  private static String standardStream(String argument) {
    return argument.startsWith("-?") ? "file:" + argument : argument;
  }

  private static int failed(Throwable thrown, CommandLine command, Context context) {
    if (Faults.isBrokenPipe(thrown)) {
      return ExitCode.PIPE.number();
    }
    Fault fault = Fault.of(thrown);
    PrintStream json = command.getCommand() instanceof EmitsJson verb ? verb.json() : null;
    Faults.print(context, fault, Faults.debugs(command.getCommandSpec()), json);
    return ExitCode.of(fault).number();
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USER.number();
  }
}
