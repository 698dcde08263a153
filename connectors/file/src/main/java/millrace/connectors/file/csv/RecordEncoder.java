package millrace.connectors.file.csv;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect.Quoting;
import millrace.connectors.file.io.CharsetTraits;
import millrace.connectors.file.output.Page;
import millrace.connectors.json.DocumentMaker;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Writes rows as records of a dialect. One thread.
public final class RecordEncoder {

  /// Where and why a row can't be written.
  ///
  /// @param column its number, or -1 if it is the record as a whole
  public record Refusal(int column, String why) {}

  /// How one column is written.
  ///
  /// @param formatter null for text that is written as it is
  /// @param quoted whether its values are always quoted
  /// @param checked whether its values may hold what has a meaning to the dialect
  /// @param document whether its values have to be JSON, and nobody has said that they are
  private record Field(
      @Nullable ValueFormatter formatter, boolean quoted, boolean checked, boolean document) {}

  /// What stands between values or around them, with room behind it so that it is quick to copy.
  private record Mark(byte[] bytes, int length) {

    Mark(byte[] text) {
      this(Arrays.copyOf(text, Math.max(text.length, Page.SHORT)), text.length);
    }

    void appendTo(Page page) {
      page.append(bytes, 0, length);
    }
  }

  /// What spelled numbers, dates, times and UUIDs are made of, with the usual formats.
  private static final String USUAL = "0123456789abcdefghijklmnopqrstuvwxyzANITZBC+-.: \\";

  private final CsvDialect dialect;
  private final Schema schema;
  private final FieldSpelling spelling;
  private final Field[] fields;
  private final Mark delimiter;
  private final Mark quote;
  private final Mark lineEnd;
  private final Mark nullString;
  private final @Nullable CharsetEncoder encoder;
  private final byte[] preamble;
  private final boolean extendsAscii;
  private final Page scratch = new Page(256);

  /// Makes a document of several columns; null if records are no documents, or the one column is.
  private final @Nullable DocumentMaker documents;

  /// @throws Fault.User if records are documents, and a column would be a member of another one's
  ///   value
  public RecordEncoder(CsvDialect dialect, Schema schema) {
    this.dialect = dialect;
    this.schema = schema;
    documents =
        dialect.framing().documents() && !isDocument(schema)
            ? new DocumentMaker(
                schema,
                dialect.framing().nested() ? DocumentMaker.Style.NESTED : DocumentMaker.Style.FLAT)
            : null;
    spelling = FieldSpelling.of(dialect);
    delimiter = new Mark(dialect.delimiter().getBytes(StandardCharsets.UTF_8));
    quote = new Mark(dialect.quotes().quote().getBytes(StandardCharsets.UTF_8));
    lineEnd = new Mark(dialect.framing().newline().text().getBytes(StandardCharsets.UTF_8));
    nullString = new Mark(spelling.nullString());
    Charset charset = dialect.charset();
    encoder = charset.equals(StandardCharsets.UTF_8) ? null : charset.newEncoder();
    preamble = preamble(charset);
    extendsAscii = CharsetTraits.extendsAscii(charset);
    fields = schema.columns().stream().map(column -> field(column.type())).toArray(Field[]::new);
  }

  private static boolean isDocument(Schema schema) {
    return schema.width() == 1
        && (schema.column(0).type() instanceof Type.Json
            || schema.column(0).type() instanceof Type.Text);
  }

  /// Whether a document is made of each row's columns.
  public boolean makesDocuments() {
    return documents != null;
  }

  private Field field(Type type) {
    boolean text = dialect.quotes().quoting() != Quoting.MINIMAL;
    boolean dates = dialect.quotes().quoting() == Quoting.TEXT_AND_DATES;
    boolean quotes = quote.length() > 0;
    return switch (type) {
      case Type.Text _ -> new Field(null, quotes && text, true, dialect.framing().documents());
      case Type.Json _, Type.Opaque _ -> new Field(null, quotes && text, true, false);
      case Type.Uuid _, Type.Bytes _ ->
          new Field(formatter(type), quotes && text, isChecked(), false);
      case Type.Temporal _ ->
          new Field(
              formatter(type),
              quotes && dates,
              isChecked() || !dialect.temporals().equals(SpellingStyle.ISO),
              false);
      case Type.Bool _, Type.Numeric _ -> new Field(formatter(type), false, isChecked(), false);
    };
  }

