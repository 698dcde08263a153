package millrace.connectors.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import millrace.spi.store.ObjectStore;
import millrace.spi.store.StoreException;
import millrace.spi.store.StoredObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole objects of a real store, as the contract of stores has them.
public abstract class StoreSuite extends RealStoreSuite {

  /// @param starting starts the store
  protected StoreSuite(Supplier<? extends StorePlaces> starting) {
    super(starting);
  }

  private StoredObject put(String key, String text) throws IOException {
    return StorePlaces.put(store(), key, text);
  }

  private StoredObject found(String key) throws IOException {
    return StorePlaces.found(store(), key);
  }

  private byte[] content(String key) throws IOException {
    return StorePlaces.content(store(), key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.csv",
        "with space.csv",
        "with+plus.csv",
        "100%.csv",
        "%20%2F.csv",
        "Straße/日本語 🚀.csv",
        "a&b=c;d,e@f$g!.csv",
        "hash#mark?.csv",
        "'single' (round) [square] {curly}.csv",
        "tilde~*.csv",
        "date=2026-01-01/hour=00:30.csv"
      })
  void anyKeyIsWrittenFoundListedReadAndRemoved(String name) throws IOException {
    String key = "odd/" + name;
    StoredObject written = put(key, name);

    StoredObject found = found(key);
    assertThat(found.key()).isEqualTo(key);
    assertThat(found.size()).isEqualTo(name.getBytes(UTF_8).length);
    assertThat(found.identity()).isEqualTo(written.identity()).doesNotContain("\"");
    assertThat(Duration.between(found.modified(), Instant.now()).abs())
        .isLessThan(Duration.ofDays(1));
    assertThat(content(key)).isEqualTo(name.getBytes(UTF_8));
    String folder = key.substring(0, key.lastIndexOf('/') + 1);
    List<StoredObject> listed = store().list(folder).objects();
    assertThat(listed).extracting(StoredObject::key).contains(key);
    assertThat(listed).extracting(StoredObject::identity).contains(found.identity());
    store().delete(key);
    assertThat(store().find(key)).isNull();
    store().delete(key);
  }

  @Test
  void aFolderIsListedToItsLastPage() throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(8)) {
      List<Future<StoredObject>> writing = new ArrayList<>();
      for (int i = 0; i < 1100; i++) {
        String key = "many/%04d é+.csv".formatted(i);
        writing.add(writers.submit(() -> put(key, "")));
      }
      for (Future<StoredObject> each : writing) {
        each.get();
      }
    }
    put("many/below one/a.csv", "a");
    put("many/below two/deeper/b.csv", "b");

    ObjectStore.Listing listing = store().list("many/");

    assertThat(listing.objects())
        .extracting(StoredObject::key)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 1100).mapToObj("many/%04d é+.csv"::formatted).toList());
    assertThat(listing.folders()).containsExactlyInAnyOrder("many/below one/", "many/below two/");
    assertThat(store().list("").folders()).contains("many/");
    assertThat(store().list("man/").objects()).isEmpty();
    assertThat(store().list("man").objects()).isEmpty();
  }

  @Test
  void anyBeginningOfKeysIsListedUpToTheNextSlash() throws IOException {
    for (String key : List.of("in/2025.csv", "in/2026.csv", "in/2026/a.csv", "in/2026-b/c/d.csv")) {
      put(key, key);
    }

    ObjectStore.Listing listing = store().list("in/2026");

    assertThat(listing.objects()).extracting(StoredObject::key).containsExactly("in/2026.csv");
    assertThat(listing.folders()).containsExactlyInAnyOrder("in/2026/", "in/2026-b/");
    assertThat(store().list("in/2026.csv").objects()).hasSize(1);
    assertThat(store().list("in/2026-b").folders()).containsExactly("in/2026-b/");
    assertThat(store().list("i").folders()).contains("in/");
    assertThat(store().list("in/3")).isEqualTo(new ObjectStore.Listing(List.of(), List.of()));
  }

  @Test
  void rangesAreReadToTheByte() throws IOException {
    StoredObject object = put("ranges.txt", "0123456789");

    assertThat(range(object, 0, 10)).isEqualTo("0123456789");
    assertThat(range(object, 3, 7)).isEqualTo("3456");
    assertThat(range(object, 9, 10)).isEqualTo("9");
    assertThat(range(object, 4, 4)).isEmpty();
    assertThatThrownBy(() -> store().read(object, 5, 11))
        .isInstanceOf(StoreException.class)
        .hasMessage(root() + "ranges.txt: it ends at byte 10");
    StoredObject longer =
        new StoredObject(object.key(), 20, object.modified(), object.identity(), true);
    assertThatThrownBy(() -> store().read(longer, 5, 11))
        .isInstanceOf(StoreException.class)
        .hasMessage(root() + "ranges.txt: it ends at byte 10");
    assertThatThrownBy(() -> store().read(longer, 15, 20))
        .isInstanceOf(StoreException.class)
        .hasMessage(root() + "ranges.txt: it ends before the range that was asked for");
  }

  private String range(StoredObject object, long from, long to) throws IOException {
    try (InputStream in = store().read(object, from, to)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void anObjectOfNoBytesIsAnObject() throws IOException {
    put("empty.csv", "");

    assertThat(found("empty.csv").size()).isZero();
    assertThat(content("empty.csv")).isEmpty();
  }

  @Test
  void anotherObjectOfThatKeyIsNotRead() throws IOException {
    StoredObject before = put("changing.csv", "before");
    StoredObject empty = put("filled.csv", "");
    put("changing.csv", "after!");
    put("filled.csv", "something");

    assertThatThrownBy(() -> store().read(before, 0, 6))
        .isInstanceOf(StoreException.class)
        .hasMessage(root() + "changing.csv: it was written to since it was looked at");
    assertThatThrownBy(() -> store().read(empty, 0, 0))
        .isInstanceOf(StoreException.class)
        .hasMessage(root() + "filled.csv: it was written to since it was looked at");
  }

  @Test
  void anObjectThatIsGoneIsNoSuchFile() throws IOException {
    StoredObject before = put("gone.csv", "x");
    store().delete("gone.csv");

    assertThatThrownBy(() -> store().read(before, 0, 1))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(root() + "gone.csv");
    assertThat(store().find("never.csv")).isNull();
  }

  @Test
  void anObjectTakesTheExpectedPlaceOnly() throws IOException {
    byte[] one = {1};
    byte[] two = {2};
    StoredObject first = store().put("one.bin", one, "");

    assertThatThrownBy(() -> store().put("one.bin", two, ""))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(root() + "one.bin: it is there already");
    assertThat(content("one.bin")).isEqualTo(one);

    StoredObject second = store().put("one.bin", two, first.identity());
    assertThat(second.identity()).isNotEqualTo(first.identity());
    assertThatThrownBy(() -> store().put("one.bin", one, first.identity()))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage(root() + "one.bin: it was written to since it was looked at");
    assertThat(content("one.bin")).isEqualTo(two);

    store().delete("one.bin");
    assertThatThrownBy(() -> store().put("one.bin", one, second.identity()))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(store().find("one.bin")).isNull();
  }
}
