package millrace.connectors.file.csv;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.file.io.CharsetTraits;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;

/// How a delimited file spells its records. Immutable; every part of this package goes by it.
///
/// @param delimiter between fields, one or more characters
/// @param quotes what stands around fields, and around which
/// @param nulls how a missing value is spelled
/// @param header whether the first record names the columns
/// @param framing where a record begins and ends
/// @param passedOver what a reader leaves out
/// @param charset how characters become bytes
/// @param temporals how dates and times are spelled
public record CsvDialect(
    String delimiter,
    Quotes quotes,
    Nulls nulls,
    Header header,
    Framing framing,
    PassedOver passedOver,
    Charset charset,
    SpellingStyle temporals) {

  /// One of which a reader leaves nothing out.
  public CsvDialect(
      String delimiter,
      Quotes quotes,
      Nulls nulls,
      Header header,
      Framing framing,
      Charset charset,
      SpellingStyle temporals) {
    this(delimiter, quotes, nulls, header, framing, PassedOver.NOTHING, charset, temporals);
  }

  /// What stands around fields that need it, and around which others.
  ///
  /// @param quote one or more characters; empty if there are no quotes
  /// @param escape what stands before a quote inside quotes: the quote itself (doubled quotes) or
  ///   another character, which then escapes itself too. Without quotes: the character before all
  ///   that would have a meaning, or empty if nothing protects it
  /// @param quoting which values are quoted on write though they need not be
  public record Quotes(String quote, String escape, Quoting quoting) {

    static final Quotes RFC_4180 = new Quotes("\"", "\"", Quoting.MINIMAL);

    static final Quotes NONE = new Quotes("", "", Quoting.MINIMAL);

    static final Quotes ESCAPED = new Quotes("", "\\", Quoting.MINIMAL);

    /// Whether quotes inside quotes are doubled.
    public boolean doubles() {
      return escape.equals(quote);
    }
  }

  /// How a missing value is spelled.
  ///
  /// @param text never quoted on write; empty for nothing at all
  /// @param others what is read as a missing value as well
  /// @param quoted whether the texts mean a missing value inside quotes as well
  public record Nulls(String text, List<String> others, boolean quoted) {

    static final Nulls EMPTY = new Nulls("", false);

    public Nulls {
      others = List.copyOf(others);
    }

    /// Spelled in one way.
    public Nulls(String text, boolean quoted) {
      this(text, List.of(), quoted);
    }

    /// All spellings, the one that is written first.
    List<String> all() {
      return Stream.concat(Stream.of(text), others.stream()).toList();
    }
  }

  /// What a reader leaves out. Nothing of it is ever written, and values that look like it are told
  /// apart.
  ///
  /// @param lines how many lines stand before the first record
  /// @param comment what a line begins with that is no record; empty if there are none
  /// @param blanks whether blanks around a field are no part of it, unless they are in quotes
  public record PassedOver(int lines, String comment, boolean blanks) {

    public static final PassedOver NOTHING = new PassedOver(0, "", false);

    /// Whether a reader may leave out a part of a value, or a record with it.
    boolean mayTakeValues() {
      return blanks || !comment.isEmpty();
    }
  }

  /// Where a record begins and ends.
  ///
  /// @param newline what ends it
  /// @param trailingDelimiter whether a delimiter follows the last field too
  /// @param lengthPrefix digits before each record that give its length in bytes, line end included
  ///   and the digits not; 0 for none
  /// @param documents whether a record is a JSON document, so that a line with nothing on it is
  ///   none
  /// @param nested on write, whether dots in a column's name go down into the document
  public record Framing(
      Newline newline,
      boolean trailingDelimiter,
      int lengthPrefix,
      boolean documents,
      boolean nested) {

    static final Framing LINES = new Framing(Newline.AUTO, false, 0, false);

    /// One whose columns are members by their whole names, if records are documents.
    public Framing(
        Newline newline, boolean trailingDelimiter, int lengthPrefix, boolean documents) {
      this(newline, trailingDelimiter, lengthPrefix, documents, false);
    }

    private Framing as(Newline found) {
      return new Framing(found, trailingDelimiter, lengthPrefix, documents, nested);
    }
  }

  /// What ends a record.
  public enum Newline {
    /// Found out from the file; LF on write.
    AUTO("auto", "\n"),
    /// A line feed; a carriage return before it belongs to the value.
    LF("LF", "\n"),
    /// Both; either alone is text.
    CRLF("CRLF", "\r\n"),
    /// A carriage return; a line feed is text.
    CR("CR", "\r"),
    /// A line feed, with or without a carriage return before it: what AUTO finds in most files.
    LF_OR_CRLF("LF", "\n");

    private final String label;
    private final String text;

    Newline(String label, String text) {
      this.label = label;
      this.text = text;
    }

    /// The name in options and signatures.
    public String label() {
      return label;
    }

    /// What a writer puts.
    public String text() {
      return text;
    }
  }

  /// Whether the first record of a file names the columns.
  public enum Header {
    TRUE,
    FALSE,
    /// By the look of it on read; on write true, but for escaped text.
    AUTO
  }

  /// Which values are quoted though they need not be.
  public enum Quoting {
    /// None.
    MINIMAL("minimal"),
    /// Text, and what is spelled as text: JSON, UUIDs, bytes, types of one system only.
    TEXT("text"),
    /// Text as above, dates, times and timestamps; numbers stay bare.
    TEXT_AND_DATES("text-and-dates");

    private final String label;

    Quoting(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /// RFC 4180, as most people have it.
  public static final CsvDialect CSV = usual(",");

  /// Tabs between fields.
  public static final CsvDialect TSV = usual("\t");

  /// JSON Lines: a document a line. It is one field, because JSON has no U+0001.
  public static final CsvDialect JSON_LINES =
      new CsvDialect(
          "\u0001",
          Quotes.NONE,
          Nulls.EMPTY,
          Header.FALSE,
          new Framing(Newline.AUTO, false, 0, true),
          StandardCharsets.UTF_8,
          SpellingStyle.ISO);

  /// Escaped text without quotes, as MySQL and PostgreSQL write it unless told otherwise.
  public static final CsvDialect TEXT =
      new CsvDialect(
          "\t",
          Quotes.ESCAPED,
          new Nulls("\\N", false),
          Header.AUTO,
          Framing.LINES,
          StandardCharsets.UTF_8,
          SpellingStyle.ISO);

  /// The record of the MTU unloader: ten digits of length, text and dates between `~~`, a comma
  /// after every field, CR LF. Its dates always have a time of day.
  public static final CsvDialect MTU =
      new CsvDialect(
          ",",
          new Quotes("~~", "~~", Quoting.TEXT_AND_DATES),
          Nulls.EMPTY,
          Header.FALSE,
          new Framing(Newline.CRLF, true, 10, false),
          StandardCharsets.UTF_8,
          new SpellingStyle("yyyyMMdd'000000'", null, "yyyyMMddHHmmss", null));

  private static CsvDialect usual(String delimiter) {
    return new CsvDialect(
        delimiter,
        Quotes.RFC_4180,
        Nulls.EMPTY,
        Header.AUTO,
        Framing.LINES,
        StandardCharsets.UTF_8,
        SpellingStyle.ISO);
  }

  /// Checks that no two parts can be taken for each other.
  ///
  /// @throws Fault.User naming the two
  public CsvDialect {
    String quote = quotes.quote;
    String escape = quotes.escape;
    if (delimiter.isEmpty()) {
      throw new Fault.User("The delimiter is empty.", "Write for example delimiter=, or tab.");
    }
    if (escape.isEmpty() && !quote.isEmpty()) {
      throw new Fault.User("The escape is empty.", "Write for example escape=doubled.");
    }
    if (quote.isEmpty() && !escape.isEmpty()) {
      checkEscaped(escape, delimiter, framing);
    }
    record NamedToken(String name, String text) {}
    List<NamedToken> parts = new ArrayList<>();
    parts.add(new NamedToken("delimiter", delimiter));
    parts.add(new NamedToken("quote", quote));
    if (!quotes.doubles()) {
      parts.add(new NamedToken("escape", escape));
    }
    parts.add(new NamedToken("comment", passedOver.comment));
    parts.add(new NamedToken("line end", "\r\n"));
    for (int i = 0; i < parts.size(); i++) {
      for (int j = i + 1; j < parts.size(); j++) {
        if (haveCharacterInCommon(parts.get(i).text(), parts.get(j).text())) {
          throw new Fault.User(
              "The "
                  + parts.get(i).name()
                  + " and the "
                  + parts.get(j).name()
                  + " have a character in common.",
              "Choose others, so that a record can be read in one way only.");
        }
      }
    }
    nulls.all().forEach(each -> checkNull(each, delimiter, quote, passedOver.comment));
    checkBlanks(passedOver, delimiter, quote, escape);
    if (framing.lengthPrefix > 0 && CharsetTraits.shifts(charset)) {
      throw new Fault.User(
          "A length prefix says nothing in " + charset.name() + ", which has shift states.",
          "Choose another charset, or length-prefix=0.");
    }
  }

  private static void checkNull(String text, String delimiter, String quote, String comment) {
    if (text.contains(delimiter)
        || (!quote.isEmpty() && text.contains(quote))
        || haveCharacterInCommon(text, "\r\n")) {
      throw new Fault.User(
          "The null string '" + text + "' holds a delimiter, a quote or a line end.",
          "Choose one without.");
    }
    if (!comment.isEmpty() && text.startsWith(comment)) {
      throw new Fault.User(
          "A record that begins with the null string '" + text + "' would be a comment.",
          "Leave one of the two out, or choose a longer comment.");
    }
  }

  private static void checkBlanks(
      PassedOver passedOver, String delimiter, String quote, String escape) {
    if (passedOver.blanks && quote.isEmpty() && !escape.isEmpty()) {
      throw new Fault.User(
          "Blanks around a field of escaped text belong to its value.", "Leave trim out.");
    }
    if (passedOver.blanks && haveCharacterInCommon(" ", delimiter + quote + escape)) {
      throw new Fault.User(
          "The delimiter or the quote holds a blank, and trim takes blanks away.",
          "Leave trim out.");
    }
  }

  /// Letters and digits behind an escape have a meaning of their own, and so has a dot.
  private static void checkEscaped(String escape, String delimiter, Framing framing) {
    if (!escape.matches("[\\p{ASCII}&&[^\\p{Alnum}.]]")) {
      throw new Fault.User(
          "escape=" + escape + " is not one character, or has a meaning behind an escape.",
          "Without quotes it is one of ASCII's signs, such as \\.");
    }
    if (delimiter.matches("[\\p{Alnum}.].*")) {
      throw new Fault.User(
          "The delimiter '" + delimiter + "' has another meaning behind an escape.",
          "Choose one that begins with neither a letter, a digit nor a dot.");
    }
    if (framing.lengthPrefix > 0 || framing.documents) {
      throw new Fault.User(
          "Text without quotes has neither length prefixes nor documents if it is escaped.",
          "Leave the escape or the other option out.");
    }
  }

  /// Whether an escape protects what has a meaning, and not quotes: the rules of {@link #TEXT}.
  public boolean escapes() {
    return quotes.quote.isEmpty() && !quotes.escape.isEmpty();
  }

  /// Whether a writer puts the names of the columns first. Neither MySQL nor PostgreSQL would know
  /// them for a header.
  public boolean writesHeader() {
    return header == Header.TRUE || (header == Header.AUTO && !escapes());
  }

  private static boolean haveCharacterInCommon(String one, String other) {
    return one.chars().anyMatch(character -> other.indexOf(character) >= 0);
  }

  /// The same dialect with the line end of a file found out.
  public CsvDialect as(Newline found) {
    return with(delimiter, framing.as(found), charset);
  }

  /// The same dialect with another delimiter.
  public CsvDialect delimited(String other) {
    return with(other, framing, charset);
  }

  /// The same dialect in another charset.
  public CsvDialect in(Charset other) {
    return with(delimiter, framing, other);
  }

  private CsvDialect with(String otherDelimiter, Framing otherFraming, Charset otherCharset) {
    return new CsvDialect(
        otherDelimiter, quotes, nulls, header, otherFraming, passedOver, otherCharset, temporals);
  }

  /// Whether records that were read otherwise may mean something else to its reader, though they
  /// are spelled by the same rules: a comment, blanks around a field, another null string.
  public boolean readsMoreThanIsWritten() {
    return passedOver.mayTakeValues() || !nulls.others.isEmpty();
  }

  /// Whether a writer has to know the values' types to follow it.
  public boolean wantsTypes() {
    return framing.documents
        || !temporals.equals(SpellingStyle.ISO)
        || quotes.quoting != Quoting.MINIMAL;
  }
}
