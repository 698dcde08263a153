package millrace.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.plan.mapping.Mapping;
import millrace.plan.mapping.MappingWords;
import millrace.plan.mapping.NewColumns;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What becomes of columns on their way. `millrace help mapping` lists them, and no verb's own help
/// does.
public final class MappingOptions {

  @Option(
      names = "--rename",
      hidden = true,
      paramLabel = "OLD=NEW",
      description =
          "Gives a column of the source another name. Several times, or with commas between.")
  private List<String> rename = new ArrayList<>();

  @Option(
      names = "--cast",
      hidden = true,
      paramLabel = "NAME:TYPE",
      description =
          "Makes a column one of another type, such as amount:decimal(12,2). A value that does not"
              + " fit is a bad record.")
  private List<String> cast = new ArrayList<>();

  @Option(
      names = "--add",
      hidden = true,
      paramLabel = "NAME=VALUE",
      description =
          "Adds a column that has one value in all rows: a number, a text (in quotes if it holds a"
              + " comma), or now() for the time at which the copy began.")
  private List<String> add = new ArrayList<>();

  @Option(
      names = "--drop",
      hidden = true,
      paramLabel = "NAME",
      description = "Leaves a column of the source out; it is not read.")
  private List<String> drop = new ArrayList<>();

  @Option(
      names = "--new-columns",
      hidden = true,
      paramLabel = "WHAT",
      description =
          "What happens to columns that a table which exists does not have: error (refuse, the"
              + " default), ignore (leave them out), add (to the table, without a value in the rows"
              + " that it holds).")
  private @Nullable String newColumns;

  @Option(
      names = "--fit-names",
      hidden = true,
      description = "Cuts names of columns that are too long for the target, and keeps them apart.")
  private boolean fitNames;

  /// What is asked.
  ///
  /// @throws Fault.User if it makes no sense
  public Mapping mapping() {
    return new Mapping(
        MappingWords.renames(rename),
        MappingWords.casts(cast),
        MappingWords.added(add),
        MappingWords.names("--drop", drop),
        newColumns(),
        fitNames);
  }

  private NewColumns newColumns() {
    if (newColumns == null) {
      return NewColumns.ERROR;
    }
    return switch (newColumns.toLowerCase(Locale.ROOT)) {
      case "error" -> NewColumns.ERROR;
      case "ignore" -> NewColumns.IGNORE;
      case "add" -> NewColumns.ADD;
      default ->
          throw new Fault.User(
              "--new-columns " + newColumns + " is none of add, ignore and error.",
              "add gives the table such columns, ignore leaves them out.");
    };
  }
}
