package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvDialect.Quoting;
import millrace.data.spelling.SpellingStyle;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/// Random dialects, and contents that are rich in what matters to them.
public final class CsvArbitraries {

  private CsvArbitraries() {}

  record Quote(String quote, String escape) {}

  /// Dialects whose line end is known.
  public static Arbitrary<CsvDialect> dialects() {
    return passingOver(
        Arbitraries.frequencyOf(
            Tuple.of(3, dialects(Arbitraries.just(false))), Tuple.of(1, escapedDialects())));
  }

  /// Dialects whose reader may leave out what looks like a value; some know more null strings.
  public static Arbitrary<CsvDialect> writtenDialects() {
    return leavingOut(moreNulls());
  }

  private static Arbitrary<CsvDialect> moreNulls() {
    return Combinators.combine(
            Arbitraries.frequencyOf(
                Tuple.of(3, dialects(Arbitraries.just(false))), Tuple.of(1, escapedDialects())),
            Arbitraries.of(List.<String>of(), List.of("z-"), List.of("", "é")))
        .as((dialect, others) ->
            with(
                dialect,
                new CsvDialect.Nulls(
                    dialect.nulls().text(),
                    // Without quotes only a sign can be told from itself.
                    dialect.escapes() && !others.contains("z-") ? List.of() : others,
                    dialect.nulls().quoted()),
                dialect.passedOver()));
  }

  /// The same dialects, of which a reader of some leaves out comments and blanks, and knows more
  /// null strings than one.
  private static Arbitrary<CsvDialect> passingOver(Arbitrary<CsvDialect> dialects) {
    return leavingOut(
        Combinators.combine(
                dialects, Arbitraries.of(List.<String>of(), List.of("a"), List.of("", "b", "é")))
            .as((dialect, others) ->
                with(
                    dialect,
                    new CsvDialect.Nulls(dialect.nulls().text(), others, dialect.nulls().quoted()),
                    dialect.passedOver())));
  }

  private static Arbitrary<CsvDialect> leavingOut(Arbitrary<CsvDialect> dialects) {
    return Combinators.combine(
            dialects, Arbitraries.of("", "", "#", "//", "-/"), Arbitraries.of(false, false, true))
        .as((dialect, comment, trims) ->
            with(
                dialect,
                dialect.nulls(),
                new CsvDialect.PassedOver(
                    0,
                    dialect.quotes().escape().equals("#") && comment.equals("#") ? "" : comment,
                    trims && !dialect.escapes())));
  }

  private static CsvDialect with(
      CsvDialect dialect, CsvDialect.Nulls nulls, CsvDialect.PassedOver passedOver) {
    return new CsvDialect(
        dialect.delimiter(),
        dialect.quotes(),
        nulls,
        dialect.header(),
        dialect.framing(),
        passedOver,
        dialect.charset(),
        dialect.temporals());
  }

  /// The same, and such whose records are documents.
  static Arbitrary<CsvDialect> dialectsOfAll() {
    return passingOver(
        Arbitraries.frequencyOf(
            Tuple.of(3, dialects(Arbitraries.of(false, false, true))),
            Tuple.of(1, escapedDialects())));
  }

  /// Dialects without quotes, with comments and other null strings.
  static Arbitrary<CsvDialect> allEscapedDialects() {
    return passingOver(escapedDialects());
  }

  /// Dialects without quotes, in which an escape protects what has a meaning.
  public static Arbitrary<CsvDialect> escapedDialects() {
    return Combinators.combine(
            Arbitraries.of("\t", "\t", ",", "||", "|~|", "§"),
            Arbitraries.of("\\", "\\", "\\", "#"),
            Arbitraries.of(Newline.LF, Newline.LF, Newline.CRLF, Newline.CR),
            Arbitraries.of("\\N", "\\N", "", "NULL", "-"),
            Arbitraries.of(false, false, true))
        .as((delimiter, escape, newline, nulled, trails) ->
            new CsvDialect(
                delimiter,
                new CsvDialect.Quotes("", escape, Quoting.MINIMAL),
                new CsvDialect.Nulls(nulled, false),
                Header.FALSE,
                new CsvDialect.Framing(newline, trails, 0, false),
                StandardCharsets.UTF_8,
                SpellingStyle.ISO));
  }

