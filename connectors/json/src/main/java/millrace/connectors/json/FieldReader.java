package millrace.connectors.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Texts;
import millrace.data.spelling.Utf8;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.guess.GuessCheck;
import org.jspecify.annotations.Nullable;

/// Takes fields out of documents, or out of elements of arrays in them, into the rows of a batch.
/// One thread uses it.
public final class FieldReader {

  /// Why a document is no row.
  ///
  /// @param column the column at fault, empty for the document as a whole
  public record Refusal(String column, String reason) {}

  private final List<DocumentPath> fields;

  /// Of each of these, its column in the batch.
  private final int[] columns;

  private final List<DocumentPath.Member> unexpected;

  /// Whether values are looked for within a document, which then has to be an object.
  private final boolean walks;

  private final ValueParser[] parsers;
  private final List<@Nullable GuessCheck> checks = new ArrayList<>();
  private final Members outer = new Members();
  private final Members inner = new Members();
  private byte[] scratch = new byte[1024];
  private byte[] rest = new byte[0];
  private @Nullable Refusal refusal;
  private int number;

  /// A reader of all columns of documents.
  ///
  /// @param unexpected what the target has a column for, and no document of the sample a value: a
  ///   document that has one is refused, since the column is left out
  public FieldReader(List<DocumentPath> fields, List<DocumentPath.Member> unexpected) {
    this(fields, IntStream.range(0, fields.size()).toArray(), unexpected, true);
  }

  /// A reader of some columns.
  ///
  /// @param columns of each of the fields, its column in the batch
  /// @param objects whether all that is read has to be an object, whatever is looked for in it
  FieldReader(
      List<DocumentPath> fields,
      int[] columns,
      List<DocumentPath.Member> unexpected,
      boolean objects) {
    this.fields = List.copyOf(fields);
    this.columns = columns.clone();
    this.unexpected = List.copyOf(unexpected);
    walks = objects || !unexpected.isEmpty() || fields.stream().anyMatch(FieldReader::isWithin);
    parsers = new ValueParser[fields.size()];
    for (int i = 0; i < parsers.length; i++) {
      Type type = fields.get(i).column().type();
      parsers[i] = Spelling.parser(type, SpellingStyle.ISO);
      checks.add(isGuess(fields.get(i)) ? GuessCheck.of(type, SpellingStyle.ISO) : null);
    }
  }

  private static boolean isWithin(DocumentPath field) {
    return field instanceof DocumentPath.Rest
        || (field instanceof DocumentPath.Member member && !member.path().isEmpty());
  }

  private static boolean isGuess(DocumentPath field) {
    return field instanceof DocumentPath.Member member && member.guessed();
  }

  /// Fills a row; null if all went well, else the row is undefined.
  public @Nullable Refusal read(Columns batch, int row, byte[] bytes, int start, int end) {
    refusal = null;
    int restColumn = -1;
    List<byte[]> without = List.of();
    for (int i = 0; i < fields.size(); i++) {
      int column = columns[i];
      batch.vector(column).nulls[row] = true;
      switch (fields.get(i)) {
        case DocumentPath.Entire _ -> append(batch.bytes(column), row, bytes, start, end);
        case DocumentPath.Rest(Column _, List<byte[]> names) -> {
          restColumn = column;
          without = names;
        }
        case DocumentPath.Member member -> {
          // Others are found below, in one walk for all of them.
          if (member.path().isEmpty()) {
            value(batch.vector(column), i, row, bytes, start, end);
          }
        }
        case DocumentPath.Number _ -> {
          batch.longs(column).values[row] = number;
          batch.vector(column).nulls[row] = false;
        }
      }
    }
    if (!walks || refusal != null) {
      return refusal;
    }
    boolean wantsRest = restColumn >= 0;
    int restLength = members(batch, row, bytes, start, end, wantsRest ? without : null);
    if (refusal == null && wantsRest) {
      append(batch.bytes(restColumn), row, rest, 0, restLength);
    }
    return refusal;
  }

