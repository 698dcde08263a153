package millrace.connectors.stores.google;

import millrace.connectors.stores.StoredFilesSuite;

class GoogleFilesTest extends StoredFilesSuite {

  GoogleFilesTest() {
    super(GooglePlaces::new);
  }
}