  private ValueFormatter formatter(Type type) {
    return Spelling.formatter(type, dialect.temporals());
  }

  /// Whether values other than text could be taken for something else: a delimiter among their
  /// characters, or a null string that is spelled like one of them.
  private boolean isChecked() {
    return nullString.length() > 0 || USUAL.chars().anyMatch(spelling::isSpecial);
  }

  /// What a file in that charset begins with: the byte order mark that its encoder puts first.
  public static byte[] preamble(Charset charset) {
    byte[] one = "a".getBytes(charset);
    byte[] two = "aa".getBytes(charset);
    int length = 2 * one.length - two.length;
    // A charset with shift states has nothing to shift for ASCII.
    return Arrays.copyOf(one, Math.max(0, length));
  }

  /// Appends a row, or nothing if it can't be written.
  @Nullable
  public Refusal append(Page page, Columns columns, int row) {
    int start = begin(page);
    if (documents != null) {
      Column bad = documents.make(columns, row);
      page.append(documents.bytes(), 0, documents.length());
      if (bad == null) {
        return end(page, start);
      }
      page.length = start;
      return new Refusal(schema.names().indexOf(bad.name()), "JSON has no such value");
    }
    for (int i = 0; i < fields.length; i++) {
      if (i > 0) {
        delimiter.appendTo(page);
      }
      Vector vector = columns.vector(i);
      int at = page.length;
      String why = vector.nulls[row] ? missing(page) : value(page, fields[i], vector, row);
      if (i == 0 && why == null) {
        why = spelling.unlikeComment(page, at);
      }
      if (why != null) {
        page.length = start;
        return new Refusal(i, why);
      }
    }
    return end(page, start);
  }

