package millrace.testkit.oracle.call;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.engine.DirectPathLoad;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.DatabaseCharset;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.value.ValueFormat;
import org.jspecify.annotations.Nullable;

/// Takes the rows out of the streams of a direct path load.
///
/// A row is one or more pieces of segments, and a value one or more segments. Pieces of a row may
/// come in different calls.
final class DirectPathStream {

  private static final int CONTINUES = 0x01;
  private static final int CONTINUED = 0x02;
  private static final int LAST = 0x04;
  private static final int HAS_LENGTH = 0x10;
  private static final int NULL = 0xFF;
  private static final int LONG = 0xFE;

  private final DirectPathLoad load;
  private final DatabaseCharset charset;
  private final List<ColumnSpec> columns;
  private final List<byte @Nullable []> row = new ArrayList<>();
  private final ByteArrayOutputStream split = new ByteArrayOutputStream();
  private boolean splitting;

  DirectPathStream(DirectPathLoad load, DatabaseCharset charset) {
    this.load = load;
    this.charset = charset;
    columns = load.columns();
  }

  DirectPathLoad load() {
    return load;
  }

  /// Adds the rows that end in this part of the stream.
  void take(byte[] bytes) throws OraException {
    try {
      int at = 0;
      while (at < bytes.length) {
        at = piece(bytes, at);
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new OraException(26002, "a piece of a row ends before its data", e);
    }
    load.flush();
  }

  private int piece(byte[] bytes, int start) throws OraException {
    int flags = bytes[start] & 0xFF;
    int at = start + 1;
    if ((flags & HAS_LENGTH) != 0) {
      at += Short.BYTES;
    }
    int segments = bytes[at++] & 0xFF;
    for (int i = 0; i < segments; i++) {
      int length = bytes[at++] & 0xFF;
      if (length == NULL) {
        row.add(null);
        continue;
      }
      if (length == LONG) {
        length = ((bytes[at] & 0xFF) << 8) | (bytes[at + 1] & 0xFF);
        at += Short.BYTES;
      }
      boolean resumes = i == segments - 1 && (flags & CONTINUES) != 0;
      boolean wentOn = i == 0 && (flags & CONTINUED) != 0;
      segment(bytes, at, length, wentOn, resumes);
      at += length;
    }
    if ((flags & LAST) != 0) {
      end();
    }
    return at;
  }

  private void segment(byte[] bytes, int from, int length, boolean wentOn, boolean resumes)
      throws OraException {
    if (from + length > bytes.length) {
      throw new OraException(26002, "a segment of " + length + " bytes goes beyond the stream");
    }
    if (wentOn != splitting) {
      throw new OraException(26002, "a value is continued that was not begun, or the other way");
    }
    if (wentOn || resumes) {
      split.write(bytes, from, length);
      splitting = resumes;
      if (!resumes) {
        row.add(split.toByteArray());
        split.reset();
      }
      return;
    }
    row.add(Arrays.copyOfRange(bytes, from, from + length));
  }

  private void end() throws OraException {
    if (row.size() != columns.size()) {
      throw new OraException(
          26002, "a row has " + row.size() + " values for " + columns.size() + " columns");
    }
    @Nullable Object[] values = new Object[row.size()];
    for (int i = 0; i < values.length; i++) {
      byte[] bytes = row.get(i);
      values[i] = bytes == null || bytes.length == 0 ? null : decode(columns.get(i), bytes);
    }
    row.clear();
    load.add(values);
  }

  /// The bytes are the column's own format: nobody has converted them.
  private Object decode(ColumnSpec column, byte[] bytes) throws OraException {
    TtcType type = column.type();
    CharForm form = type == TtcType.CLOB ? charset.ofLobs() : column.form();
    boolean truth = bytes.length <= 2 && (bytes[0] == 1 || (bytes.length == 1 && bytes[0] == 0));
    try {
      if (type == TtcType.BOOLEAN && !truth) {
        throw new IllegalArgumentException("a BOOLEAN of other bytes");
      }
      return ValueFormat.decode(type, charset.of(form), bytes);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new OraException(
          932,
          "inconsistent datatypes: the bytes for %s are no %s (%s)"
              .formatted(column.name(), type, e.getMessage()),
          e);
    }
  }
}
