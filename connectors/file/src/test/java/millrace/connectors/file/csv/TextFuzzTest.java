package millrace.connectors.file.csv;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvDialect.Quoting;
import millrace.data.spelling.SpellingStyle;
import org.jspecify.annotations.Nullable;

/// Whatever a file of escaped text holds, its records are those of the plain rules, however it is
/// cut.
///
/// The first bytes of an input choose dialect, width and how the bytes arrive; the rest is the
/// file.
class TextFuzzTest {

  private static final int HEAD_BYTES = 4;
  private static final List<String> DELIMITERS = List.of("\t", ",", "||", "§");
  private static final List<String> ESCAPES = List.of("\\", "#");
  private static final List<Newline> NEWLINES = List.of(Newline.LF, Newline.CRLF, Newline.CR);
  private static final List<String> NULLS = List.of("\\N", "", "NULL");

  private record Head(CsvDialect dialect, int width, int pieceBytes, String text) {}

  private static @Nullable Head head(byte[] data) {
    if (data.length < HEAD_BYTES) {
      return null;
    }
    CsvDialect dialect =
        new CsvDialect(
            CsvFuzzTest.choice(DELIMITERS, data[0]),
            new CsvDialect.Quotes("", CsvFuzzTest.choice(ESCAPES, data[1]), Quoting.MINIMAL),
            new CsvDialect.Nulls(CsvFuzzTest.choice(NULLS, data[2]), false),
            Header.FALSE,
            new CsvDialect.Framing(
                CsvFuzzTest.choice(NEWLINES, data[3]), (data[3] & 64) != 0, 0, false),
            StandardCharsets.UTF_8,
            SpellingStyle.ISO);
    String text = new String(data, HEAD_BYTES, data.length - HEAD_BYTES, StandardCharsets.UTF_8);
    return new Head(dialect, 1 + (data[1] >> 4 & 3), 1 + (data[2] >> 2 & 0x3F), text);
  }

  @FuzzTest
  void escapedTextIsTokenizedAsTheReferenceDoes(byte[] data) {
    Head head = head(data);
    if (head == null) {
      return;
    }
    List<Integer> pieces = new ArrayList<>();
    for (int at = 0; at < data.length; at += head.pieceBytes()) {
      pieces.add(head.pieceBytes());
    }
    assertThat(
            TokenizerTest.tokenize(
                new TokenizerTest.Case(head.dialect(), head.text(), head.width(), pieces)))
        .isEqualTo(
            ReferenceText.read(head.dialect(), head.text(), head.width()).stream()
                .map(TokenizerTest::comparable)
                .toList());
  }

  /// Cut at every byte, both parts together hold the records of the whole.
  @FuzzTest
  void cutsAtEveryByteGiveTheRecordsOfOnePass(byte[] data) {
    Head head = head(data);
    if (head == null) {
      return;
    }
    byte[] bytes = head.text().getBytes(StandardCharsets.UTF_8);
    CsvSyntax syntax = new CsvSyntax(head.dialect(), StandardCharsets.UTF_8);
    List<ReferenceCsv.Read> records = ReferenceText.read(head.dialect(), head.text(), head.width());
    for (int cut = 1; cut < bytes.length; cut++) {
      RecordScanner first = RecordScanner.of(syntax, head.width());
      int boundary = CsvFuzzTest.inPieces(first, bytes, cut, head.pieceBytes());
      RecordScanner second = RecordScanner.of(syntax, head.width());
      second.scan(bytes, boundary, bytes.length, bytes.length, true);
      assertThat(first.records())
          .as("cut at %d", cut)
          .isEqualTo(records.stream().filter(record -> record.end() <= boundary).count());
      assertThat(first.records() + second.records()).isEqualTo(records.size());
      assertThat(records).noneMatch(each -> each.start() < boundary && boundary < each.end());
      assertThat(first.lines() + second.lines())
          .isEqualTo(Swar.count(bytes, 0, bytes.length, syntax.lineByte));
    }
  }
}
