package millrace.connectors.couchdb.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.json.Range;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rows of a response, however it arrives, byte for byte.
class RowScannerTest {

  private static final byte[] DOC = "doc".getBytes(StandardCharsets.US_ASCII);

  /// Bytes that come in pieces of one size.
  static final class InPieces extends InputStream {
    private final ByteArrayInputStream bytes;
    private final int size;

    InPieces(byte[] bytes, int size) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.size = size;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, Math.min(size, length));
    }
  }

  /// The rows of a response.
  static List<String> rows(byte[] response, int pieceBytes) throws IOException {
    RowScanner scanner = new RowScanner(new InPieces(response, pieceBytes), "rows", List.of());
    List<String> rows = new ArrayList<>();
    while (scanner.next()) {
      int length = scanner.rowEnd() - scanner.rowStart();
      rows.add(new String(scanner.bytes(), scanner.rowStart(), length, StandardCharsets.UTF_8));
      scanner.letGo();
    }
    return rows;
  }

  @Provide
  Arbitrary<String> values() {
    Arbitrary<String> plain =
        Arbitraries.of("1", "-0.10", "1E+400", "9223372036854775807", "true", "false", "null");
    Arbitrary<String> texts =
        Arbitraries.of("", "a", "\\\"", "\\\\", "\\u00e9", "水", "{", "}]", ",", "\"rows\":[")
            .list()
            .ofMaxSize(4)
            .map(parts -> "\"" + String.join("", parts).replace("\"rows\"", "rows") + "\"");
    return Arbitraries.lazyOf(
        () -> plain,
        () -> texts,
        () -> values().list().ofMaxSize(3).map(all -> "[" + String.join(" , ", all) + "]"),
        this::objects);
  }

  @Provide
  Arbitrary<String> objects() {
    Arbitrary<String> member =
        Combinators.combine(Arbitraries.of("a", "doc", "\\\"", "é"), values())
            .as((name, value) -> "\"" + name + "\" :\n" + value);
    return member.list().ofMaxSize(3).map(all -> "{" + String.join(",", all) + " }");
  }

  @Property(tries = 300)
  void rowsComeAsTheyWereSent(
      @ForAll("objects") String first,
      @ForAll("objects") String second,
      @ForAll("values") String before,
      @ForAll @IntRange(min = 1, max = 90) int pieceBytes)
      throws IOException {
    String response =
        "{\"total_rows\": "
            + before
            + ",\"rows\":[\r\n"
            + first
            + ",\r\n"
            + second
            + "\r\n],\"z\":"
            + before
            + "}\n";
    assertThat(rows(response.getBytes(StandardCharsets.UTF_8), pieceBytes))
        .containsExactly(first, second);
  }

  @Property(tries = 200)
  void aResponseThatIsCutOffIsNeverTakenForAWholeOne(
      @ForAll("objects") String row, @ForAll @IntRange(min = 1, max = 60) int missing) {
    byte[] whole = ("{\"rows\":[" + row + "," + row + "]}").getBytes(StandardCharsets.UTF_8);
    byte[] part = java.util.Arrays.copyOf(whole, Math.max(0, whole.length - missing));
    assertThatThrownBy(() -> rows(part, 7)).isInstanceOf(RowScanner.CutOff.class);
  }

  @Test
  void membersOfARowAreFoundWhereTheyLie() throws IOException {
    byte[] response =
        "{\"rows\":[{\"id\":\"a\",\"value\":{\"doc\":1},\"doc\":{\"n\":1.0}}]}"
            .getBytes(StandardCharsets.UTF_8);
    RowScanner scanner = new RowScanner(new InPieces(response, 3), "rows", List.of(DOC));
    assertThat(scanner.next()).isTrue();
    Range doc = scanner.member(0);
    assertThat(doc).isNotNull();
    assertThat(
            new String(
                scanner.bytes(), doc.start(), doc.end() - doc.start(), StandardCharsets.UTF_8))
        .isEqualTo("{\"n\":1.0}");
    assertThat(scanner.next()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"total_rows\":120000,\"offset\":7,\"rows\":[|120000",
        "{ \"offset\" : 7, \"total_rows\" : 3 , \"rows\" : [|3",
        "{\"total_rows\":null,\"rows\":[|-1",
        "{\"total_rows\":1e3,\"rows\":[|-1",
        "{\"rows\":[|-1"
      })
  void howManyRowsThereAreIsReadFromTheHead(String head, long total) throws IOException {
    byte[] response = (head + "{\"id\":1}]}").getBytes(StandardCharsets.UTF_8);
    RowScanner scanner = new RowScanner(new InPieces(response, 3), "rows", List.of());
    assertThat(scanner.total()).isEqualTo(total);
    assertThat(scanner.next()).isTrue();
    assertThat(scanner.next()).isFalse();
    assertThat(scanner.total()).isEqualTo(total);
  }

  @Test
  void anErrorPageOfAProxyIsNoResponse() {
    byte[] page = "<html><body>Bad gateway</body></html>".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> rows(page, 5))
        .isInstanceOf(RowScanner.CutOff.class)
        .hasMessageContaining("at: <html");
  }
}
