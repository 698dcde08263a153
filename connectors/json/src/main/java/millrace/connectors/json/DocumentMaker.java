package millrace.connectors.json;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Type.Opaque.Nested;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.data.spelling.nested.NestedRespelling;
import org.jspecify.annotations.Nullable;

/// Makes a document of each row of columns: a member for each column whose value is not missing.
/// Numbers are spelled with all their digits; dates, times, UUIDs and bytes are texts; lists and
/// structs are arrays and objects, but for CouchDB. One thread uses it.
public final class DocumentMaker {

  /// Every decimal of so many digits is one double's shortest spelling.
  private static final int DOUBLE_DIGITS = 15;

  /// What of it differs between systems.
  public enum Style {
    /// The members of a json column `doc` become the document's own, and a number has to be one
    /// that CouchDB keeps.
    COUCHDB,
    /// Every column is a member.
    FLAT,
    /// A column a.x is member x of member a.
    NESTED
  }

  private final Schema schema;
  private final Style style;
  private final MemberTree members;
  private final List<ValueFormatter> formatters = new ArrayList<>();

  /// Of each column, what makes arrays and objects of its values; null if they are something else.
  private final List<@Nullable NestedRespelling> nested = new ArrayList<>();

  private byte[] bytes = new byte[4096];
  private byte[] scratch = new byte[64];
  private int length;

  /// @throws millrace.fault.Fault.User if a column would be a member of another column's value
  public DocumentMaker(Schema schema, Style style) {
    this.schema = schema;
    this.style = style;
    members = MemberTree.of(schema.names(), style == Style.NESTED);
    for (Column column : schema.columns()) {
      formatters.add(Spelling.formatter(column.type(), SpellingStyle.ISO));
      Nested type = style == Style.COUCHDB ? null : column.type().nested();
      nested.add(
          type == null ? null : new NestedRespelling(type, type.spelled(Type.Opaque.Marks.JSON)));
    }
  }

  /// Whether the rows are documents already: their only column is json.
  public static boolean isDocuments(Schema schema) {
    return schema.width() == 1 && schema.column(0).type() instanceof Type.Json;
  }

  /// Makes the document of a row, which then lies at the beginning of {@link #bytes}.
  ///
  /// @return null if all went well, else which column has a value that JSON has not, or that
  ///   CouchDB would change
  public @Nullable Column make(Columns batch, int row) {
    length = 0;
    return object(members, batch, row);
  }

  private @Nullable Column object(MemberTree tree, Columns batch, int row) {
    put((byte) '{');
    int begin = length;
    for (MemberTree.Member member : tree.members()) {
      int before = length;
      int column = member.column();
      if (column >= 0 && batch.vector(column).nulls[row]) {
        continue;
      }
      if (column >= 0 && isSpliced(schema.column(column))) {
        if (!spliced(batch.bytes(column), row, begin)) {
          return schema.column(column);
        }
        continue;
      }
      if (length > begin) {
        put((byte) ',');
      }
      put(member.name(), 0, member.name().length);
      put((byte) ':');
      int value = length;
      Column bad =
          column < 0
              ? object(member.within(), batch, row)
              : value(schema.column(column).type(), batch, column, row)
                  ? null
                  : schema.column(column);
      if (bad != null) {
        return bad;
      }
      if (column < 0 && length == value + 2) {
        // None of its members has a value.
        length = before;
      }
    }
    put((byte) '}');
    return null;
  }

  private boolean isSpliced(Column column) {
    return style == Style.COUCHDB
        && column.type() instanceof Type.Json
        && column.name().equals(DocumentPath.DOCUMENT);
  }

  /// Where the document lies, from index 0 on.
  public byte[] bytes() {
    return bytes;
  }

  /// How many bytes the document has.
  public int length() {
    return length;
  }

