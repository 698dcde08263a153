package millrace.cli.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.HelpText;
import millrace.cli.option.ConnectorOptions;
import millrace.cli.option.HelpTopic;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Connector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `millrace help [SYSTEM, verb or topic]`.
@Command(
    name = "help",
    description = "Shows the options of a system, or the help of a verb or topic.",
    footer = {
      "%nExamples:",
      "  millrace help postgresql      options of PostgreSQL, on the command line and in a URL",
      "  millrace help copy            the same as millrace copy --help",
      "  millrace help mapping         a topic: options that rename, cast and add columns"
    })
public final class HelpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SYSTEM",
      description =
          "A system, such as file, parquet, postgresql or duckdb, a verb, or a topic: mapping,"
              + " incremental.")
  private @Nullable String topic;

  private final Context context;

  public HelpCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    PrintStream out = context.console().out();
    CommandLine root = spec.root().commandLine();
    String name = topic == null ? "" : topic.toLowerCase(Locale.ROOT);
    CommandLine verb = name.isEmpty() ? root : root.getSubcommands().get(name);
    Optional<HelpTopic> page = HelpTopic.find(name);
    if (verb != null) {
      verb.usage(out);
    } else if (page.isPresent()) {
      out.print(page.get().page(HelpText.COLUMNS));
    } else {
      Connector system = system(name, root);
      out.println("Options of " + system.name() + ", also as parameters of a URL:");
      out.print(ConnectorOptions.help(system, HelpText.COLUMNS));
    }
    return ExitCode.OK.number();
  }

  private static Connector system(String name, CommandLine root) {
    List<String> systems = ConnectorOptions.systems();
    for (Connector connector : Connectors.ALL.all()) {
      if (systems.contains(connector.name())
          && (connector.name().equals(name) || connector.schemes().contains(name))) {
        return connector;
      }
    }
    List<String> known = new ArrayList<>(systems);
    known.addAll(root.getSubcommands().keySet());
    known.addAll(HelpTopic.names());
    String topics = String.join(", ", HelpTopic.names());
    throw new Fault.User(
        "There is no help on '" + name + "'.",
        (Nearest.hint(name, known)
                + " Systems are "
                + String.join(", ", systems)
                + "; topics are "
                + topics
                + ".")
            .strip());
  }
}
