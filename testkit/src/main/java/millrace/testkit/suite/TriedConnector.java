package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.NotOffered;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;

/// The connector that a suite tries, how its tables are addressed, and memory at the other end of
/// its copies. What suites share; it has no tests.
public abstract class TriedConnector {

  /// A key, a text and a number.
  protected static final Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED),
              Column.of("amount", new Type.Decimal(9, 2))),
          List.of("id"));

  /// The end that is known to be right.
  protected final MemoryConnector memory = new MemoryConnector();

  /// The connector to try.
  protected abstract Connector connector();

  /// How a table of that name (lower-case letters and underscores) is addressed, for reading and
  /// for writing. Every test is an instance of its own and has to find no tables of earlier ones.
  protected Endpoint table(String name) {
    throw new UnsupportedOperationException(connector().name() + " is only read");
  }

  /// What the connector can't do, each with the reason.
  protected Map<Behaviour, String> cannot() {
    return Map.of();
  }

  /// The name that a new column gets for one that is copied; another if the system folds names that
  /// need no quotes.
  protected String kept(String name) {
    return name;
  }

  /// The type of a new column that is made for values of one; a wider one if the system has none
  /// that is just as wide.
  protected Type heldAs(Type type) {
    return type;
  }

  /// Whether the connector is to do this, or to refuse it.
  protected final boolean can(Behaviour behaviour) {
    return !cannot().containsKey(behaviour);
  }

  /// Whether the connector has a mode.
  protected final boolean offers(Mode mode, boolean atomic) {
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
  protected final void needs(Mode mode, boolean atomic) {
    behaviours(mode, atomic).forEach(this::needs);
  }

  /// Ends the test as not offered if the connector can't do this.
  protected final void needs(Behaviour behaviour) {
    needs(can(behaviour), behaviour + ", since " + cannot().get(behaviour));
  }

  /// Ends the test as not offered unless the connector has what it tries.
  ///
  /// @param what that is, as a phrase
  protected final void needs(boolean has, String what) {
    if (!has) {
      throw new NotOffered(connector().name(), what);
    }
  }

  /// Ends the test as not offered if the connector can't do this; else it fails, since the fixture
  /// gives nothing to try it with.
  protected final AssertionError notGiven(Behaviour behaviour) {
    needs(behaviour);
    return new AssertionError(
        "%s: the fixture gives nothing for %s. Give it, or name it in cannot() with the reason."
            .formatted(connector().name(), behaviour));
  }

  /// The same unless the fixture gives it.
  protected final void needs(boolean isGiven, Behaviour behaviour) {
    if (!isGiven) {
      throw notGiven(behaviour);
    }
  }

  /// That many rows of {@link #ITEMS} with keys from a number on.
  protected static List<Row> items(int first, int count) {
    List<Row> rows = new ArrayList<>();
    Random random = new Random(first);
    for (int i = first; i < first + count; i++) {
      String name = i % 10 == 0 ? null : "name, \"" + i + "\"\n" + random.nextInt();
      rows.add(Row.of(i, name, i % 7 == 0 ? null : random.nextInt(1_000_000)));
    }
    return rows;
  }

  /// The same columns; the first is the key if the connector needs one and none of them could be.
  protected final Schema keyed(Schema schema) {
    if (can(Behaviour.KEYLESS) || !schema.columns().stream().allMatch(Column::nullable)) {
      return schema;
    }
    List<Column> columns = new ArrayList<>(schema.columns());
    Column first = columns.removeFirst();
    columns.addFirst(new Column(first.name(), first.type(), false, first.declared()));
    return new Schema(columns, List.of(first.name()));
  }

  /// A copy of rows from memory into a table.
  protected final Copying into(Schema schema, List<Row> rows, Endpoint to) {
    memory.put("rows", keyed(schema), rows);
    return Copying.of(memory, memory.endpoint("rows"), connector(), to);
  }

  /// Writes rows into a table that does not exist.
  protected final void write(Schema schema, List<Row> rows, Endpoint to) {
    into(schema, rows, to).run();
  }

  /// Reads a table as columns of those types.
  protected final List<Row> read(Schema schema, Endpoint from) {
    Schema bare = Schema.of(schema.columns());
    memory.put("back", bare, List.of());
    Endpoint back = memory.endpoint("back");
    Copying.of(connector(), from, memory, back).mode(Mode.APPEND).lanes(2, 64 << 10).run();
    return memory.rows("back");
  }

  /// Checks that there is no such table.
  protected final void assertAbsent(Endpoint table) {
    Fault.User fault =
        catchThrowableOfType(
            Fault.User.class,
            () -> {
              try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
                source.describe(new ColumnRequest.Typed());
              }
            });
    assertThat(fault).as(table.label() + " should not exist").isNotNull();
  }
}
