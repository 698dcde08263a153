package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import millrace.testkit.PostgresServer;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.server.MariaDbServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of many tables while rows move from one table to another: each row is in one of the
/// copies.
final class OneStateTest {

  private static final int ROWS = 2_000;
  private static final int TABLES = 6;

  @TempDir private Path home;

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectories(home.resolve("out"));
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  /// Moves rows to and fro, one transaction after the other, until it is closed.
  private static final class Mover implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CountDownLatch moved = new CountDownLatch(3);
    private final Thread thread;

    Mover(Connection connection) {
      thread = Thread.ofPlatform().start(() -> move(connection));
    }

    void awaitBegin() throws InterruptedException {
      moved.await();
    }

    private void move(Connection connection) {
      try (connection;
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int i = 0; !stopped.get(); i++) {
          String from = "t" + i % TABLES;
          String some = " FROM " + from + " WHERE id % 7 = " + i % 7;
          statement.execute("INSERT INTO t" + (i + 1) % TABLES + " SELECT *" + some);
          statement.execute("DELETE" + some);
          connection.commit();
          moved.countDown();
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      stopped.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }

  private static List<String> tables() {
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      statements.add("CREATE TABLE t" + i + " (id int PRIMARY KEY, note varchar(40))");
    }
    String values =
        String.join(
            ", ", IntStream.range(0, ROWS).mapToObj(i -> "(" + i + ", 'row " + i + "')").toList());
    statements.add("INSERT INTO t0 VALUES " + values);
    return statements;
  }

