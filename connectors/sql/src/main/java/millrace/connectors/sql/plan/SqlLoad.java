package millrace.connectors.sql.plan;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.fault.Shortened;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// How rows get into a table, settled before anything is changed.
///
/// @param table where the rows end up
/// @param landing how they get there
/// @param found the table as it is; null if there is none
/// @param makes whether a table is made
/// @param key the columns of a new table's key, or those that a merge goes by
/// @param staging where rows wait if they are staged
public record SqlLoad(
    Dialect dialect,
    TableName table,
    Landing landing,
    @Nullable TableInfo found,
    boolean makes,
    LoadColumns columns,
    List<String> key,
    TableName staging) {

  /// The table of one connection in which rows wait for a merge.
  public static final TableName MERGE_STAGING = new TableName("", "millrace_merge");

  private static final int SHOWN_CHARACTERS = 60;

  /// What becomes of the rows that are there.
  public Mode mode() {
    return landing.mode();
  }

  /// Whether the rows that are there go, and the table itself stays.
  public boolean empties() {
    return !makes && (mode() == Mode.TRUNCATE || mode() == Mode.REPLACE);
  }

  /// Whether the rows get into a table that takes another's place, or its name. So does one that a
  /// merge makes, if a table that is made is not undone with its transaction: nothing is left of it
  /// then if the process is killed.
  public boolean fillsNewTable() {
    boolean isMade = makes && !dialect.capabilities().transactionalDdl();
    return landing.place() == Landing.Place.SWAP
        || (landing.place() == Landing.Place.MERGE && landing.whole() && isMade);
  }

  /// The table that is made for rows that wait.
  public TableName waiting() {
    return fillsNewTable() ? staging : filled();
  }

  /// The table whose rows change.
  public TableName changed() {
    return fillsNewTable() ? staging() : table;
  }

  /// What is made again once the rows of a replace are there: an index is made faster then, and
  /// triggers do not run. A table that stays keeps what checks its rows, and all if taking it away
  /// would commit.
  public List<TableInfo.DependentObject> madeAgain() {
    if (found == null || mode() != Mode.REPLACE) {
      return List.of();
    }
    if (makes) {
      return replaced(found, dialect, "").hasAllColumns(columns.schema())
          ? found.definition().dependentObjects()
          : List.of();
    }
    return dialect.capabilities().transactionalDdl()
        ? found.definition().dependentObjects().stream().filter(object -> !object.checks()).toList()
        : List.of();
  }

  /// The table that goes, for what becomes of its definition.
  public static ReplacedTable replaced(TableInfo found, Dialect dialect, String label) {
    TypeTable types = dialect.types();
    return new ReplacedTable(
        label,
        types.system(),
        found.targetColumns(types),
        found.key(),
        found.definition().rules(),
        found.definition().dependentObjects().stream()
            .map(TableInfo.DependentObject::name)
            .toList());
  }

  /// The table that writers fill.
  public TableName filled() {
    return switch (landing.place()) {
      case TARGET -> table;
      case SWAP, INSERT -> staging;
      case MERGE -> landing.whole() ? MERGE_STAGING : staging;
    };
  }

  /// A name for a staging table. Without a journal that tells it, it is the same in every copy, so
  /// that what a killed one has left there is found.
  public static TableName staging(Dialect dialect, TableName table, boolean journaled) {
    int bytesMax = dialect.names().bytesMax();
    return table.beside(
        journaled
            ? StagingName.unique(table.name(), bytesMax)
            : StagingName.of(table.name(), "staging", bytesMax));
  }

  /// The name that an old table has while a new one takes its place.
  public static TableName old(Dialect dialect, TableName table) {
    return table.beside(StagingName.of(table.name(), "old", dialect.names().bytesMax()));
  }

  /// The statement that makes the table under a name.
  public String create(TableName name) {
    return create(dialect, name, columns, key);
  }

  private static String create(
      Dialect dialect, TableName name, LoadColumns columns, List<String> key) {
    Names names = dialect.names();
    List<String> lines =
        new ArrayList<>(columns.declarations(names, true, dialect.writes().commentStyle()));
    if (!key.isEmpty()) {
      lines.add("PRIMARY KEY (" + names.quoted(key) + ")");
    }
    String create = dialect.statements().tables().create();
    return create.formatted(name.sql(names), "\n  " + String.join(",\n  ", lines) + "\n")
        + dialect.writes().commentStyle().inTable(columns.comments().table());
  }

  /// The statements that make the table under a name, with its comments.
  public List<String> make(TableName name) {
    List<String> statements = new ArrayList<>(List.of(create(name)));
    statements.addAll(
        dialect
            .writes()
            .commentStyle()
            .statements(name.sql(dialect.names()), dialect.names(), columns.comments()));
    return statements;
  }

  /// The statement that would make a table of those columns, for previews.
  public static String ddl(Dialect dialect, TableName name, Schema schema) {
    LoadColumns.Request request =
        new LoadColumns.Request(dialect, name.name(), schema, schema.key(), TableComments.NONE);
    return create(dialect, name, LoadColumns.fresh(request), schema.key());
  }

  /// What the database says against a row, with the values of its key and of columns that it names.
  ///
  /// @param value of a column by its name
  public String refusal(SQLException why, UnaryOperator<String> value) {
    String message = (dialect.faults().sentence(why) + " " + dialect.faults().advice(why)).strip();
    List<String> mentioned =
        mode() == Mode.MERGE || found == null || found.key().isEmpty() ? key : found.key();
    List<String> named =
        columns.names().stream()
            .filter(name ->
                Pattern.compile("(?i)\\b" + Pattern.quote(name) + "\\b").matcher(message).find())
            .toList();
    // Some databases don't say which columns are taken: then it is one of all.
    boolean isTaken = named.isEmpty() && message.matches("(?is).*\\bunique\\b.*");
    List<String> shown =
        columns.names().stream()
            .filter(name ->
                (isTaken && !value.apply(name).equals("null"))
                    || mentioned.contains(name)
                    || named.contains(name))
            .toList();
    return shown.isEmpty()
        ? message
        : message
            + " The row has ("
            + String.join(", ", shown)
            + ")=("
            + shown.stream().map(value).collect(Collectors.joining(", "))
            + ").";
  }

  /// A value for a message.
  public static String shown(String value) {
    return Shortened.value(value, SHOWN_CHARACTERS);
  }

  /// Names of the columns that writers fill; those of the batches come first.
  public List<String> filledColumns() {
    return mode() == Mode.MERGE
        ? Stream.concat(columns.names().stream(), StagedPlaces.COLUMNS.stream()).toList()
        : columns.names();
  }

  /// The same for a way of sending rows that leaves to others what the table would do.
  ///
  /// @param keyless whether a key is made when all rows are there
  /// @param strict whether null stays null even if an insert would fill it
  public SqlLoad sent(boolean keyless, boolean strict) {
    TableInfo filled = makes || landing.staged() || !strict ? null : found;
    List<Slot> slots =
        columns.slots().stream()
            .map(slot ->
                filled == null || filled.column(slot.name()).nullable() ? slot : slot.demanding())
            .toList();
    return new SqlLoad(
        dialect,
        table,
        landing,
        found,
        makes,
        new LoadColumns(columns.schema(), slots, columns.notes(), columns.comments()),
        keyless ? List.of() : key,
        staging);
  }

  /// The target's columns that staged rows have.
  public List<TableInfo.ColumnInfo> stagedColumns() {
    return columns.slots().stream()
        .map(slot ->
            makes || found == null
                ? new TableInfo.ColumnInfo(
                    slot.name(), slot.declared(), slot.typedAs(), !slot.required(), false, false)
                : found.column(slot.name()))
        .toList();
  }

  /// The statement that writers fill the table with.
  public String insert() {
    List<String> filled = filledColumns();
    return "INSERT INTO "
        + filled().sql(dialect.names())
        + " ("
        + dialect.names().quoted(filled)
        + ") VALUES ("
        + String.join(", ", Collections.nCopies(filled.size(), "?"))
        + ")";
  }
}
