package millrace.connectors.stores.google;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.stores.StorePlaces;
import millrace.connectors.stores.UploadSuite;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import org.junit.jupiter.api.Test;

class GoogleUploadTest extends UploadSuite {

  GoogleUploadTest() {
    super(GooglePlaces::new, 1, 10_000);
  }

  /// More than the store composes at once, and more than it composes of such composites.
  @Test
  void manyPartsAreComposedInTurn() throws IOException {
    int count = 32 * 32 + 5;
    Upload upload = store().upload("many/parts.bin");
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    List<Upload.Part> parts = new ArrayList<>();
    for (int number = 1; number <= count; number++) {
      byte[] bytes = {(byte) number, (byte) (number >> 8)};
      expected.writeBytes(bytes);
      parts.add(upload.put(number, bytes, bytes.length));
    }
    assertThat(upload.parts()).isEqualTo(parts);

    StoredObject written = upload.complete(parts, "");

    assertThat(written.size()).isEqualTo(2L * count);
    assertThat(StorePlaces.content(store(), "many/parts.bin")).isEqualTo(expected.toByteArray());
    assertThat(store().uploads("many/")).isEmpty();
    assertThat(store().list("many/").objects()).hasSize(1);
  }

  /// Who is killed before the parts are removed completes it once more.
  @Test
  void whatIsCompletedTwiceIsWrittenOnce() throws IOException {
    Upload upload = store().upload("twice.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10));
    StoredObject written = upload.complete(parts, "");
    upload.put(1, bytes(1), 10);

    assertThat(upload.complete(parts, "")).isEqualTo(written);
    assertThat(store().uploads("")).isEmpty();
  }

  /// The process was killed while it removed the parts.
  @Test
  void whatACompleteUploadHasLeftIsNoUpload() throws IOException {
    Upload upload = store().upload("left.bin");
    upload.complete(List.of(upload.put(1, bytes(1), 10)), "");
    Upload next = store().upload("left.bin");
    upload.put(2, bytes(2), 10);
    next.put(1, bytes(3), 10);

    assertThat(store().uploads("left.bin")).extracting(Upload::id).containsExactly(next.id());
    assertThat(upload.parts()).isEmpty();
    assertThat(next.parts()).hasSize(1);
    next.abort();
  }
}
