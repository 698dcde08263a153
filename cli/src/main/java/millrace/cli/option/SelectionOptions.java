package millrace.cli.option;

import java.util.List;
import millrace.spi.read.Selection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which rows and columns of a source a command is about.
public final class SelectionOptions {

  @Option(
      names = "--select",
      paramLabel = "A,B",
      description = "Only these columns, in this order; quotes around one with a comma.")
  private List<String> select = List.of();

  @Option(
      names = "--where",
      paramLabel = "SQL",
      description = "Only rows that this condition holds for, for example \"amount > 100\".")
  private @Nullable String where;

  /// What was chosen.
  ///
  /// @param limit most rows
  public Selection selection(long limit) {
    return new Selection(JobOptions.names("--select", String.join(",", select)), where, limit);
  }
}
