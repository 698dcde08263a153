package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.HostileNames;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/// Names may be anything that PostgreSQL takes: they are never read as SQL, and a table of any name
/// goes there and comes back.
class PostgresNamesTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /// Names of 1 to 63 bytes.
  @Provide
  Arbitrary<String> names() {
    return HostileNames.any().filter(PostgresNamesTest::isName);
  }

  private static boolean isName(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    boolean isTaken = Set.of("ctid", "xmin", "tableoid", "cmin", "cmax", "xmax").contains(name);
    return name.indexOf('\0') < 0 && !isTaken && bytes.length <= 63 && !name.startsWith("pg_");
  }

  /// Quoting as the manual says it, written a second time.
  @Example
  void quotesHoldForThePartThatStandsInThem() {
    assertThat(QualifiedName.parse("\"Odd\".T").folded().sql()).isEqualTo("\"Odd\".\"t\"");
    assertThat(QualifiedName.parse("Odd.\"T\"").folded().sql()).isEqualTo("\"odd\".\"T\"");
    assertThat(QualifiedName.parse("Odd.T").folded().sql()).isEqualTo("\"odd\".\"t\"");
    assertThat(QualifiedName.parse("\"T\"").folded().sql()).isEqualTo("\"T\"");
  }

  @Example
  void charactersThatTheDatabaseDoesNotKnowAreToldByItsEncoding() {
    String latin = DATABASE.name + "_latin";
    DATABASE.sql(
        "CREATE DATABASE "
            + latin
            + " TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
        "DROP TABLE IF EXISTS watery",
        "CREATE TABLE watery AS SELECT 1 AS n, 2 AS \"水\", 3 AS \"é\"");
    String location = DATABASE.server.location(latin);
    Endpoint water = latin(location, Map.of("table", "水"));
    Endpoint copy = latin(location, Map.of("table", "copié"));
    Endpoint from = DATABASE.table("watery");
    PostgresConnector postgres = new PostgresConnector();
    Map<String, ThrowingCallable> tries =
        Map.of(
            "The name 水",
            () -> TestDatabase.copy(from, water).run(),
            "The name 水 ",
            () -> postgres.source(water, Selection.ALL, new OpenContext()),
            "The column name 水",
            () -> TestDatabase.copy(from, copy).run(),
            "The query",
            () ->
                postgres.source(
                    latin(location, Map.of("query", "SELECT '水'")),
                    Selection.ALL,
                    new OpenContext()));
    tries.forEach((what, attempt) ->
        assertThatThrownBy(attempt)
            .isInstanceOf(Fault.User.class)
            .hasMessageStartingWith(what)
            .hasMessageContaining("its encoding is LATIN1"));
    TestDatabase.copy(DATABASE.query("SELECT 3 AS \"é\""), copy).run();
    assertThatThrownBy(() ->
            postgres.source(
                copy, new Selection(List.of(), "é::text = '水'", Long.MAX_VALUE), new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith("The condition has characters");
  }

  private static Endpoint latin(String location, Map<String, String> parameters) {
    return new Endpoint("postgresql", location, parameters, Secret.NONE);
  }

  private static String quoted(String name) {
    return "\"" + String.join("\"\"", name.split("\"", -1)) + "\"";
  }

  @Example
  void theKeyOfANewTableIsNamedAsTheServerWouldHaveNamedIt() {
    DATABASE.sql(
        "DROP TABLE IF EXISTS keyed, short_pkey",
        "CREATE TABLE keyed (n int PRIMARY KEY)",
        "CREATE TABLE short_pkey (n int)");
    for (String name : List.of("short", "n".repeat(60), "é".repeat(31))) {
      TestDatabase.copy(DATABASE.table("keyed"), DATABASE.table(name)).run();
      String ours = keyOf(name);
      DATABASE.sql(
          "DROP TABLE " + quoted(name), "CREATE TABLE " + quoted(name) + " (n int PRIMARY KEY)");
      assertThat(ours).isEqualTo(keyOf(name));
    }
  }

  private static @Nullable String keyOf(String table) {
    return DATABASE.value(
        "SELECT conname FROM pg_constraint WHERE contype = 'p' AND conrelid = '"
            + quoted(table)
            + "'::regclass");
  }

  @Property(tries = 25, shrinking = ShrinkingMode.OFF)
  void aTableOfAnyNameGoesThereAndComesBack(
      @ForAll("names") String schema,
      @ForAll("names") String table,
      @ForAll("names") String key,
      @ForAll("names") String column) {
    int number = NUMBERS.incrementAndGet();
    String second = column.equals(key) ? "x" + number : column;
    String there = quoted(schema) + "." + quoted(table);
    DATABASE.sql(
        "DROP TABLE IF EXISTS kept, start, finish",
        "CREATE TABLE kept AS SELECT 1 AS n",
        "CREATE TABLE start (" + quoted(key) + " int PRIMARY KEY, " + quoted(second) + " text)",
        "INSERT INTO start SELECT n, 'text ' || n FROM generate_series(1, 5) AS n",
        "DROP SCHEMA IF EXISTS " + quoted(schema) + " CASCADE",
        "CREATE SCHEMA " + quoted(schema));
    try {
      Copying to = TestDatabase.copy(DATABASE.table("start"), DATABASE.table(there));
      to.run();
      for (Mode mode : List.of(Mode.REPLACE, Mode.MERGE, Mode.TRUNCATE)) {
        to.landing(new WriteOptions(mode, number % 2 == 0, List.of(), false)).run();
      }
      TestDatabase.copy(DATABASE.table(there), DATABASE.table("finish")).lanes(2, 8_192).run();
      String rows = "SELECT t::text FROM %s AS t ORDER BY 1";
      assertThat(DATABASE.column(rows.formatted("finish")))
          .isEqualTo(DATABASE.column(rows.formatted("start")))
          .hasSize(5);
      assertThat(
              DATABASE.column(
                  "SELECT attname FROM pg_attribute WHERE attrelid = 'finish'::regclass AND attnum"
                      + " > 0 ORDER BY attnum"))
          .containsExactly(key, second);
      assertThat(DATABASE.value("SELECT n FROM kept")).isEqualTo("1");
      assertThat(
              DATABASE.value("SELECT count(*) FROM pg_class WHERE relname LIKE '%\\_millrace\\_%'"))
          .isEqualTo("0");
    } finally {
      DATABASE.sql("DROP SCHEMA " + quoted(schema) + " CASCADE");
    }
  }
}
