package millrace.connectors.stores.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
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
class AzureUploadTest {

  private static final int PART = 5 << 20;

  private static AzurePlaces places;
  private static ObjectStore store;

  @BeforeAll
  static void start() {
    places = new AzurePlaces();
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
    assertThat(upload.partBytesMin()).isEqualTo(1);
    assertThat(upload.partsMax()).isEqualTo(50_000);
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
    assertThat(AzureStoreTest.found(store, key).identity()).isEqualTo(written.identity());
    assertThat(AzureStoreTest.content(store, key)).isEqualTo(expected.toByteArray());
    assertThat(store.uploads("parts/")).isEmpty();
  }

  /// Azure has no request that removes blocks: it drops them with the next writing of the blob.
  @Test
  void nobodySeesAnAbortedUploadAndTheNextOneIsNotMixedWithIt() throws IOException {
    String key = "aborted/x.bin";
    Upload upload = store.upload(key);
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), PART), upload.put(2, bytes(2), 3));

    upload.abort();
    upload.abort();

    assertThat(store.list("aborted/").objects()).isEmpty();
    assertThat(store.find(key)).isNull();
    Upload next = store.upload(key);
    assertThat(next.parts()).isEmpty();
    next.complete(List.of(next.put(1, bytes(3), 5)), "");
    assertThat(AzureStoreTest.content(store, key)).isEqualTo(Arrays.copyOf(bytes(3), 5));
    assertThat(store.uploads("aborted/")).isEmpty();
    assertThatThrownBy(() -> upload.complete(parts, null))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "az://lake/aborted/x.bin: this upload is no more: it was completed or aborted"
                + " elsewhere");
  }

  @Test
  void anUploadThatIsToReplaceABlobIsFoundToo() throws IOException {
    AzureStoreTest.put(store, "replaced/x.bin", "there");
    Upload one = store.upload("replaced/x.bin");
    Upload other = store.upload("replaced/x.bin");
    one.put(1, bytes(1), 10);
    other.put(1, bytes(2), 20);

    assertThat(store.uploads("replaced/"))
        .extracting(Upload::id)
        .containsExactlyInAnyOrder(one.id(), other.id());
    assertThat(one.parts()).extracting(Upload.Part::bytes).containsExactly(10L);
    assertThat(AzureStoreTest.content(store, "replaced/x.bin")).isEqualTo(bytes("there"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void anUploadTakesTheExpectedPlaceOnly() throws IOException {
    String key = "expected/x.bin";
    StoredObject there = AzureStoreTest.put(store, key, "there");
    Upload upload = store.upload(key);
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10));

    assertThatThrownBy(() -> upload.complete(parts, ""))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("az://lake/expected/x.bin: it is there already");
    assertThatThrownBy(() -> upload.complete(parts, "00000000000000000000000000000000"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("az://lake/expected/x.bin: it was written to since it was looked at");
    assertThat(upload.parts()).isEqualTo(parts);

    StoredObject written = upload.complete(parts, there.identity());
    assertThat(written.size()).isEqualTo(10);
    assertThat(AzureStoreTest.found(store, key).identity()).isEqualTo(written.identity());
  }

  @Test
  void anObjectOfNoPartsHasNoBytes() throws IOException {
    StoredObject written = store.upload("none.bin").complete(List.of(), "");

    assertThat(written.size()).isZero();
    assertThat(AzureStoreTest.content(store, "none.bin")).isEmpty();
  }
}
