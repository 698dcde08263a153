package millrace.connectors.file.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect.Newline;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The fast tokenizer and scanner read what the plain rules say, however the bytes arrive.
class TokenizerTest {

  /// A dialect, a text, and the sizes in which its bytes arrive; how many there are also says how
  /// far the tokenizer looks ahead and the scanner may go without stopping at boundaries, and
  /// whether fields may be long.
  record Case(CsvDialect dialect, String text, int width, List<Integer> pieces) {

    int fieldBytesMax() {
      return pieces.size() % 4 == 3 ? 9 : 1 << 20;
    }

    /// The records as the reference reads them.
    List<String> expected() {
      return ReferenceCsv.read(dialect, text, width, fieldBytesMax()).stream()
          .map(TokenizerTest::comparable)
          .toList();
    }
  }

  /// The shortest there is, so that texts have many.
  private static final int STRETCH_BYTES = 8;

  @Provide
  Arbitrary<Case> cases() {
    return CsvArbitraries.dialectsOfAll()
        .flatMap(dialect ->
            CsvArbitraries.contents(dialect)
                .flatMap(text ->
                    Arbitraries.integers()
                        .between(1, 3)
                        .flatMap(width ->
                            Arbitraries.integers()
                                .between(1, 40)
                                .list()
                                .ofMaxSize(60)
                                .map(pieces -> new Case(dialect, text, width, pieces)))));
  }

