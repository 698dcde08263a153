package millrace.connectors.mariadb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.sql.SQLException;
import java.util.Arrays;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.Vector;
import millrace.data.spelling.JsonValue;
import millrace.fault.Shortened;
import org.jspecify.annotations.Nullable;

/// Sets documents of MySQL's `json`, which keeps what a document says and spells it anew. What it
/// would not keep is told: numbers that it has none like, and members of one name in an object. One
/// thread.
final class MySqlDocuments implements Setter {

  private static final int SHOWN_DIGITS = 40;

  private final JsonValue value = new JsonValue((hash, member) -> hash ^ member);

  private byte[] spelled = new byte[1024];
  private int length;
  private boolean hasMembers;

  @Override
  public @Nullable String set(RowParameters row, int parameter, Vector from, int at)
      throws SQLException {
    BytesVector texts = (BytesVector) from;
    int start = texts.starts[at];
    int end = texts.ends[at];
    String wrong = respell(texts.bytes, start, end);
    if (wrong != null) {
      return wrong;
    }
    if (hasMembers && value.read(texts.bytes, start, end) && value.repeatsMembers()) {
      return "has two members of one name in an object, of which MySQL's json keeps only the last";
    }
    if (length == 0) {
      row.setText(parameter, texts.bytes, start, end);
    } else {
      row.setText(parameter, spelled, 0, length);
    }
    return null;
  }

  /// Spells numbers as MySQL has to have them. What is spelled stays empty if the document may stay
  /// as it is.
  ///
  /// @return null, or why a number can't be kept
  private @Nullable String respell(byte[] bytes, int start, int end) {
    length = 0;
    hasMembers = false;
    int copied = start;
    int next = start;
    while (next < end) {
      byte here = bytes[next];
      if (here == '"') {
        next = stringEnd(bytes, next + 1, end);
      } else if (here == '-' || isDigit(here)) {
        int stop = numberEnd(bytes, next + 1, end);
        String number = JsonNumbers.spelled(bytes, next, stop);
        if (number == null) {
          String shown = new String(bytes, next, stop - next, US_ASCII);
          return "has the number "
              + Shortened.value(shown, SHOWN_DIGITS)
              + ", which MySQL's json does not keep as it is";
        }
        if (!isAt(number, bytes, next, stop)) {
          append(bytes, copied, next);
          append(number.getBytes(US_ASCII), 0, number.length());
          copied = stop;
        }
        next = stop;
      } else {
        hasMembers |= here == ':';
        next++;
      }
    }
    if (copied > start) {
      append(bytes, copied, end);
    }
    return null;
  }

  private static boolean isDigit(byte here) {
    return here >= '0' && here <= '9';
  }

  /// Behind the quote that ends a string.
  private static int stringEnd(byte[] bytes, int from, int end) {
    int next = from;
    while (next < end && bytes[next] != '"') {
      next += bytes[next] == '\\' ? 2 : 1;
    }
    return next + 1;
  }

  private static int numberEnd(byte[] bytes, int from, int end) {
    int next = from;
    while (next < end && (isDigit(bytes[next]) || "+-.eE".indexOf(bytes[next]) >= 0)) {
      next++;
    }
    return next;
  }

  private static boolean isAt(String text, byte[] bytes, int from, int to) {
    if (text.length() != to - from) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (bytes[i] != text.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  private void append(byte[] bytes, int from, int to) {
    if (length + to - from > spelled.length) {
      spelled = Arrays.copyOf(spelled, Math.max(2 * spelled.length, length + to - from));
    }
    System.arraycopy(bytes, from, spelled, length, to - from);
    length += to - from;
  }
}
