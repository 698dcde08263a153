package millrace.connectors.stores.s3;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import millrace.connectors.stores.UploadSuite;
import millrace.spi.store.StoreException;
import millrace.spi.store.Upload;
import org.junit.jupiter.api.Test;

class S3UploadTest extends UploadSuite {

  S3UploadTest() {
    super(S3Places::new, PART, 10_000);
  }

  @Test
  void aPartThatIsTooShortIsRefused() throws IOException {
    Upload upload = store().upload("short/x.bin");
    List<Upload.Part> parts = List.of(upload.put(1, bytes(1), 10), upload.put(2, bytes(2), 10));

    assertThatThrownBy(() -> upload.complete(parts, null))
        .isInstanceOf(StoreException.class)
        .hasMessage("s3://lake/short/x.bin: a part that is not the last is below 5 MiB");
    upload.abort();
  }

  @Override
  protected boolean tellsProcessesApart() {
    return false;
  }
}
