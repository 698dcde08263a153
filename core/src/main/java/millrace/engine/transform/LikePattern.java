package millrace.engine.transform;

import java.nio.charset.StandardCharsets;

/// A pattern of SQL's LIKE over UTF-8: `%` stands for any text, `_` for one character.
final class LikePattern {

  private static final int ANY_TEXT = -1;
  private static final int ANY_CHARACTER = -2;

  /// Bytes that stand for themselves, and the two above.
  private final int[] tokens;

  /// @param escape the character that makes the next one stand for itself, or -1 for none
  LikePattern(String pattern, int escape) {
    java.util.stream.IntStream.Builder found = java.util.stream.IntStream.builder();
    for (int i = 0; i < pattern.length(); ) {
      int character = pattern.codePointAt(i);
      i += Character.charCount(character);
      if (character == escape && i < pattern.length()) {
        int escaped = pattern.codePointAt(i);
        i += Character.charCount(escaped);
        addBytes(escaped, found);
      } else if (character == '%') {
        found.add(ANY_TEXT);
      } else if (character == '_') {
        found.add(ANY_CHARACTER);
      } else {
        addBytes(character, found);
      }
    }
    tokens = found.build().toArray();
  }

  private static void addBytes(int character, java.util.stream.IntStream.Builder found) {
    for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
      found.add(b & 0xFF);
    }
  }

  /// Whether the whole text follows the pattern.
  ///
  /// When a match fails, the last `%` takes one character more: no earlier one needs another try,
  /// since the last can take whatever they leave.
  boolean matches(byte[] bytes, int start, int end) {
    int at = start;
    int token = 0;
    int retryToken = -1;
    int retryAt = start;
    while (at < end || token < tokens.length) {
      if (token < tokens.length && tokens[token] == ANY_TEXT) {
        token++;
        retryToken = token;
        retryAt = at;
        continue;
      }
      int next = token < tokens.length && at < end ? step(tokens[token], bytes, at, end) : at;
      if (next > at) {
        at = next;
        token++;
      } else if (retryToken >= 0 && retryAt < end) {
        retryAt = characterEnd(bytes, retryAt, end);
        at = retryAt;
        token = retryToken;
      } else {
        return false;
      }
    }
    return true;
  }

  /// Where what the token takes ends, or `at` if it does not match.
  private static int step(int token, byte[] bytes, int at, int end) {
    if (token == ANY_CHARACTER) {
      return characterEnd(bytes, at, end);
    }
    return (bytes[at] & 0xFF) == token ? at + 1 : at;
  }

  private static int characterEnd(byte[] bytes, int at, int end) {
    int next = at + 1;
    while (next < end && (bytes[next] & 0xC0) == 0x80) {
      next++;
    }
    return next;
  }
}
