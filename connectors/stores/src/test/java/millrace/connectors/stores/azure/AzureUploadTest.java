package millrace.connectors.stores.azure;

import millrace.connectors.stores.UploadSuite;

class AzureUploadTest extends UploadSuite {

  AzureUploadTest() {
    super(AzurePlaces::new, 1, 50_000);
  }

  /// Azure has no request that removes blocks: it drops them with the next writing of the blob.
  @Override
  protected boolean removesParts() {
    return false;
  }
}
