package millrace.connectors.file.csv;

import java.nio.charset.Charset;
import java.util.regex.Pattern;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.FileOptions;
import millrace.connectors.file.csv.Tokenizer.BadRecord;
import millrace.data.Type;
import millrace.data.spelling.JsonGrammar.Result;
import millrace.spi.write.Rejects;
import millrace.spi.write.Rejects.Reject;

/// Puts into words what is wrong with a record, and hands it to the run's rejects.
public final class RejectMessages {

  private static final int SHOWN_CHARACTERS_MAX = 60;

  /// The longest escape, an octal or hexadecimal number.
  private static final int ESCAPE_BYTES_MAX = 4;

  private final Rejects rejects;
  private final FileHead head;
  private final BlockReader block;
  private final FileColumns columns;
  private final int fieldBytesMax;

  public RejectMessages(
      Rejects rejects, FileHead head, BlockReader block, FileColumns columns, int fieldBytesMax) {
    this.rejects = rejects;
    this.head = head;
    this.block = block;
    this.columns = columns;
    this.fieldBytesMax = fieldBytesMax;
  }

  /// A record that is not cut into the right fields.
  void reject(TextBuffer textBuffer, BadRecord bad) {
    String column =
        switch (bad.problem()) {
          case TEXT_AFTER_QUOTE, UNTERMINATED_QUOTE, FIELD_TOO_LONG, LONE_ESCAPE, BAD_ESCAPE ->
              name(bad.column());
          case TOO_FEW_FIELDS,
              TOO_MANY_FIELDS,
              RECORD_TOO_LONG,
              NO_TRAILING_DELIMITER,
              NO_LENGTH,
              WRONG_LENGTH ->
              "";
        };
    reject(textBuffer, bad.start(), bad.end(), bad.number(), column, words(textBuffer, bad));
  }

  /// A record of which one value is no value of its column's type.
  void reject(TextBuffer textBuffer, int start, int end, int number, Value value) {
    reject(textBuffer, start, end, number, value.column(), value.words());
  }

  /// A value that is no value of its type.
  ///
  /// @param column the column's name
  /// @param words what is wrong
  record Value(String column, String words) {}

  private void reject(
      TextBuffer textBuffer, int start, int end, int number, String column, String words) {
    rejects.reject(
        new Reject(
            head.file().name(),
            block.row() + number,
            block.line(textBuffer, start),
            block.fileOffset(start),
            column,
            words,
            block.raw(textBuffer, start, end)));
  }

  private String words(TextBuffer textBuffer, BadRecord bad) {
    int width = columns.width();
    return switch (bad.problem()) {
      case TOO_FEW_FIELDS, TOO_MANY_FIELDS ->
          count(bad.found(), "field")
              + " instead of "
              + width
              + "."
              + delimiterHint(textBuffer, bad);
      case TEXT_AFTER_QUOTE ->
          "'"
              + shown(textBuffer, bad.at(), bad.at() + (int) bad.found())
              + "' follows the closing quote at byte "
              + block.fileOffset(bad.at())
              + "; a quote inside quotes is written "
              + head.dialect().quotes().escape()
              + head.dialect().quotes().quote()
              + ".";
      case UNTERMINATED_QUOTE ->
          "the quote opened on line "
              + block.line(textBuffer, bad.at())
              + ", byte "
              + block.fileOffset(bad.at())
              + ", is never closed.";
      case FIELD_TOO_LONG ->
          "the field that begins on line "
              + block.line(textBuffer, bad.at())
              + ", byte "
              + block.fileOffset(bad.at())
              + ", is longer than "
              + fieldBytesMax
              + " bytes (max-field)"
              + (isQuoted(textBuffer, bad.at()) ? "; perhaps its quote is never closed." : ".")
              + held(bad);
      case RECORD_TOO_LONG ->
          "the record is longer than "
              + block.recordBytesMax()
              + " bytes (four times max-field)."
              + held(bad);
      case NO_TRAILING_DELIMITER -> "there is no delimiter after the last field.";
      case NO_LENGTH ->
          "it does not begin with its length in "
              + head.dialect().framing().lengthPrefix()
              + " digits.";
      case WRONG_LENGTH ->
          "its length prefix says "
              + Long.parseLong(
                  shown(textBuffer, bad.at(), bad.at() + head.dialect().framing().lengthPrefix()))
              + " bytes, but it has "
              + bad.found()
              + ".";
      case LONE_ESCAPE ->
          "the file ends behind the escape "
              + head.dialect().quotes().escape()
              + place(textBuffer, bad.at())
              + ". Perhaps its end was cut off.";
      case BAD_ESCAPE ->
          "the escape "
              + shown(textBuffer, bad.at(), Math.min(bad.at() + ESCAPE_BYTES_MAX, bad.end()))
                  .strip()
              + place(textBuffer, bad.at())
              + ", makes "
              + (bad.found() == 0
                  ? "a NUL character, which no text may hold."
                  : bad.found() > 0xFF
                      ? "no byte; it is more than 255."
                      : String.format("byte 0x%02X, which is no UTF-8 there.", bad.found()));
    };
  }

