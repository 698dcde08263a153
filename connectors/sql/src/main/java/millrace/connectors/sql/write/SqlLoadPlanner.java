package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.LoadColumns;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.RowCost;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Settles how a table takes columns. Changes nothing.
///
/// @param label the table, for errors
/// @param found the table as it is; null if there is none
/// @param holdsRows asks whether there are rows in it
record SqlLoadPlanner(
    String label,
    Dialect dialect,
    TableName table,
    WriteOptions options,
    @Nullable TableInfo found,
    BooleanSupplier holdsRows) {

  /// Settles it.
  ///
  /// @throws Fault.User why it can't be done
  SqlLoad plan(WriteRequest request) {
    Mode mode = request.mode();
    Schema incoming = request.incoming();
    if (!request.isComplete()) {
      checkTakenAway(mode);
    }
    // Rows would wait under a shorter name, and get this one at the end.
    int longest = dialect.names().bytesMax();
    if (found == null && table.name().length() > longest) {
      throw new Fault.User(
          "The name of table \"%s\" is too long: the database has room for %d bytes."
              .formatted(table.name(), longest),
          "Give it a shorter one.");
    }
    TableInfo retained = request.partners().isEmpty() ? null : found;
    if (retained == null && replaces(request)) {
      checkViews();
    }
    List<String> key = mode == Mode.MERGE ? request.key() : incoming.key();
    boolean demanded = retained == null || mode == Mode.MERGE;
    LoadColumns.Request requested =
        new LoadColumns.Request(
            dialect, label, incoming, demanded ? key : List.of(), request.comments());
    LoadColumns columns =
        retained == null
            ? LoadColumns.fresh(requested)
            : LoadColumns.existing(requested, retained, request.partners(), request.notes());
    return new SqlLoad(
        dialect,
        table,
        request.landing(),
        found,
        retained == null,
        columns,
        inTable(columns, key),
        staging(request));
  }

  /// A run that goes on has its rows where the one before had them.
  private TableName staging(WriteRequest request) {
    JournaledRun resumed = request.resumed();
    TableName place = new TableName(stagingSchema(request.landing().place()), table.name());
    return resumed != null && resumed.begun().isStaged()
        ? place.beside(resumed.begun().staging())
        : SqlLoad.staging(dialect, place, !request.landing().whole());
  }

  /// A table that takes the other's name has to stand beside it.
  private String stagingSchema(Landing.Place place) {
    return dialect.locks() == null || place == Landing.Place.SWAP
        ? table.schema()
        : dialect.writes().ownSchema(table);
  }

  /// Whether a replace keeps the table, and empties it.
  ///
  /// @throws Fault.User if rules of it would be lost that the user did not give up
  boolean keepsDefinition(Schema incoming) {
    return found != null
        && SqlLoad.replaced(found, dialect, label).keepsDefinition(incoming, options);
  }

  private boolean replaces(WriteRequest request) {
    return request.mode() == Mode.REPLACE && found != null && !request.isComplete();
  }

  /// The key's columns as the table spells them.
  private static List<String> inTable(LoadColumns columns, List<String> key) {
    return key.stream()
        .map(name ->
            columns.names().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name))
        .toList();
  }

  /// What the engine is told of it.
  WritePlan writePlan(SqlLoad plan, WriteRequest request) {
    List<String> notes = new ArrayList<>(plan.columns().notes());
    triggers(plan).ifPresent(notes::add);
    List<String> hidden = found == null || plan.makes() ? List.<String>of() : found.invisible(true);
    if (!hidden.isEmpty()) {
      notes.add(
          "rows will be refused: the table demands values for its invisible "
              + NameList.columns(hidden)
              + ", which nothing fills");
    }
    if (replaces(request) && plan.makes()) {
      notes.addAll(
          SqlLoad.replaced(Objects.requireNonNull(found), dialect, label)
              .notes(plan.columns().schema()));
    }
    return new WritePlan(
            plan.columns().schema(),
            plan.mode(),
            plan.makes() ? plan.create(table) : "",
            notes,
            List.of(detail(plan)))
        .withRowCosts(rowCosts(plan));
  }

  /// What makes rows dear that go straight into a table which stays.
  private static List<RowCost> rowCosts(SqlLoad plan) {
    TableInfo found = plan.found();
    if (found == null || plan.makes() || plan.landing().staged()) {
      return List.of();
    }
    List<RowCost> costs = new ArrayList<>();
    List<String> indexes = rules(found, "index ", "unique ");
    if (!indexes.isEmpty()) {
      costs.add(
          new RowCost(
              Stage.SERVER_WAIT,
              (indexes.size() == 1
                      ? "The table's index is kept up row by row ("
                      : "The table's " + indexes.size() + " indexes are kept up row by row (")
                  + NameList.spelled(indexes, ", ")
                  + ")",
              "drop those that the copy does not need, and make them again after it."));
    }
    List<String> foreignKeys = rules(found, "foreign key ");
    if (!foreignKeys.isEmpty()) {
      costs.add(
          new RowCost(
              Stage.SERVER_WAIT,
              "The table's foreign keys are checked row by row ("
                  + String.join(", ", foreignKeys)
                  + ")",
              "drop them, and add them again after the copy."));
    }
    List<String> triggers = found.rowRules().onInsert();
    if (!triggers.isEmpty()) {
      costs.add(
          new RowCost(
              Stage.SERVER_WAIT,
              "The table's triggers run for each row (" + NameList.spelled(triggers, ", ") + ")",
              "drop those that the copy does not need, and make them again after it."));
    }
    return costs;
  }

  /// The names of a table's rules of that kind.
  private static List<String> rules(TableInfo found, String... kinds) {
    return Stream.concat(
            found.definition().rules().stream(),
            found.definition().dependentObjects().stream().map(TableInfo.DependentObject::name))
        .flatMap(rule ->
            Stream.of(kinds).filter(rule::startsWith).map(kind -> rule.substring(kind.length())))
        .map(rule -> rule.replaceFirst("^index ", "").replaceFirst(" \\(.*", ""))
        .map(rule -> rule.replaceFirst("^\\(([^)]*)\\)", "$1"))
        .toList();
  }

  /// What triggers do to the rows. A replace takes them away until all rows are there.
  private static Optional<String> triggers(SqlLoad plan) {
    TableInfo found = plan.found();
    if (found == null || plan.mode() == Mode.REPLACE) {
      return Optional.empty();
    }
    boolean merges = plan.mode() == Mode.MERGE;
    Set<String> triggers = new TreeSet<>(found.rowRules().onInsert());
    triggers.addAll(merges ? found.rowRules().onUpdate() : List.of());
    return triggers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "triggers of the table run for every row"
                + (merges ? " that is inserted or updated" : "")
                + ", and may change or drop it ("
                + String.join(", ", triggers)
                + ")");
  }

  private static String detail(SqlLoad plan) {
    if (plan.mode() == Mode.REPLACE && !plan.makes() && plan.landing().whole()) {
      return "The table keeps its definition. One transaction: its rows go, and all new ones appear"
          + " at once, when the run is complete.";
    }
    return switch (plan.landing().place()) {
      case TARGET ->
          plan.landing().whole()
              ? "One transaction: all rows appear at once, when the run is complete."
              : "Rows appear as they are committed.";
      case INSERT -> "Rows are staged in another table, and inserted in one transaction.";
      case SWAP -> "Rows are staged in another table, which takes its place at the end.";
      case MERGE -> "Rows are staged, then merged in one transaction; the last row of a key wins.";
    };
  }

  /// @throws Fault.User if views would lose the table
  private void checkViews() {
    if (found != null && !found.definition().views().isEmpty()) {
      throw new Fault.User(
          label
              + " can't be replaced: view "
              + String.join(", ", found.definition().views())
              + " would lose it.",
          "Use --mode truncate, which keeps the table.");
    }
  }

  /// @throws Fault.User if other tables refer to rows that would go
  private void checkTakenAway(Mode mode) {
    boolean takesAway = mode == Mode.REPLACE || mode == Mode.TRUNCATE;
    if (takesAway && found != null && !found.dependents().isEmpty() && holdsRows.getAsBoolean()) {
      throw new Fault.User(
          label
              + " can't be emptied or replaced: foreign keys of "
              + String.join(", ", found.dependents())
              + " point to it.",
          "Use --mode merge, or take those foreign keys away first.");
    }
  }
}
