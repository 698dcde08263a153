package millrace.connectors.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import millrace.connectors.file.FileConnector;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.SourceHook;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of files of several parts in any store, whatever happens to a copy: every row once,
/// nothing under the name before, and no part left.
public abstract class StoreWritesSuite {

  protected static final FileConnector FILES = new FileConnector();
  private static final int ROWS = 500_000;
  private static final int SPLIT_BYTES = 3 << 20;
  private static final Amount UNIT = new Amount(1 << 20, true);

  /// Of a copy that is interrupted: some parts are there by then.
  protected static final int MIDWAY = 20;

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofMinutes(5),
          Duration.ZERO,
          Duration.ofMillis(10).plusNanos(1),
          Duration.ofMillis(100));

  @TempDir private static Path folder = Path.of("");

  /// What is copied.
  private static String text = "";

  private static Path source = Path.of("");

  /// Something that happens once.
  protected static SourceHook midway(Runnable trouble) {
    AtomicBoolean hasHappened = new AtomicBoolean();
    return SourceHook.after(
        MIDWAY,
        0,
        () -> {
          if (!hasHappened.getAndSet(true)) {
            trouble.run();
          }
        });
  }

  /// Asks it without the connector; the same at every call.
  protected abstract ObjectStore store();

  /// What a user's names of objects begin with, as `s3://lake/`.
  protected abstract String root();

  /// How the store is reached, as parameters of an end.
  protected abstract Map<String, String> settings();

  /// Whether parts can be removed that were not made a file of.
  protected boolean abortsUploads() {
    return true;
  }

  @BeforeAll
  static void makeRows() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder rows = new StringBuilder("id,name,note\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append(i).append(",\"name, ").append(Long.toHexString(random.nextLong()));
      rows.append("\",").append(Long.toHexString(random.nextLong()));
      rows.append(Long.toHexString(random.nextLong())).append('\n');
    }
    text = rows.toString();
    source = Files.writeString(folder.resolve("made.csv"), text);
  }

  @AfterEach
  void removeAll() throws IOException {
    for (String key : keys()) {
      store().delete(key);
    }
    for (Upload each : store().uploads("")) {
      each.abort();
    }
  }

  protected final String text() {
    return text;
  }

  private List<String> keys() throws IOException {
    return store().list("").objects().stream().map(StoredObject::key).toList();
  }

  private Endpoint end(String key, String... parameters) {
    Map<String, String> all = new HashMap<>(settings());
    all.put("part-size", "5MB");
    for (int i = 0; i < parameters.length; i += 2) {
      all.put(parameters[i], parameters[i + 1]);
    }
    return new Endpoint("file", root() + key, all, Secret.NONE);
  }

  protected final Copying copying(String key, String... parameters) {
    Endpoint from = new Endpoint("file", source.toString(), Map.of(), Secret.NONE);
    return Copying.of(FILES, from, FILES, end(key, parameters))
        .mode(Mode.CREATE)
        .lanes(2, SPLIT_BYTES)
        .units(UNIT, null, UNIT);
  }

  protected final ResumableCopy resumable(String key, String... parameters) {
    return new ResumableCopy(copying(key, parameters), ResumeChoice.RESUME);
  }

  /// The same on one lane, so that what is read is written, and is some parts even if it is
  /// compressed.
  private ResumableCopy ofOneLane(String key, String... parameters) {
    return new ResumableCopy(copying(key, parameters).lanes(1, SPLIT_BYTES), ResumeChoice.RESUME);
  }

  /// The same copy, which tries again soon.
  protected final ResumableCopy patient(String key) {
    return resumable(key).patience(SOON);
  }

  protected final byte[] bytes(String key) throws IOException {
    StoredObject found = store().find(key);
    assertThat(found).as(key).isNotNull();
    try (InputStream in =
        store().read(Objects.requireNonNull(found), 0, found == null ? 0 : found.size())) {
      return in.readAllBytes();
    }
  }

  private String unpacked(String key) throws IOException {
    InputStream raw = new ByteArrayInputStream(bytes(key));
    try (InputStream in =
        key.endsWith(".gz")
            ? new GZIPInputStream(raw)
            : key.endsWith(".zst") ? new ZstdInputStream(raw) : raw) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private void put(String key, String content) {
    try {
      store().put(key, content.getBytes(UTF_8), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private @Nullable StoredObject found(String key) {
    try {
      return store().find(key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Checks that a file is what a copy without a fault makes, and that no part is left.
  protected final void assertWhole(String key) throws IOException {
    // Not compared by the library, which would show both.
    assertThat(unpacked(key).equals(text)).as("%s holds every row once, in order", key).isTrue();
    assertNoUploads();
  }

  protected final void assertNoUploads() throws IOException {
    if (abortsUploads()) {
      assertThat(store().uploads("")).isEmpty();
    }
  }

  private Ran cutOff(ResumableCopy copy) {
    Ran failed = copy.cutBehindReceipt(MIDWAY);
    assertThat(failed.kept()).isTrue();
    return failed;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut.csv", "cut.csv.gz", "cut.csv.zst"})
  void aCopyThatWasCutOffGoesOnBehindItsParts(String key) throws IOException {
    ResumableCopy copy = ofOneLane(key);
    cutOff(copy);
    assertThat(keys()).allMatch(each -> each.endsWith(".journal"));
    Ran resumed = copy.run();
    assertThat(resumed.meter().rowsBefore()).isPositive();
    assertThat(resumed.meter().rowsBefore() + resumed.meter().rows()).isEqualTo(ROWS);
    assertWhole(key);
    assertThat(copy.run().completeSince()).isNotEmpty();
  }

  @Test
  void severalFilesOfLimitedSizeGoOn() throws IOException {
    ResumableCopy copy = ofOneLane("several.csv", "files", "8MB");
    cutOff(copy);
    assertThat(copy.run().meter().rowsBefore()).isPositive();
    List<String> files = keys().stream().filter(each -> each.startsWith("several-")).toList();
    assertThat(files).hasSizeGreaterThan(1);
    StringBuilder rows = new StringBuilder("id,name,note\n");
    for (String each : files) {
      rows.append(unpacked(each).substring("id,name,note\n".length()));
    }
    assertThat(rows.toString().equals(text)).as("all rows in order").isTrue();
    assertNoUploads();
  }

  @Test
  void aFileForEachSplitGoesOn() throws IOException {
    ResumableCopy copy = resumable("split.csv", "files", "per-split");
    copy.cut(SourceHook.after(MIDWAY, 4));
    copy.run();
    String rows =
        keys().stream()
            .filter(each -> each.startsWith("split-"))
            .map(each -> {
              try {
                return unpacked(each).substring("id,name,note\n".length());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
            .collect(Collectors.joining());
    assertThat(("id,name,note\n" + rows).equals(text)).as("all rows in order").isTrue();
    assertNoUploads();
  }

  @Test
  void freshLeavesNothingOfTheCopyBefore() throws IOException {
    ResumableCopy copy = ofOneLane("fresh.csv");
    cutOff(copy);
    Ran fresh = copy.fresh().run();
    assertThat(fresh.meter().rowsBefore()).isZero();
    assertWhole("fresh.csv");
  }

  @Test
  void aCopyThatCannotGoOnLeavesNothing() throws IOException {
    SourceHook hook =
        SourceHook.after(
            MIDWAY,
            1,
            () -> {
              throw new Fault.User("The rows are wrong.", "");
            });
    Ran failed = copying("failed.csv").between(hook::of, hook::of).attempt();
    assertThat(failed.result().fault()).hasMessageContaining("The rows are wrong.");
    assertThat(failed.kept()).isFalse();
    assertThat(keys()).isEmpty();
    assertNoUploads();
  }

  @Test
  void anObjectThatHasAppearedIsNotReplaced() throws IOException {
    SourceHook hook = midway(() -> put("appeared.csv", "theirs\n"));
    assertThatThrownBy(() -> copying("appeared.csv").between(hook::of, hook::of).run())
        .isInstanceOf(Fault.User.class)
        .hasMessage(root() + "appeared.csv has appeared since the copy began.");
    assertThat(new String(bytes("appeared.csv"), UTF_8)).isEqualTo("theirs\n");
    assertNoUploads();
  }

  @Test
  void anObjectIsReplacedAtOnce() throws IOException {
    put("replaced.csv", "theirs\n");
    StoredObject before = found("replaced.csv");
    SourceHook hook =
        SourceHook.after(MIDWAY, 1, () -> assertThat(found("replaced.csv")).isEqualTo(before));
    copying("replaced.csv").mode(Mode.REPLACE).between(hook::of, hook::of).run();
    assertWhole("replaced.csv");
  }

  @Test
  void nothingIsAddedToAnObject() {
    put("there.csv", "id,name,note\n1,2,3\n");
    Copying append = copying("there.csv").mode(Mode.APPEND);
    assertThatThrownBy(append::run)
        .isInstanceOfSatisfying(Fault.User.class, fault -> assertThat(fault.advice()).isNotEmpty())
        .hasMessageContaining(root() + "there.csv");
  }

  @Test
  void whoIsTakenOverEndsAndHarmsNothing() throws IOException {
    ResumableCopy copy = ofOneLane("twice.csv");
    CompletableFuture<Void> among = new CompletableFuture<>();
    CountDownLatch otherHasEnded = new CountDownLatch(1);
    SourceHook hook =
        SourceHook.after(
            MIDWAY,
            1,
            () -> {
              try {
                while (!among.isDone() && copy.rowsKept() == 0) {
                  Thread.sleep(10);
                }
                among.complete(null);
                otherHasEnded.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    CompletableFuture<Ran> first =
        CompletableFuture.supplyAsync(
            () -> copy.hooked(hook).attempt(), Thread::startVirtualThread);
    CompletableFuture.anyOf(among, first).join();
    SourceHook whileBothWrite = SourceHook.after(4, 0, otherHasEnded::countDown);
    // The first may write down once more what it had, and is not taken over then.
    Ran second = copy.hooked(whileBothWrite).attempt();
    while (second.result().fault() instanceof Fault.External) {
      assertThat(second.result().fault()).hasMessageContaining("has taken over this copy");
      second = copy.hooked(whileBothWrite).attempt();
    }
    assertThat(second.result().fault()).isNull();
    assertThat(second.meter().rowsBefore()).isPositive();
    assertThat(first.join().result().fault())
        .hasMessageContaining("Another process has taken over this copy");
    assertWhole("twice.csv");
  }

  @ParameterizedTest
  @CsvSource({"a b.csv", "a+b%20c.csv", "ä/ö-✓.csv", "x=1 y/_z.csv", "it's (1).csv"})
  void keysMayHoldWhatNamesOfFilesMay(String key) throws IOException {
    Path few = Files.writeString(folder.resolve("few.csv"), "id,v\n1,one\n");
    Endpoint from = new Endpoint("file", few.toString(), Map.of(), Secret.NONE);
    ResumableCopy copy =
        new ResumableCopy(
            Copying.of(FILES, from, FILES, end(key)).mode(Mode.CREATE), ResumeChoice.RESUME);
    copy.run();
    assertThat(new String(bytes(key), UTF_8)).isEqualTo("id,v\n1,one\n");
    assertThat(copy.run().completeSince()).isNotEmpty();
    store().delete(key);
    assertNoUploads();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none.csv", "none.csv.gz"})
  void aResultWithoutRowsIsAFileWithAHeader(String key) throws IOException {
    Path none = Files.writeString(folder.resolve("none.csv"), "id,v\n");
    Endpoint from = new Endpoint("file", none.toString(), Map.of(), Secret.NONE);
    Copying.of(FILES, from, FILES, end(key)).mode(Mode.CREATE).run();
    assertThat(unpacked(key)).isEqualTo("id,v\n");
    assertNoUploads();
  }
}
