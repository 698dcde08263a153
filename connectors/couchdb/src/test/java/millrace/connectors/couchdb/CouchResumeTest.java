package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.FileConnector;
import millrace.spi.ConnectorRegistry;
import millrace.connectors.couchdb.http.Calls;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.write.CouchJournal;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.resume.ResumeState;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy from or into a database that is cut off goes on where it was, loses no document and
/// brings none twice.
class CouchResumeTest {

  private static final ConnectorRegistry ALL =
      new ConnectorRegistry(java.util.List.of(new CouchConnector(), new FileConnector()));

  private static final int DOCUMENTS = 600;
  private static final long SPLIT_BYTES = 16 << 10;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path folder;

  private final KeepingServer server = new KeepingServer();

  @BeforeEach
  void someDocuments() {
    server.put(
        "from", IntStream.range(0, DOCUMENTS).mapToObj(i -> document(i, 1)).toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String document(int number, int generation) {
    return "{\"_id\":\"é%04d\",\"_rev\":\"%d-a\",\"n\":%d.0,\"text\":\"%s\"}"
        .formatted(number, generation, number, "x".repeat(number % 200));
  }

  private Endpoint from(String... options) {
    return server.database("from", options(options));
  }

  private static Map<String, String> options(String... options) {
    return options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
  }

  private Endpoint to() {
    return server.database("to", Map.of());
  }

  private Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  /// A target whose process is killed: nothing is told to it when the run ends.
  private static final class KilledTarget extends ForwardingTarget {

    KilledTarget(Target inner) {
      super(inner);
    }

    @Override
    public void abandon() {
      // A killed process does no such thing.
    }

    @Override
    public boolean keep() {
      // Nor this.
      return true;
    }
  }

  /// A copy.
  ///
  /// @param lanes how many, where the source allows that many
  private record Copy(
      Endpoint from,
      Endpoint to,
      @Nullable Mode mode,
      int lanes,
      ResumeState.Choice choice,
      Job.RejectPolicy rejects) {

    Copy(Endpoint from, Endpoint to) {
      this(from, to, null, 1, ResumeState.Choice.NONE, Job.RejectPolicy.NONE);
    }

    Copy with(ResumeState.Choice other) {
      return new Copy(from, to, mode, lanes, other, rejects);
    }

    Copy lanes(int count) {
      return new Copy(from, to, mode, count, choice, rejects);
    }

    Copy mode(Mode other) {
      return new Copy(from, to, other, lanes, choice, rejects);
    }

    Copy rejects(Job.RejectPolicy other) {
      return new Copy(from, to, mode, lanes, choice, other);
    }

    Run run() {
      return run(Integer.MAX_VALUE, true);
    }

    /// @param batches after how many the source fails
    /// @param told false for a process that is killed when all is complete
    Run run(int batches, boolean told) {
      return run(batches, KilledTarget::new, _ -> {}, told);
    }

    /// @param batches after how many the source fails
    /// @param watch gets the run before it begins
    private Run run(int batches, UnaryOperator<Target> target, Consumer<Run> watch, boolean told) {
      WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
      Job.Tuning tuning =
          new Job.Tuning(
              lanes, false, new Amount(20, false), new Amount(15, false), new Amount(40, false));
      Job job = new Job(from, to, Selection.ALL, writeOptions, tuning, rejects);
      AtomicInteger left = new AtomicInteger(batches);
      FaultPlan plug =
          (site, _, _) ->
              site == FaultPlan.Site.READ && left.getAndDecrement() <= 0
                  ? FaultPlan.Kind.EXTERNAL
                  : null;
      Connector source = new FaultyConnector(ALL.of(from), plug);
      try (Source open = source.source(from, Selection.ALL);
          Target opened = target.apply(ALL.of(to).target(to, writeOptions))) {
        String identity = JobIdentity.of(job, open, ALL.of(to));
        ResumeState resumeState = ResumeState.of(opened, identity, choice);
        Plan plan = Planner.plan(job, open, opened);
        int most = Math.min(lanes, plan.source().lanes().max());
        Run run =
            new Run(
                plan.with(Lanes.fixed(most, ""), SPLIT_BYTES),
                open,
                opened,
                resumeState,
                RetryPolicy.NONE);
        watch.accept(run);
        run.execute();
        if (told) {
          run.acknowledge();
        }
        return run;
      }
    }

    void cut(int batches) {
      assertThatThrownBy(() -> run(batches, true)).isInstanceOf(Fault.External.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 5", "1, 22", "2, 9", "3, 25"})
  void aKilledCopyBetweenDatabasesGoesOn(int lanes, int batches) {
    Copy copy = new Copy(from(), to()).lanes(lanes);
    copy.cut(batches);
    copy.with(ResumeState.Choice.RESUME).cut(6);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
    assertThat(run.meter().rowsDurable()).isEqualTo(DOCUMENTS);
    assertThat(run.meter().rowsBefore() + run.meter().rows())
        .as("progress counts from where it goes on")
        .isEqualTo(DOCUMENTS);
    if (batches > 20) {
      assertThat(run.notes().toString()).contains("goes on with the copy begun at");
      // Several lanes may each be in the middle of a split that no receipt speaks of yet.
      assertThat(run.meter().rows())
          .as("what was taken is not copied again")
          .isLessThan(lanes == 1 ? DOCUMENTS - 100 : DOCUMENTS);
    }
  }

  @Test
  void resumeWithoutAnythingToGoOnWithBegins() {
    Run run = new Copy(from(), to()).with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isEqualTo(DOCUMENTS);
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void halfACopyIsNeverTakenForAWholeOne() {
    Copy copy = new Copy(from(), to());
    copy.cut(12);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was begun at")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--resume", "--fresh");
    copy.mode(Mode.TRUNCATE).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND"})
  void aCopyThatWasCutOffBeforeItsFirstReceiptIsAdvisedToGoOn(Mode mode) {
    Copy copy = new Copy(from(), to()).mode(mode);
    copy.cut(0);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 0 rows had been committed, and others may have been")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--resume");
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void aDatabaseThatWasWrittenToSinceIsRefused() {
    Copy copy = new Copy(from(), to());
    copy.cut(12);
    server.put("from", document(3, 2));
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has been written to since")
        .hasMessageContaining("--changes")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--fresh");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 27})
  void changesGoOnWhereTheyWereWhateverWasWrittenSince(int batches) {
    Copy copy = new Copy(from("changes", "true"), to()).lanes(2);
    copy.cut(batches);
    server.put("from", document(3, 2), document(590, 2), document(DOCUMENTS, 1));
    copy.with(ResumeState.Choice.RESUME).cut(4);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
    assertThat(run.meter().rows())
        .as("what was taken is not copied again")
        .isLessThanOrEqualTo(DOCUMENTS + 3L - 20L * Math.max(0, batches - 6));
  }

  private List<String> idsIn(String name) throws IOException {
    List<String> ids = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(name))) {
      ids.add(JSON.readTree(line).path("_id").asText());
    }
    return ids;
  }

  @ParameterizedTest
  @CsvSource({"false, 1, 9", "false, 2, 21", "true, 1, 13"})
  void aKilledCopyIntoAFileHasEachDocumentOnce(boolean changes, int lanes, int batches)
      throws IOException {
    Endpoint source = from("changes", Boolean.toString(changes));
    Copy copy = new Copy(source, file("out.jsonl")).lanes(lanes);
    copy.cut(batches);
    copy.with(ResumeState.Choice.RESUME).cut(5);
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(idsIn("out.jsonl")).containsExactlyElementsOf(server.documents("from").keySet());
  }

  @Test
  void aKilledCopyIntoPostgresHasEachDocumentOnce() throws SQLException {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.newDatabase();
    Endpoint table =
        new Endpoint(
            "postgresql", postgres.location(database), Map.of("table", "docs"), Secret.NONE);
    Copy copy = new Copy(from("fields", "_id,n"), table).lanes(2);
    copy.cut(17);
    copy.with(ResumeState.Choice.RESUME).run();
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*), count(DISTINCT _id), sum(n) FROM docs")) {
      row.next();
      assertThat(row.getLong(1)).isEqualTo(DOCUMENTS);
      assertThat(row.getLong(2)).isEqualTo(DOCUMENTS);
      assertThat(row.getLong(3)).isEqualTo((long) DOCUMENTS * (DOCUMENTS - 1) / 2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 11})
  void documentsWithoutIdsAreWrittenOnce(int batches) throws IOException {
    List<String> lines = IntStream.range(0, 3_000).mapToObj(i -> "{\"n\":" + i + "}").toList();
    Files.write(folder.resolve("in.jsonl"), lines);
    Copy copy = new Copy(file("in.jsonl"), to());
    copy.cut(batches);
    copy.with(ResumeState.Choice.RESUME).cut(batches);
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(numbers())
        .hasSize(3_000)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3_000).boxed().toList());
  }

  @Test
  void aCompressedFileIsSteppedOverAsFarAsItWasTaken() throws IOException {
    try (OutputStream file = Files.newOutputStream(folder.resolve("in.jsonl.gz"));
        OutputStream out = new GZIPOutputStream(file)) {
      for (int i = 0; i < 500; i++) {
        String line = "{\"n\":%d,\"text\":\"%s\"}\n".formatted(i, "x".repeat(20_000));
        out.write(line.getBytes(StandardCharsets.US_ASCII));
      }
    }
    Copy copy = new Copy(file("in.jsonl.gz"), to());
    copy.cut(12);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rowsBefore()).isPositive();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500).boxed().toList());
  }

  @Test
  void aTableWhoseRowsAreTheSameGoesOn() throws Exception {
    PostgresServer postgres = PostgresServer.shared();
    String database = postgres.newDatabase();
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t AS SELECT n, repeat('x', 100) AS x FROM generate_series(0, 4999) n");
    }
    Endpoint table =
        new Endpoint("postgresql", postgres.location(database), Map.of("table", "t"), Secret.NONE);
    Copy copy = new Copy(table, to());
    copy.cut(25);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rowsBefore()).isPositive();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 5_000).boxed().toList());
  }

  @Test
  void rowsThatACopyLeavesBeforeItsFirstReceiptAreNotBroughtTwice() throws IOException {
    server.put("to");
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> request.isOf("/_bulk_docs") && requests.incrementAndGet() == 2,
        new KeepingServer.Harm.Status(403, ""));
    AtomicReference<Run> run = new AtomicReference<>();
    Copy copy = new Copy(rowsWithoutIds(), to()).mode(Mode.APPEND);
    assertThatThrownBy(() -> copy.run(Integer.MAX_VALUE, UnaryOperator.identity(), run::set, true))
        .isInstanceOf(Fault.External.class);
    assertThat(server.documents("to")).isNotEmpty();
    assertThat(run.get().kept()).isTrue();
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3_000).boxed().toList());
  }

  private Endpoint rowsWithoutIds() throws IOException {
    List<String> lines = new ArrayList<>(List.of("n,text"));
    IntStream.range(0, 3_000).forEach(i -> lines.add(i + ",text " + i));
    Files.write(folder.resolve("rows.csv"), lines);
    return rows();
  }

  private Endpoint rows(String... options) {
    String location = folder.resolve("rows.csv").toString();
    return new Endpoint("file", location, options(options), Secret.NONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void aCommandThatWasChangedDoesNotBringRowsTwiceInsteadOfGoingOn(Mode mode) throws IOException {
    if (mode == Mode.APPEND) {
      server.put("to");
    }
    Endpoint rows = rowsWithoutIds();
    Copy copy = new Copy(rows, to()).mode(mode);
    copy.cut(11);
    int before = server.documents("to").size();
    assertThat(before).isPositive();
    Endpoint changed = rows("delimiter", ",");
    assertThatThrownBy(
            () -> new Copy(changed, to()).mode(Mode.APPEND).with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source")
        .hasMessageContaining("and others may have been")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("as it was, with --resume", "leave --resume out");
    assertThat(server.documents("to")).hasSize(before);
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3_000).boxed().toList());
    new Copy(changed, to()).mode(Mode.APPEND).with(ResumeState.Choice.RESUME).run();
    assertThat(numbers()).as("the other one has come to its end").hasSize(6_000);
  }

  @Test
  void anotherSourceOrACopyThatIsCompleteDoesNotStandInTheWay() throws IOException {
    new Copy(rowsWithoutIds(), to()).run(Integer.MAX_VALUE, false);
    new Copy(from(), to()).mode(Mode.APPEND).cut(12);
    assertThat(server.local("to")).hasSizeGreaterThan(2);
    Copy changed = new Copy(rows("delimiter", ","), to()).mode(Mode.APPEND);
    Run run = changed.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isEqualTo(3_000);
  }

  @Test
  void aServerThatDoesNotListItsJournalIsCopiedInto() throws IOException {
    Endpoint there = CouchServer.shared().database("unlisted-" + System.nanoTime());
    Copy copy = new Copy(rowsWithoutIds(), there);
    copy.run();
    Run run = copy.mode(Mode.APPEND).with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes().toString()).contains("there is no such copy to go on with");
    assertThat(run.meter().rowsDurable()).isEqualTo(3_000);
  }

  private List<Integer> numbers() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (String document : server.documents("to").values()) {
      numbers.add(JSON.readTree(document).path("n").asInt());
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 11})
  void documentsThatWereRefusedAreNotAmongTheCommitted(int batches) throws IOException {
    List<Integer> whales = List.of(10, 300, 1_200, 2_990);
    List<String> lines =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "{\"n\":" + i + (whales.contains(i) ? ",\"whale\":1}" : "}"))
            .toList();
    Files.write(folder.resolve("in.jsonl"), lines);
    server.harm(
        Integer.MAX_VALUE,
        request -> new String(request.body(), StandardCharsets.UTF_8).contains("whale"),
        new KeepingServer.Harm.Status(413, ""));
    Path aside = folder.resolve("bad.jsonl");
    Copy copy =
        new Copy(file("in.jsonl"), to())
            .rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(whales.size()), aside));
    copy.cut(batches);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 3_000).boxed().filter(i -> !whales.contains(i)).toList());
    int written = 3_000 - whales.size();
    assertThat(run.meter().rowsBefore() + run.meter().rows()).isEqualTo(written);
    assertThat(run.meter().rowsDurable()).isEqualTo(written);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void aCopyWhoseDatabaseIsDeletedAndMadeAgainMeanwhileIsNotSaidToBeComplete(Mode mode) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          boolean isNow = request.isOf("/_bulk_docs") && requests.incrementAndGet() == 20;
          if (isNow) {
            server.drop("to");
            server.put("to");
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
    if (mode == Mode.APPEND) {
      server.put("to");
    }
    Copy copy = new Copy(from(), to()).mode(mode);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("somebody has deleted the database meanwhile");
  }

  /// Deletes a database when a copy has begun to write.
  private void dropWhileWritten(String database) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          if (request.isOf("/_bulk_docs") && requests.incrementAndGet() == 20) {
            server.drop(database);
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void nothingIsSaidToStayInADatabaseThatWasDeletedMeanwhile(Mode mode) {
    dropWhileWritten("to");
    if (mode != Mode.CREATE) {
      server.put("to");
    }
    AtomicReference<Run> run = new AtomicReference<>();
    Copy copy = new Copy(from(), to()).mode(mode);
    assertThatThrownBy(() -> copy.run(Integer.MAX_VALUE, UnaryOperator.identity(), run::set, true))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("is gone: somebody has deleted the database meanwhile");
    assertThat(run.get().meter().rowsDurable()).isZero();
    assertThat(run.get().kept()).isFalse();
    assertThat(run.get().leaves())
        .contains("Documents of this copy may be in a database of that name");
    // It would be another's by now.
    long deletions = mode == Mode.TRUNCATE ? 1 : 0;
    assertThat(server.requests("/to").stream().filter(each -> each.method().equals("DELETE")))
        .hasSize((int) deletions);
    copy.run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void aSourceThatIsDeletedMeanwhileIsSaidToBeGone() {
    dropWhileWritten("from");
    assertThatThrownBy(new Copy(from(), to())::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("/from is gone: somebody has deleted the database meanwhile");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceThatIsDeletedAndMadeAgainMeanwhileIsNotSaidToBeCopied(boolean changes) {
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> {
          if (request.isOf("/_bulk_docs") && requests.incrementAndGet() == 10) {
            server.makeAnew("from", document(1, 2));
          }
          return false;
        },
        new KeepingServer.Harm.Status(500, ""));
    Copy copy = new Copy(from("changes", Boolean.toString(changes)), to());
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("was deleted and made again while it was read");
  }

  @Test
  void aSourceThatWasDeletedAndMadeAgainSinceIsRefusedByChangesToo() {
    Copy copy = new Copy(from("changes", "true"), to());
    copy.cut(12);
    server.makeAnew(
        "from",
        IntStream.range(0, 2 * DOCUMENTS).mapToObj(i -> document(i, 2)).toArray(String[]::new));
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was made anew since")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--fresh");
  }

  @Test
  void aCopyThatWasCompleteWhenItWasKilledIsNotDoneAgain() {
    Copy copy = new Copy(from(), to());
    copy.run(Integer.MAX_VALUE, false);
    assertThat(server.local("to")).isNotEmpty();
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isZero();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(copy.with(ResumeState.Choice.RESUME).run().completeSince()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerOfItsOwnKeepsTheJournalToo(boolean changes) {
    CouchServer pouch = CouchServer.shared();
    String name = "resume-" + System.nanoTime();
    Endpoint there =
        pouch.database(name, Map.of("changes", Boolean.toString(changes), "skip-design", "true"));
    new Copy(from(), there).run();
    Endpoint copied = pouch.database(name + "-copy");
    Copy copy = new Copy(there, copied);
    copy.cut(14);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes().toString()).contains("goes on with the copy begun at");
    assertThat(run.meter().rows()).isLessThan(DOCUMENTS);
    Endpoint back = server.database("back", Map.of());
    new Copy(copied, back).run();
    assertThat(server.documents("back").keySet()).isEqualTo(server.documents("from").keySet());
    String journal =
        CouchAddress.of(copied, _ -> null).databaseUrl(CouchJournal.PREFIX + jobOf(copy));
    CouchClient client = new CouchClient(CouchAddress.of(copied, _ -> null), copied);
    assertThat(new Calls(client).need("GET", journal, null, "looking").path("complete").asBoolean())
        .isTrue();
    client.close();
  }

  private static String jobOf(Copy copy) {
    Job job =
        new Job(
            copy.from(),
            copy.to(),
            Selection.ALL,
            WriteOptions.DEFAULT,
            new Job.Tuning(1, false, null, null, null),
            Job.RejectPolicy.NONE);
    Connector couch = new CouchConnector();
    try (Source from = couch.source(copy.from(), Selection.ALL)) {
      return JobIdentity.of(job, from, couch).substring(0, 16);
    }
  }
}
