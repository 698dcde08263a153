package millrace.cli;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How much is said, and in which form.
final class OutputOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing but faults.")
  boolean quiet;

  @Option(
      names = "--json",
      description =
          "Progress, plan, report and fault as lines of JSON on standard output; on standard error"
              + " if standard output carries rows.")
  boolean json;

  /// Where lines of JSON go, or null where nobody asked for any.
  ///
  /// @param outCarriesRows whether they would stand between rows on standard output
  @Nullable PrintStream json(Console console, boolean outCarriesRows) {
    return json ? console.lines(outCarriesRows) : null;
  }
}
