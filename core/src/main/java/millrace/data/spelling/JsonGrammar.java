package millrace.data.spelling;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import millrace.data.spelling.number.Digits;

/// Follows the grammar of RFC 8259 through bytes, and keeps nothing of them: one pass without a
/// tree or a copy, however deep the document. What is in strings has to be UTF-8 for it to be JSON,
/// which is for the caller to see. One thread; it may be used again and again.
public final class JsonGrammar {

  /// How the bytes stand to the grammar.
  public enum Result {
    /// They are one document, with white space around it at most.
    DOCUMENT,
    /// They are the beginning of one: more would have to follow.
    BEGINNING,
    /// They are one document, and something else behind it.
    MORE,
    /// They are no document, whatever follows.
    WRONG
  }

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long SPACES = ' ' * ONES;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private static final byte[] TRUE = Words.of("true");
  private static final byte[] FALSE = Words.of("false");
  private static final byte[] NULL = Words.of("null");

  private static final int HEX_DIGITS = 4;

  /// Instead of a place: the grammar is broken at {@link #at}, or the bytes end there.
  private static final int STOP = -1;

  private byte[] bytes = {};
  private int end;
  private int at;

  /// Objects and arrays that are open: a bit for each, set for an object.
  private long[] open = new long[1];

  private int depth;

  /// Whether the value that was begun last is an object or array that has members or items.
  private boolean opened;

  /// Where the grammar was broken, or where it stopped: the index of a byte, or the end.
  public int at() {
    return at;
  }

  /// Follows the grammar from `start` up to `stop`.
  public Result follow(byte[] text, int start, int stop) {
    bytes = text;
    end = stop;
    depth = 0;
    int next = space(start);
    while (true) {
      next = value(next);
      if (next != STOP && !opened) {
        next = after(next);
        if (depth == 0 && next != STOP) {
          at = next;
          return next == end ? Result.DOCUMENT : Result.MORE;
        }
      }
      if (next == STOP) {
        return at == end ? Result.BEGINNING : Result.WRONG;
      }
    }
  }

  private int fail(int place) {
    at = place;
    return STOP;
  }

  private int space(int from) {
    int next = from;
    while (next < end
        && (bytes[next] == ' '
            || bytes[next] == '\n'
            || bytes[next] == '\r'
            || bytes[next] == '\t')) {
      next++;
    }
    return next;
  }

  /// Behind the value that is due here, or where the first value begins of one that opens.
  private int value(int from) {
    opened = false;
    if (from == end) {
      return fail(end);
    }
    return switch (bytes[from]) {
      case '{' -> opening(space(from + 1), '}', true);
      case '[' -> opening(space(from + 1), ']', false);
      case '"' -> string(from + 1);
      case 't' -> word(TRUE, from);
      case 'f' -> word(FALSE, from);
      case 'n' -> word(NULL, from);
      default -> number(from);
    };
  }

  private int opening(int next, char closing, boolean isObject) {
    if (next < end && bytes[next] == closing) {
      return next + 1;
    }
    push(isObject);
    opened = true;
    return isObject ? key(next) : next;
  }

  /// Where the next value begins, what ends here left behind; behind the document if all of it has
  /// ended.
  private int after(int from) {
    int next = space(from);
    while (depth > 0) {
      if (next == end) {
        return fail(end);
      }
      boolean isObject = isObject();
      byte here = bytes[next];
      if (here == ',') {
        int following = space(next + 1);
        return isObject ? key(following) : following;
      }
      if (here != (isObject ? '}' : ']')) {
        return fail(next);
      }
      depth--;
      next = space(next + 1);
    }
    return next;
  }

  /// Where the value begins of the member whose name is due here.
  private int key(int from) {
    if (from == end || bytes[from] != '"') {
      return fail(from);
    }
    int next = string(from + 1);
    if (next == STOP) {
      return STOP;
    }
    next = space(next);
    return next == end || bytes[next] != ':' ? fail(next) : space(next + 1);
  }

  private int string(int from) {
    int next = from;
    while (true) {
      next = plainEnd(next);
      if (next == end) {
        return fail(end);
      }
      if (bytes[next] == '"') {
        return next + 1;
      }
      if (bytes[next] != '\\') {
        return fail(next);
      }
      next = escape(next + 1);
      if (next == STOP) {
        return STOP;
      }
    }
  }

  /// The first quote, backslash or control character, or the end.
  private int plainEnd(int from) {
    int next = from;
    for (; next <= end - Long.BYTES; next += Long.BYTES) {
      long word = (long) EIGHT_BYTES.get(bytes, next);
      long quotes = word ^ QUOTES;
      long backslashes = word ^ BACKSLASHES;
      long hits =
          (((word - SPACES) & ~word)
                  | ((quotes - ONES) & ~quotes)
                  | ((backslashes - ONES) & ~backslashes))
              & HIGH_BITS;
      if (hits != 0) {
        // The lowest hit is exact.
        return next + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    while (next < end && bytes[next] != '"' && bytes[next] != '\\' && (bytes[next] & 0xFF) >= ' ') {
      next++;
    }
    return next;
  }

  private int escape(int from) {
    if (from == end) {
      return fail(end);
    }
    return switch (bytes[from]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> from + 1;
      case 'u' -> {
        int next = from + 1;
        while (next < end && next <= from + HEX_DIGITS && HexFormat.isHexDigit(bytes[next])) {
          next++;
        }
        yield next > from + HEX_DIGITS ? next : fail(next);
      }
      default -> fail(from);
    };
  }

  private int word(byte[] word, int from) {
    for (int i = 0; i < word.length; i++) {
      if (from + i == end || bytes[from + i] != word[i]) {
        return fail(from + i);
      }
    }
    return from + word.length;
  }

  private int number(int from) {
    int next = bytes[from] == '-' ? from + 1 : from;
    int digits = next < end && bytes[next] == '0' ? next + 1 : digits(next);
    if (digits != STOP && digits < end && bytes[digits] == '.') {
      digits = digits(digits + 1);
    }
    if (digits != STOP && digits < end && (bytes[digits] == 'e' || bytes[digits] == 'E')) {
      boolean signed = digits + 1 < end && (bytes[digits + 1] == '-' || bytes[digits + 1] == '+');
      digits = digits(signed ? digits + 2 : digits + 1);
    }
    return digits;
  }

  /// Behind at least one digit.
  private int digits(int from) {
    int next = Digits.digitsEnd(bytes, from, end);
    return next == from ? fail(from) : next;
  }

  private void push(boolean isObject) {
    int word = depth >>> 6;
    if (word == open.length) {
      open = Arrays.copyOf(open, 2 * word);
    }
    long bit = 1L << depth;
    open[word] = isObject ? open[word] | bit : open[word] & ~bit;
    depth++;
  }

  private boolean isObject() {
    return (open[(depth - 1) >>> 6] >>> (depth - 1) & 1) != 0;
  }
}
