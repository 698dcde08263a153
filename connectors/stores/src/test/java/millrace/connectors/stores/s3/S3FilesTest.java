package millrace.connectors.stores.s3;

import millrace.connectors.stores.StoredFilesSuite;

class S3FilesTest extends StoredFilesSuite {

  S3FilesTest() {
    super(S3Places::new);
  }
}
