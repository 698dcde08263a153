package millrace.cli.option;

import java.io.PrintStream;
import millrace.cli.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How much is said, and in which form.
public final class OutputOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing but faults.")
  public boolean quiet;

  @Option(
      names = "--json",
      description =
          "Progress, plan, report and fault as lines of JSON on standard output; on standard error"
              + " if standard output carries rows.")
  public boolean json;

  /// Where lines of JSON go, or null if nobody asked for any.
  ///
  /// @param outCarriesRows whether they would stand between rows on standard output
  @Nullable
  public PrintStream json(Console console, boolean outCarriesRows) {
    return json ? console.lines(outCarriesRows) : null;
  }
}
