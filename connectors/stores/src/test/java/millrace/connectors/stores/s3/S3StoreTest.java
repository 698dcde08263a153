package millrace.connectors.stores.s3;

import millrace.connectors.stores.StoreSuite;

class S3StoreTest extends StoreSuite {

  S3StoreTest() {
    super(S3Places::new);
  }
}
