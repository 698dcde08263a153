package millrace.connectors.file.csv;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/// Decodes single values of a file's charset into UTF-8, behind the file's bytes. One thread.
final class ValueDecoder {

  private static final int UTF8_BYTES_PER_CHAR_MAX = 3;

  private final CharsetDecoder decoder;
  private ByteBuffer in = ByteBuffer.allocate(0);
  private CharBuffer characters = CharBuffer.allocate(256);

  ValueDecoder(Charset charset) {
    decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  /// Appends the value's UTF-8 at the slab's tail.
  ///
  /// @return -1, or where the first bytes stand that are no character
  // The question is whether it is the same array, not whether it holds the same.
  @SuppressWarnings("ReferenceEquality")
  int decode(TextBuffer textBuffer, int start, int end) {
    int length = (int) Math.ceil((end - start) * (double) decoder.maxCharsPerByte());
    if (characters.capacity() < length) {
      characters = CharBuffer.allocate(Math.max(length, characters.capacity() * 2));
    }
    if (in.array() != textBuffer.bytes) {
      in = ByteBuffer.wrap(textBuffer.bytes);
    }
    in.limit(end).position(start);
    characters.clear();
    decoder.reset();
    CoderResult result = decoder.decode(in, characters, true);
    if (result.isError()) {
      return in.position();
    }
    decoder.flush(characters);
    append(textBuffer, characters.array(), characters.position());
    return -1;
  }

  private static void append(TextBuffer textBuffer, char[] from, int length) {
    textBuffer.reserve(length * UTF8_BYTES_PER_CHAR_MAX);
    byte[] out = textBuffer.bytes;
    int at = textBuffer.tail;
    for (int i = 0; i < length; i++) {
      char each = from[i];
      if (each < 0x80) {
        out[at++] = (byte) each;
      } else if (each < 0x800) {
        out[at++] = (byte) (0xC0 | each >> 6);
        out[at++] = (byte) (0x80 | (each & 0x3F));
      } else if (Character.isHighSurrogate(each)) {
        // A decoder gives pairs only.
        int point = Character.toCodePoint(each, from[++i]);
        out[at++] = (byte) (0xF0 | point >> 18);
        out[at++] = (byte) (0x80 | (point >> 12 & 0x3F));
        out[at++] = (byte) (0x80 | (point >> 6 & 0x3F));
        out[at++] = (byte) (0x80 | (point & 0x3F));
      } else {
        out[at++] = (byte) (0xE0 | each >> 12);
        out[at++] = (byte) (0x80 | (each >> 6 & 0x3F));
        out[at++] = (byte) (0x80 | (each & 0x3F));
      }
    }
    textBuffer.tail = at;
  }
}
