package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.connectors.generate.GenerateConnector;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.TestDatabase;
import millrace.engine.retry.Retrier;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Connector;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.verify.Differences;
import millrace.verify.Verify;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A user whom the server allows few connections.
class FewConnectionsTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final String user = "few_" + NAMES.incrementAndGet();
  private final Connector postgres = new PostgresConnector();

  @BeforeEach
  void makeUser() {
    DATABASE.sql(
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA AUTHORIZATION " + user,
        "CREATE TABLE " + user + ".orders AS SELECT generate_series(1, 1000) AS n",
        "GRANT SELECT ON " + user + ".orders TO " + user);
  }

  @AfterEach
  void dropUser() {
    DATABASE.sql("DROP OWNED BY " + user + " CASCADE", "DROP ROLE " + user);
  }

  /// Connections of a copy before may still count: the server ends them a little later.
  private void awaitNoConnection() {
    String count = "SELECT count(*) FROM pg_stat_activity WHERE usename = '" + user + "'";
    while (!"0".equals(DATABASE.value(count))) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private void allow(int connections) {
    awaitNoConnection();
    DATABASE.sql("ALTER ROLE " + user + " CONNECTION LIMIT " + connections);
  }

  private Endpoint table(String name) {
    return DATABASE.as(user, Secret.NONE, Map.of("table", user + "." + name));
  }

  private Copying within() {
    return Copying.of(postgres, table("orders"), postgres, table("copied")).measuring();
  }

  private List<@Nullable String> tables() {
    return DATABASE.column(
        "SELECT tablename FROM pg_tables WHERE schemaname = '" + user + "' ORDER BY 1");
  }

  @Test
  void aCopyWithinOneServerNeedsFourAndIsRefusedWithFewerBeforeItBegins() {
    allow(3);
    Fault.User fault = catchThrowableOfType(Fault.User.class, () -> within().run());
    assertThat(fault)
        .hasMessageContaining("User " + user + " may have 3 connections at a time")
        .hasMessageContaining("4 are needed");
    assertThat(fault.advice()).contains("ALTER ROLE \"" + user + "\" CONNECTION LIMIT 4;");
    assertThat(tables()).containsExactly("orders");
    allow(4);
    // A connection that the copy has closed may count for a moment.
    within().patience(Duration.ofMinutes(1), Duration.ZERO).run();
    assertThat(DATABASE.value("SELECT count(*) FROM " + user + ".copied")).isEqualTo("1000");
  }

  @Test
  void aTargetNeedsTwo() {
    Endpoint made =
        new Endpoint("generate", "unload", Map.of("rows", "10", "seed", "1"), Secret.NONE);
    Copying copy = Copying.of(new GenerateConnector(), made, postgres, table("made")).measuring();
    allow(1);
    Fault.User fault = catchThrowableOfType(Fault.User.class, copy::run);
    assertThat(fault)
        .hasMessageContaining("may have 1 connection at a time")
        .hasMessageContaining("2 are needed");
    assertThat(tables()).containsExactly("orders");
    allow(2);
    copy.run();
    assertThat(tables()).containsExactly("made", "orders");
  }

  /// A table of a row to a block, large enough for all those lanes, and itself.
  private Differences compared(int lanes) {
    DATABASE.sql(
        "CREATE TABLE " + user + ".large (n int, wide text) WITH (fillfactor = 10)",
        "INSERT INTO "
            + user
            + ".large SELECT n, repeat('x', 1000) FROM generate_series(1, 12000) AS n",
        "GRANT SELECT ON " + user + ".large TO " + user);
    Endpoint large = table("large");
    Job job =
        new Job(
            large,
            large,
            Selection.ALL,
            WriteOptions.DEFAULT,
            new Job.Tuning(lanes, false, null, null, null),
            Job.RejectPolicy.NONE);
    // The server may not be done yet with the connections of the look before.
    RetryPolicy retryPolicy = RetryPolicy.of(Duration.ofMinutes(1), Duration.ZERO);
    Retrier retrier = Retrier.beforeRows(retryPolicy, (_, _, _) -> {});
    Verify.Side side =
        new Verify.Side(
            job, () -> retrier.get(() -> postgres.source(large, Selection.ALL, new OpenContext())));
    return new Verify(side, side, List.of("n"), retryPolicy).execute();
  }

  /// Each side has one lane at least, whichever comes first.
  @ParameterizedTest
  @ValueSource(ints = {4, 5, 7})
  void aComparisonTakesWhatConnectionsThereAre(int connections) {
    allow(connections);
    Differences differences = compared(6);
    assertThat(differences.same()).isTrue();
    assertThat(differences.fromRows()).isEqualTo(12_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aComparisonWithinOneServerNeedsFour(int connections) {
    allow(connections);
    assertThatThrownBy(() -> compared(6))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("may have " + connections + " connections at a time")
        .hasMessageContaining("4 are needed");
  }

  @Test
  void aLimitOfTheDatabaseIsNamedAsThat() {
    String name = DATABASE.server.newDatabase();
    DATABASE.sql("ALTER DATABASE " + name + " CONNECTION LIMIT 1");
    DATABASE.awaitTrue(
        "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '" + name + "')");
    Endpoint orders =
        new Endpoint(
            "postgresql",
            "//" + user + "@" + DATABASE.server.host() + ":" + DATABASE.server.port() + "/" + name,
            Map.of("query", "SELECT 1 AS n"),
            Secret.NONE);
    Fault.User fault =
        catchThrowableOfType(
            Fault.User.class,
            () -> postgres.source(orders, Selection.ALL, new OpenContext()).close());
    assertThat(fault)
        .hasMessageStartingWith("Database " + name)
        .hasMessageContaining("takes 1 connection at a time");
    assertThat(fault.advice()).contains("ALTER DATABASE \"" + name + "\" CONNECTION LIMIT 2;");
  }

  @Test
  void countersGiveWayToALaneAndSaySo() {
    allow(2);
    try (Source source = postgres.source(table("orders"), Selection.ALL, new OpenContext());
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      assertThat(counters.read().missing()).isEmpty();
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession reading = Reading.open(described, 1 << 20)) {
        reading.reader(Reading.context(null)).close();
      }
      assertThat(counters.read().missing()).singleElement().asString().contains("a lane needed");
    }
  }

  @Test
  void connectionsAsideGiveWayToThoseOfAnotherEnd() {
    allow(2);
    ConnectionRoom room = new ConnectionRoom();
    ConnectionFactory one = new ConnectionFactory(table("orders"), _ -> null, room);
    ConnectionFactory other = new ConnectionFactory(table("orders"), _ -> null, room);
    try (Session kept = one.connect();
        Session aside = one.aside();
        Session lane = other.connect()) {
      assertThat(aside.isTakenAway()).isTrue();
      assertThat(kept.isTakenAway()).isFalse();
      lane.execute("SELECT");
    }
  }

  @Test
  void whatIsToBeUndoneIsUndoneByTheLastConnection() {
    allow(1);
    ConnectionFactory connectionFactory = new ConnectionFactory(table("orders"), _ -> null);
    try (Session last = connectionFactory.connect();
        Session undoing = connectionFactory.connectToUndo(last)) {
      assertThat(last.isClosed()).isTrue();
      undoing.execute("SELECT");
    }
  }

  @Test
  void workForSeveralConnectionsIsDoneByThoseThatThereAre() {
    allow(2);
    ConnectionFactory connectionFactory = new ConnectionFactory(table("orders"), _ -> null);
    AtomicInteger done = new AtomicInteger();
    try (Session kept = connectionFactory.connect()) {
      List<Consumer<Session>> works =
          Collections.nCopies(
              20,
              session -> {
                session.execute("SELECT pg_sleep(0.02)");
                done.incrementAndGet();
              });
      new SideBySide(works).run(3, connectionFactory::connect);
      assertThat(kept.isClosed()).isFalse();
    }
    assertThat(done).hasValue(20);
  }

  @Test
  void ifAllThatComeAtOnceAreRefusedOneAloneDoesTheWork() {
    allow(2);
    ConnectionFactory connectionFactory = new ConnectionFactory(table("orders"), _ -> null);
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    List<Consumer<Session>> works =
        Collections.nCopies(
            5,
            session -> {
              session.execute("SELECT");
              done.incrementAndGet();
            });
    new SideBySide(works)
        .run(
            3,
            () -> {
              if (calls.incrementAndGet() <= 3) {
                throw new Fault.Transient("too many connections", "", 0, null);
              }
              return connectionFactory.connect();
            });
    assertThat(done).hasValue(5);
    assertThat(calls).hasValue(4);
  }
}
