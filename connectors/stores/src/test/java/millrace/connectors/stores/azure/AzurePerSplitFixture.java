package millrace.connectors.stores.azure;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.testkit.suite.Behaviour;

/// A file of CSV for each split. It has no tests.
class AzurePerSplitFixture extends AzureFixture {

  @Override
  public Connector connector() {
    return new AzurePerSplitConnector();
  }

  @Override
  protected Map<String, String> settings() {
    Map<String, String> all = new HashMap<>(super.settings());
    all.put("files", "per-split");
    return all;
  }

  @Override
  protected List<String> objects(String name) {
    return keys("").stream().filter(each -> each.startsWith(folder() + name + "-")).toList();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new HashMap<>(super.cannot());
    all.put(Behaviour.PARTS_OF_JOINED_SPLITS, "nobody else adds to an attempt's file");
    return all;
  }
}
