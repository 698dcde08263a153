package millrace.connectors.stores.azure;

import millrace.connectors.stores.StoreSuite;

class AzureStoreTest extends StoreSuite {

  AzureStoreTest() {
    super(AzurePlaces::new);
  }
}
