package millrace.connectors.sql;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import org.jspecify.annotations.Nullable;

/// Settles how a table takes columns. Changes nothing.
///
/// @param label the table, for errors
/// @param found the table as it is; null if there is none
/// @param holdsRows whether there are rows in it
/// @param isComplete whether the copy was made before, so that its rows are there
record LoadPlanner(
    String label,
    Dialect dialect,
    TableName table,
    WriteOptions options,
    @Nullable TableInfo found,
    boolean holdsRows,
    boolean isComplete) {

  /// Settles it.
  ///
  /// @throws Fault.User why it can't be done
  LoadPlan plan(Schema incoming) {
    Mode mode = mode();
    TableInfo stays = mode == Mode.REPLACE ? null : found;
    List<String> key = mode == Mode.MERGE ? mergeKey(incoming) : incoming.key();
    boolean demanded = stays == null || mode == Mode.MERGE;
    Pairing.Request request =
        new Pairing.Request(label, dialect, incoming, demanded ? key : List.of());
    Pairing pairing =
        stays == null
            ? Pairing.fresh(request)
            : Pairing.existing(request, stays, options.byPosition());
    return new LoadPlan(dialect, table, mode, found, stays == null, pairing, inTable(pairing, key));
  }

  /// The key's columns as the table spells them.
  private static List<String> inTable(Pairing pairing, List<String> key) {
    return key.stream()
        .map(name ->
            pairing.names().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name))
        .toList();
  }

  /// What the engine is told of it.
  WritePlan told(LoadPlan plan) {
    List<String> details = new ArrayList<>(List.of(detail(plan)));
    if (!dialect.capabilities().savepoints()) {
      details.add("This database can't undo single rows: one that it refuses ends the copy.");
    }
    return new WritePlan(
        plan.pairing().schema(),
        plan.mode(),
        plan.makes() ? plan.create(table) : "",
        plan.pairing().notes(),
        details);
  }

  private static String detail(LoadPlan plan) {
    return switch (plan.way()) {
      case DIRECT -> "One transaction: all rows appear at once, when the run is complete.";
      case SWAP -> "Rows are staged in another table, which takes its place at the end.";
      case MERGE -> "Rows are staged, then merged in one transaction; the last row of a key wins.";
    };
  }

  private Mode mode() {
    Mode asked = options.mode();
    if (isComplete) {
      // The rows are there, and stay unless the source has changed since.
      return asked == null ? Mode.APPEND : asked;
    }
    if (found != null && found.kind() != TableInfo.Kind.TABLE) {
      throw new Fault.User(label + " is a view.", "Name a table.");
    }
    if (asked == null && holdsRows) {
      throw new Fault.User(
          label + " holds rows already.",
          "Say what to do with them: --mode append adds to them, truncate empties the table"
              + " first, replace puts a new table in its place, merge updates rows by key.");
    }
    if (asked == null) {
      return found == null ? Mode.CREATE : Mode.APPEND;
    }
    if (asked == Mode.CREATE && found != null) {
      throw new Fault.User(
          label + " exists already.", "Use --mode append, truncate, replace or merge.");
    }
    boolean takesAway = asked == Mode.REPLACE || asked == Mode.TRUNCATE;
    if (takesAway && found != null && !found.dependents().isEmpty() && holdsRows) {
      throw new Fault.User(
          label
              + " can't be emptied or replaced: foreign keys of "
              + String.join(", ", found.dependents())
              + " point to it.",
          "Use --mode merge, or take those foreign keys away first.");
    }
    return asked;
  }

  private List<String> mergeKey(Schema incoming) {
    List<String> key =
        !options.key().isEmpty()
            ? options.key()
            : found != null && !found.key().isEmpty() ? found.key() : incoming.key();
    if (key.isEmpty()) {
      throw new Fault.User(
          label + " has no primary key to merge by.", "Name columns: --key id,day");
    }
    for (String name : key) {
      boolean comes = incoming.names().stream().anyMatch(name::equalsIgnoreCase);
      if (!comes && !options.byPosition()) {
        throw new Fault.User(
            "The key's column \"" + name + "\" does not come from the source.",
            "It brings " + String.join(", ", incoming.names()) + ".");
      }
    }
    return key;
  }
}
