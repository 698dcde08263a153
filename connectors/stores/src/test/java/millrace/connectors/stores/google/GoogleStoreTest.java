package millrace.connectors.stores.google;

import millrace.connectors.stores.StoreSuite;

class GoogleStoreTest extends StoreSuite {

  GoogleStoreTest() {
    super(GooglePlaces::new);
  }
}
