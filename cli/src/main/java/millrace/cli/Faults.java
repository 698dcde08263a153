package millrace.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import millrace.report.ReportJson;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Turns whatever a verb threw into words, printed once, and an exit code.
public final class Faults {

  /// What would move the cursor of the terminal; tabs and line ends are ours, or a server's.
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\n\\t]]");

  private Faults() {}

  /// Whether the user asked for stacks.
  public static boolean debugs(CommandSpec command) {
    return command.root().userObject() instanceof ShowsStacks root && root.debugs();
  }

  /// Prints a fault, with the stack if it is a bug or the user debugs.
  ///
  /// Messages repeat what users wrote in odd places and what libraries say, so that passwords of
  /// URLs are looked for once more; and values of files, so that control characters are shown.
  ///
  /// @param json where the same goes as a line of JSON, or null if nobody asked for it
  public static void print(
      Context context, Fault fault, boolean debug, @Nullable PrintStream json) {
    StringWriter text = new StringWriter();
    PrintWriter words = new PrintWriter(text);
    words.println("millrace: " + FaultMessage.of(fault));
    if (!fault.advice().isEmpty()) {
      words.println("  " + FaultMessage.advice(fault));
    }
    if (debug || fault instanceof Fault.Bug) {
      fault.printStackTrace(words);
    }
    String visible =
        CONTROL
            .matcher(text.toString())
            .replaceAll(found -> String.format("\\\\x%02x", (int) found.group().charAt(0)));
    context.console().err().print(Endpoints.redact(visible));
    context.console().err().flush();
    if (json != null) {
      json.println(json(fault, context.stop()));
    }
  }

  /// A fault as a line for programs: a command that fails ends with it.
  private static ObjectNode json(Fault fault, Stop stop) {
    ObjectNode error = JsonNodeFactory.instance.objectNode();
    error.put("message", FaultMessage.of(fault));
    error.put("advice", FaultMessage.advice(fault));
    error.put("exit_code", stop.exitCode(ExitCode.of(fault).number()));
    return ReportJson.event("error", error);
  }

  /// Whether it came about because whoever read our standard output has gone: no fault at all, as
  /// with any command in front of `head`.
  public static boolean isBrokenPipe(@Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof IOException
          && message != null
          && message.toLowerCase(Locale.ROOT).contains("broken pipe")) {
        return true;
      }
    }
    return false;
  }
}
