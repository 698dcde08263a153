package millrace.data.spelling.nested;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.data.Type;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import millrace.data.spelling.JsonBytes;

/// Spells a list or a struct of the texts of its parts. One thread.
final class NestedWriter {

  private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] JSON_NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private final Marks marks;
  private final boolean isList;

  /// What stands before each member, comma included but for the first; none of a list.
  private final List<byte[]> heads = new ArrayList<>();

  /// Of each member, whether its text stands as it is; for a list, one for all elements.
  private final List<Boolean> raw = new ArrayList<>();

  private byte[] bytes = new byte[256];
  private int length;
  private int added;

  NestedWriter(Nested type) {
    marks = type.marks();
    isList = type instanceof ListOf;
    switch (type) {
      case ListOf(Type element, _) -> raw.add(isRaw(element));
      case StructOf struct ->
          struct
              .members()
              .forEach(member -> {
                heads.add(head(member.name()));
                raw.add(isRaw(member.type()));
              });
    }
  }

  private boolean isRaw(Type part) {
    return switch (marks) {
      case BRACES -> isList && part.nested() instanceof ListOf;
      case BRACKETS -> part.nested() != null;
      case JSON -> true;
    };
  }

  private byte[] head(String name) {
    String comma = heads.isEmpty() ? "" : ",";
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return switch (marks) {
      case BRACES -> comma.getBytes(StandardCharsets.UTF_8);
      case BRACKETS -> {
        length = 0;
        put(comma.getBytes(StandardCharsets.UTF_8));
        quoted(text, 0, text.length, '\'', '\\');
        put((byte) ':');
        yield Arrays.copyOf(bytes, length);
      }
      case JSON -> {
        byte[] head = new byte[2 + JsonBytes.quotedLengthMax(text.length)];
        System.arraycopy(comma.getBytes(StandardCharsets.UTF_8), 0, head, 0, comma.length());
        int end = JsonBytes.quote(text, 0, text.length, head, comma.length());
        head[end] = ':';
        yield Arrays.copyOf(head, end + 1);
      }
    };
  }

  /// Begins a value.
  void begin() {
    length = 0;
    added = 0;
    put(
        switch (marks) {
          case BRACES -> (byte) (isList ? '{' : '(');
          case BRACKETS, JSON -> (byte) (isList ? '[' : '{');
        });
  }

  private int next() {
    int part = isList ? 0 : added;
    if (!isList) {
      put(heads.get(part));
    } else if (added > 0) {
      put((byte) ',');
    }
    added++;
    return part;
  }

  /// Adds a part that is null.
  void addNull() {
    next();
    if (marks == Marks.JSON) {
      put(JSON_NULL);
    } else if (isList || marks == Marks.BRACKETS) {
      put(NULL);
    }
  }

  /// Adds a part.
  void add(byte[] text, int start, int end) {
    int part = next();
    if (raw.get(part) || isPlain(text, start, end)) {
      put(text, start, end);
    } else if (marks == Marks.BRACES) {
      quoted(text, start, end, '"', isList ? '\\' : '"');
    } else {
      quoted(text, start, end, '\'', '\\');
    }
  }

  /// Whether it reads as itself without quotes.
  private static boolean isPlain(byte[] text, int start, int end) {
    for (int i = start; i < end; i++) {
      byte b = text[i];
      boolean isWord = (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
      if (!isWord && b != '-' && b != '.' && b != '_' && b != '+') {
        return false;
      }
    }
    return end > start && !Parts.isNullWord(text, start, end);
  }

  private void quoted(byte[] text, int start, int end, char quote, char escape) {
    put((byte) quote);
    for (int i = start; i < end; i++) {
      byte b = text[i];
      if (b == quote) {
        put((byte) escape);
      } else if (b == '\\') {
        put((byte) '\\');
      }
      put(b);
    }
    put((byte) quote);
  }

  /// Ends the value.
  void end() {
    put(
        switch (marks) {
          case BRACES -> (byte) (isList ? '}' : ')');
          case BRACKETS, JSON -> (byte) (isList ? ']' : '}');
        });
  }

  private void put(byte[] from) {
    put(from, 0, from.length);
  }

  private void put(byte[] from, int start, int end) {
    reserve(end - start);
    System.arraycopy(from, start, bytes, length, end - start);
    length += end - start;
  }

  private void put(byte b) {
    reserve(1);
    bytes[length++] = b;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
    }
  }

  /// The value, from index 0 on; valid until the next one begins.
  byte[] bytes() {
    return bytes;
  }

  /// How long it is.
  int length() {
    return length;
  }
}
