package millrace.cli;

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
          "Progress and report, or the plan, as lines of JSON on standard output; on standard"
              + " error where standard output carries rows.")
  boolean json;
}
