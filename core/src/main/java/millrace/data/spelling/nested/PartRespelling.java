package millrace.data.spelling.nested;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import millrace.data.Type;
import millrace.data.Type.Opaque.Marks;
import millrace.data.spelling.JsonBytes;
import millrace.data.spelling.JsonCheck;
import org.jspecify.annotations.Nullable;

/// Texts of single values in lists and structs. PostgreSQL and DuckDB read each other's, but for
/// bytes; JSON tells texts, numbers and words apart.
public final class PartRespelling extends Respelling {

  private enum Way {
    AS_IS,
    /// `\x00ff`, as PostgreSQL and our files have it, to `\x00\xFF`, as DuckDB does.
    HEX_TO_BLOB,
    BLOB_TO_HEX,
    BLOB_TO_STRING,
    STRING_TO_BLOB,
    TO_STRING,
    TO_NUMBER,
    TO_BOOL,
    TO_JSON,
    FROM_STRING,
    FROM_NUMBER,
    FROM_BOOL
  }

  private static final HexFormat LOWER = HexFormat.of();
  private static final HexFormat UPPER = HexFormat.of().withUpperCase();
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

  private final Way way;
  private byte[] buffer = new byte[64];

  private PartRespelling(Way way) {
    this.way = way;
  }

  /// What respells values of a type that is neither a list nor a struct.
  public static PartRespelling of(Type from, Marks marks, Type to, Marks others) {
    boolean areBytes = from instanceof Type.Bytes && to instanceof Type.Bytes;
    return new PartRespelling(
        others == Marks.JSON
            ? toJson(from, marks)
            : marks == Marks.JSON
                ? ofJson(to, others)
                : !areBytes || marks == others
                    ? Way.AS_IS
                    : marks == Marks.BRACES ? Way.HEX_TO_BLOB : Way.BLOB_TO_HEX);
  }

  private static Way toJson(Type from, Marks marks) {
    return switch (from) {
      case Type.Bool _ -> Way.TO_BOOL;
      case Type.Numeric _ -> Way.TO_NUMBER;
      case Type.Json _ -> Way.TO_JSON;
      case Type.Bytes _ -> marks == Marks.BRACKETS ? Way.BLOB_TO_STRING : Way.TO_STRING;
      case Type.Temporal _, Type.Uuid _, Type.Text _, Type.Opaque _ -> Way.TO_STRING;
    };
  }

  private static Way ofJson(Type to, Marks others) {
    return switch (to) {
      case Type.Bool _ -> Way.FROM_BOOL;
      case Type.Numeric _ -> Way.FROM_NUMBER;
      case Type.Json _ -> Way.AS_IS;
      case Type.Bytes _ -> others == Marks.BRACKETS ? Way.STRING_TO_BLOB : Way.FROM_STRING;
      case Type.Temporal _, Type.Uuid _, Type.Text _, Type.Opaque _ -> Way.FROM_STRING;
    };
  }

  @Override
  public boolean respell(byte[] text, int from, int to) {
    bytes = text;
    start = from;
    end = to;
    return switch (way) {
      case AS_IS -> true;
      case HEX_TO_BLOB -> hexToBlob();
      case BLOB_TO_HEX -> blobToHex();
      case BLOB_TO_STRING -> blobToHex() && toString(bytes, start, end);
      case STRING_TO_BLOB -> fromString() && hexToBlob();
      case TO_STRING -> toString(text, from, to);
      case TO_NUMBER, FROM_NUMBER -> isNumber();
      case TO_BOOL -> toBool();
      case TO_JSON -> JsonCheck.isValid(text, from, to);
      case FROM_STRING -> fromString();
      case FROM_BOOL -> text[from] == 't' || text[from] == 'f';
    };
  }

  private void result(byte[] text) {
    bytes = text;
    start = 0;
    end = text.length;
  }

  private boolean hexToBlob() {
    byte[] raw = hex(bytes, start, end);
    if (raw == null) {
      return false;
    }
    StringBuilder blob = new StringBuilder(4 * raw.length);
    for (byte b : raw) {
      blob.append("\\x").append(UPPER.toHexDigits(b));
    }
    result(blob.toString().getBytes(StandardCharsets.US_ASCII));
    return true;
  }

  private static byte @Nullable [] hex(byte[] text, int start, int end) {
    boolean isHex = end - start >= 2 && text[start] == '\\' && text[start + 1] == 'x';
    try {
      return isHex
          ? LOWER.parseHex(new String(text, start + 2, end - start - 2, StandardCharsets.US_ASCII))
          : null;
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private boolean blobToHex() {
    byte[] raw = new byte[end - start];
    int size = 0;
    for (int at = start; at < end; at++) {
      byte b = bytes[at];
      if (b == '\\') {
        if (at + 3 >= end || bytes[at + 1] != 'x' || !isHexAt(at + 2) || !isHexAt(at + 3)) {
          return false;
        }
        b = (byte) (Character.digit(bytes[at + 2], 16) << 4 | Character.digit(bytes[at + 3], 16));
        at += 3;
      }
      raw[size++] = b;
    }
    result(("\\x" + LOWER.formatHex(raw, 0, size)).getBytes(StandardCharsets.US_ASCII));
    return true;
  }

  private boolean isHexAt(int at) {
    return Character.digit(bytes[at], 16) >= 0;
  }

  private boolean toString(byte[] text, int from, int to) {
    int most = JsonBytes.quotedLengthMax(to - from);
    if (buffer.length < most) {
      buffer = new byte[Math.max(most, 2 * buffer.length)];
    }
    end = JsonBytes.quote(text, from, to, buffer, 0);
    bytes = buffer;
    start = 0;
    return true;
  }

  private boolean fromString() {
    if (bytes[start] != '"') {
      return false;
    }
    if (buffer.length < end - start) {
      buffer = new byte[Math.max(end - start, 2 * buffer.length)];
    }
    end = JsonBytes.unescape(bytes, start, end, buffer);
    bytes = buffer;
    start = 0;
    return end >= 0;
  }

  /// PostgreSQL reads a number with blanks around it, which are no part of it.
  private boolean isNumber() {
    while (start < end && isBlank(bytes[start])) {
      start++;
    }
    while (start < end && isBlank(bytes[end - 1])) {
      end--;
    }
    return start < end
        && (bytes[start] == '-' || (bytes[start] >= '0' && bytes[start] <= '9'))
        && JsonCheck.isValid(bytes, start, end);
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  private boolean toBool() {
    boolean isTrue = start < end && bytes[start] == 't';
    boolean isFalse = start < end && bytes[start] == 'f';
    result(Arrays.copyOf(isTrue ? TRUE : FALSE, isTrue ? TRUE.length : FALSE.length));
    return isTrue || isFalse;
  }
}
