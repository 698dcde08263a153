package millrace.connectors.stores.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Objects that are written in parts.
class S3UploadTest {

  private static final int PART = 5 << 20;

  private static S3Places places;
  private static ObjectStore store;

  @BeforeAll
  static void start() {
    places = new S3Places();
    store = places.open();
  }

  @AfterAll
  static void stop() {
    store.close();
    places.close();
  }

  private static byte[] bytes(long seed) {
    byte[] bytes = new byte[PART];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void anotherProcessFindsThePartsAndCompletesThem() throws IOException {
    String key = "parts/a b+c.bin";
    Upload upload = store.upload(key);
    assertThat(upload.partBytesMin()).isEqualTo(PART);
    assertThat(upload.partsMax()).isEqualTo(10_000);
    Upload.Part second = upload.put(2, bytes(2), PART);
    upload.put(1, bytes(0), PART);
    Upload.Part first = upload.put(1, bytes(1), PART);
    assertThat(store.find(key)).isNull();
    assertThat(store.list("parts/").objects()).isEmpty();
    assertThat(store.uploads("other/")).isEmpty();

    StoredObject written;
    try (ObjectStore another = places.open()) {
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
    assertThat(S3StoreTest.found(store, key).identity()).isEqualTo(written.identity());
    assertThat(S3StoreTest.content(store, key)).isEqualTo(expected.toByteArray());
    assertThat(store.uploads("parts/")).isEmpty();
  }

  @Test
  void anAbortedUploadLeavesNothing() throws IOException {
    Upload upload = store.upload("aborted/x.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), PART), upload.put(2, bytes(2), 3));

    upload.abort();
    upload.abort();

    assertThat(store.uploads("aborted/")).isEmpty();
    assertThat(store.find("aborted/x.bin")).isNull();
    assertThatThrownBy(() -> upload.complete(parts, null))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "s3://lake/aborted/x.bin: this upload is no more: it was completed or aborted"
                + " elsewhere");
  }

  @Test
  void aPartThatIsTooShortIsRefused() throws IOException {
    Upload upload = store.upload("short/x.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10), upload.put(2, bytes(2), 10));

    assertThatThrownBy(() -> upload.complete(parts, null))
        .isInstanceOf(StoreException.class)
        .hasMessage("s3://lake/short/x.bin: a part that is not the last is below 5 MiB");
    upload.abort();
  }

  @Test
  void anUploadTakesTheExpectedPlaceOnly() throws IOException {
    String key = "expected/x.bin";
    StoredObject there = S3StoreTest.put(store, key, "there");
    Upload upload = store.upload(key);
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10));

    assertThatThrownBy(() -> upload.complete(parts, ""))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("s3://lake/expected/x.bin: it is there already");
    assertThatThrownBy(() -> upload.complete(parts, "00000000000000000000000000000000"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("s3://lake/expected/x.bin: it was written to since it was looked at");
    assertThat(upload.parts()).isEqualTo(parts);

    StoredObject written = upload.complete(parts, there.identity());
    assertThat(written.size()).isEqualTo(10);
    assertThat(S3StoreTest.found(store, key).identity()).isEqualTo(written.identity());
  }

  @Test
  void anObjectOfNoPartsHasNoBytes() throws IOException {
    StoredObject written = store.upload("none.bin").complete(List.of(), "");

    assertThat(written.size()).isZero();
    assertThat(S3StoreTest.content(store, "none.bin")).isEmpty();
  }
}