  private String place(TextBuffer textBuffer, int at) {
    return " at byte " + block.fileOffset(at) + ", line " + block.line(textBuffer, at);
  }

  /// A record that has the right number of fields by another usual delimiter.
  private String delimiterHint(TextBuffer textBuffer, BadRecord bad) {
    String record = text(textBuffer, bad.start(), bad.end());
    return DelimiterGuess.USUAL.stream()
        .filter(each -> !each.equals(head.dialect().delimiter()))
        .filter(each -> record.split(Pattern.quote(each), -1).length == columns.width())
        .findFirst()
        .map(each ->
            " By "
                + DelimiterGuess.spelled(each)
                + " it has "
                + columns.width()
                + ". "
                + DelimiterGuess.advice(each))
        .orElse("");
  }

  /// What is not held can't be set aside.
  private String held(BadRecord bad) {
    return bad.equals(block.tooLong())
        ? " Of a record so long only the beginning is set aside, " + bad.end() + " bytes."
        : "";
  }

  private boolean isQuoted(TextBuffer textBuffer, int at) {
    CsvSyntax syntax = head.syntax();
    int length = syntax.quote.length;
    return syntax.quotes
        && (CsvSyntax.matches(syntax.quote, textBuffer.bytes, at, textBuffer.end)
            || (at >= length
                && CsvSyntax.matches(syntax.quote, textBuffer.bytes, at - length, at)));
  }

  /// A value that its type does not know.
  ///
  /// @param start where the value stands in the slab
  /// @param end where it ends
  /// @param record where its record starts
  /// @param column which of the columns that are wanted
  Value misfit(TextBuffer textBuffer, int start, int end, int record, int column) {
    Type type = columns.schema().column(column).type();
    StringBuilder words = new StringBuilder();
    words
        .append('\'')
        .append(shown(textBuffer, start, end))
        .append("' is no ")
        .append(type.label());
    String hint = ValueHints.hint(textBuffer.bytes, start, end, type, columns.styles().get(column));
    if (!hint.isEmpty()) {
      words.append(" (").append(hint).append(')');
    }
    words.append(place(textBuffer, start, record)).append('.');
    if (columns.guessed().get(column)) {
      words.append(" Its type is a guess by sample; --columns gives another.");
    }
    return new Value(name(columns.fieldOf().get(column)), words.toString());
  }

  /// A line that is no JSON document.
  ///
  /// @param start where it stands in the slab
  /// @param end where it ends
  /// @param wrong where it goes wrong
  /// @param asIs whether lines cross as they are, and not as values of a column
  Value noDocument(
      TextBuffer textBuffer, int start, int end, int wrong, Result result, boolean asIs) {
    String shown = shown(textBuffer, start, end);
    String place =
        result == Result.BEGINNING
            ? " (it ends too early). If documents are spread over lines, jq -c . FILE > FILE.jsonl"
                + " puts each on one."
            : " (wrong at byte " + block.fileOffset(wrong) + ").";
    return asIs
        ? new Value("", "it is no JSON object: " + shown + place)
        : new Value(name(0), shown + " is no JSON" + place);
  }

  /// A value with bytes that are no characters.
  ///
  /// @param at where the first of them stands in the slab
  /// @param wrong the byte of the file itself
  /// @param field the field, or -1 if that is not known
  Value garbled(TextBuffer textBuffer, int at, byte wrong, int field) {
    // Of a character of two bytes that is cut off, or is no character, the first may be zero.
    boolean isNul = wrong == 0 && textBuffer.bytes[at] == 0;
    String what =
        isNul
            ? "a NUL character, which no text may hold"
            : String.format("byte 0x%02X is no ", wrong) + head.dialect().charset().name();
    // What held escapes was copied behind the file's bytes.
    String place =
        at >= textBuffer.end
            ? "."
            : " (byte " + block.fileOffset(at) + ", line " + block.line(textBuffer, at) + ").";
    String hint = isNul ? "" : " " + FileOptions.CHARSET_ADVICE;
    return new Value(field < 0 ? "" : name(field), what + place + hint);
  }

  /// Where a value stands, unless it was copied behind the file's bytes.
  private String place(TextBuffer textBuffer, int start, int record) {
    if (start >= textBuffer.end || start <= record) {
      return "";
    }
    return ", at byte " + block.fileOffset(start) + " (line " + block.line(textBuffer, start) + ")";
  }

  private String name(int field) {
    return columns.name(field);
  }

  private String shown(TextBuffer textBuffer, int start, int end) {
    // Four bytes a character are the most that it takes in any charset that has no shift states.
    int stop = Math.min(end, start + SHOWN_CHARACTERS_MAX * 4);
    String text = text(textBuffer, start, stop);
    boolean cut = stop < end || text.length() > SHOWN_CHARACTERS_MAX;
    return cut ? text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS_MAX)) + "…" : text;
  }

  private String text(TextBuffer textBuffer, int start, int end) {
    Charset charset = head.decoding().workingCharset(head.dialect());
    return new String(textBuffer.bytes, start, end - start, charset);
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
