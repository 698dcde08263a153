package millrace.connectors.stores;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import millrace.testkit.NotOffered;
import org.junit.jupiter.api.Test;

/// Objects that are written in parts, as the contract of uploads has them.
public abstract class UploadSuite extends RealStoreSuite {

  /// All stores take parts of that length.
  protected static final int PART = 5 << 20;

  private final long partBytesMin;
  private final int partsMax;

  /// @param starting starts the store
  /// @param partBytesMin what the store says of it
  /// @param partsMax what the store says of it
  protected UploadSuite(Supplier<? extends StorePlaces> starting, long partBytesMin, int partsMax) {
    super(starting);
    this.partBytesMin = partBytesMin;
    this.partsMax = partsMax;
  }

  /// Whether an abort takes all parts away at once.
  protected boolean removesParts() {
    return true;
  }

  protected static byte[] bytes(long seed) {
    byte[] bytes = new byte[PART];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /// Whether parts that another process puts meanwhile do not take the place of those of this one;
  /// else the object can't be made, and says so.
  protected boolean tellsProcessesApart() {
    return true;
  }

  /// A process that was thought to be dead writes on, behind one that goes on with its upload.
  @Test
  void aProcessThatWritesOnHarmsNoneThatHasTakenOver() throws IOException {
    if (!tellsProcessesApart()) {
      throw new NotOffered("s3", "parts of its own for each process");
    }
    Upload before = store().upload("taken/over.bin");
    before.put(1, new byte[] {1}, 1);
    before.put(2, new byte[] {2}, 1);
    Upload after = store().uploads("taken/").getFirst();
    List<Upload.Part> parts = new ArrayList<>(after.parts().subList(0, 1));
    parts.add(after.put(2, new byte[] {22}, 1));
    before.put(2, new byte[] {2}, 1);
    before.put(3, new byte[] {3}, 1);

    assertThat(after.parts().subList(0, 2)).isEqualTo(parts);
    after.complete(parts, "");
    assertThat(StorePlaces.content(store(), "taken/over.bin")).isEqualTo(new byte[] {1, 22});
  }

  @Test
  void anotherProcessFindsThePartsAndCompletesThem() throws IOException {
    String key = "parts/a b+c.bin";
    Upload upload = store().upload(key);
    assertThat(upload.partBytesMin()).isEqualTo(partBytesMin);
    assertThat(upload.partsMax()).isEqualTo(partsMax);
    Upload.Part second = upload.put(2, bytes(2), PART);
    upload.put(1, bytes(0), PART);
    Upload.Part first = upload.put(1, bytes(1), PART);
    assertThat(store().find(key)).isNull();
    assertThat(store().list("parts/").objects()).isEmpty();
    assertThat(store().uploads("other/")).isEmpty();

    StoredObject written;
    try (ObjectStore another = open()) {
      List<Upload> found = another.uploads("parts/");
      assertThat(found).extracting(Upload::key).containsExactly(key);
      assertThat(found).extracting(Upload::id).containsExactly(upload.id());
      Upload resumed = found.getFirst();
      assertThat(resumed.parts()).containsExactly(first, second);
      List<Upload.Part> parts = new ArrayList<>(resumed.parts());
      parts.add(resumed.put(3, bytes(3), 7));
      written = resumed.complete(parts, null);
    }

    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    expected.writeBytes(bytes(1));
    expected.writeBytes(bytes(2));
    expected.write(bytes(3), 0, 7);
    assertThat(written.size()).isEqualTo(2 * PART + 7);
    assertThat(StorePlaces.found(store(), key).identity()).isEqualTo(written.identity());
    assertThat(StorePlaces.content(store(), key)).isEqualTo(expected.toByteArray());
    assertThat(store().uploads("parts/")).isEmpty();
  }

  @Test
  void nobodySeesAnAbortedUploadAndTheNextOneIsNotMixedWithIt() throws IOException {
    String key = "aborted/x.bin";
    Upload upload = store().upload(key);
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), PART), upload.put(2, bytes(2), 3));

    upload.abort();
    upload.abort();

    if (removesParts()) {
      assertThat(store().uploads("aborted/")).isEmpty();
    }
    assertThat(store().list("aborted/").objects()).isEmpty();
    assertThat(store().find(key)).isNull();
    Upload next = store().upload(key);
    assertThat(next.parts()).isEmpty();
    next.complete(List.of(next.put(1, bytes(3), 5)), "");
    assertThat(StorePlaces.content(store(), key)).isEqualTo(Arrays.copyOf(bytes(3), 5));
    assertThat(store().uploads("aborted/")).isEmpty();
    assertThatThrownBy(() -> upload.complete(parts, null))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            root()
                + "aborted/x.bin: this upload is no more: it was completed or aborted elsewhere");
  }

  @Test
  void anUploadThatIsToReplaceAnObjectIsFoundToo() throws IOException {
    StorePlaces.put(store(), "replaced/x.bin", "there");
    Upload one = store().upload("replaced/x.bin");
    Upload other = store().upload("replaced/x.bin");
    one.put(1, bytes(1), 10);
    other.put(1, bytes(2), 20);

    for (String beginning : List.of("replaced/", "replaced/x", "replaced/x.bin", "repl")) {
      assertThat(store().uploads(beginning))
          .extracting(Upload::id)
          .containsExactlyInAnyOrder(one.id(), other.id());
    }
    assertThat(store().uploads("replaced/y")).isEmpty();
    assertThat(one.parts()).extracting(Upload.Part::bytes).containsExactly(10L);
    assertThat(StorePlaces.content(store(), "replaced/x.bin"))
        .isEqualTo("there".getBytes(US_ASCII));
    one.abort();
    other.abort();
  }

  @Test
  void manyThreadsPutParts() throws Exception {
    Upload upload = store().upload("threads.bin");
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    List<Upload.Part> parts = new ArrayList<>();
    try (ExecutorService lanes = Executors.newFixedThreadPool(4)) {
      List<Future<Upload.Part>> putting = new ArrayList<>();
      for (int number = 1; number <= 7; number++) {
        byte[] bytes = bytes(number);
        expected.writeBytes(bytes);
        int mine = number;
        putting.add(lanes.submit(() -> upload.put(mine, bytes, PART)));
      }
      for (Future<Upload.Part> each : putting) {
        parts.add(each.get());
      }
    }

    upload.complete(parts, "");

    assertThat(StorePlaces.content(store(), "threads.bin")).isEqualTo(expected.toByteArray());
  }

  @Test
  void anUploadTakesTheExpectedPlaceOnly() throws IOException {
    String key = "expected/x.bin";
    StoredObject there = StorePlaces.put(store(), key, "there");
    Upload upload = store().upload(key);
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10));

    assertThatThrownBy(() -> upload.complete(parts, ""))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(root() + "expected/x.bin: it is there already");
    assertThatThrownBy(() -> upload.complete(parts, "00000000000000000000000000000000"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(root() + "expected/x.bin: it was written to since it was looked at");
    assertThat(upload.parts()).isEqualTo(parts);

    StoredObject written = upload.complete(parts, there.identity());
    assertThat(written.size()).isEqualTo(10);
    assertThat(StorePlaces.found(store(), key).identity()).isEqualTo(written.identity());
  }

  @Test
  void anObjectOfNoPartsHasNoBytes() throws IOException {
    StoredObject written = store().upload("none.bin").complete(List.of(), "");

    assertThat(written.size()).isZero();
    assertThat(StorePlaces.content(store(), "none.bin")).isEmpty();
  }
}
