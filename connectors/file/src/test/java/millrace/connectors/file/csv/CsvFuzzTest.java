package millrace.connectors.file.csv;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import millrace.connectors.file.Trial;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvDialect.Quoting;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.StreamFeed;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Whatever a file holds, its records are those of the plain rules, or one clear fault.
///
/// The first bytes of an input choose dialect, width and how the bytes arrive; the rest is the
/// file.
class CsvFuzzTest {

  private static final int HEAD_BYTES = 6;

  /// So many cuts of one input: all of a short one.
  private static final int CUTS = 8;

  /// Short, so that even these inputs have some.
  private static final int STRETCH_BYTES = 8;

  private static final List<String> DELIMITERS = List.of(",", "\t", ";", "||", "|~|", "§", "aab");
  private static final List<List<String>> QUOTES =
      List.of(
          List.of("\"", "\""),
          List.of("\"", "\\"),
          List.of("'", "'"),
          List.of("^^", "^^"),
          List.of("^^", "\\"),
          List.of("^.^", "\\\\"),
          List.of("¶", "¶"),
          List.of("", ""));
  private static final List<Newline> NEWLINES =
      List.of(Newline.LF, Newline.CRLF, Newline.CR, Newline.LF_OR_CRLF);
  private static final List<String> NULLS = List.of("", "NULL", "\\N", "x");

  private record Head(CsvDialect dialect, int width, int pieceBytes) {}

  private static @Nullable Head head(byte[] data) {
    if (data.length < HEAD_BYTES) {
      return null;
    }
    List<String> quote = choice(QUOTES, data[1]);
    int flags = data[3];
    try {
      CsvDialect dialect =
          new CsvDialect(
              choice(DELIMITERS, data[0]),
              new CsvDialect.Quotes(quote.getFirst(), quote.getLast(), Quoting.MINIMAL),
              new CsvDialect.Nulls(choice(NULLS, data[3]), (flags & 4) != 0),
              Header.FALSE,
              new CsvDialect.Framing(
                  choice(NEWLINES, data[2]), (flags & 8) != 0, (flags & 16) != 0 ? 3 : 0, false),
              StandardCharsets.UTF_8,
              SpellingStyle.ISO);
      return new Head(dialect, 1 + (data[4] & 3), 1 + (data[5] & 0xFF));
    } catch (Fault.User _) {
      return null;
    }
  }

  static <T> T choice(List<T> of, byte by) {
    return of.get((by & 0xFF) % of.size());
  }

  private static String text(byte[] data) {
    return new String(data, HEAD_BYTES, data.length - HEAD_BYTES, StandardCharsets.UTF_8);
  }

  @FuzzTest
  void tokenizesAsTheReferenceDoes(byte[] data) {
    Head head = head(data);
    if (head == null) {
      return;
    }
    String text = text(data);
    List<Integer> pieces = new ArrayList<>();
    for (int at = 0; at < data.length; at += head.pieceBytes()) {
      pieces.add(head.pieceBytes());
    }
    TokenizerTest.Case given = new TokenizerTest.Case(head.dialect(), text, head.width(), pieces);
    assertThat(TokenizerTest.tokenize(given)).isEqualTo(given.expected());
  }

  /// Cut anywhere, both parts together hold the records of the whole. The input says where.
  @FuzzTest
  void cutsAnywhereGiveTheRecordsOfOnePass(byte[] data) {
    Head head = head(data);
    if (head == null) {
      return;
    }
    byte[] bytes = text(data).getBytes(StandardCharsets.UTF_8);
    CsvSyntax syntax = new CsvSyntax(head.dialect(), StandardCharsets.UTF_8);
    List<Integer> ends = new ArrayList<>();
    RecordScanner whole = new QuotedScanner(syntax, head.width());
    for (int at = 0; at < bytes.length; ) {
      at = whole.scan(bytes, at, bytes.length, at + 1, true);
      ends.add(at);
    }
    int apart = 1 + bytes.length / CUTS;
    int before = ((data[4] & 0xFF) >> 2) % apart;
    for (int cut = 1 + before; cut < bytes.length; cut += apart) {
      int wanted = cut;
      RecordScanner first = new QuotedScanner(syntax, head.width(), STRETCH_BYTES);
      int boundary = inPieces(first, bytes, cut, head.pieceBytes());
      assertThat(boundary)
          .as("cut at %d", cut)
          .isEqualTo(ends.stream().filter(end -> end >= wanted).findFirst().orElseThrow());
      RecordScanner second = new QuotedScanner(syntax, head.width(), STRETCH_BYTES);
      second.scan(bytes, boundary, bytes.length, bytes.length, true);
      assertThat(first.records() + second.records()).isEqualTo(whole.records());
      assertThat(first.lines() + second.lines()).isEqualTo(whole.lines());
    }
  }

  /// Scans buffers of that many bytes, and what was left of the one before, up to the first
  /// boundary at or behind the cut.
  static int inPieces(RecordScanner scanner, byte[] bytes, int cut, int pieceBytes) {
    int from = 0;
    int to = 0;
    while (to < bytes.length) {
      to = Math.min(bytes.length, to + pieceBytes);
      int enough = Math.max(from, cut);
      from = scanner.scan(bytes, from, to, enough, to == bytes.length);
      if (scanner.atBoundary() && from >= cut) {
        return from;
      }
    }
    return from;
  }

  /// Standard input that may be packed or not, with everything to be found out: rows or a fault.
  @FuzzTest
  void standardInputIsReadOrRefused(byte[] data) {
    List<List<@Nullable String>> rows;
    try {
      rows = Trial.of("-", Map.of()).standardInput(data).readUnit(16, false).rejects().rows();
    } catch (Fault.User | Fault.Data | Fault.External fault) {
      assertThat(fault.getMessage()).isNotBlank();
      return;
    }
    assertThat(rows).allMatch(row -> row.size() == rows.getFirst().size());
  }

  /// The first byte chooses between gzip and zstd, whose magic number is put in front: both are
  /// unpacked, or end in an exception of input and output and nothing else.
  @FuzzTest
  void packedBytesAreUnpackedOrRefused(byte[] data) {
    if (data.length < 1) {
      return;
    }
    boolean gzip = (data[0] & 1) == 0;
    byte[] magic =
        gzip
            ? new byte[] {0x1F, (byte) 0x8B, 8}
            : new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    byte[] packed = new byte[magic.length + data.length - 1];
    System.arraycopy(magic, 0, packed, 0, magic.length);
    System.arraycopy(data, 1, packed, magic.length, data.length - 1);
    assertThat(Compression.ofBytes(packed, packed.length))
        .isEqualTo(gzip ? Compression.GZIP : Compression.ZSTD);
    long length = 0;
    byte[] part = new byte[4096];
    try (StreamFeed feed =
        new StreamFeed(
            "packed",
            new ByteArrayInputStream(packed),
            Compression.ofBytes(packed, packed.length))) {
      for (int more = feed.read(part, 0, part.length);
          more >= 0 && length < 1 << 20;
          more = feed.read(part, 0, part.length)) {
        length += more;
      }
    } catch (Fault.User | Fault.Data | Fault.External fault) {
      assertThat(fault.getMessage()).isNotBlank();
      return;
    }
    if (gzip && length < 1 << 20) {
      assertThat(length).isEqualTo(plainLength(packed));
    }
  }

  private static long plainLength(byte[] packed) {
    try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return plain.readAllBytes().length;
    } catch (IOException e) {
      throw new AssertionError("the JDK refuses what was unpacked", e);
    }
  }
}