  private void checkEachRowIsThereOnce() throws IOException {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      Files.readAllLines(home.resolve("out/t" + i + ".csv")).stream()
          .skip(1)
          .map(line -> Integer.valueOf(line.substring(0, line.indexOf(','))))
          .forEach(ids::add);
    }
    assertThat(ids).containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS).boxed().toList());
  }

  @Test
  void ofPostgresEachStreamOfAJobFileIsReadInTheSameState() throws Exception {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    server.execute(database, tables().toArray(String[]::new));
    Path file =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: %s
            target: file://
            defaults:
              mode: full-refresh
              object: %s/out/{stream_table}.csv
            streams:
              public.t0:
              public.t1:
              public.t2:
              public.t3:
              public.t4:
              public.t5:
            """
                .formatted(server.url(database), home));
    try (Mover mover = new Mover(server.connect(database))) {
      mover.awaitBegin();
      assertThat(run("run", file.toString()).err())
          .contains("6 tables: 6 ok; 2,000 rows", "all tables as they were at one moment");
    }
    checkEachRowIsThereOnce();
  }

  @Test
  void ofMariaDbAllTablesAreReadInTheSameState() throws Exception {
    MariaDbServer server = MariaDbServer.shared();
    String database = server.newDatabase();
    server.runIn(database, tables().toArray(String[]::new));
    String url = server.url("root", "", database);
    String out = home.resolve("out").toString();
    try (Mover mover = new Mover(server.connect(database))) {
      mover.awaitBegin();
      assertThat(run("copy", url + "?table=*", out + "/{table}.csv").err())
          .contains("6 tables: 6 ok; 2,000 rows", "all tables as they were at one moment");
      checkEachRowIsThereOnce();
      String file = "duckdb:" + home.resolve("all.db") + "?table={table}";
      assertThat(run("copy", url + "?table=*", file, "--lanes", "3").err())
          .contains("6 tables: 6 ok; 2,000 rows", "all tables as they were at one moment");
    }
  }

  @Test
  void whatCannotBeReadInThatStateIsCounted() {
    MariaDbServer server = MariaDbServer.shared();
    String database = server.newDatabase();
    server.runIn(
        database,
        "CREATE TABLE a (id int)",
        "CREATE TABLE b (id int)",
        "CREATE TABLE c (id int) ENGINE MyISAM");
    String url = server.url("root", "", database);
    assertThat(run("copy", url + "?table=*", home.resolve("out") + "/{table}.csv").err())
        .contains(
            "2 of 3 tables as they were at one moment", "(a table of engine MyISAM has no states)");
  }

  private static List<String> column(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        values.add(row.getString(1));
      }
    }
    return values;
  }

  /// On a server that tells names by case, each of two such tables is what it is: held, or not.
  @Test
  void tablesWhoseNamesDifferInCaseAloneAreTwo() throws SQLException {
    MariaDbServer server = MariaDbServer.shared();
    String from = server.newDatabase();
    String to = server.newDatabase();
    server.runIn(
        from,
        "CREATE TABLE T (id int) ENGINE InnoDB",
        "CREATE TABLE t (name text) ENGINE MyISAM",
        "CREATE TABLE u (id int) ENGINE InnoDB",
        "INSERT INTO T VALUES (1), (2)",
        "INSERT INTO t VALUES ('a'), ('b'), ('c')");
    Cli.Result result =
        run(
            "copy",
            server.url("root", "", from) + "?table=*",
            server.url("root", "", to) + "?table={table}");
    assertThat(result.err())
        .contains(
            "3 tables: 3 ok; 5 rows",
            "2 of 3 tables as they were at one moment",
            "(a table of engine MyISAM has no states)");
    try (Connection connection = server.connect(to)) {
      assertThat(column(connection, "SELECT id FROM T ORDER BY 1")).containsExactly("1", "2");
      assertThat(column(connection, "SELECT name FROM t ORDER BY 1"))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  void soTheyAreInPostgres() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String from = server.newDatabase();
    String to = server.newDatabase();
    server.execute(
        from,
        "CREATE TABLE \"T\" (id int)",
        "CREATE TABLE t (name text)",
        "INSERT INTO \"T\" VALUES (1), (2)",
        "INSERT INTO t VALUES ('a'), ('b'), ('c')");
    Cli.Result result =
        run("copy", server.url(from) + "?table=*", server.url(to) + "?table={table}");
    assertThat(result.err())
        .contains("2 tables: 2 ok; 5 rows", "all tables as they were at one moment");
    try (Connection connection = server.connect(to)) {
      assertThat(column(connection, "SELECT id FROM \"T\" ORDER BY 1")).containsExactly("1", "2");
      assertThat(column(connection, "SELECT name FROM t ORDER BY 1"))
          .containsExactly("a", "b", "c");
    }
  }

  @Test
  void soTheyAreInOracle() throws SQLException {
    try (OracleServer from = OracleServer.start();
        OracleServer to = OracleServer.start()) {
      try (Connection connection = connect(from);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE \"Ab\" (id NUMBER(5))");
        statement.execute("CREATE TABLE ab (name VARCHAR2(5))");
        statement.execute("INSERT INTO \"Ab\" VALUES (1)");
        statement.execute("INSERT INTO ab VALUES ('a')");
      }
      Cli.Result result = run("copy", end(from) + "?table=*", end(to) + "?table={table}");
      assertThat(result.err()).contains("2 tables: 2 ok; 2 rows");
      try (Connection connection = connect(to)) {
        assertThat(column(connection, "SELECT id FROM \"Ab\"")).containsExactly("1");
        assertThat(column(connection, "SELECT name FROM ab")).containsExactly("a");
      }
    }
  }

  /// Of several tables, that which the user may not read as of a moment is named with the right
  /// that it takes, and the others are read in one state all the same.
  @ParameterizedTest
  @ValueSource(strings = {"A", "B", "C"})
  void aTableThatOracleRefusesAsOfAMomentIsNamedWithTheRight(String refused)
      throws IOException, SQLException {
    try (OracleServer from = OracleServer.start()) {
      try (Connection connection = connect(from);
          Statement statement = connection.createStatement()) {
        for (String name : List.of("a", "b", "c")) {
          statement.execute("CREATE TABLE " + name + " (id NUMBER(5))");
          statement.execute("INSERT INTO " + name + " VALUES (1)");
        }
      }
      String requested = "\"" + refused + "\" AS OF SCN";
      from.faults()
          .add(
              new PlannedFault(
                  ServerCall.EXECUTE,
                  requested,
                  0,
                  new PlannedFault.Effect.Fail(1031, "insufficient privileges")));
      Cli.Result result = run("copy", end(from) + "?table=*", home.resolve("out") + "/{table}.csv");
      assertThat(result.err())
          .contains(
              "3 tables: 3 ok; 3 rows",
              "2 of 3 tables as they were at one moment",
              "GRANT FLASHBACK ON ",
              "\"" + refused + "\" TO the user",
              "insufficient privileges");
    }
  }

  /// The right is one of a database: of two, that without it is named.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTableThatMariaDbDoesNotLockIsNamedWithTheRight(boolean first) throws IOException {
    MariaDbServer server = MariaDbServer.shared();
    List<String> databases = List.of(server.newDatabase(), server.newDatabase());
    String user = "reader_" + databases.getFirst();
    for (String each : databases) {
      server.runIn(
          each, "CREATE TABLE a (id int)", "CREATE TABLE b (id int)", "INSERT INTO b VALUES (1)");
    }
    String refused = databases.get(first ? 0 : 1);
    String allowed = databases.get(first ? 1 : 0);
    server.runIn(
        allowed,
        "CREATE USER " + user + "@'%' IDENTIFIED BY 's3cret'",
        "GRANT SELECT ON " + refused + ".* TO " + user + "@'%'",
        "GRANT SELECT, LOCK TABLES ON " + allowed + ".* TO " + user + "@'%'");
    Path file =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: %s
            target: file://
            defaults:
              mode: full-refresh
              object: %s/out/{stream_schema}_{stream_table}.csv
            streams:
              %s.a:
              %s.b:
              %s.b:
            """
                .formatted(
                    server.url(user, "s3cret", databases.getFirst()),
                    home,
                    allowed,
                    allowed,
                    refused));
    assertThat(run("run", file.toString()).err())
        .contains(
            "3 tables: 3 ok; 2 rows",
            "each table as it is when its copy begins",
            "GRANT LOCK TABLES",
            refused);
  }

  private static Connection connect(OracleServer server) throws SQLException {
    return DriverManager.getConnection(server.url(), server.user(), server.password());
  }

  private static String end(OracleServer server) {
    return "oracle://%s:%s@%s:%d/%s"
        .formatted(
            server.user(), server.password(), server.host(), server.port(), server.service());
  }

  /// What is done before a stream may be what the stream is to see.
  @Test
  void aStreamWithAHookBeforeItSeesWhatTheHookDid() throws IOException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    server.execute(
        database, "CREATE TABLE a (id int)", "CREATE TABLE b (id int)", "CREATE TABLE c (id int)");
    Path file =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: %1$s
            target: file://
            defaults:
              mode: full-refresh
              object: %2$s/out/{stream_table}.csv
            streams:
              public.a:
              public.b:
                hooks:
                  pre:
                    - type: query
                      connection: '%1$s'
                      query: INSERT INTO b VALUES (1)
              public.c:
            """
                .formatted(server.url(database), home));
    Cli.Result result = run("run", file.toString());
    assertThat(result.err())
        .contains("3 tables: 3 ok; 1 rows", "2 of 3 tables as they were at one moment");
  }

  /// A table that is read after another copy of the job has filled it has those rows.
  @Test
  void aStreamSeesWhatTheStreamBeforeItWrote() throws IOException, SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    server.execute(
        database,
        "CREATE TABLE large AS SELECT i AS id FROM generate_series(1, 5000) i",
        "CREATE TABLE filled (id int)",
        "CREATE TABLE other (id int)",
        "ANALYZE");
    Path file =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: %1$s
            target: %1$s
            defaults: {mode: append, lanes: 1}
            streams:
              public.large: {object: public.filled}
              public.filled: {object: public.last}
              public.other: {object: public.another}
            """
                .formatted(server.url(database)));
    Cli.Result result = run("run", file.toString());
    assertThat(result.err())
        .contains("3 tables: 3 ok; 10,000 rows", "2 of 3 tables as they were at one moment");
    try (Connection connection = server.connect(database)) {
      assertThat(column(connection, "SELECT count(*) FROM last")).containsExactly("5000");
    }
  }

  /// A state has another name each time, and is no part of what a copy is.
  @Test
  void whatIsDoneStaysDoneIfTheJobGoesOn() throws IOException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE a (id int)", "CREATE TABLE b (id int)");
    Path file =
        Files.writeString(
            home.resolve("job.yaml"),
            "source: %s\ntarget: file://\nstreams:\n  public.*:\n    object: %s/out/{table}.csv\n"
                .formatted(server.url(database), home));
    assertThat(run("run", file.toString()).err()).contains("2 tables: 2 ok");
    assertThat(run("run", file.toString(), "--resume").err())
        .contains("2 tables: 2 done before", "nothing was left to read");
  }
}