  private static Arbitrary<CsvDialect> dialects(Arbitrary<Boolean> documents) {
    Arbitrary<String> delimiters = Arbitraries.of(",", "\t", ";", "||", "|~|", "§", "aab");
    Arbitrary<Quote> quotes =
        Arbitraries.of(
            new Quote("\"", "\""),
            new Quote("\"", "\\"),
            new Quote("'", "'"),
            new Quote("^^", "^^"),
            new Quote("^^", "\\"),
            new Quote("^.^", "\\\\"),
            new Quote("¶", "¶"),
            new Quote("", ""));
    Arbitrary<Newline> newlines =
        Arbitraries.of(Newline.LF, Newline.CRLF, Newline.CR, Newline.LF_OR_CRLF);
    Arbitrary<String> nulls = Arbitraries.of("", "", "NULL", "\\N", "x");
    Arbitrary<Boolean> quotedNulls = Arbitraries.of(false, false, true);
    Arbitrary<Boolean> trailing = Arbitraries.of(false, false, true);
    Arbitrary<Integer> prefixes = Arbitraries.of(0, 0, 0, 3);
    return Combinators.combine(
            delimiters, quotes, newlines, nulls, quotedNulls, trailing, prefixes, documents)
        .as((delimiter, quote, newline, nulled, quotedNull, trails, prefix, holdsDocuments) ->
            new CsvDialect(
                delimiter,
                new CsvDialect.Quotes(quote.quote(), quote.escape(), Quoting.MINIMAL),
                new CsvDialect.Nulls(
                    nulled.contains(quote.escape()) && !quote.escape().isEmpty() ? "" : nulled,
                    quotedNull),
                Header.FALSE,
                new CsvDialect.Framing(newline, trails, prefix, holdsDocuments),
                StandardCharsets.UTF_8,
                SpellingStyle.ISO));
  }

  /// Text that is mostly made of what the dialect gives a meaning to, well-formed or not.
  public static Arbitrary<String> contents(CsvDialect dialect) {
    String quoted =
        dialect.quotes().quote()
            + "in quotes"
            + dialect.quotes().escape()
            + dialect.quotes().quote()
            + dialect.quotes().quote();
    if (dialect.escapes()) {
      return escapedContents(dialect);
    }
    List<String> parts =
        List.of(
            dialect.delimiter(),
            dialect.delimiter().substring(0, 1),
            dialect.quotes().quote(),
            dialect.quotes().quote() + dialect.delimiter(),
            dialect.delimiter() + dialect.quotes().quote(),
            dialect.quotes().quote().isEmpty() ? "" : dialect.quotes().quote().substring(0, 1),
            dialect.quotes().escape(),
            dialect.quotes().escape() + dialect.quotes().quote(),
            dialect.nulls().text(),
            dialect.passedOver().comment(),
            dialect.framing().newline().text() + dialect.passedOver().comment(),
            dialect.passedOver().blanks() ? " " : "",
            dialect.passedOver().blanks() ? "\t " + dialect.quotes().quote() : "",
            dialect.framing().newline().text(),
            dialect.quotes().quote() + dialect.framing().newline().text(),
            "\n",
            "\r",
            "007",
            "a",
            "b",
            "some longer text",
            quoted + dialect.delimiter(),
            quoted + dialect.framing().newline().text(),
            "é",
            "日本",
            "😀");
    return Arbitraries.of(parts).list().ofMaxSize(60).map(list -> String.join("", list));
  }

  private static Arbitrary<String> escapedContents(CsvDialect dialect) {
    String escape = dialect.quotes().escape();
    String newline = dialect.framing().newline().text();
    List<String> parts =
        List.of(
            dialect.delimiter(),
            dialect.delimiter(),
            dialect.delimiter().substring(0, 1),
            newline,
            newline + dialect.passedOver().comment(),
            dialect.passedOver().comment(),
            escape,
            escape,
            escape + dialect.delimiter(),
            escape + newline,
            escape + escape,
            escape + "." + newline,
            dialect.nulls().text(),
            dialect.nulls().text() + dialect.delimiter(),
            escape + "n",
            escape + "x41",
            escape + "xC3" + escape + "251",
            escape + "377",
            escape + "0",
            "\n",
            "\r",
            "N",
            "007",
            "some longer text",
            "é",
            "😀");
    return Arbitraries.of(parts).list().ofMaxSize(60).map(list -> String.join("", list));
  }
}
