package millrace.testkit.oracle.call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Reads what a server answers, as python-oracledb would: one line for each thing in it that a
/// client goes by. What differs from server to server, such as numbers of calls, is left out.
final class AnswerReader {

  private static final int WITH_SQL_TYPE = 14;
  private static final int WITH_DOMAIN = 17;
  private static final int WITH_ANNOTATIONS = 20;
  private static final int WITH_VECTOR = 24;
  private static final int BIT_VECTOR = 21;
  private static final int END_OF_ANSWER = 29;
  private static final int LOB_CREATE = 0x110;
  private static final int LOB_READ = 2;
  private static final int LOCATOR_BYTES = 40;

  private final byte[] bytes;
  private final int fieldVersion;
  private final TtcFunction function;
  private final int lobOperation;
  private final List<String> lines = new ArrayList<>();
  private int at;
  private long[] sizes;
  private String[] row = {};
  private byte[] sent = {};
  private byte[] locator = {};
  private int cursor;

  /// More bytes are to come.
  static final class IncompleteException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /// @param lobOperation what a call about a LOB asked for; else 0
  /// @param sizes of the columns that rows have if no describe says so
  AnswerReader(
      byte[] bytes, int fieldVersion, TtcFunction function, int lobOperation, long[] sizes) {
    this.bytes = bytes;
    this.fieldVersion = fieldVersion;
    this.function = function;
    this.lobOperation = lobOperation;
    this.sizes = sizes;
  }

  /// The sizes of the columns that were described last.
  long[] sizes() {
    return sizes;
  }

  /// The cursor that the end names.
  int cursor() {
    return cursor;
  }

  /// The locator of a LOB that was made.
  byte[] locator() {
    return locator;
  }

  /// @throws IncompleteException if the answer is not all there
  List<String> read() {
    while (true) {
      int message = u1();
      switch (message) {
        case TtcMessage.DESCRIBE -> describe();
        case TtcMessage.ROW_HEADER -> rowHeader();
        case TtcMessage.ROW_DATA -> rowData();
        case BIT_VECTOR -> {
          ub();
          sent = take((sizes.length + 7) / 8);
        }
        case TtcMessage.PARAMETERS -> parameters();
        case TtcMessage.LOB_DATA -> lines.add("lob " + hex(clr()));
        case TtcMessage.END_OF_CALL -> {
          end();
          return finish();
        }
        case TtcMessage.STATUS -> {
          lines.add("status, transaction " + ((ub() & 2) != 0));
          ub();
          return finish();
        }
        default -> throw new AssertionError("the message " + message + " at " + at);
      }
    }
  }

  private List<String> finish() {
    if (at < bytes.length && bytes[at] == END_OF_ANSWER) {
      at++;
    }
    if (at != bytes.length) {
      throw new AssertionError((bytes.length - at) + " bytes follow on the answer");
    }
    return lines;
  }

  private void describe() {
    clr();
    ub();
    sizes = new long[(int) ub()];
    if (sizes.length > 0) {
      u1();
    }
    columns();
    dalc();
    ub(4);
    dalc();
  }