  /// Fills what an element has in a row; null if all went well, else the row is undefined.
  ///
  /// @param position its number in the array, from 1
  @Nullable Refusal readElement(
      Columns batch, int row, int position, byte[] bytes, int start, int end) {
    number = position;
    boolean isMissing = bytes[start] == 'n' && walks;
    return isMissing ? missing(batch, row) : read(batch, row, bytes, start, end);
  }

  /// An element that is null has none of its members.
  private @Nullable Refusal missing(Columns batch, int row) {
    for (int i = 0; i < fields.size(); i++) {
      boolean isNumber = fields.get(i) instanceof DocumentPath.Number;
      batch.vector(columns[i]).nulls[row] = !isNumber;
      if (isNumber) {
        batch.longs(columns[i]).values[row] = number;
      }
    }
    return null;
  }

  /// Whether documents are rows as they are.
  public boolean givesDocuments() {
    return fields.size() == 1 && fields.getFirst() instanceof DocumentPath.Entire;
  }

  /// The values of a document that is no row, as far as it has them; null for a missing one.
  public List<@Nullable String> texts(byte[] bytes, int start, int end) {
    List<@Nullable String> texts = new ArrayList<>();
    for (DocumentPath field : fields) {
      texts.add(
          switch (field) {
            case DocumentPath.Entire _ -> rest(bytes, start, end, List.of());
            case DocumentPath.Rest(Column _, List<byte[]> without) ->
                rest(bytes, start, end, without);
            case DocumentPath.Member member -> text(member, bytes, start, end);
            case DocumentPath.Number _ -> String.valueOf(number);
          });
    }
    return texts;
  }

  private String rest(byte[] bytes, int start, int end, List<byte[]> without) {
    StringBuilder members = new StringBuilder();
    outer.open(bytes, start, end);
    while (outer.next() == Members.Event.MEMBER) {
      if (without.stream().noneMatch(outer::isKey)) {
        int length = outer.valueEnd - outer.keyStart;
        members
            .append(members.isEmpty() ? "" : ",")
            .append(new String(bytes, outer.keyStart, length, StandardCharsets.UTF_8));
      }
    }
    return "{" + members + "}";
  }

  private @Nullable String text(DocumentPath.Member member, byte[] bytes, int start, int end) {
    Range found = new Range(start, end);
    for (byte[] name : member.path()) {
      found = Range.ofMember(inner, bytes, found.start(), found.end(), name);
      if (found == null) {
        return null;
      }
    }
    int length = found.end() - found.start();
    boolean isJson = member.column().type() instanceof Type.Json;
    String unescaped = isJson ? null : Json.text(bytes, found.start(), found.end());
    return bytes[found.start()] == 'n' && !isJson
        ? null
        : unescaped != null && bytes[found.start()] == '"'
            ? unescaped
            : new String(bytes, found.start(), length, StandardCharsets.UTF_8);
  }

  private static void append(BytesVector vector, int row, byte[] bytes, int start, int end) {
    vector.append(row, bytes, start, end);
    vector.nulls[row] = false;
  }

  /// Walks over the members; returns how long the rest of them is.
  ///
  /// @param without names of members that are not part of the rest; null if none is wanted
  private int members(
      Columns batch, int row, byte[] bytes, int start, int end, @Nullable List<byte[]> without) {
    if (without != null && rest.length < end - start + 2) {
      rest = new byte[2 * (end - start + 1)];
    }
    int length = 0;
    outer.open(bytes, start, end);
    Members.Event event = outer.next();
    for (; event == Members.Event.MEMBER && refusal == null; event = outer.next()) {
      take(batch, row, bytes);
      if (without != null && without.stream().noneMatch(outer::isKey)) {
        rest[length] = (byte) (length == 0 ? '{' : ',');
        int size = outer.valueEnd - outer.keyStart;
        System.arraycopy(bytes, outer.keyStart, rest, length + 1, size);
        length += size + 1;
      }
    }
    if (event == Members.Event.INCOMPLETE || event == Members.Event.MALFORMED) {
      refusal = new Refusal("", "it is no JSON object");
    }
    if (without != null) {
      if (length == 0) {
        rest[length++] = '{';
      }
      rest[length++] = '}';
    }
    return length;
  }

