package millrace.connectors.stores.azure;

import millrace.connectors.file.FileConnector;
import millrace.testkit.forwarding.ForwardingConnector;

/// Files in the account of the tests, also if another process makes it.
public final class AzureConnector extends ForwardingConnector {

  public AzureConnector() {
    super(new FileConnector(), source -> source, target -> target);
    AzurePlaces.login();
  }
}
