package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Selection;
import millrace.spi.read.Snapshot;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.ResumableCopy;
import org.apache.kudu.client.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of copies while tablet servers die.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduFaultTest {

  private static final Schema ROWS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED)),
          List.of("id"));

  private static final RetryPolicy PATIENT =
      new RetryPolicy(
          Duration.ofMinutes(1), Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(2));

  private static @Nullable KuduServers three;

  private final MemoryConnector memory = new MemoryConnector();

  private static List<Row> rows(int count) {
    return IntStream.range(0, count).mapToObj(i -> Row.of(i, "row " + i)).toList();
  }

  /// Calls that failed alike are one kind of failure, whatever the client adds.
  @Test
  void whatTheClientAddsForThoseWhoLookIntoItIsCutOff() {
    for (int operations : new int[] {129, 136}) {
      Status status =
          Status.TimedOut(
              "cannot complete before timeout: Batch{operations="
                  + operations
                  + ", tablet=\"18b6\" [0x00000001, 0x00000002), ignoredErrors=[],"
                  + " rpc=KuduRpc(method=Write, tablet=18b6, attempt=29, sequence_id=449,"
                  + " TimeoutTracker(timeout=30000, elapsed=28190), Trace Summary(…),"
                  + " deferred=…)}");
      assertThat(KuduFaults.sentence(status))
          .isEqualTo("Timed out: cannot complete before timeout.");
    }
  }

  private Copying into(List<Row> rows, Endpoint table) {
    memory.put("rows", ROWS, rows);
    return Copying.of(memory, memory.endpoint("rows"), new KuduConnector(), table)
        .mode(Mode.CREATE)
        .lanes(2, 100_000);
  }

  private List<Row> read(Endpoint table) {
    memory.put("back", Schema.of(ROWS.columns()), List.of());
    ResumableCopy.of(
            Copying.of(new KuduConnector(), table, memory, memory.endpoint("back"))
                .mode(Mode.APPEND),
            5_000)
        .unrequested()
        .patience(PATIENT)
        .run();
    return memory.rows("back");
  }

  /// Two moments, and as many more as the system property `millrace.kills` says, for a campaign
  /// (bench/kills).
  static IntStream kills() {
    return IntStream.range(0, 2 + Integer.getInteger("millrace.kills", 0));
  }

  private static synchronized KuduServers three() {
    KuduServers started = three;
    if (started == null) {
      started = KuduServers.start(3);
      three = started;
    }
    return started;
  }

  @AfterAll
  static void stop() {
    KuduServers started = three;
    if (started != null) {
      started.close();
    }
  }

  /// Killed as by kill -9 at a random moment, and started again a little later.
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("kills")
  void rowsAreThereOnceIfATabletServerIsKilled(int seed) {
    Random random = new Random(seed);
    KuduServers servers = three();
    Endpoint table = servers.table("kills.t" + seed, Map.of("partition-by", "hash(id) 4"));
    List<Row> rows = rows(60_000);
    CompletableFuture<Void> copy =
        CompletableFuture.runAsync(
            () -> ResumableCopy.of(into(rows, table), 500).unrequested().patience(PATIENT).run());
    int victim = 1 + random.nextInt(3);
    pause(random.nextInt(2_500));
    servers.kill(victim);
    pause(random.nextInt(1_500));
    servers.startAgain(victim);
    copy.join();
    RowCheck.sameRows(ROWS, rows, read(table));
    servers.drop("kills.t" + seed);
  }

  @Test
  void aScanGoesOnIfATabletServerIsKilled() {
    KuduServers servers = three();
    Endpoint table = servers.table("scans.t", Map.of("partition-by", "hash(id) 4"));
    List<Row> rows = rows(100_000);
    into(rows, table).run();
    Endpoint tolerant = servers.table("scans.t", Map.of("fault-tolerant", "true"));
    for (Endpoint from : List.of(tolerant, table)) {
      CompletableFuture<List<Row>> reading = CompletableFuture.supplyAsync(() -> read(from));
      servers.kill(2);
      RowCheck.sameRows(ROWS, rows, reading.join());
      servers.startAgain(2);
    }
  }

  /// A port that nobody listens at, and one where whoever listens never answers.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theClientTriesAMasterThatIsDeadForAsLongAsTheUserWants(boolean listens) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      int port = listens ? socket.getLocalPort() : 1;
      Endpoint dead = new Endpoint("kudu", "//127.0.0.1:" + port + "/t", Map.of(), Secret.NONE);
      OpenContext context = new OpenContext(Duration.ofSeconds(2));
      long begun = System.nanoTime();
      try (Source source = new KuduConnector().source(dead, Selection.ALL, context)) {
        assertThatThrownBy(() -> source.describe(new ColumnRequest.Typed()))
            .isInstanceOfSatisfying(
                Fault.Transient.class, fault -> assertThat(fault.triedNanos()).isPositive());
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }
  }

  /// The copy is given up as soon as the client has tried for as long as the user wants.
  @Test
  void aTabletServerThatDiesIsTriedForAsLongAsTheUserWants() {
    try (KuduServers servers = KuduServers.start(1)) {
      Endpoint table = servers.table("patience.t", Map.of());
      into(rows(10), table).run();
      servers.kill(1);
      Copying copying =
          into(rows(10), table).mode(Mode.APPEND).patience(Duration.ofSeconds(2), Duration.ZERO);
      long begun = System.nanoTime();
      assertThatThrownBy(copying::run)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("patience.t");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  void aTabletServerThatStaysAwayIsAFaultThatMayPass() {
    try (KuduServers servers = KuduServers.start(1)) {
      Endpoint table = servers.table("faults.t", Map.of("timeout", "2s"));
      into(rows(10), table).run();
      servers.kill(1);
      assertThatThrownBy(() -> into(rows(10), table).mode(Mode.APPEND).run())
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("faults.t");
      servers.startAgain(1);
      assertThat(read(servers.table("faults.t", Map.of()))).hasSize(10);
    }
  }

  /// It is told, and rows of another moment are not mixed in.
  @Test
  void aMomentThatTheServersHaveForgottenIsNotReadAgain() {
    try (KuduServers servers = KuduServers.start(1, "--tablet_history_max_age_sec=1")) {
      Endpoint table = servers.table("faults.t", Map.of());
      into(rows(10), table).run();
      String then;
      try (Source source = source(table)) {
        DescribedSource described = source.describe(new ColumnRequest.Typed());
        then = String.valueOf(described.identity().content());
        assertThat(((Snapshot) described).reopen(then)).isEmpty();
      }
      pause(2_500);
      try (Source source = source(table)) {
        DescribedSource described = source.describe(new ColumnRequest.Typed());
        assertThat(((Snapshot) described).reopen(then))
            .contains("do not keep what it was then")
            .contains("ancient history mark");
        assertThat(described.changeSince(then)).contains("is not known any more");
      }
    }
  }

  private static Source source(Endpoint table) {
    return new KuduConnector().source(table, Selection.ALL, new OpenContext());
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rowsOfAnAtomicAppendAppearAtOnceOrNotAtAll() {
    try (KuduServers servers =
        KuduServers.start(
            1,
            "master:--txn_manager_enabled",
            "master:--txn_manager_status_table_num_replicas=1",
            "--enable_txn_system_client_init")) {
      Endpoint table = servers.table("faults.t", Map.of("partition-by", "hash(id) 4"));
      into(rows(10), table).run();
      List<Row> more = rows(50_000).subList(10, 50_000);
      into(more, table).mode(Mode.APPEND).atomic(true).run();
      assertThat(read(table)).hasSize(50_000);
      // The last row is there already.
      List<Row> bad = new ArrayList<>();
      IntStream.range(50_000, 60_000).forEach(i -> bad.add(Row.of(i, "more")));
      bad.add(Row.of(3, "twice"));
      assertThatThrownBy(() -> into(bad, table).mode(Mode.APPEND).atomic(true).run())
          .isInstanceOf(Fault.class);
      assertThat(read(table)).hasSize(50_000);
    }
  }

  @Test
  void anAtomicAppendIntoAClusterWithoutTransactionsSaysWhatToDo() {
    Endpoint table = KuduServers.shared().table("faults.atomic", Map.of());
    into(rows(10), table).run();
    assertThatThrownBy(() -> into(rows(20), table).mode(Mode.APPEND).atomic(true).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).contains("--txn_manager_enabled"));
    assertThat(read(table)).hasSize(10);
  }
}
