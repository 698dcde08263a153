package millrace.connectors.file.io;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Decodes a file into UTF-8 while it is read, and can tell afterwards which of the file's bytes
/// any of it was: offsets in errors and bad records are the file's own.
///
/// It keeps the file's bytes, and where every line begins, until {@link #forget}. What lies within
/// a line is found by decoding the line again, which only errors need. One thread.
public final class Transcoder implements ByteFeed {

  private static final int RAW_BYTES = 1 << 16;
  private static final int OUT_BYTES = 1 << 16;

  /// The most bytes of UTF-8 that one step makes.
  private static final int STEP_BYTES_MAX = 8;

  /// What stands in the text where the file's bytes are no character.
  private static final char REPLACEMENT = '\uFFFD';

  /// Bytes that are no character.
  ///
  /// @param textAt where in the text their replacement stands
  /// @param rawAt where in the file they stand
  /// @param length how many they are
  public record Malformed(long textAt, long rawAt, int length) {}

  private final ByteFeed file;
  private final Charset charset;
  private final CharsetDecoder decoder;

  /// Bytes of an ASCII character if it can be told at a glance, else 0.
  private final int asciiUnit;

  private final int asciiLow;

  private byte[] raw = new byte[RAW_BYTES * 2];
  private long rawBase;
  private int rawAt;
  private int rawEnd;
  private boolean rawEnded;

  private final byte[] out = new byte[OUT_BYTES];
  private int outAt;
  private int outEnd;
  private long textEnd;

  private long[] lineText = new long[256];
  private long[] lineRaw = new long[256];
  private int lines = 1;
  private final List<Malformed> malformed = new ArrayList<>();
  private final CharBuffer one = CharBuffer.allocate(1);
  private final CharBuffer two = CharBuffer.allocate(2);

  public Transcoder(ByteFeed file, Charset named) {
    this.file = file;
    rawEnd = file.fill(raw, 0, 2);
    charset = named.equals(StandardCharsets.UTF_16) ? byteOrder() : named;
    decoder = reporting(charset);
    boolean little = charset.equals(StandardCharsets.UTF_16LE);
    asciiLow = little ? 0 : 1;
    asciiUnit =
        little || charset.equals(StandardCharsets.UTF_16BE) ? 2 : isPlainMultiByte(charset) ? 1 : 0;
    lineRaw[0] = rawAt;
  }

  /// Reads a UTF-16 byte order mark, by which the two orders are told apart; without one it is the
  /// big end first, as the standard has it.
  private Charset byteOrder() {
    if (rawEnd == 2 && raw[0] == (byte) 0xFF && raw[1] == (byte) 0xFE) {
      rawAt = 2;
      return StandardCharsets.UTF_16LE;
    }
    if (rawEnd == 2 && raw[0] == (byte) 0xFE && raw[1] == (byte) 0xFF) {
      rawAt = 2;
    }
    return StandardCharsets.UTF_16BE;
  }

  private static boolean isPlainMultiByte(Charset charset) {
    return !CharsetTraits.shifts(charset)
        && CharsetTraits.extendsAscii(charset)
        && charset.newEncoder().maxBytesPerChar() <= 4;
  }