  private boolean value(Type type, Columns batch, int column, int row) {
    return switch (type) {
      case Type.Json _ -> {
        BytesVector vector = batch.bytes(column);
        int from = length;
        put(vector.bytes, vector.starts[row], vector.ends[row]);
        onOneLine(from);
        yield JsonCheck.isValid(vector.bytes, vector.starts[row], vector.ends[row]);
      }
      case Type.Float _ -> {
        DoubleVector vector = batch.doubles(column);
        yield Double.isFinite(vector.values[row]) && spelled(batch, column, row);
      }
      case Type.Decimal _ -> decimal(batch, column, row);
      case Type.Bool _, Type.Int _ -> spelled(batch, column, row);
      case Type.Text _, Type.Opaque _ -> {
        BytesVector vector = batch.bytes(column);
        NestedRespelling respelling = nested.get(column);
        if (respelling != null) {
          yield nested(respelling, vector, row);
        }
        quoted(vector.bytes, vector.starts[row], vector.ends[row]);
        yield true;
      }
      case Type.Temporal _, Type.Uuid _, Type.Bytes _ -> {
        int size = format(batch, column, row);
        quoted(scratch, 0, size);
        yield true;
      }
    };
  }

  /// An array or an object; false if JSON has no such value.
  private boolean nested(NestedRespelling respelling, BytesVector vector, int row) {
    if (!respelling.respell(vector.bytes, vector.starts[row], vector.ends[row])) {
      return false;
    }
    int from = length;
    put(respelling.bytes(), respelling.start(), respelling.end());
    onOneLine(from);
    return true;
  }

  /// A line end in a document is a blank: within its texts there is none.
  private void onOneLine(int from) {
    for (int at = from; style != Style.COUCHDB && at < length; at++) {
      if (bytes[at] == '\n' || bytes[at] == '\r') {
        bytes[at] = ' ';
      }
    }
  }

  private boolean spelled(Columns batch, int column, int row) {
    int size = format(batch, column, row);
    put(scratch, 0, size);
    return true;
  }

  /// CouchDB keeps integers of any length, but of a number with a fraction the nearest double.
  private boolean decimal(Columns batch, int column, int row) {
    int from = length;
    spelled(batch, column, row);
    // A number ends in a digit; NaN and Infinity do not.
    return Character.isDigit(bytes[length - 1])
        && (style != Style.COUCHDB
            || length - from <= DOUBLE_DIGITS
            || isLossless(new String(bytes, from, length - from, US_ASCII)));
  }

  private static boolean isLossless(String text) {
    double value = Double.parseDouble(text);
    return text.indexOf('.') < 0
        || (Double.isFinite(value)
            && new BigDecimal(Double.toString(value)).compareTo(new BigDecimal(text)) == 0);
  }

  private int format(Columns batch, int column, int row) {
    ValueFormatter formatter = formatters.get(column);
    int max = formatter.lengthMax(batch.vector(column), row);
    if (scratch.length < max) {
      scratch = new byte[Math.max(max, 2 * scratch.length)];
    }
    return formatter.format(batch.vector(column), row, scratch, 0);
  }

  /// The members of an object, without its braces.
  ///
  /// @param begin where the members of the document begin
  private boolean spliced(BytesVector vector, int row, int begin) {
    int start = Json.space(vector.bytes, vector.starts[row], vector.ends[row]);
    int end = vector.ends[row];
    while (end > start && Json.isSpace(vector.bytes[end - 1])) {
      end--;
    }
    boolean isObject = JsonCheck.isValid(vector.bytes, start, end) && vector.bytes[start] == '{';
    if (!isObject) {
      return false;
    }
    boolean isEmpty = Json.space(vector.bytes, start + 1, end) == end - 1;
    if (!isEmpty) {
      if (length > begin) {
        put((byte) ',');
      }
      put(vector.bytes, start + 1, end - 1);
    }
    return true;
  }

  private void quoted(byte[] from, int start, int end) {
    reserve(Json.quotedLengthMax(end - start));
    length = Json.quote(from, start, end, bytes, length);
  }

  private void put(byte b) {
    reserve(1);
    bytes[length++] = b;
  }

  private void put(byte[] from, int start, int end) {
    reserve(end - start);
    System.arraycopy(from, start, bytes, length, end - start);
    length += end - start;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
    }
  }
}
