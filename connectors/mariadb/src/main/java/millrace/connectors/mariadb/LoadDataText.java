package millrace.connectors.mariadb;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.connectors.sql.types.RowParameters;

/// Rows as the text that LOAD DATA takes: values in the order of the columns with tabs between,
/// `\N` for a missing one, a line feed behind each row. Tab, line feed, backslash and NUL within
/// values stand behind a backslash, bytes are hexadecimal digits. One thread.
final class LoadDataText implements RowParameters {

  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final int FIRST_BYTES = 1 << 20;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private int rowStart;

  /// Begins anew.
  void clear() {
    length = 0;
    rowStart = 0;
  }

  int length() {
    return length;
  }

  /// Ends a row, and gives its bytes.
  int endRow() {
    // The last value's tab becomes the row's end.
    bytes[length - 1] = '\n';
    int row = length - rowStart;
    rowStart = length;
    return row;
  }

  /// Takes back what there is of a row that is not ended.
  void dropRow() {
    length = rowStart;
  }

  /// All rows; valid until the next is begun.
  ///
  /// @param most how many bytes are read at once: what the driver reads becomes a packet
  InputStream rows(int most) {
    return new ByteArrayInputStream(bytes, 0, length) {
      @Override
      public synchronized int read(byte[] into, int from, int count) {
        return super.read(into, from, Math.min(count, most));
      }
    };
  }

  private void room(long more) {
    if (length + more > bytes.length) {
      long wanted = Math.min(Integer.MAX_VALUE - 8, Math.max(length + more, 2L * bytes.length));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(wanted));
    }
  }

  private void ascii(String value) {
    int count = value.length();
    room(count + 1L);
    for (int i = 0; i < count; i++) {
      bytes[length++] = (byte) value.charAt(i);
    }
    bytes[length++] = '\t';
  }

  @Override
  public void setNull(int parameter, int type) {
    ascii("\\N");
  }

  @Override
  public void setBoolean(int parameter, boolean value) {
    ascii(value ? "1" : "0");
  }

  @Override
  public void setLong(int parameter, long value) {
    ascii(Long.toString(value));
  }

  @Override
  public void setDouble(int parameter, double value) {
    ascii(Double.toString(value));
  }

  @Override
  public void setBigDecimal(int parameter, BigDecimal value) {
    ascii(value.toPlainString());
  }

  @Override
  public void setString(int parameter, String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    setText(parameter, text, 0, text.length);
  }

  @Override
  public void setText(int parameter, byte[] text, int from, int to) {
    room(2L * (to - from) + 1);
    byte[] out = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b == '\t' || b == '\n' || b == '\\' || b == 0) {
        out[at++] = '\\';
        b = b == 0 ? (byte) '0' : b;
      }
      out[at++] = b;
    }
    out[at++] = '\t';
    length = at;
  }

  @Override
  public void setBytes(int parameter, byte[] value) {
    room(2L * value.length + 1);
    for (byte b : value) {
      bytes[length++] = HEX[(b >> 4) & 15];
      bytes[length++] = HEX[b & 15];
    }
    bytes[length++] = '\t';
  }
}
