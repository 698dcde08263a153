package millrace.connectors.stores.azure;

import millrace.connectors.file.FileConnector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.testkit.forwarding.ForwardingConnector;

/// Files of one name with numbers in it, which are read as they are written.
public final class AzurePerSplitConnector extends ForwardingConnector {

  public AzurePerSplitConnector() {
    super(new FileConnector(), source -> source, target -> target);
    AzurePlaces.login();
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    String all = endpoint.location().replaceFirst("(/[^/.]+)(\\.[^/]+)$", "$1-*$2");
    return super.source(endpoint.at(all), selection, context);
  }
}
