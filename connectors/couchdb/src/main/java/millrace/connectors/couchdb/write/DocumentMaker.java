package millrace.connectors.couchdb.write;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.couchdb.json.Json;
import millrace.connectors.couchdb.read.Field;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import org.jspecify.annotations.Nullable;

/// Makes a document of each row of columns: a member for each column whose value is not missing.
/// The members of a json column `doc` become the document's own. One thread uses it.
///
/// Numbers are spelled with all their digits, which must be what CouchDB keeps; dates, times, UUIDs
/// and bytes are texts.
final class DocumentMaker {

  /// Every decimal of so many digits is one double's shortest spelling.
  private static final int DOUBLE_DIGITS = 15;

  private final Schema schema;
  private final List<byte[]> names = new ArrayList<>();
  private final List<ValueFormatter> formatters = new ArrayList<>();
  private byte[] bytes = new byte[4096];
  private byte[] scratch = new byte[64];
  private int length;

  DocumentMaker(Schema schema) {
    this.schema = schema;
    for (Column column : schema.columns()) {
      names.add(Json.quoted(column.name()));
      formatters.add(Spelling.formatter(column.type(), SpellingStyle.ISO));
    }
  }

  /// Whether the rows are documents already: their only column is json.
  static boolean isWhole(Schema schema) {
    return schema.width() == 1 && schema.column(0).type() instanceof Type.Json;
  }

  /// Makes the document of a row, which then lies at the beginning of {@link #bytes}.
  ///
  /// @return null if all went well, else which column has a value that JSON has not, or that
  ///   CouchDB would change
  @Nullable Column make(Columns batch, int row) {
    length = 0;
    put((byte) '{');
    for (int i = 0; i < schema.width(); i++) {
      if (!batch.vector(i).nulls[row] && !member(batch, i, row)) {
        return schema.column(i);
      }
    }
    put((byte) '}');
    return null;
  }

  /// Where the document lies, from index 0 on.
  byte[] bytes() {
    return bytes;
  }

  /// How many bytes the document has.
  int length() {
    return length;
  }

  private boolean member(Columns batch, int column, int row) {
    Column is = schema.column(column);
    if (is.type() instanceof Type.Json && is.name().equals(Field.DOCUMENT)) {
      return spliced(batch.bytes(column), row);
    }
    if (length > 1) {
      put((byte) ',');
    }
    put(names.get(column), 0, names.get(column).length);
    put((byte) ':');
    return value(is.type(), batch, column, row);
  }

  private boolean value(Type type, Columns batch, int column, int row) {
    return switch (type) {
      case Type.Json _ -> {
        BytesVector vector = batch.bytes(column);
        put(vector.bytes, vector.starts[row], vector.ends[row]);
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
        quoted(vector.bytes, vector.starts[row], vector.ends[row]);
        yield true;
      }
      case Type.Date _, Type.Time _, Type.Timestamp _, Type.Uuid _, Type.Bytes _ -> {
        int size = format(batch, column, row);
        quoted(scratch, 0, size);
        yield true;
      }
    };
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
        && (length - from <= DOUBLE_DIGITS
            || isKept(new String(bytes, from, length - from, US_ASCII)));
  }

  private static boolean isKept(String text) {
    double kept = Double.parseDouble(text);
    return text.indexOf('.') < 0
        || (Double.isFinite(kept)
            && new BigDecimal(Double.toString(kept)).compareTo(new BigDecimal(text)) == 0);
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
  private boolean spliced(BytesVector vector, int row) {
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
      if (length > 1) {
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
