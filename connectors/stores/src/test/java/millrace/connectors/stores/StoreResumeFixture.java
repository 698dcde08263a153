package millrace.connectors.stores;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.Endpoint;
import millrace.spi.store.StoredObject;
import millrace.spi.store.Upload;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JournaledSuite;

/// Files of CSV in a store whose parts may be as short as a few rows. It has no tests.
public abstract class StoreResumeFixture extends StoreFixture implements JournaledSuite {

  /// A few rows.
  protected static final Map<String, String> SHORT_PARTS = Map.of("part-size", "400B");

  @Override
  public boolean killedWritersStayOpen() {
    return true;
  }

  /// Journals of copies into that table.
  protected List<String> journals(String name) {
    return keys("." + name + ".csv.").stream().filter(each -> each.endsWith(".journal")).toList();
  }

  /// What else there is beside the table and its journals.
  @Override
  public List<String> leftovers(String name) {
    return keys("").stream()
        .filter(each -> each.substring(folder().length()).startsWith("." + name))
        .filter(each -> !each.endsWith(".journal"))
        .toList();
  }

  /// The objects that are the table.
  protected List<String> objects(String name) {
    return List.of(key(name));
  }

  @Override
  public void lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> {
          for (String each : objects(name)) {
            store().delete(each);
          }
        }
        case ROWS -> {
          for (String each : objects(name)) {
            store().put(each, new byte[0], null);
          }
        }
        case STAGED -> loseStaged(name);
        case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
        case JOURNAL -> {
          for (String each : journals(name)) {
            store().delete(each);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void loseStaged(String name) throws IOException {
    for (Upload each : store().uploads(folder() + name)) {
      StoredObject there = store().find(each.key());
      byte[] content = there == null ? new byte[0] : content(each.key());
      each.abort();
      // Who writes an object of Azure lets all blocks go that wait for it.
      store().put(each.key(), content, null);
      if (there == null) {
        store().delete(each.key());
      }
    }
  }

  @Override
  public void putInPlace(String other, String name) {
    try {
      store().put(key(name), content(key(other)), null);
      store().delete(key(other));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Endpoint> spellings(String name) {
    Map<String, String> more = new HashMap<>(settings());
    more.put("part-size", "500B");
    return List.of(end(key(name), more));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new HashMap<>(super.cannot());
    all.put(
        Behaviour.SERVER, "its client has more than one connection, and tries each request again");
    all.put(Behaviour.SHARED_COMMITS, "each split is a line of the journal, and no transaction");
    all.put(Behaviour.NAME_PATTERNS, "a journal lies beside its file, and has another ending");
    all.put(Behaviour.LOSS_OF_LAST_STAGED, "a store takes single parts away from nobody");
    return all;
  }
}