  /// Appends the header. A name with blanks around it is quoted, since readers take such blanks for
  /// none of the name.
  @Nullable
  public Refusal appendHeader(Page page, List<String> names) {
    int start = begin(page);
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        delimiter.appendTo(page);
      }
      byte[] name = names.get(i).getBytes(StandardCharsets.UTF_8);
      boolean hasOuterBlanks = !names.get(i).equals(names.get(i).strip());
      boolean quoted =
          quote.length() > 0 && (hasOuterBlanks || dialect.quotes().quoting() != Quoting.MINIMAL);
      int at = page.length;
      String why = spelling.append(page, name, 0, name.length, quoted);
      if (i == 0 && why == null) {
        why = spelling.unlikeComment(page, at);
      }
      if (why != null) {
        page.length = start;
        return new Refusal(i, why);
      }
    }
    Refusal refusal = end(page, start);
    return refusal != null && refusal.why().isEmpty() ? lacking(names) : refusal;
  }

  private @Nullable String missing(Page page) {
    if (dialect.framing().documents() && nullString.length() == 0) {
      return "in JSON Lines a line with nothing on it is no document";
    }
    nullString.appendTo(page);
    return null;
  }

  private @Nullable String value(Page page, Field field, Vector vector, int row) {
    ValueFormatter formatter = field.formatter;
    if (formatter == null) {
      BytesVector text = (BytesVector) vector;
      if (field.document && !JsonCheck.isValid(text.bytes, text.starts[row], text.ends[row])) {
        return "it is no JSON";
      }
      return spelling.append(page, text.bytes, text.starts[row], text.ends[row], field.quoted);
    }
    int most = formatter.lengthMax(vector, row);
    if (field.checked) {
      scratch.length = 0;
      scratch.reserve(most);
      int end;
      try {
        end = formatter.format(vector, row, scratch.bytes, 0);
      } catch (Fault.Data e) {
        return e.clause();
      }
      return spelling.append(page, scratch.bytes, 0, end, field.quoted);
    }
    page.reserve(most + 2 * quote.length());
    if (field.quoted) {
      quote.appendTo(page);
    }
    page.length = formatter.format(vector, row, page.bytes, page.length);
    if (field.quoted) {
      quote.appendTo(page);
    }
    return null;
  }

  private int begin(Page page) {
    int start = page.length;
    page.reserve(dialect.framing().lengthPrefix());
    page.length += dialect.framing().lengthPrefix();
    return start;
  }

  /// Ends a record: line end, charset, length prefix.
  private @Nullable Refusal end(Page page, int start) {
    if (dialect.framing().trailingDelimiter()) {
      delimiter.appendTo(page);
    }
    lineEnd.appendTo(page);
    int digits = dialect.framing().lengthPrefix();
    if (encoder != null
        && !(extendsAscii && Swar.isAscii(page.bytes, start + digits, page.length))) {
      return encode(encoder, page, start);
    }
    return digits == 0 ? null : prefix(page, start, page.length - start - digits);
  }

  private @Nullable Refusal encode(CharsetEncoder encoder, Page page, int start) {
    int digits = dialect.framing().lengthPrefix();
    String text =
        new String(
            page.bytes, start + digits, page.length - start - digits, StandardCharsets.UTF_8);
    page.length = start;
    byte[] record;
    try {
      ByteBuffer encoded = encoder.encode(CharBuffer.wrap(text));
      record = new byte[encoded.remaining()];
      encoded.get(record);
    } catch (CharacterCodingException _) {
      return new Refusal(-1, "");
    }
    int from = preamble.length;
    int length = record.length - from;
    // Some encoders bend characters to others that look alike (the yen sign to a backslash).
    if (!new String(record, dialect.charset()).equals(text)) {
      return new Refusal(-1, "");
    }
    if (digits > 0) {
      byte[] prefix = new byte[digits];
      if (!putDigits(prefix, 0, digits, length)) {
        return tooLong(length);
      }
      byte[] encoded = new String(prefix, StandardCharsets.US_ASCII).getBytes(dialect.charset());
      page.append(encoded, preamble.length, encoded.length);
    }
    page.append(record, from, from + length);
    return null;
  }

  private @Nullable Refusal prefix(Page page, int start, long length) {
    if (!putDigits(page.bytes, start, dialect.framing().lengthPrefix(), length)) {
      page.length = start;
      return tooLong(length);
    }
    return null;
  }

  private Refusal tooLong(long length) {
    return new Refusal(
        -1,
        "its length of "
            + length
            + " bytes does not fit "
            + dialect.framing().lengthPrefix()
            + " digits (length-prefix)");
  }

  private static boolean putDigits(byte[] into, int at, int digits, long number) {
    long left = number;
    for (int i = at + digits - 1; i >= at; i--) {
      into[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return left == 0;
  }

  /// The first text of a row that the charset has no characters for, after {@link #append} refused
  /// the row as a whole without a word.
  public Refusal lacking(Columns columns, int row) {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      texts.add(
          columns.vector(i) instanceof BytesVector text
                  && !text.nulls[row]
                  && fields[i].formatter == null
              ? text.text(row)
              : null);
    }
    return lacking(texts);
  }

  private Refusal lacking(List<? extends @Nullable String> texts) {
    CharsetEncoder probe = dialect.charset().newEncoder();
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      String missing = text == null ? "" : firstLacking(probe, text);
      if (!missing.isEmpty()) {
        return new Refusal(
            i, "it holds " + missing + ", which " + dialect.charset().name() + " lacks");
      }
    }
    return new Refusal(-1, "it holds characters that " + dialect.charset().name() + " lacks");
  }

  private String firstLacking(CharsetEncoder probe, String text) {
    for (int point : text.codePoints().toArray()) {
      String one = Character.toString(point);
      if (!probe.canEncode(one)
          || !new String(one.getBytes(dialect.charset()), dialect.charset()).equals(one)) {
        return "'" + one + "' (" + String.format("U+%04X", point) + ")";
      }
    }
    return "";
  }
}
