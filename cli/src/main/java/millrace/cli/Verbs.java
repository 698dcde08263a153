package millrace.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import millrace.cli.command.CompareCommand;
import millrace.cli.command.CopyCommand;
import millrace.cli.command.DemoCommand;
import millrace.cli.command.HelpCommand;
import millrace.cli.command.JournalCommand;
import millrace.cli.command.OnlineCommand;
import millrace.cli.command.OracleCheckCommand;
import millrace.cli.command.PreviewCommand;
import millrace.cli.command.RunCommand;
import millrace.cli.command.RunsCommand;
import millrace.cli.command.SweepCommand;
import millrace.cli.command.TablesCommand;
import millrace.cli.command.VerifyCommand;
import millrace.cli.option.ConnectorOptions;
import picocli.CommandLine;

/// The verbs of the command line.
final class Verbs {

  private static final String HELP = "help";

  private Verbs() {}

  /// What makes each verb, in the order in which the help lists them.
  private static Map<String, Function<Context, Object>> all() {
    Map<String, Function<Context, Object>> verbs = new LinkedHashMap<>();
    verbs.put("copy", CopyCommand::new);
    verbs.put("run", RunCommand::new);
    verbs.put("preview", PreviewCommand::new);
    verbs.put("tables", TablesCommand::new);
    verbs.put("verify", VerifyCommand::new);
    verbs.put("sweep", SweepCommand::new);
    verbs.put("online", OnlineCommand::new);
    verbs.put("journal", JournalCommand::new);
    verbs.put("runs", RunsCommand::new);
    verbs.put("compare", CompareCommand::new);
    verbs.put("demo", DemoCommand::new);
    verbs.put("oracle-check", OracleCheckCommand::new);
    verbs.put(HELP, HelpCommand::new);
    return verbs;
  }

  /// Adds the verb that the arguments begin with, or all if help or a hint may have to name them.
  /// picocli looks at every verb that it is given, and most of a short start would be that.
  static void add(CommandLine root, Context context, String[] args) {
    Map<String, Function<Context, Object>> all = all();
    String first = Arrays.stream(args).filter(arg -> !arg.startsWith("-")).findFirst().orElse(HELP);
    boolean isAlone = all.containsKey(first) && !first.equals(HELP);
    all.forEach((name, verb) -> {
      if (!isAlone || name.equals(first)) {
        root.addSubcommand(name, verb.apply(context));
      }
    });
    for (CommandLine verb : root.getSubcommands().values()) {
      if (verb.getCommandSpec().positionalParameters().stream()
          .anyMatch(parameter -> parameter.paramLabel().equals("FROM"))) {
        ConnectorOptions.addTo(verb.getCommandSpec());
      }
    }
  }
}
