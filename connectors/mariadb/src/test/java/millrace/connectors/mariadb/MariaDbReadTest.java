package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.Shared;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables read on several connections, while others write, and what the catalog says of them.
class MariaDbReadTest {

  private static final int ROWS = 3_000;

  private static void number(TestTables tables, String key, String value) {
    tables.run(
        "CREATE TABLE digits (d int primary key)",
        "INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)",
        "CREATE TABLE t (k " + key + " NOT NULL, pad varchar(60), PRIMARY KEY (k))",
        "INSERT INTO t SELECT "
            + value
            + ", repeat('x', 50) FROM (SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM"
            + " digits a, digits b, digits c, digits e WHERE e.d < 3) numbers");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "mariadb|int|n - 1500",
        "mariadb|bigint unsigned|18446744073709551615 - n * 7",
        "mariadb|decimal(12,3)|n / 8 - 100",
        "mariadb|varchar(20) character set latin1|concat('Ä ', n)",
        "mariadb|varbinary(9)|unhex(lpad(hex(n * 999), 8, '0'))",
        "mariadb|date|'1970-01-01' + interval n day",
        "mariadb|datetime(6)|'1969-12-31 00:00:00' + interval n * n microsecond",
        "mariadb|time|sec_to_time(n)",
        "mariadb|uuid|concat(lpad(hex(n * 65537), 8, '0'), '-0000-0000-0000-000000000000')",
        "mysql|int unsigned|n * n",
        "mysql|varchar(20)|concat(char(97 + n % 26), n)",
        "mysql|timestamp(3)|'2000-01-01 00:00:00' + interval n second",
        "mysql|char(8) character set utf8|lpad(n, 8, '_')"
      })
  void eachRowIsReadOnceWhateverTheKeyIs(String scheme, String key, String value) {
    TestTables tables = new TestTables(scheme);
    number(tables, key, value);
    assertThat(splits(tables)).isGreaterThan(3);

    tables.copying(tables.endpoint("table", "t"), "k", "pad").lanes(3, 20_000).run();

    assertThat(tables.texts()).hasSize(ROWS).doesNotHaveDuplicates();
  }

  /// If keys are uneven, ranges are found by steps along the index. The server's statistics do not
  /// matter: they are of all rows, of some that were there first, or of none.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "mariadb|bigint|n|3000",
        "mariadb|bigint|n * n * n * n|3000",
        "mariadb|bigint|n * n * n * n|1000",
        "mariadb|bigint|n * n * n * n|100",
        "mariadb|bigint|n * n * n * n|0",
        "mariadb|bigint|if(n = 0, -9223372036854775808, if(n = 1, 9223372036854775807, n))|3000",
        "mariadb|decimal(30,4)|n * n * n / 8|3000",
        "mariadb|datetime(6)|'2024-02-29 12:00:00' + interval n * n * n second|1000",
        "mysql|bigint|n|3000",
        "mysql|bigint|n * n * n * n|3000",
        "mysql|bigint|n * n * n * n|1000",
        "mysql|bigint|n * n * n * n|100",
        "mysql|bigint|n * n * n * n|0",
        "mysql|bigint|if(n = 0, -9223372036854775808, if(n = 1, 9223372036854775807, n))|3000",
        "mysql|date|'2024-02-29' + interval n day|0"
      })
  void rangesHaveAboutAsManyRowsHoweverUnevenKeysAre(
      String scheme, String key, String value, int known) {
    TestTables tables = new TestTables(scheme);
    number(tables, key, value);
    tables.run(
        "CREATE TABLE late LIKE t",
        "ALTER TABLE late STATS_AUTO_RECALC=0",
        "INSERT INTO late SELECT * FROM t ORDER BY k LIMIT " + known,
        "ANALYZE TABLE late",
        "INSERT IGNORE INTO late SELECT * FROM t",
        "DROP TABLE t",
        "RENAME TABLE late TO t");
    try (Source source = source(tables);
        ReadSession session = Reading.open(source.describe(new ColumnRequest.Typed()), 20_000)) {
      List<Integer> sizes =
          Reading.splits(session).stream()
              .map(split -> Reading.rows(session, List.of(split), null).size())
              .toList();
      assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(ROWS);
      assertThat(sizes).hasSizeBetween(6, 30).allMatch(size -> size < ROWS / 4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableWithoutAKeyIsReadByItsPartitions(String scheme) {
    TestTables tables = new TestTables(scheme);
    number(tables, "int", "n");
    tables.run(
        "CREATE TABLE p (pad varchar(60), k int) PARTITION BY RANGE (k) SUBPARTITION BY HASH (k)"
            + " SUBPARTITIONS 2 (PARTITION a VALUES LESS THAN (10), PARTITION `b``s` VALUES LESS"
            + " THAN (2000), PARTITION c VALUES LESS THAN (MAXVALUE))",
        "INSERT INTO p SELECT pad, k FROM t",
        "DROP TABLE t",
        "RENAME TABLE p TO t");
    assertThat(splits(tables)).isEqualTo(3);
    try (Source source = source(tables)) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().reading().notes())
          .containsExactly(
              "The table is read by its partitions, each as a whole: it has no key to cut it by.");
    }

    tables.copying(tables.endpoint("table", "t"), "k", "pad").lanes(3, 20_000).run();

    assertThat(tables.texts()).hasSize(ROWS).doesNotHaveDuplicates();
  }

  private static int splits(TestTables tables) {
    try (Source source = source(tables)) {
      return Reading.splits(source.describe(new ColumnRequest.Typed()), 20_000).size();
    }
  }

  private static Source source(TestTables tables) {
    return new MariaDbConnector(_ -> null)
        .source(tables.endpoint("table", "t"), Selection.ALL, new OpenContext());
  }

  /// Money goes from row to row in transactions. The sum stays, in every state that there ever was.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void lanesSeeOneStateWhileOthersWrite(String scheme) throws InterruptedException {
    TestTables tables = new TestTables(scheme);
    number(tables, "int", "n");
    tables.run("ALTER TABLE t ADD amount int NOT NULL DEFAULT 100");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong moved = new AtomicLong();
    List<Thread> writers =
        IntStream.range(0, 3)
            .mapToObj(_ -> Thread.ofPlatform().start(() -> move(tables, stop, moved)))
            .toList();
    try {
      for (int i = 0; i < 5; i++) {
        long before = moved.get();
        while (moved.get() < before + 20) {
          Thread.onSpinWait();
        }
        tables
            .copying(tables.endpoint("table", "t"), "amount")
            .select(List.of("amount"))
            .lanes(3, 4_000)
            .run();
        assertThat(tables.texts()).hasSize(ROWS);
        assertThat(tables.texts().stream().mapToInt(Integer::parseInt).sum()).isEqualTo(100 * ROWS);
      }
    } finally {
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  private static void move(TestTables tables, AtomicBoolean stop, AtomicLong moved) {
    try (Connection connection = tables.server.connect(tables.database);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stop.get()) {
        int from = ThreadLocalRandom.current().nextInt(ROWS);
        int to = ThreadLocalRandom.current().nextInt(ROWS);
        try {
          statement.execute("UPDATE t SET amount = amount - 7 WHERE k = " + from);
          statement.execute("UPDATE t SET amount = amount + 7 WHERE k = " + to);
          connection.commit();
          moved.incrementAndGet();
        } catch (SQLException e) {
          connection.rollback(); // a deadlock
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// What a job has read is free for others, though it still holds the state of all its tables.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableOfAJobThatHasBeenReadMayBeAlteredBeforeTheJobEnds(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE a (k int PRIMARY KEY)",
        "CREATE TABLE b (k int PRIMARY KEY)",
        "INSERT INTO a VALUES (1)",
        "INSERT INTO b VALUES (2)");
    MariaDbConnector connector = new MariaDbConnector(_ -> null);
    Endpoint first = tables.endpoint("table", "a");
    Endpoint second = tables.endpoint("table", "b");
    OpenContext context = new OpenContext(Duration.ZERO, new Shared());
    try (SharedSnapshot.Held held = connector.hold(List.of(first, second), 1, context)) {
      assertThat(held.whyNot()).isEmpty();
      assertThat(rows(connector, first, context)).containsExactly(Row.of(1));
      tables.run("SET lock_wait_timeout = 5", "ALTER TABLE a ADD more int", "DELETE FROM b");
      assertThat(rows(connector, second, context)).containsExactly(Row.of(2));
    }
  }

  private static List<Row> rows(MariaDbConnector connector, Endpoint table, OpenContext context) {
    try (Source source = connector.source(table, Selection.ALL, context)) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      return Reading.rows(described, Reading.splits(described, 1 << 20), null);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void tableThatCantBeLockedIsReadOnOneLaneAndThePlanSaysWhy(String scheme) {
    TestTables tables = new TestTables(scheme);
    number(tables, "int", "n");
    tables.run("CREATE TABLE m (k int primary key, c int) ENGINE = MyISAM");
    String user = "reader_" + tables.database;
    tables.run(
        "CREATE USER " + user + "@'%' IDENTIFIED BY 's3cret'",
        "GRANT SELECT ON " + tables.database + ".* TO " + user + "@'%'");
    try (Source source =
        new MariaDbConnector(_ -> null)
            .source(
                tables.as(user, Secret.of("s3cret"), Map.of("table", "t")),
                Selection.ALL,
                new OpenContext())) {
      SourceDescription description = source.describe(new ColumnRequest.Typed()).description();
      assertThat(description.lanes().max()).isEqualTo(1);
      assertThat(description.lanes().why()).contains("GRANT LOCK TABLES");
      assertThat(Reading.splits(source.describe(new ColumnRequest.Typed()), 20_000)).hasSize(1);
    }
    try (Source source =
        new MariaDbConnector(_ -> null)
            .source(tables.endpoint("table", "m"), Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().lanes().why())
          .contains("engine MyISAM");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void lockOfOthersIsWaitedForAndNamed(String scheme) throws Exception {
    TestTables tables = new TestTables(scheme);
    number(tables, "int", "n");
    try (Connection other = tables.server.connect(tables.database);
        Statement statement = other.createStatement();
        Source source = source(tables)) {
      other.setAutoCommit(false);
      statement.execute("UPDATE t SET pad = 'y' WHERE k = 1");
      long holder = other.unwrap(org.mariadb.jdbc.Connection.class).getThreadId();
      Thread reading =
          Thread.ofPlatform()
              .start(() -> Reading.splits(source.describe(new ColumnRequest.Typed()), 20_000));
      String seen = null;
      long end = System.nanoTime() + 20_000_000_000L;
      while ((seen == null || !seen.contains("connection " + holder)) && System.nanoTime() < end) {
        seen = Blockable.of(source).waitsFor();
        Thread.sleep(50);
      }
      assertThat(seen).contains("a lock of the server's connection " + holder + " (user root)");
      other.commit();
      reading.join();
      assertThat(Blockable.of(source).waitsFor()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void catalogSaysWhatATableIs(String scheme) throws SQLException {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE Parent (id int auto_increment primary key, name varchar(20) not null,"
            + " UNIQUE by_name (name))",
        "CREATE TABLE child (a int, b int default 5, c int as (a + b) stored, parent int,"
            + " at timestamp not null default current_timestamp on update current_timestamp,"
            + " PRIMARY KEY (a, b), KEY by_b (b),"
            + " CONSTRAINT up FOREIGN KEY (parent) REFERENCES Parent (id))",
        "CREATE TRIGGER child_in BEFORE INSERT ON child FOR EACH ROW SET NEW.b = 6",
        "CREATE VIEW seen AS SELECT a FROM child");
    Dialect dialect = MariaDbDialect.of(ServerTraits.of(tables.server.version(), 0));
    try (SqlSession session =
        new SqlSession(tables.server.connect(tables.database), "db", dialect.faults())) {
      assertThat(dialect.catalog().find(session, new TableName(tables.database, "parent")))
          .isNull();
      TableInfo parent = found(dialect, session, new TableName(tables.database, "Parent"));
      TableInfo child = found(dialect, session, new TableName(tables.database, "child"));
      TableInfo seen = found(dialect, session, new TableName(tables.database, "seen"));
      assertThat(parent.dependents()).containsExactly("child");
      assertThat(parent.key()).containsExactly("id");
      assertThat(parent.column("id").hasDefault()).isTrue();
      assertThat(parent.definition().rules())
          .containsExactly("unique by_name (name)", "identity of id");
      assertThat(child.key()).containsExactly("a", "b");
      assertThat(child.column("c").generated()).isTrue();
      assertThat(child.column("parent").hasDefault()).isFalse();
      assertThat(child.rowRules().onInsert()).containsExactly("child_in");
      assertThat(child.definition().rules())
          .contains(
              "index by_b (b)",
              "foreign key (parent) to Parent",
              "default of b",
              "generated column c",
              "time of update in at",
              "trigger child_in");
      assertThat(seen.kind()).isEqualTo(TableInfo.Kind.VIEW);
      assertThat(dialect.catalog().tables(session, ""))
          .containsExactlyInAnyOrder("Parent", "child", "seen");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void countersOfTheServerGrow(String scheme) {
    TestTables tables = new TestTables(scheme);
    number(tables, "int", "n");
    try (Source source = source(tables);
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      long before = sent(counters);
      tables.copying(tables.endpoint("table", "t"), "k", "pad").run();
      assertThat(sent(counters) - before).isGreaterThan(ROWS * 50);
    }
  }

  private static long sent(Counters counters) {
    return counters.read().counts().stream()
        .filter(count -> count.name().equals("Bytes_sent"))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static TableInfo found(Dialect dialect, SqlSession session, TableName name) {
    return Objects.requireNonNull(dialect.catalog().find(session, name), name.name());
  }
}
