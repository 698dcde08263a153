package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.connectors.file.FileConnector;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A row that PostgreSQL does not take gives one message that names the table, what it breaks and,
/// if the server says, the row.
class PostgresRefusalsTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path folder;

  private final String table = "refusing_" + NAMES.incrementAndGet();

  /// @param columns of the table; `%s` is its name
  /// @param query rows of which the 30th is bad
  /// @param said what the message must say
  record Case(String name, String columns, String query, List<String> said) {
    static Case of(String name, String columns, String query, String... said) {
      return new Case(name, columns, query, List.of(said));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final List<String> CONSTRAINTS =
      List.of("unique", "primary key", "check", "not null", "index entry too large");

  private static final String FORTY = " FROM generate_series(1, 40) AS n";

  private static List<Case> cases() {
    return List.of(
        Case.of(
            "unique",
            "n int CONSTRAINT %s_once UNIQUE",
            "SELECT CASE WHEN n = 30 THEN 3 ELSE n END AS n" + FORTY,
            "\"%s_once\"",
            "(n)=(3)"),
        Case.of(
            "primary key",
            "n int PRIMARY KEY",
            "SELECT CASE WHEN n = 30 THEN 3 ELSE n END AS n" + FORTY,
            "\"%s_pkey\"",
            "(n)=(3)"),
        Case.of(
            "check",
            "n int CONSTRAINT not_thirty CHECK (n <> 30)",
            "SELECT n" + FORTY,
            "\"not_thirty\"",
            "about row 30"),
        Case.of(
            "not null",
            "n int NOT NULL",
            "SELECT nullif(n, 30) AS n" + FORTY,
            "\"n\"",
            "not-null",
            "about row 30"),
        Case.of(
            "domain", "n not_thirty", "SELECT n" + FORTY, "not_thirty", "column n", "about row 30"),
        Case.of(
            "too long",
            "t varchar(5)",
            "SELECT CASE WHEN n = 30 THEN 'abcdef' ELSE 'abc' END AS t" + FORTY,
            "\"t\"",
            "does not fit text(5): it has 6 characters",
            "\"abcdef\"",
            "row 30"),
        Case.of(
            "too long for char",
            "t char(5)",
            "SELECT CASE WHEN n = 30 THEN 'abcdef' ELSE 'abc' END AS t" + FORTY,
            "\"t\"",
            "does not fit text(5): it has 6 characters",
            "row 30"),
        Case.of(
            "numeric overflow",
            "v numeric(4,2)",
            "SELECT CASE WHEN n = 30 THEN 100.00 ELSE 1.5 END AS v" + FORTY,
            "\"v\"",
            "100.00",
            "row 30"),
        Case.of(
            "digits lost",
            "v numeric(4,2)",
            "SELECT CASE WHEN n = 30 THEN 0.125 ELSE 1.5 END AS v" + FORTY,
            "\"v\"",
            "0.125",
            "row 30"),
        Case.of(
            "integer overflow",
            "v smallint",
            "SELECT CASE WHEN n = 30 THEN 40000 ELSE n END AS v" + FORTY,
            "\"v\"",
            "40000",
            "row 30"),
        Case.of(
            "no label of the enum",
            "v mood",
            "SELECT CASE WHEN n = 30 THEN 'glum' ELSE 'happy' END AS v" + FORTY,
            "column v",
            "mood",
            "\"glum\"",
            "row 30"),
        Case.of(
            "no inet",
            "v inet",
            "SELECT CASE WHEN n = 30 THEN '300.1.1.1' ELSE '10.0.0.1' END AS v" + FORTY,
            "column v",
            "\"300.1.1.1\"",
            "row 30"),
        Case.of(
            "index entry too large",
            "n int, t text, EXCLUDE USING btree (t WITH =)",
            "SELECT n, CASE WHEN n = 30 THEN (SELECT string_agg(md5(i::text), '') FROM"
                + " generate_series(1, 500) i) ELSE n::text END AS t"
                + FORTY,
            "index row",
            "maximum",
            "row 30"));
  }

  /// Each as it stands, and by way of a staging table.
  static Stream<Arguments> casesAndModes() {
    return cases().stream()
        .flatMap(one ->
            Stream.of(
                    Arguments.of(one, Mode.APPEND, false),
                    Arguments.of(one, Mode.APPEND, true),
                    Arguments.of(one, Mode.REPLACE, false))
                // A table of other types takes the source's.
                .filter(way -> way.get()[1] != Mode.REPLACE || CONSTRAINTS.contains(one.name)));
  }

  @ParameterizedTest(name = "{0}, {1}, atomic {2}")
  @MethodSource("casesAndModes")
  void theMessageNamesTheTableAndWhatIsWrong(Case one, Mode mode, boolean atomic) {
    DATABASE.sql(
        "DROP DOMAIN IF EXISTS not_thirty CASCADE",
        "DROP TYPE IF EXISTS mood CASCADE",
        "CREATE DOMAIN not_thirty AS int CHECK (VALUE <> 30)",
        "CREATE TYPE mood AS ENUM ('happy')",
        "CREATE TABLE " + table + " (" + one.columns.formatted(table) + ")");
    Copying copy =
        TestDatabase.copy(DATABASE.query(one.query), DATABASE.table(table))
            .landing(new WriteOptions(mode, atomic, List.of(), false));
    Fault.Data fault = catchThrowableOfType(Fault.Data.class, copy::run);
    assertThat(fault).as("%s", one).isNotNull();
    String message = String.valueOf(fault.getMessage());
    assertThat(message).doesNotContain("millrace_", "millrace1");
    for (String said : one.said) {
      // A constraint of the target is met when all rows go in at once, if no row has a number.
      boolean later = (atomic || mode == Mode.REPLACE) && said.contains("row 30");
      if (!later) {
        assertThat(message).contains(said.formatted(table));
      }
    }
    boolean foundByServer = !message.contains("query, row 30, column");
    assertThat(message.startsWith("public." + table)).isEqualTo(foundByServer);
    assertThat(fault.advice()).isNotEmpty();
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("0");
  }

  @Test
  void aMissingParentIsNamedWithTheForeignKey() {
    DATABASE.sql(
        "CREATE TABLE " + table + "_parent (n int PRIMARY KEY)",
        "INSERT INTO " + table + "_parent SELECT generate_series(1, 29)",
        "CREATE TABLE " + table + " (n int CONSTRAINT up REFERENCES " + table + "_parent)",
        "CREATE TABLE "
            + table
            + "_late (n int CONSTRAINT up_late REFERENCES "
            + table
            + "_parent DEFERRABLE INITIALLY DEFERRED)");
    for (String into : List.of(table, table + "_late")) {
      assertThatThrownBy(() ->
              TestDatabase.copy(DATABASE.query("SELECT n" + FORTY), DATABASE.table(into))
                  .mode(Mode.APPEND)
                  .run())
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("\"" + into + "\"")
          .hasMessageContaining("foreign key constraint \"up")
          .hasMessageContaining("(n)=(30)");
      assertThat(DATABASE.value("SELECT count(*) FROM " + into)).isEqualTo("0");
    }
  }

  @Test
  void aRowTooBigForABlockIsNamed() {
    StringBuilder columns = new StringBuilder("c0 bigint");
    StringBuilder values = new StringBuilder("1::bigint AS c0");
    for (int i = 1; i < 1_200; i++) {
      columns.append(", c").append(i).append(" bigint");
      values.append(", CASE WHEN n = 30 THEN n END AS c").append(i);
    }
    DATABASE.sql("CREATE TABLE " + table + " (" + columns + ")");
    assertThatThrownBy(() ->
            TestDatabase.copy(
                    DATABASE.query(
                        "SELECT " + values + " FROM generate_series(1::bigint, 40) AS n"),
                    DATABASE.table(table))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(table)
        .hasMessageContaining("row is too big")
        .hasMessageContaining("about row 40, or one of the rows just before");
  }

  private Endpoint csv(String... lines) throws IOException {
    Path file = folder.resolve("in.csv");
    Files.write(file, List.of(lines));
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }

  private Copying load(Endpoint csv, long rejectsMax) {
    return Copying.of(new FileConnector(), csv, new PostgresConnector(), DATABASE.table(table))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(rejectsMax, folder.resolve("bad.csv")));
  }

  @Test
  void rowsThatCanNotBeSentAreSetAsideByteForByte() throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, t varchar(5), d date)");
    Endpoint csv =
        csv(
            "n,t,d",
            "1,good,2026-01-01",
            "2,much too long,2026-01-01",
            "3,\"nu\0l\",2026-01-01",
            "4,good,2026-02-30",
            "5,\"水車水車水\",2026-01-01");
    load(csv, 3).run();
    assertThat(DATABASE.column("SELECT n FROM " + table + " ORDER BY n")).containsExactly("1", "5");
    assertThat(folder.resolve("bad.csv"))
        .hasContent(
            "n,t,d\n2,much too long,2026-01-01\n3,\"nu\0l\",2026-01-01\n4,good,2026-02-30\n");
    assertThat(Files.readAllLines(folder.resolve("bad.csv.reasons.jsonl")))
        .anyMatch(line ->
            line.contains("\"column\":\"t\"") && line.contains("no text(5) (it has 13 characters)"))
        .anyMatch(line -> line.contains("\"column\":\"t\"") && line.contains("NUL"))
        .anyMatch(line -> line.contains("\"column\":\"d\"") && line.contains("2026-02-30"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMergeOfAsManyColumnsAsATableHasIsRefusedBeforeItBegins(boolean exists) throws IOException {
    List<String> names = IntStream.range(0, 1_599).mapToObj(i -> "c" + i).toList();
    if (exists) {
      DATABASE.sql(
          "CREATE TABLE "
              + table
              + " ("
              + String.join(" smallint, ", names)
              + " smallint, PRIMARY KEY (c0))");
    }
    Endpoint csv = csv(String.join(",", names), "1" + ",1".repeat(names.size() - 1));
    WriteOptions merge = new WriteOptions(Mode.MERGE, false, List.of("c0"), false);
    assertThatThrownBy(() -> load(csv, 0).landing(merge).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("two columns more than the 1599 that come");
  }

  /// The server would cut such spaces off without a word, in either type.
  @ParameterizedTest
  @ValueSource(strings = {"varchar(3)", "char(3)"})
  void spacesBeyondTheLengthAreNotCutOff(String type) throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (t " + type + ")");
    // COPY would take a file without a header as it is.
    Endpoint bare =
        new Endpoint(
            "file", csv("abc   ", "ab ", "abc").location(), Map.of("header", "false"), Secret.NONE);
    load(bare, 1).run();
    assertThat(DATABASE.column("SELECT '<' || t::text || '>' FROM " + table + " ORDER BY t"))
        .containsExactly(type.equals("char(3)") ? "<ab>" : "<ab >", "<abc>");
  }

  @Test
  void aNulInTextIsRefusedByFileLineAndColumn() throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, t text)");
    Endpoint csv = csv("n,t", "1,good", "2,nu\0l");
    assertThatThrownBy(() -> load(csv, 0).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("in.csv")
        .hasMessageContaining("row 2")
        .hasMessageContaining("column \"t\"")
        .hasMessageContaining("NUL character");
  }
}
