package millrace.connectors.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.FileConnector;
import millrace.endpoint.Connection;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.TableEntry;
import millrace.testkit.Copying;
import millrace.testkit.NotOffered;
import millrace.testkit.suite.SourceHook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What files of any store are, to whoever reads them: the same as files of this machine.
public abstract class StoreFilesSuite {

  private static final FileConnector FILES = new FileConnector();

  @TempDir private Path folder = Path.of("");

  /// Puts an object into the store.
  ///
  /// @param key may have slashes, blanks, and any letters
  protected abstract void put(String key, byte[] content) throws IOException;

  /// How a user names it.
  protected abstract String location(String key);

  /// What has to follow it, so that the store is reached; not a part of its name.
  protected String settings() {
    return "";
  }

  /// Whether the store tells what it holds.
  protected boolean lists() {
    return true;
  }

  /// Whether it gives parts of files.
  protected boolean hasRanges() {
    return true;
  }

  private void requireLists() {
    if (!lists()) {
      throw new NotOffered("http", "lists of files");
    }
  }

  protected final void requireRanges() {
    if (!hasRanges()) {
      throw new NotOffered("http", "parts of files, if the server gives none");
    }
  }

  private void put(String key, String content) throws IOException {
    put(key, content.getBytes(StandardCharsets.UTF_8));
  }

  protected final Endpoint end(String location) {
    return new Endpoints(List.of(FILES), Map.of()).parse(location + settings());
  }

  /// Copies it to a file of this machine, and gives that one's lines in order.
  protected final List<String> copied(String location, int lanes) throws IOException {
    Path out = Files.createTempFile(folder, "out", ".csv");
    Files.delete(out);
    Copying.of(FILES, end(location), FILES, end(out.toString())).lanes(lanes, 1 << 20).run();
    try (Stream<String> lines = Files.lines(out)) {
      return lines.sorted().toList();
    }
  }

  /// How it would be copied.
  protected final Plan plan(String location) {
    String out = folder.resolve("planned.csv").toString();
    return Copying.of(FILES, end(location), FILES, end(out)).lanes(3, 1 << 20).plan();
  }

  protected static String rows(int from, int to) {
    return "id,name,note\n"
        + IntStream.range(from, to)
            .mapToObj(id -> id + ",name of " + id + ",\"first\nsecond of " + id + "\"")
            .collect(Collectors.joining("\n", "", "\n"));
  }

  protected static List<String> sorted(String text) {
    return text.lines().sorted().toList();
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  @Test
  void aLongFileWithLineEndsInItsFieldsComesWholeByThreeLanes() throws IOException {
    String text = rows(0, 200_000);
    put("long.csv", text);
    assertThat(copied(location("long.csv"), 3)).isEqualTo(sorted(text));
  }

  @Test
  void aCompressedFileIsRead() throws IOException {
    String text = rows(0, 100_000);
    put("packed.csv.gz", gzip(text));
    assertThat(copied(location("packed.csv.gz"), 2)).isEqualTo(sorted(text));
  }

  @Test
  void keysMayHoldWhatNamesOfFilesMay() throws IOException {
    for (String key : List.of("a b.csv", "a+b.csv", "ä/ö-✓.csv", "x=1,y/_z.csv", "it's (1).csv")) {
      put(key, "id,name\n1," + key.replace(",", ";") + "\n");
      assertThat(copied(location(key), 1)).contains("1," + key.replace(",", ";"));
    }
  }

  @Test
  void anEmptyFileIsToldOf() throws IOException {
    put("empty.csv", "");
    assertThatThrownBy(() -> copied(location("empty.csv"), 1))
        .isInstanceOf(Fault.User.class)
        .hasMessage(location("empty.csv") + " is empty: there is not even a header.");
  }

  @Test
  void aFileThatIsNotThereIsToldOf() {
    assertThatThrownBy(() -> copied(location("nothing.csv"), 1))
        .isInstanceOf(Fault.User.class)
        .hasMessage("There is no file " + location("nothing.csv") + ".");
  }

  @Test
  void aGlobAndAFolderAreTheFilesThatTheyMean() throws IOException {
    requireLists();
    put("in/2026-01/a.csv", rows(0, 10));
    put("in/2026-02/b.csv", rows(10, 20));
    put("in/2026-02/b.txt", "no rows");
    put("in/2025-12/c.csv", rows(20, 30));
    assertThat(copied(location("in/2026-*/*.csv"), 2)).isEqualTo(sorted(rows(0, 20)));
    assertThat(copied(location("in/**/*.csv"), 2)).isEqualTo(sorted(rows(0, 30)));
    assertThat(copied(location("in/2025-12/"), 2)).isEqualTo(sorted(rows(20, 30)));
    assertThatThrownBy(() -> copied(location("in/*.csv"), 1))
        .hasMessage("No file matches " + location("in/*.csv") + ".");
  }

  @Test
  void eachFileIsATableToAJob() throws IOException {
    requireLists();
    put("tables/orders.csv", rows(0, 1));
    put("tables/items.csv.gz", gzip(rows(0, 1)));
    assertThat(FILES.tables(end(location("tables/*")), new OpenContext()))
        .extracting(TableEntry::name)
        .containsExactly("items", "orders");
  }

  @Test
  void aFileThatIsWrittenToWhileItIsReadIsRefused() throws IOException {
    requireRanges();
    put("moving.csv", rows(0, 200_000));
    Path out = folder.resolve("moved.csv");
    SourceHook hook =
        SourceHook.after(
            1,
            0,
            () -> {
              try {
                put("moving.csv", rows(7, 200_007));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Copying copying =
        Copying.of(FILES, end(location("moving.csv")), FILES, end(out.toString()))
            .lanes(1, 1 << 20)
            .between(hook::of, target -> target);
    assertThatThrownBy(copying::run)
        .hasMessageContaining(location("moving.csv"))
        .hasMessageContaining("was written to since it was looked at");
    assertThat(out).doesNotExist();
  }

  @Test
  void aConnectionMayBeAStore() throws IOException {
    put("named/a.csv", rows(0, 3));
    Supplier<Connection> store = () -> Connection.of("here", location("named") + settings());
    Endpoint end =
        new Endpoints(List.of(FILES), Map.of("LAKE", store)).parse("lake:a.csv?header=true");
    Path out = folder.resolve("named.csv");
    Copying.of(FILES, end, FILES, end(out.toString())).run();
    assertThat(out).hasContent(rows(0, 3));
    assertThat(end.label()).isEqualTo(location("named/a.csv"));
  }
}
