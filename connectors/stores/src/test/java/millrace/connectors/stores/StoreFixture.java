package millrace.connectors.stores;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.connectors.file.FileConnector;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoredObject;
import millrace.testkit.CsvText;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.MemoryFixture;
import org.jspecify.annotations.Nullable;

/// Files of CSV in a store, in a folder for each test. It has no tests.
public abstract class StoreFixture extends MemoryFixture {

  private static final AtomicInteger FOLDERS = new AtomicInteger();

  private final String folder = "suite " + FOLDERS.incrementAndGet() + "/";

  /// Asks it without the connector; the same at every call.
  protected abstract ObjectStore store();

  /// What a user's names of objects begin with, as `s3://lake/`.
  protected abstract String root();

  /// How the store is reached, as parameters of an end.
  protected abstract Map<String, String> settings();

  @Override
  public Connector connector() {
    return new FileConnector();
  }

  /// What all names of objects of this test begin with.
  protected final String folder() {
    return folder;
  }

  protected final String key(String name) {
    return folder + name + ".csv";
  }

  protected final Endpoint end(String key, Map<String, String> parameters) {
    return new Endpoint("file", root() + key, parameters, Secret.NONE);
  }

  @Override
  public Endpoint table(String name) {
    return end(key(name), settings());
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws IOException {
    return CsvText.records(new String(content(key(name)), StandardCharsets.UTF_8), columns);
  }

  protected final byte[] content(String key) throws IOException {
    StoredObject found = Objects.requireNonNull(store().find(key), key);
    try (InputStream in = store().read(found, 0, found.size())) {
      return in.readAllBytes();
    }
  }

  /// The objects of this test whose names begin so, by their keys.
  protected final List<String> keys(String beginning) {
    try {
      return new ArrayList<>(store().list(folder + beginning).objects())
          .stream().map(StoredObject::key).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.APPEND, "nothing can be added to an object",
        Behaviour.KEYS, "a file keeps no keys",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns",
        Behaviour.SQL, "a file takes none",
        Behaviour.WRITE_LOCKS, "an object can be replaced at any time",
        Behaviour.READ_LOCKS, "an object can be read at any time",
        Behaviour.ROWS_LEFT_OUT, "a file has no keys");
  }
}
