package millrace.connectors.file.io;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import millrace.connectors.file.csv.CsvDialect;

/// Where on the way from the file the bytes become UTF-8.
public enum Decoding {
  /// They are UTF-8.
  NONE,
  /// Records and fields are cut in the file's own bytes, and values with other bytes than ASCII are
  /// decoded one by one: for charsets in which no character contains a byte that could be taken for
  /// a delimiter, a quote or a line end. Files can be split.
  VALUES,
  /// All is decoded before it is cut: UTF-16, charsets with shift states, and dialects whose quote
  /// or delimiter may be the second byte of a character. A file is read from its beginning.
  STREAM;

  /// The least that one character may take, beside its shift sequences.
  private static final int CHARACTER_BYTES_MAX = 32;

  /// What reading that dialect takes.
  public static Decoding of(CsvDialect dialect) {
    Charset charset = dialect.charset();
    if (charset.equals(StandardCharsets.UTF_8)) {
      return NONE;
    }
    String syntax =
        dialect.delimiter() + dialect.quotes().quote() + dialect.quotes().escape() + "\r\n";
    if (CharsetTraits.shifts(charset) || !CharsetTraits.extendsAscii(charset)) {
      return STREAM;
    }
    if (charset.newEncoder().maxBytesPerChar() == 1) {
      return VALUES;
    }
    return isAscii(syntax) && !occursWithin(charset, syntax) ? VALUES : STREAM;
  }

  /// What the tokenizer's bytes are in.
  public Charset workingCharset(CsvDialect dialect) {
    return this == VALUES ? dialect.charset() : StandardCharsets.UTF_8;
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(each -> each < 128);
  }

  /// Whether any of the characters' bytes is part of another character.
  private static boolean occursWithin(Charset charset, String syntax) {
    boolean[] wanted = new boolean[256];
    syntax.chars().forEach(each -> wanted[each] = true);
    CharsetEncoder encoder = charset.newEncoder();
    char[] one = new char[1];
    ByteBuffer out = ByteBuffer.allocate(CHARACTER_BYTES_MAX);
    for (int each = 128; each < 65536; each++) {
      if (each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE) {
        continue;
      }
      one[0] = (char) each;
      out.clear();
      encoder.reset();
      CoderResult result = encoder.encode(CharBuffer.wrap(one), out, true);
      if (result.isUnderflow()) {
        for (int i = 0; i < out.position(); i++) {
          if (wanted[out.get(i) & 0xFF]) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
