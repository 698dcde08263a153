package millrace.connectors.file.csv;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.io.Decoding;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;

/// How a delimited file spells its records. Immutable; every part of this package goes by it.
///
/// @param delimiter between fields, one or more characters
/// @param quote around fields that need it, one or more characters; empty if there are no quotes
/// @param escape what stands before a quote inside quotes: the quote itself (doubled quotes) or
///   another character, which then escapes itself too; empty if there are no quotes
/// @param newline what ends a record
/// @param header whether the first record names the columns
/// @param nullString how a missing value is spelled, never quoted; empty for nothing at all
/// @param quotedNull whether the null string means a missing value inside quotes as well
/// @param charset how characters become bytes
/// @param trailingDelimiter whether a delimiter follows the last field too
/// @param lengthPrefix digits before each record that give its length in bytes, line end included
///   and the digits not; 0 for none
/// @param temporals how dates and times are spelled
/// @param quoting which values are quoted on write though they need not be
/// @param documents whether a record is a JSON document, so that a line with nothing on it is none
public record CsvDialect(
    String delimiter,
    String quote,
    String escape,
    Newline newline,
    Header header,
    String nullString,
    boolean quotedNull,
    Charset charset,
    boolean trailingDelimiter,
    int lengthPrefix,
    SpellingStyle temporals,
    Quoting quoting,
    boolean documents) {

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
    /// By the look of it on read; true on write.
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
  public static final CsvDialect CSV =
      new CsvDialect(
          ",",
          "\"",
          "\"",
          Newline.AUTO,
          Header.AUTO,
          "",
          false,
          StandardCharsets.UTF_8,
          false,
          0,
          SpellingStyle.ISO,
          Quoting.MINIMAL,
          false);

  /// Tabs between fields.
  public static final CsvDialect TSV =
      new CsvDialect(
          "\t",
          "\"",
          "\"",
          Newline.AUTO,
          Header.AUTO,
          "",
          false,
          StandardCharsets.UTF_8,
          false,
          0,
          SpellingStyle.ISO,
          Quoting.MINIMAL,
          false);

  /// JSON Lines: a document a line. It is one field, because JSON has no U+0001.
  public static final CsvDialect JSON_LINES =
      new CsvDialect(
          "\u0001",
          "",
          "",
          Newline.AUTO,
          Header.FALSE,
          "",
          false,
          StandardCharsets.UTF_8,
          false,
          0,
          SpellingStyle.ISO,
          Quoting.MINIMAL,
          true);

  /// The record of the MTU unloader: ten digits of length, text and dates between `~~`, a comma
  /// after every field, CR LF. Its dates always have a time of day.
  public static final CsvDialect MTU =
      new CsvDialect(
          ",",
          "~~",
          "~~",
          Newline.CRLF,
          Header.FALSE,
          "",
          false,
          StandardCharsets.UTF_8,
          true,
          10,
          new SpellingStyle("yyyyMMdd'000000'", null, "yyyyMMddHHmmss", null),
          Quoting.TEXT_AND_DATES,
          false);

  /// Checks that no two parts can be taken for each other.
  ///
  /// @throws Fault.User naming the two
  public CsvDialect {
    if (delimiter.isEmpty()) {
      throw new Fault.User("The delimiter is empty.", "Write for example delimiter=, or tab.");
    }
    if (quote.isEmpty() != escape.isEmpty()) {
      throw new Fault.User(
          "escape=" + escape + " has no meaning without quotes.",
          "Leave escape out, or give quote a value.");
    }
    record Part(String name, String text) {}
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("delimiter", delimiter));
    parts.add(new Part("quote", quote));
    if (!escape.equals(quote)) {
      parts.add(new Part("escape", escape));
    }
    parts.add(new Part("line end", "\r\n"));
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
    if (nullString.contains(delimiter)
        || (!quote.isEmpty() && nullString.contains(quote))
        || haveCharacterInCommon(nullString, "\r\n")) {
      throw new Fault.User(
          "The null string '" + nullString + "' holds a delimiter, a quote or a line end.",
          "Choose one without.");
    }
    if (lengthPrefix > 0 && Decoding.shifts(charset)) {
      throw new Fault.User(
          "A length prefix says nothing in " + charset.name() + ", which has shift states.",
          "Choose another charset, or length-prefix=0.");
    }
  }

  private static boolean haveCharacterInCommon(String one, String other) {
    return one.chars().anyMatch(character -> other.indexOf(character) >= 0);
  }

  /// Whether quotes inside quotes are doubled.
  public boolean doubles() {
    return escape.equals(quote);
  }

  /// The same dialect with the line end of a file found out.
  public CsvDialect as(Newline found) {
    return with(delimiter, found, charset);
  }

  /// The same dialect with another delimiter.
  public CsvDialect delimited(String other) {
    return with(other, newline, charset);
  }

  /// The same dialect in another charset.
  public CsvDialect in(Charset other) {
    return with(delimiter, newline, other);
  }

  private CsvDialect with(String otherDelimiter, Newline otherNewline, Charset otherCharset) {
    return new CsvDialect(
        otherDelimiter,
        quote,
        escape,
        otherNewline,
        header,
        nullString,
        quotedNull,
        otherCharset,
        trailingDelimiter,
        lengthPrefix,
        temporals,
        quoting,
        documents);
  }

  /// Whether a writer has to know the values' types to follow it.
  public boolean wantsTypes() {
    return !temporals.equals(SpellingStyle.ISO) || quoting != Quoting.MINIMAL;
  }
}