  /// Gives the member that we stand on to all columns that want it or a part of it.
  private void take(Columns batch, int row, byte[] bytes) {
    for (int i = 0; i < fields.size(); i++) {
      if (!(fields.get(i) instanceof DocumentPath.Member member)
          || member.path().isEmpty()
          || !outer.isKey(member.path().getFirst())) {
        continue;
      }
      if (member.path().size() == 1) {
        value(batch.vector(columns[i]), i, row, bytes, outer.valueStart, outer.valueEnd);
      } else {
        Range found = descend(bytes, member.path());
        if (found != null) {
          value(batch.vector(columns[i]), i, row, bytes, found.start(), found.end());
        }
      }
    }
    for (DocumentPath.Member member : unexpected) {
      if (outer.isKey(member.path().getFirst())) {
        refuseUnexpected(member, bytes);
      }
    }
  }

  private void refuseUnexpected(DocumentPath.Member member, byte[] bytes) {
    Range found = descend(bytes, member.path());
    if (found != null && bytes[found.start()] != 'n') {
      refusal =
          new Refusal(
              member.column().name(),
              "none of the first documents has this field, so that the target's column was left"
                  + " out; say with --select which columns to copy");
    }
  }

  /// Where a part of the member lies that we stand on; null if it has no such part.
  private @Nullable Range descend(byte[] bytes, List<byte[]> path) {
    Range found = new Range(outer.valueStart, outer.valueEnd);
    for (byte[] name : path.subList(1, path.size())) {
      found = Range.ofMember(inner, bytes, found.start(), found.end(), name);
      if (found == null) {
        return null;
      }
    }
    return found;
  }

  private void value(Vector vector, int field, int row, byte[] bytes, int start, int end) {
    vector.nulls[row] = true;
    if (bytes[start] == 'n') {
      return;
    }
    Type type = fields.get(field).column().type();
    boolean isText = bytes[start] == '"';
    boolean read;
    if (type instanceof Type.Json) {
      append((BytesVector) vector, row, bytes, start, end);
      read = true;
    } else if (isGuess(fields.get(field)) && isText != type instanceof Type.Text) {
      // The text "42" is not the number 42: with both of them in the sample it had been json.
      read = false;
    } else if (isText) {
      read = text(vector, field, row, bytes, start, end);
    } else {
      read = parse(field, bytes, start, end, vector, row);
    }
    if (!read) {
      String name = fields.get(field).column().name();
      refusal =
          new Refusal(
              name,
              "'"
                  + Json.shown(bytes, start, end)
                  + "' is no "
                  + type.label()
                  + tooLong(type, bytes, start, end)
                  + (isGuess(fields.get(field))
                      ? "; its type is a guess by sample, --fields gives another"
                      : ""));
    }
  }

  /// What there is to say of a text that is too long; empty for other types.
  private String tooLong(Type type, byte[] bytes, int start, int end) {
    if (!(type instanceof Type.Text text)) {
      return "";
    }
    boolean isText = bytes[start] == '"';
    int length = isText ? Json.unescape(bytes, start, end, scratch) : 0;
    return length < 0
        ? ""
        : ": "
            + (isText
                ? Texts.tooLong(text, scratch, 0, length)
                : Texts.tooLong(text, bytes, start, end));
  }

  private boolean text(Vector vector, int field, int row, byte[] bytes, int start, int end) {
    if (scratch.length < end - start) {
      scratch = new byte[Math.max(end - start, 2 * scratch.length)];
    }
    int length = Json.unescape(bytes, start, end, scratch);
    return length >= 0
        && Utf8.firstInvalid(scratch, 0, length) < 0
        && parse(field, scratch, 0, length, vector, row);
  }

  private boolean parse(int field, byte[] bytes, int start, int end, Vector vector, int row) {
    return GuessCheck.parse(parsers[field], checks.get(field), bytes, start, end, vector, row);
  }
}
