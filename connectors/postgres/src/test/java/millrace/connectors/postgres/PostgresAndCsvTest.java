package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.file.FileConnector;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// From PostgreSQL into a CSV file and back into a table of the same types: every value is what it
/// was, or its file, line and column are named.
class PostgresAndCsvTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final FileConnector FILES = new FileConnector();

  @TempDir Path folder;

  private final String table = "csv_" + NAMES.incrementAndGet();

  @BeforeAll
  static void makeTypes() {
    DATABASE.sql(TypeSamples.TYPES);
  }

  private Endpoint csv(Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve("t.csv").toString(), parameters, Secret.NONE);
  }

  private static void unload(Endpoint from, Endpoint csv) {
    Copying.of(new PostgresConnector(), from, FILES, csv).run();
  }

  private static Copying load(Endpoint csv, Endpoint to) {
    return Copying.of(FILES, csv, new PostgresConnector(), to).mode(Mode.APPEND);
  }

  static Stream<String> types() {
    return TypeSamples.declarations(DATABASE.server);
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyValueComesBackIntoATableOfItsType(String type) {
    String rows =
        TypeSamples.values(DATABASE.server, type).stream()
            .map(value -> "(" + value + "), (NULL)")
            .collect(Collectors.joining(", "));
    DATABASE.sql(
        "CREATE TABLE " + table + " (n serial, v " + type + ")",
        "INSERT INTO " + table + " (v) VALUES " + rows,
        "CREATE TABLE " + table + "_back (LIKE " + table + ")");
    unload(DATABASE.table(table), csv(Map.of()));
    load(csv(Map.of()), DATABASE.table(table + "_back")).run();
    String query = "SELECT t::text FROM %s AS t ORDER BY n";
    assertThat(DATABASE.column(query.formatted(table + "_back")))
        .isEqualTo(DATABASE.column(query.formatted(table)));
  }

  private static List<String> notesOf(Copying copy) {
    return copy.run().notes();
  }

  @Test
  void documentsThatLoseAMemberInJsonbAreCounted() throws IOException {
    Files.writeString(
        folder.resolve("t.csv"),
        """
        n;doc
        1;{"a": 1, "b": {"a": 2}}
        2;{"a": 1, "a": 2}
        3;[{"x": {"y": 1, "y": 1}}]
        4;
        """);
    DATABASE.sql("CREATE TABLE " + table + " (n int, doc jsonb)");
    Map<String, String> bare = Map.of("quote", "none", "delimiter", ";");
    assertThat(notesOf(load(csv(bare), DATABASE.table(table))))
        .anySatisfy(note ->
            assertThat(note)
                .startsWith("2 documents have two members of one name")
                .contains("doc")
                .endsWith("A column of text keeps all."));
    assertThat(DATABASE.column("SELECT doc::text FROM " + table + " WHERE n = 2"))
        .containsExactly("{\"a\": 2}");
    DATABASE.sql("CREATE TABLE " + table + "_text (n int, doc json)");
    assertThat(notesOf(load(csv(bare), DATABASE.table(table + "_text"))))
        .noneMatch(note -> note.contains("members"));
  }

  /// A value is spelled alike whether the server or Millrace writes the records: verify and targets
  /// of other systems see the latter.
  @ParameterizedTest
  @MethodSource("types")
  void everyValueIsSpelledAlikeInEveryForm(String type) throws IOException {
    String rows =
        TypeSamples.values(DATABASE.server, type).stream()
            .map(value -> "(" + value + "), (NULL)")
            .collect(Collectors.joining(", "));
    DATABASE.sql(
        "CREATE TABLE " + table + " (n serial, v " + type + ")",
        "INSERT INTO " + table + " (v) VALUES " + rows);
    unload(DATABASE.table(table), csv(Map.of()));
    Endpoint other =
        new Endpoint("file", folder.resolve("columns.csv").toString(), Map.of(), Secret.NONE);
    Copying.of(new PostgresConnector(), DATABASE.table(table), FILES, other).form("columns").run();
    assertThat(Files.readString(folder.resolve("columns.csv")))
        .isEqualTo(Files.readString(folder.resolve("t.csv")));
  }

  @Test
  void blanksAroundNamesComeBack() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (\" v \" int, \" \" int, v int)",
        "INSERT INTO " + table + " VALUES (1, 2, 3)",
        "CREATE TABLE " + table + "_back (v int, \" \" int, \" v \" int)");
    unload(DATABASE.table(table), csv(Map.of()));
    load(csv(Map.of()), DATABASE.table(table + "_back")).run();
    assertThat(DATABASE.column("SELECT t::text FROM " + table + "_back AS t"))
        .containsExactly("(3,2,1)");
  }

  /// The separators and quotes that make a file hard to read are all in the values.
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "delimiter=, quote=\" escape=doubled null-string=",
        "delimiter=; quote=' escape=\\ null-string=NULL",
        "delimiter=tab quote=\" escape=doubled null-string=\\N",
        "delimiter=~~ quote=<< escape=doubled null-string=-"
      })
  void everyDialectCarriesEveryText(String delimiter, String quote, String escape, String nulls) {
    Map<String, String> dialect =
        Stream.of(delimiter, quote, escape, nulls)
            .map(option -> option.split("=", 2))
            .collect(Collectors.toMap(option -> option[0], option -> option[1]));
    DATABASE.sql(
        "CREATE TABLE " + table + " (n serial, t text, x text[], j jsonb, b bytea)",
        "INSERT INTO "
            + table
            + " (t, x, j, b) SELECT v, ARRAY[v, NULL, v], to_jsonb(v), v::bytea FROM"
            + " unnest(ARRAY['', ' ', 'NULL', '-', 'a,b;c\td~~e||f', '\"', '\"\"', '''', '|', '||',"
            + " '~', E'l1\\nl2\\r\\nl3\\r', '水', 'x|| ~~', 'a<<b', '\"a\",\"b\"']) AS v",
        "INSERT INTO " + table + " (t, x) VALUES (NULL, NULL), (E'\\\\', '{}'), (E'\\\\N', NULL)",
        "CREATE TABLE " + table + "_back (LIKE " + table + ")");
    unload(DATABASE.table(table), csv(dialect));
    load(csv(dialect), DATABASE.table(table + "_back")).run();
    String query = "SELECT t::text FROM %s AS t ORDER BY n";
    assertThat(DATABASE.column(query.formatted(table + "_back")))
        .isEqualTo(DATABASE.column(query.formatted(table)));
  }

  @Test
  void everyCharacterComesBack() {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " AS SELECT n, chr(n) AS c FROM generate_series(1, 1114111) AS n WHERE n NOT BETWEEN"
            + " 55296 AND 57343",
        "CREATE TABLE " + table + "_back (LIKE " + table + ")");
    unload(DATABASE.table(table), csv(Map.of()));
    load(csv(Map.of()), DATABASE.table(table + "_back")).run();
    assertThat(
            DATABASE.value(
                "SELECT count(*) FROM "
                    + table
                    + " AS a JOIN "
                    + table
                    + "_back AS b USING (n, c)"))
        .isEqualTo(Integer.toString(1_114_111 - 2_048));
  }

  /// Types whose text the server would change without a word, and text that it would change.
  static Stream<Arguments> quietChanges() {
    Stream<Arguments> always =
        Stream.of(
            Arguments.of(
                "name", "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"),
            Arguments.of("\"char\"", "ab"),
            Arguments.of("interval(0)", "00:00:01.5"),
            Arguments.of("interval year", "1 year 2 mons"),
            Arguments.of("interval year to month", "1 year 2 days"),
            Arguments.of("interval day", "1 year 2 days 01:00:00"),
            Arguments.of("interval day to hour", "2 days 01:01:00"),
            Arguments.of("interval minute", "01:01:01"),
            Arguments.of("interval second(1)", "01:01:01.25"),
            Arguments.of("timetz(2)", "10:00:00.123+00"),
            Arguments.of("timetz", "23:59:59.9999999+00"),
            Arguments.of("timetz", "2026-01-01 10:00:00+00"),
            Arguments.of("timetz", "10:00:00"),
            Arguments.of("timetz", "1:02 PM"),
            Arguments.of("timetz", "now"),
            Arguments.of("timetz", "allballs"),
            Arguments.of("timetz", "10:00 Europe/Paris"),
            Arguments.of("interval", "23:59:59.999999999"),
            Arguments.of("interval[]", "{00:00:00.1234567}"),
            Arguments.of("date", "now"),
            Arguments.of("timestamp", "today"),
            Arguments.of("timestamptz", "tomorrow"),
            Arguments.of("time", "now"),
            Arguments.of("date[]", "{2026-01-01,Today}"),
            Arguments.of("timestamp[]", "{2026-01-01 00:00:00.0000001}"),
            Arguments.of("timestamptz(3)[]", "{now}"),
            Arguments.of("timestamptz", "2026-01-01 10:00:00"),
            Arguments.of("timestamptz", "2026-01-01"),
            Arguments.of("timetz[]", "{now}"),
            Arguments.of("timetz[]", "{10:00:00+00,10:00:00}"),
            Arguments.of("timestamptz[]", "{2026-01-01 10:00:00}"),
            Arguments.of("timestamptz(0)[]", "{2026-01-01}"),
            Arguments.of("tstzrange", "[2026-01-01 10:00:00+00,2026-01-02)"),
            Arguments.of("daterange", "[yesterday,)"),
            Arguments.of("tstzrange", "[now,)"),
            Arguments.of("tsrange[]", "{\"\"[2026-01-01,tomorrow)\"\"}"),
            Arguments.of("timestamp(3)", "2026-01-01 00:00:00.1234"),
            Arguments.of("time(0)", "10:00:00.5"),
            Arguments.of("money", "1.234"),
            Arguments.of("money", "12,34"),
            Arguments.of("money", "($1.00,5)"),
            Arguments.of("oid", "-1"),
            Arguments.of("numeric(5,2)", "1.234"),
            Arguments.of("numeric(5,2)[]", "{1.234}"),
            Arguments.of("timestamp(0)[]", "{2026-01-01 00:00:00.5}"),
            Arguments.of("timestamp[]", "{2026-01-01 00:00:00+05}"),
            Arguments.of("date[]", "{NULL,2026-01-01 10:00}"),
            Arguments.of("time[]", "[0:0]={2026-01-01 10:00}"),
            Arguments.of("varchar(3)[]", "{{a},{\"\"abc  \"\"}}"),
            Arguments.of("name[]", "{" + "n".repeat(64) + "}"),
            Arguments.of("\"char\"[]", "{ab}"),
            Arguments.of("oid[]", "{1,-1}"),
            Arguments.of("oidvector", "1 -1"),
            Arguments.of("tid", "(-1,3)"),
            Arguments.of("money[]", "{1.234}"),
            Arguments.of("interval year[]", "{1 year 2 days}"),
            Arguments.of("price[]", "{1.234}"),
            Arguments.of("limited", "(1.239,,,,,,,,,,)"),
            Arguments.of("limited", "(,abc  ,,,,,,,,,)"),
            Arguments.of("limited", "(,,2026-01-01 00:00:00.7Z,,,,,,,,)"),
            Arguments.of("limited", "(,,\"\"2026-01-01 00:00:00\"\",,,,,,,,)"),
            Arguments.of("limited", "(,,no\\w,,,,,,,,)"),
            Arguments.of("limited", "(,,,1.26 s,,,,,,,)"),
            Arguments.of("limited", "(,,,,,,-1,,,,)"),
            Arguments.of("limited", " (,,,,,,,,,{today},)"),
            Arguments.of("limited", "(,,,,,,,,,,\"\"[\"\"\"\"2026-01-01\"\"\"\",)\"\")"),
            Arguments.of("limited[]", "{NULL,\"\"(1.239,,,,,,,,,,)\"\"}"),
            Arguments.of("outer_pair", "(,,\"\"(,,,,,,,1.239,,,)\"\")"));
    // Since version 15 a scale may be negative.
    return DATABASE.server.version() < 150_000
        ? always
        : Stream.concat(
            always,
            Stream.of(
                Arguments.of("numeric(4,-2)", "1234"),
                Arguments.of("numeric(4,-2)[]", "{1200,1234}"),
                Arguments.of("tstzmultirange", "{empty,[2026-01-01 00:00Z,2026-01-02)}"),
                Arguments.of("xid8", "-1")));
  }

  @ParameterizedTest
  @MethodSource("quietChanges")
  void aValueThatTheServerWouldChangeIsRefusedByItsColumn(String type, String value)
      throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, odd_one " + type + ")");
    Files.writeString(folder.resolve("t.csv"), "n,odd_one\n1,\"" + value + "\"\n");
    assertThatThrownBy(load(csv(Map.of()), DATABASE.table(table))::run)
        .isInstanceOf(Fault.class)
        .hasMessageContaining("odd_one");
    assertThat(DATABASE.column("SELECT odd_one FROM " + table)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timetz      | 10:00:00.123456+09:30  | 10:00:00.123456+09:30",
        "timetz      | 1:02 PM+09             | 13:02:00+09",
        "timetz      | 24:00:00-15:59:59      | 24:00:00-15:59:59",
        "timetz(2)   | 10:00:00.120Z          | 10:00:00.12+00",
        "interval    | 1 year 2 mons -3 days 04:05:06.123456000 | 1 year 2 mons -3 days"
            + " +04:05:06.123456",
        "timetz[]    | [0:1]={10:00:00.5-03:30,NULL} | [0:1]={10:00:00.5-03:30,NULL}",
        "timestamptz[] | {2026-01-01T10:00Z,infinity,epoch} | {\"2026-01-01"
            + " 10:00:00+00\",infinity,\"1970-01-01 00:00:00+00\"}",
        "tstzrange   | (,2026-01-01 10:00+09:30] | (,\"2026-01-01 00:30:00+00\"]",
        "date[]      | {2026-01-01,infinity,epoch} | {2026-01-01,infinity,1970-01-01}",
        "daterange   | [2026-01-01,)          | [2026-01-01,)",
        "date[]      | [2:3]={ NULL , 2026-01-01 } | [2:3]={NULL,2026-01-01}",
        "varchar(3)[] | { abc  ,水車水}       | {abc,水車水}",
        "limited     | (1.500,,2026-01-01T00:00Z,,,,,$1.2,,,) |"
            + " (1.50,,\"2026-01-01 00:00:00+00\",,,,,$1.20,,,)",
        "outer_pair  | (\"\"(1,now)\"\",,)     | (\"(1,now)\",,)",
        "text[]      | {now,today}            | {now,today}"
      })
  void aValueThatTheServerKeepsArrives(String type, String value, String kept) throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, v " + type + ")");
    Files.writeString(folder.resolve("t.csv"), "n,v\n1,\"" + value + "\"\n");
    load(csv(Map.of()), DATABASE.table(table)).run();
    assertThat(DATABASE.column("SELECT v::text FROM " + table)).containsExactly(kept);
  }

  /// Types of one name that are not the same in two databases.
  @Test
  void aTypeOfTheSameNameElsewhereRoundsNothing() {
    TestDatabase other = TestDatabase.make();
    String types =
        "CREATE TYPE measure AS (n numeric(5,%1$d), at timestamp(%1$d));"
            + " CREATE DOMAIN moment AS timestamp(%1$d)";
    DATABASE.sql(types.formatted(3).split(";"));
    other.sql(types.formatted(2).split(";"));
    for (String value :
        List.of(
            "'(1.239,)'::measure",
            "'(,2024-01-01 00:00:00.125)'::measure",
            "ARRAY['(1.239,)']::measure[]",
            "'2024-01-01 00:00:00.125'::moment",
            "ARRAY['2024-01-01 00:00:00.125']::moment[]")) {
      DATABASE.sql(
          "DROP TABLE IF EXISTS " + table,
          "CREATE TABLE " + table + " AS SELECT " + value + " AS odd_one");
      Copying copy =
          Copying.of(
              new PostgresConnector(),
              DATABASE.table(table),
              new PostgresConnector(),
              other.table(table));
      assertThatThrownBy(copy::run)
          .as(value)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("odd_one");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"regclass | no_such_table", "regtype | no_such_type", "pg_lsn | 1/2/3"})
  void aValueThatTheTypeRefusesIsABadRecord(String type, String value) throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, odd_one " + type + ")");
    Files.writeString(folder.resolve("t.csv"), "n,odd_one\n1,\"" + value + "\"\n");
    assertThatThrownBy(load(csv(Map.of()), DATABASE.table(table))::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column odd_one")
        .hasMessageContaining(value);
  }

  @Test
  void keysAndTypesOfATableThatExistsAreUsedForAFile() throws IOException {
    DATABASE.sql(
        "CREATE TABLE " + table + " (id text PRIMARY KEY, v numeric(20,4), at timestamptz)");
    Files.writeString(
        folder.resolve("t.csv"),
        "at,id,v\n2026-01-01 00:00:00+09,007,1.5\n2026-01-01T00:00:00Z,7,12345678901.2345\n");
    load(csv(Map.of()), DATABASE.table(table)).run();
    assertThat(DATABASE.column("SELECT t::text FROM " + table + " AS t ORDER BY id"))
        .isEqualTo(
            List.of(
                "(007,1.5000,\"2025-12-31 15:00:00+00\")",
                "(7,12345678901.2345,\"2026-01-01 00:00:00+00\")"));
  }
}