  @Provide
  Arbitrary<Case> escapedCases() {
    return Combinators.combine(
            CsvArbitraries.allEscapedDialects(),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 40).list().ofMaxSize(60))
        .flatAs((dialect, width, pieces) ->
            CsvArbitraries.contents(dialect).map(text -> new Case(dialect, text, width, pieces)));
  }

  @Property(tries = 6000, edgeCases = EdgeCasesMode.NONE)
  void tokenizesEscapedTextAsTheReferenceDoes(@ForAll("escapedCases") Case given) {
    tokenizesAsTheReferenceDoes(given);
    scan(given);
  }

  /// Cases in which what matters to the dialect is rare.
  @Provide
  Arbitrary<Case> plainCases() {
    return CsvArbitraries.dialectsOfAll()
        .flatMap(dialect ->
            Arbitraries.of(1, 4)
                .flatMap(quotes ->
                    Arbitraries.frequencyOf(
                            Tuple.of(
                                30,
                                Arbitraries.of("abc", "defghijk", "é", "r" + dialect.delimiter())),
                            Tuple.of(9, Arbitraries.of("\n", "\r\n", "\r")),
                            Tuple.of(quotes, quotes(dialect)))
                        .list()
                        .ofMinSize(20)
                        .ofMaxSize(120))
                .map(parts -> String.join("", parts))
                .flatMap(text ->
                    Arbitraries.integers()
                        .between(1, 90)
                        .list()
                        .ofMaxSize(9)
                        .map(pieces -> new Case(dialect, text, 2, pieces))));
  }

  /// Quotes, most of them where they mean something.
  private static Arbitrary<String> quotes(CsvDialect dialect) {
    String quote = dialect.quotes().quote();
    String escaped = dialect.quotes().escape() + quote;
    String newline = dialect.framing().newline().text();
    return Arbitraries.of(
        quote,
        dialect.delimiter() + quote,
        newline + quote,
        quote + dialect.delimiter(),
        quote + newline,
        escaped,
        escaped + newline + quote,
        escaped + dialect.delimiter() + quote);
  }

  @Property(tries = 6000, edgeCases = EdgeCasesMode.NONE)
  void tokenizesAsTheReferenceDoes(@ForAll("cases") Case given) {
    assertThat(tokenize(given)).isEqualTo(given.expected());
  }

  @Property(tries = 6000, edgeCases = EdgeCasesMode.NONE)
  void scansToTheSameBoundaries(@ForAll("cases") Case given) {
    scan(given);
  }

  /// Where nothing is in quotes for long, lines are counted and not looked at.
  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void scansPlainTextToTheSameBoundaries(@ForAll("plainCases") Case given) {
    scan(given);
  }

  private static void scan(Case given) {
    byte[] bytes = given.text.getBytes(StandardCharsets.UTF_8);
    List<ReferenceCsv.Read> records = ReferenceCsv.read(given.dialect, given.text, given.width);
    CsvSyntax syntax = new CsvSyntax(given.dialect, StandardCharsets.UTF_8);
    RecordScanner scanner =
        syntax.escapes
            ? RecordScanner.of(syntax, given.width)
            : new QuotedScanner(syntax, given.width, STRETCH_BYTES);
    int from = 0;
    int to = 0;
    List<Integer> pieces = new ArrayList<>(given.pieces);
    while (from < bytes.length) {
      to = pieces.isEmpty() ? bytes.length : Math.min(bytes.length, to + pieces.removeFirst());
      // The bytes come in an array of their own, so that a look outside of it fails.
      byte[] piece = java.util.Arrays.copyOfRange(bytes, from, to);
      int enough = piece.length * (given.pieces.size() % 3) / 2;
      from += scanner.scan(piece, 0, piece.length, enough, to == bytes.length);
      if (scanner.atBoundary()) {
        int boundary = from;
        assertThat(scanner.records())
            .isEqualTo(records.stream().filter(record -> record.end() <= boundary).count());
        assertThat(scanner.lines()).isEqualTo(Swar.count(bytes, 0, boundary, syntax.lineByte));
      }
    }
    assertThat(scanner.atBoundary()).isTrue();
    assertThat(scanner.records()).isEqualTo(records.size());
  }

  /// A record as text; a bad one with what it promises, its place and its problem.
  static String comparable(ReferenceCsv.Read record) {
    ReferenceCsv.Wrong wrong = record.wrong();
    String what =
        wrong == null
            ? record.fields().toString()
            : wrong.found() == ReferenceCsv.NOT_TOLD
                ? wrong.problem().toString()
                : comparable(wrong.problem(), wrong.column(), wrong.at(), wrong.found());
    return record.start() + "-" + record.end() + " " + what;
  }

  /// A problem as text; the last field tells nothing of one of the record as a whole.
  private static String comparable(Tokenizer.Problem problem, int column, int at, long found) {
    return switch (problem) {
      case TEXT_AFTER_QUOTE, UNTERMINATED_QUOTE, FIELD_TOO_LONG ->
          problem + " " + found + " at " + at + " in " + column;
      default -> problem + " " + found + " at " + at;
    };
  }

  static List<String> tokenize(Case given) {
    byte[] bytes = given.text.getBytes(StandardCharsets.UTF_8);
    CsvSyntax syntax = new CsvSyntax(given.dialect, StandardCharsets.UTF_8);
    int windowBytes = 1 << given.pieces.size() % 9;
    Tokenizer tokenizer =
        syntax.escapes
            ? Tokenizer.of(syntax, given.width, 1 << 20)
            : new QuotedTokenizer(
                syntax,
                given.width,
                given.fieldBytesMax(),
                (start, end) -> end - start,
                windowBytes);
    int capacity = 3;
    int[][] starts = new int[given.width][capacity];
    int[][] ends = new int[given.width][capacity];
    int[] recordStarts = new int[capacity];
    int[] recordEnds = new int[capacity];
    int[] numbers = new int[capacity];
    tokenizer.into(starts, ends, recordStarts, recordEnds, numbers);
    List<String> found = new ArrayList<>();
    int from = 0;
    int to = 0;
    List<Integer> pieces = new ArrayList<>(given.pieces);
    while (from < bytes.length) {
      to = pieces.isEmpty() ? bytes.length : Math.min(bytes.length, to + pieces.removeFirst());
      TextBuffer textBuffer = new TextBuffer(to - from);
      System.arraycopy(bytes, from, textBuffer.bytes, 0, to - from);
      textBuffer.end = to - from;
      textBuffer.tail = textBuffer.end;
      int taken = tokenizer.run(textBuffer, 0, to == bytes.length);
      String[] inOrder = new String[tokenizer.records()];
      for (int row = 0; row < tokenizer.rows(); row++) {
        List<@Nullable String> fields = new ArrayList<>();
        for (int column = 0; column < given.width; column++) {
          int start = starts[column][row];
          fields.add(
              start < 0
                  ? null
                  : new String(
                      textBuffer.bytes, start, ends[column][row] - start, StandardCharsets.UTF_8));
        }
        inOrder[numbers[row]] =
            (from + recordStarts[row]) + "-" + (from + recordEnds[row]) + " " + fields;
      }
      for (Tokenizer.BadRecord bad : tokenizer.bad()) {
        inOrder[bad.number()] =
            (from + bad.start())
                + "-"
                + (from + bad.end())
                + " "
                + (syntax.escapes
                    ? bad.problem().toString()
                    : comparable(bad.problem(), bad.column(), from + bad.at(), bad.found()));
      }
      Collections.addAll(found, inOrder);
      from += taken;
    }
    return found;
  }

  /// Each line: newline, width, text with `␊` and `␍` for line ends, records with `∅` for missing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      textBlock =
          """
          LF          |2| a,b␊c,d␊               | [a, b] [c, d]
          LF          |2| a,b␊c,d                | [a, b] [c, d]
          LF          |2| a,b␍␊                  | [a, b␍]
          LF_OR_CRLF  |2| a,b␍␊c,d␊              | [a, b] [c, d]
          CRLF        |2| a,b␊x␍␊                | [a, b␊x]
          CR          |2| a,b␍c,d␍               | [a, b] [c, d]
          LF          |2| a,␊,b␊                 | [a, null] [null, b]
          LF          |2| a,""␊                  | [a, ]
          LF          |2| "a,""b""\",c␊          | [a,"b", c]
          LF          |2| "a␊b",c␊               | [a␊b, c]
          LF          |2| a"b,c"␊                | [a"b, c"]
          LF          |2| a, "b"␊                | [a,  "b"]
          LF          |2| a,b␊␊␊c,d␊             | [a, b] [c, d]
          LF          |1| a␊␊b␊                  | [a] [null] [b]
          LF          |1| ␊                      | [null]
          LF          |2| a␊b,c␊                 | TOO_FEW_FIELDS 1 at 0 [b, c]
          LF          |2| a,b,c␊d,e␊             | TOO_MANY_FIELDS 3 at 0 [d, e]
          LF          |2| "a"b,c␊d,e␊            | TEXT_AFTER_QUOTE 1 at 3 in 0 [d, e]
          LF          |2| a,"b␊c,d␊              | UNTERMINATED_QUOTE 6 at 2 in 1
          LF          |2| a,"b"                  | [a, b]
          LF          |2| a,                     | [a, null]
          """)
  void readsRecordsByTheBook(Newline newline, int width, String text, String records) {
    String raw = text.replace('␊', '\n').replace('␍', '\r');
    Case given = new Case(CsvDialect.CSV.as(newline), raw, width, List.of());
    assertThat(
            String.join(
                " ",
                tokenize(given).stream()
                    .map(each -> each.substring(each.indexOf(' ') + 1))
                    .toList()))
        .isEqualTo(records.replace('␊', '\n').replace('␍', '\r'));
  }

  @Test
  void aFieldOverTheLimitIsABadRecordAndTheNextIsRead() {
    CsvSyntax syntax = new CsvSyntax(CsvDialect.CSV.as(Newline.LF), StandardCharsets.UTF_8);
    Tokenizer tokenizer = Tokenizer.of(syntax, 2, 5);
    tokenizer.into(new int[2][4], new int[2][4], new int[4], new int[4], new int[4]);
    TextBuffer textBuffer = new TextBuffer(100);
    byte[] text = "a,123456\nb,\"123456\"\nc,12345\n".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, textBuffer.bytes, 0, text.length);
    textBuffer.end = text.length;
    textBuffer.tail = textBuffer.end;
    assertThat(tokenizer.run(textBuffer, 0, true)).isEqualTo(text.length);
    assertThat(tokenizer.rows()).isEqualTo(1);
    assertThat(tokenizer.bad())
        .extracting(Tokenizer.BadRecord::problem, Tokenizer.BadRecord::column)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Tokenizer.Problem.FIELD_TOO_LONG, 1),
            org.assertj.core.groups.Tuple.tuple(Tokenizer.Problem.FIELD_TOO_LONG, 1));
  }
}
