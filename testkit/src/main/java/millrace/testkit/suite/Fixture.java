package millrace.testkit.suite;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Independent;
import millrace.testkit.NotOffered;
import org.jspecify.annotations.Nullable;

/// What a connector gives to the suites that try it: itself, how its tables are addressed, what it
/// can't do, and what only its system can do for a test. A suite asks for some of it; what a
/// fixture does not give is either named in {@link #cannot}, with the reason, or an error.
public interface Fixture {

  /// A key, a text and a number.
  Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED),
              Column.of("amount", new Type.Decimal(9, 2))),
          List.of("id"));

  /// The connector to try.
  Connector connector();

  /// How a table of that name (lower-case letters and underscores) is addressed, for reading and
  /// for writing. Every test is an instance of its own and has to find no tables of earlier ones.
  default Endpoint table(String name) {
    throw new UnsupportedOperationException(connector().name() + " is only read");
  }

  /// What the connector can't do, each with the reason.
  default Map<Behaviour, String> cannot() {
    return Map.of();
  }

  /// The name that a new column gets for one that is copied; another if the system folds names that
  /// need no quotes.
  default String kept(String name) {
    return name;
  }

  /// The type of a new column that is made for values of one; a wider one if the system has none
  /// that is just as wide.
  default Type heldAs(Type type) {
    return type;
  }

  /// The suites that are not tried of it, each with the reason.
  default Map<Class<? extends Suite>, String> leavesOut() {
    return Map.of();
  }

  /// Whether the connector is to do this, or to refuse it.
  default boolean can(Behaviour behaviour) {
    return !cannot().containsKey(behaviour);
  }

  /// Whether the connector has a mode.
  default boolean offers(Mode mode, boolean atomic) {
    return behaviours(mode, atomic).allMatch(this::can);
  }

  private static Stream<Behaviour> behaviours(Mode mode, boolean atomic) {
    Stream<Behaviour> ofMode =
        switch (mode) {
          case CREATE -> Stream.empty();
          case REPLACE -> Stream.of(Behaviour.REPLACE);
          case APPEND -> Stream.of(Behaviour.APPEND);
          case TRUNCATE -> Stream.of(Behaviour.TRUNCATE);
          case MERGE -> Stream.of(Behaviour.MERGE);
        };
    return atomic ? Stream.concat(ofMode, Stream.of(Behaviour.ATOMIC)) : ofMode;
  }

  /// Ends the test as not offered if the connector lacks a mode.
  default void needs(Mode mode, boolean atomic) {
    behaviours(mode, atomic).forEach(this::needs);
  }

  /// Ends the test as not offered if the connector can't do this.
  default void needs(Behaviour behaviour) {
    needs(can(behaviour), behaviour + ", since " + cannot().get(behaviour));
  }

  /// Ends the test as not offered unless the connector has what it tries.
  ///
  /// @param what that is, as a phrase
  default void needs(boolean has, String what) {
    if (!has) {
      throw new NotOffered(connector().name(), what);
    }
  }

  /// Ends the test as not offered if the connector can't do this; else it fails, since the fixture
  /// gives nothing to try it with.
  default AssertionError notGiven(Behaviour behaviour) {
    needs(behaviour);
    return new AssertionError(
        "%s: the fixture gives nothing for %s. Give it, or name it in cannot() with the reason."
            .formatted(connector().name(), behaviour));
  }

  /// The same unless the fixture gives it.
  default void needs(boolean isGiven, Behaviour behaviour) {
    if (!isGiven) {
      throw notGiven(behaviour);
    }
  }

  /// The rows of a table as the system's own client finds them, or whatever else reads it without
  /// the connector: what a connector writes wrongly it might read wrongly, too.
  ///
  /// @param name as {@link #table} has it
  /// @param columns in this order
  /// @return each value as {@link Independent} takes it; null if nothing else can read it
  default @Nullable List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws Exception {
    throw new AssertionError(connector().name() + ": the fixture gives nobody else who reads");
  }

  /// Runs a statement by other means than the connector.
  ///
  /// @param name of a table, as {@link #table} takes it
  /// @param statement SQL with `%s` for that table
  default void sql(String name, String statement) {
    throw notGiven(Behaviour.SQL);
  }

  /// Somebody holds the table so that nobody else can write to it, until it is closed.
  default AutoCloseable locked(String name) {
    throw notGiven(Behaviour.WRITE_LOCKS);
  }

  /// Somebody holds the table so that nobody else can even read it, until it is closed.
  default AutoCloseable lockedForReaders(String name) {
    throw notGiven(Behaviour.READ_LOCKS);
  }

  /// Tables of {@link #ITEMS} without rows that leave a row out, without an error, if its key is
  /// there already: one for each way in which the system can do that.
  default List<Endpoint> keepingFirst() {
    throw notGiven(Behaviour.ROWS_LEFT_OUT);
  }

  /// Whether the system gives values of that kind back as such; text has no distance.
  default boolean tells(IncrementalSuite.UpdateKey kind) {
    return true;
  }

  /// Whether the plan tells of triggers that run when a row is in the table already.
  default boolean tellsOfLateTriggers() {
    return true;
  }

  /// Says something of a table of an `id`, a `name` and an `amount`, and of its column `name`.
  default void comment(String table) {
    throw notGiven(Behaviour.COMMENTS);
  }

  /// The same in the words of most systems.
  default void commentByStandard(String table) {
    sql(table, "COMMENT ON TABLE %s IS 'all of them'");
    sql(table, "COMMENT ON COLUMN %s.name IS 'in full'");
  }

  /// How a column is declared that the database makes itself, as twice the column `id`.
  default String twiceTheId() {
    return "bigint GENERATED ALWAYS AS (id * 2)";
  }

  /// How a column of texts is declared that are one if they differ in case alone.
  default String anyCase() {
    needs(Behaviour.SQL);
    throw notGiven(Behaviour.ANY_CASE);
  }

  /// The same for texts that differ in blanks at their ends.
  default String anyBlanks() {
    needs(Behaviour.SQL);
    throw notGiven(Behaviour.ANY_BLANKS);
  }

  /// How a column is declared whose numbers the database gives, without its name.
  default String numbered() {
    needs(Behaviour.SQL);
    throw notGiven(Behaviour.GIVEN_NUMBERS);
  }

  /// Makes triggers that add a row to a log for each row of a table that is inserted (`i`) or
  /// updated (`u`).
  default void logged(String table, String log) {
    throw notGiven(Behaviour.TRIGGERS);
  }

  /// Makes a trigger that gives a row of a table the `id` 7 if it comes without one.
  default void filled(String table) {
    needs(Behaviour.SQL);
    throw notGiven(Behaviour.FILLING_TRIGGERS);
  }

  /// Why no other program writes to what is read in one state; empty if it may. Makes ready for it.
  default String whyNoneWritesMeanwhile() {
    return "";
  }

  /// A query as an end to read from; null if the system has no SQL.
  ///
  /// @param columns the columns to select, as SQL
  /// @param table the name of a table, as {@link #table} takes it
  /// @param condition an SQL condition
  default Endpoint query(String columns, String table, String condition) {
    throw notGiven(Behaviour.SQL);
  }

  /// A table with some thousand rows, 100 kB or more, no two alike; the same at every call of one
  /// test.
  Endpoint filled();

  /// A table that does not exist.
  Endpoint missing();

  /// How an error names the table that does not exist.
  String missingName();

  /// Why the connector refuses columns of a type; empty if it takes them.
  default String refuses(Type type) {
    return "";
  }

  /// How many digits after the seconds times keep, if the connector has not all of microseconds.
  default int fractionDigits() {
    throw notGiven(Behaviour.MICROSECONDS);
  }

  /// How a file begins that is of another format than the connector's.
  default String otherFormat() {
    return "SQLite format 3\0";
  }

  /// What it is called.
  default String otherFormatIs() {
    return "an SQLite database";
  }

  /// A table whose place nothing has taken yet: of databases that are files or folders, in one that
  /// is not there.
  default Endpoint elsewhere(String name) {
    return table(name);
  }
}