  private void columns() {
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = column();
    }
  }

  /// Returns the column's size.
  private long column() {
    int type = u1();
    u1();
    int precision = u1();
    int scale = (byte) u1();
    long size = ub();
    ub(2);
    dalc();
    ub();
    long charset = ub();
    int form = u1();
    long chars = ub();
    ub();
    int nullable = u1();
    u1();
    String name = new String(dalc(), StandardCharsets.UTF_8);
    dalc();
    dalc();
    ub(2);
    if (fieldVersion >= WITH_DOMAIN) {
      dalc();
      dalc();
    }
    if (fieldVersion >= WITH_ANNOTATIONS && ub() > 0) {
      throw new AssertionError("annotations are not read");
    }
    if (fieldVersion >= WITH_VECTOR) {
      ub();
      u1();
      u1();
    }
    lines.add(
        "column %s type %d(%d,%d) size %d chars %d charset %d form %d nullable %d"
            .formatted(name, type, precision, scale, size, chars, charset, form, nullable));
    return size;
  }

  private void rowHeader() {
    u1();
    ub(4);
    sent = dalcAfterByte();
    dalc();
    row = Arrays.copyOf(row, sizes.length);
  }

  /// A length, and if it is not 0 a byte to skip and so many bytes.
  private byte[] dalcAfterByte() {
    int length = (int) ub();
    if (length == 0) {
      return new byte[0];
    }
    u1();
    return take(length);
  }

  /// Values that are as in the row before may be left out, and a column of no size has none.
  private void rowData() {
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == 0) {
        row[i] = "";
      } else if (sent.length == 0 || (sent[i / 8] & (1 << (i % 8))) != 0) {
        row[i] = hex(clr());
      }
    }
    sent = new byte[0];
    lines.add("row " + String.join("|", row));
  }

  private void parameters() {
    switch (function) {
      case DIRECT_PATH_PREPARE -> {
        sizes = new long[(int) ub()];
        columns();
        ub();
        ub((int) ub());
        lines.add("prepared");
      }
      case DIRECT_PATH_STREAM, DIRECT_PATH_OPERATION -> ub((int) ub());
      case LOB_OPERATION -> {
        locator = take(LOCATOR_BYTES);
        lines.add("locator of " + ub(locator, 2) + " bytes");
        if (lobOperation == LOB_CREATE) {
          lines.add("charset " + ub());
          u1();
        } else if (lobOperation == LOB_READ) {
          lines.add("amount " + ub());
        }
      }
      default -> {
        ub((int) ub());
        take((int) ub());
        ub(2);
      }
    }
  }

  private static int ub(byte[] from, int count) {
    int value = 0;
    for (int i = 0; i < count; i++) {
      value = value << 8 | (from[i] & 0xFF);
    }
    return value;
  }

  private void end() {
    long status = ub();
    ub(2);
    long code = ub();
    ub(2);
    cursor = (int) ub();
    ub();
    int kind = u1();
    take(5);
    ub(2);
    u1();
    ub(3);
    take(2);
    ub();
    long iterations = ub();
    dalc();
    long codes = ub();
    long offsets = ub();
    if (codes + offsets + ub() > 0) {
      throw new AssertionError("errors of a batch are not read");
    }
    long number = ub();
    long rows = ub();
    if (fieldVersion >= WITH_SQL_TYPE) {
      ub(2);
    }
    String text = number == 0 ? "" : new String(clr(), StandardCharsets.UTF_8);
    lines.add(
        "end, error %d and %d, kind %d, rows %d, iterations %d, transaction %s, cursor %s %s"
            .formatted(
                code, number, kind, rows, iterations, (status & 2) != 0, cursor != 0, text.strip())
            .strip());
  }

  private int u1() {
    if (at >= bytes.length) {
      throw new IncompleteException();
    }
    return bytes[at++] & 0xFF;
  }

  private byte[] take(int count) {
    if (at + count > bytes.length) {
      throw new IncompleteException();
    }
    at += count;
    return Arrays.copyOfRange(bytes, at - count, at);
  }

  private long ub() {
    int head = u1();
    long value = 0;
    for (byte each : take(head & 0x7F)) {
      value = value << 8 | (each & 0xFF);
    }
    return (head & 0x80) == 0 ? value : -value;
  }

  private void ub(int count) {
    for (int i = 0; i < count; i++) {
      ub();
    }
  }

  private byte[] clr() {
    int length = u1();
    if (length == 0 || length == 0xFF) {
      return new byte[0];
    }
    if (length != 0xFE) {
      return take(length);
    }
    byte[] all = new byte[0];
    for (int chunk = (int) ub(); chunk != 0; chunk = (int) ub()) {
      byte[] part = take(chunk);
      all = Arrays.copyOf(all, all.length + chunk);
      System.arraycopy(part, 0, all, all.length - chunk, chunk);
    }
    return all;
  }

  private byte[] dalc() {
    return ub() == 0 ? new byte[0] : clr();
  }

  private static String hex(byte[] value) {
    return HexFormat.of().formatHex(value);
  }
}