  private static CharsetDecoder reporting(Charset charset) {
    return charset
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  @Override
  public int read(byte[] into, int at, int length) {
    while (outAt == outEnd) {
      outAt = 0;
      outEnd = 0;
      if (!decode()) {
        return -1;
      }
    }
    int count = Math.min(length, outEnd - outAt);
    System.arraycopy(out, outAt, into, at, count);
    outAt += count;
    return count;
  }

  /// Decodes until the output is full or more of the file is needed; false at the end.
  private boolean decode() {
    while (outEnd <= OUT_BYTES - STEP_BYTES_MAX) {
      int before = rawAt;
      ascii();
      if (outEnd > OUT_BYTES - STEP_BYTES_MAX) {
        return true;
      }
      if (rawAt < rawEnd && step()) {
        continue;
      }
      if (outEnd > 0) {
        return true;
      }
      if (rawEnded) {
        return false;
      }
      if (rawAt == before) {
        readMore();
      }
    }
    return true;
  }

  private void readMore() {
    if (raw.length - rawEnd < RAW_BYTES) {
      raw = Arrays.copyOf(raw, raw.length * 2);
    }
    int count = file.read(raw, rawEnd, RAW_BYTES);
    rawEnded = count < 0;
    rawEnd += Math.max(0, count);
  }

  /// Takes what is ASCII without asking the decoder.
  private void ascii() {
    if (asciiUnit == 0) {
      return;
    }
    while (rawEnd - rawAt >= asciiUnit && outEnd <= OUT_BYTES - STEP_BYTES_MAX) {
      byte next = asciiUnit == 1 ? raw[rawAt] : raw[rawAt + asciiLow];
      if (next < 0 || (asciiUnit == 2 && raw[rawAt + 1 - asciiLow] != 0)) {
        return;
      }
      rawAt += asciiUnit;
      put(next);
    }
  }

  /// Decodes one character; false if more bytes are needed for it.
  private boolean step() {
    ByteBuffer in = ByteBuffer.wrap(raw, rawAt, rawEnd - rawAt);
    one.clear();
    CoderResult result = decoder.decode(in, one, rawEnded);
    CharBuffer got = one;
    if (one.position() == 0 && result.isOverflow()) {
      two.clear();
      result = decoder.decode(in, two, rawEnded);
      got = two;
    }
    boolean moved = in.position() > rawAt;
    rawAt = in.position();
    if (got.position() > 0) {
      got.flip();
      put(got);
      return true;
    }
    if (result.isError()) {
      malformed.add(new Malformed(textEnd, rawBase + rawAt, result.length()));
      rawAt += result.length();
      put(CharBuffer.wrap(new char[] {REPLACEMENT}));
      return true;
    }
    return moved;
  }

  private void put(CharBuffer characters) {
    if (characters.length() == 1 && characters.charAt(0) < 128) {
      put((byte) characters.charAt(0));
      return;
    }
    byte[] bytes = characters.toString().getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, out, outEnd, bytes.length);
    outEnd += bytes.length;
    textEnd += bytes.length;
  }

  private void put(byte ascii) {
    out[outEnd++] = ascii;
    textEnd++;
    if (ascii == '\n' || ascii == '\r') {
      if (lines == lineText.length) {
        lineText = Arrays.copyOf(lineText, lines * 2);
        lineRaw = Arrays.copyOf(lineRaw, lines * 2);
      }
      lineText[lines] = textEnd;
      lineRaw[lines++] = rawBase + rawAt;
    }
  }

  /// Where in the file the byte of the text stands that has that offset, or the end of the text.
  public long rawOffset(long text) {
    if (text == textEnd) {
      return rawBase + rawAt;
    }
    int line = Arrays.binarySearch(lineText, 0, lines, text);
    return line >= 0 ? lineRaw[line] : rawWithin(-line - 2, text);
  }

  private long rawWithin(int line, long text) {
    CharsetDecoder again = reporting(charset);
    int from = (int) (lineRaw[line] - rawBase);
    ByteBuffer in = ByteBuffer.wrap(raw, from, rawEnd - from);
    long at = lineText[line];
    while (at < text) {
      CharBuffer got = CharBuffer.allocate(1);
      CoderResult result = again.decode(in, got, true);
      if (got.position() == 0 && result.isOverflow()) {
        got = CharBuffer.allocate(2);
        result = again.decode(in, got, true);
      }
      if (result.isError() && got.position() == 0) {
        in.position(in.position() + result.length());
        got.put(REPLACEMENT);
      }
      if (got.position() == 0) {
        break;
      }
      at += got.flip().toString().getBytes(StandardCharsets.UTF_8).length;
    }
    return rawBase + in.position();
  }

  /// The file's bytes from one offset of the file up to another.
  public byte[] raw(long from, long to) {
    return Arrays.copyOfRange(raw, (int) (from - rawBase), (int) (to - rawBase));
  }

  /// Bytes that are no character, in `[from, to)` of the text.
  public List<Malformed> malformed(long from, long to) {
    return malformed.stream().filter(each -> each.textAt >= from && each.textAt < to).toList();
  }

  /// Nothing before that offset of the text, where a line begins, will be asked for again.
  public void forget(long text) {
    int line = Arrays.binarySearch(lineText, 0, lines, text);
    int first = line >= 0 ? line : -line - 2;
    int drop = (int) (lineRaw[first] - rawBase);
    System.arraycopy(raw, drop, raw, 0, rawEnd - drop);
    rawBase += drop;
    rawAt -= drop;
    rawEnd -= drop;
    lines -= first;
    System.arraycopy(lineText, first, lineText, 0, lines);
    System.arraycopy(lineRaw, first, lineRaw, 0, lines);
    malformed.removeIf(each -> each.textAt < text);
  }

  @Override
  public long taken() {
    return file.taken();
  }

  @Override
  public void close() {
    file.close();
  }
}
