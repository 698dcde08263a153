package millrace.connectors.file;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.RecordScanner;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.StreamFeed;
import millrace.connectors.file.io.Transcoder;

/// A file read from its beginning to its end, for what only that tells: whether all of it is text
/// in its charset, which line ends it has, and whether it ends within a record or quotes. Nothing
/// is held but the last record.
final class FileScan {

  private static final int BUFFER_BYTES = 1 << 20;

  /// Of a longer last record only its beginning is held.
  private static final int RECORD_BYTES_MAX = 16 << 20;

  private final CsvSyntax syntax;
  private final RecordScanner scanner;
  private final CharsetScan charset;
  private final CharsetScan utf8;
  private byte[] record = new byte[1 << 12];
  private int recordLength;
  private byte[] lastRecord = new byte[1 << 12];
  private int lastLength;
  private final int linesBefore;
  private long firstLine;
  private long lastLine;
  private long lf;
  private long crLf;
  private long cr;

  private FileScan(FileHead head) {
    syntax = head.syntax();
    scanner = RecordScanner.of(syntax, head.width());
    linesBefore = head.linesBefore();
    firstLine = linesBefore + 1L;
    lastLine = firstLine;
    charset = new CharsetScan(head.dialect().charset());
    utf8 =
        head.dialect().charset().equals(StandardCharsets.UTF_8)
            ? charset
            : new CharsetScan(StandardCharsets.UTF_8);
  }

  /// Reads the file of that head.
  ///
  /// @throws millrace.fault.Fault.External if it can't be read
  static FileScan of(FileHead head, Path path) {
    FileScan scan = new FileScan(head);
    InputFile file = head.file();
    ByteFeed bytes = new StreamFeed(file.name(), Inputs.open(path), file.compression());
    try (ByteFeed raw =
            scan.charset.watching(scan.utf8 == scan.charset ? bytes : scan.utf8.watching(bytes));
        ByteFeed text =
            head.decoding() == Decoding.STREAM
                ? new Transcoder(raw, head.dialect().charset())
                : raw) {
      scan.run(text, head.textBegin());
    }
    return scan;
  }

  private void run(ByteFeed text, int begin) {
    byte[] buffer = new byte[Math.max(BUFFER_BYTES, 2 * begin)];
    int at = begin;
    int to = text.fill(buffer, 0, begin);
    long base = 0;
    boolean last = false;
    while (!last) {
      System.arraycopy(buffer, at, buffer, 0, to - at);
      base += at;
      to -= at;
      at = 0;
      int count = text.read(buffer, to, buffer.length - to);
      last = count < 0;
      to += Math.max(0, count);
      at = records(buffer, to, last);
      if (text instanceof Transcoder transcoder && recordLength == 0) {
        transcoder.forget(base + at);
      }
    }
  }

  /// Takes all records that end in the buffer; returns where it stopped.
  private int records(byte[] buffer, int to, boolean last) {
    int at = 0;
    while (at < to) {
      int next = scanner.scan(buffer, at, to, at + 1, last);
      if (next == at) {
        return at;
      }
      hold(buffer, at, next);
      at = next;
      if (scanner.atBoundary()) {
        endRecord(buffer, at);
      }
    }
    if (last && !scanner.atBoundary()) {
      scanner.scan(buffer, at, at, at, true);
      endRecord(buffer, at);
    }
    return at;
  }

  private void hold(byte[] buffer, int from, int to) {
    int length = Math.min(to - from, RECORD_BYTES_MAX - recordLength);
    if (record.length - recordLength < length) {
      record =
          Arrays.copyOf(record, (int) Math.min(RECORD_BYTES_MAX, 2L * (recordLength + length)));
    }
    System.arraycopy(buffer, from, record, recordLength, length);
    recordLength += length;
  }

  private void endRecord(byte[] buffer, int end) {
    if (!scanner.endsOpen()) {
      boolean isCr = buffer[end - 1] == CsvSyntax.CR;
      boolean isCrLf = !isCr && end > 1 && buffer[end - 2] == CsvSyntax.CR;
      cr += isCr ? 1 : 0;
      crLf += isCrLf ? 1 : 0;
      lf += isCr || isCrLf ? 0 : 1;
    }
    int blank = 0;
    while (blank < recordLength && record[blank] <= ' ' && record[blank] >= 0) {
      blank++;
    }
    if (blank < recordLength && !syntax.isComment(record, 0, recordLength)) {
      byte[] free = lastRecord;
      lastRecord = record;
      lastLength = recordLength;
      lastLine = firstLine;
      record = free;
    }
    recordLength = 0;
    firstLine = linesBefore + scanner.lines() + 1;
  }

  /// Records that end with a line feed alone.
  long lf() {
    return lf;
  }

  /// Records that end with both.
  long crLf() {
    return crLf;
  }

  /// Records that end with a carriage return alone.
  long cr() {
    return cr;
  }

  /// Whether the last record has no line end.
  boolean endsOpen() {
    return scanner.endsOpen();
  }

  /// Whether the last record ends inside quotes.
  boolean endsInQuotes() {
    return scanner.endsInQuotes();
  }

  /// How many records there are, a header included.
  long records() {
    return scanner.records();
  }

  /// The last record that is more than blanks, in the charset of the tokenizer; empty if none is.
  byte[] lastRecord() {
    return Arrays.copyOf(lastRecord, lastLength);
  }

  /// The line on which it begins, from 1.
  long lastLine() {
    return lastLine;
  }

  /// What the bytes are as characters of the charset that the file is read with.
  CharsetScan charset() {
    return charset;
  }

  /// What they are as UTF-8.
  CharsetScan utf8() {
    return utf8;
  }

  /// Whether bytes are characters of a charset.
  static final class CharsetScan {
    private static final int LEFT_BYTES_MAX = 64;

    private final CharsetDecoder decoder;
    private final CharBuffer characters = CharBuffer.allocate(1 << 14);
    private byte[] bytes = new byte[BUFFER_BYTES + LEFT_BYTES_MAX];
    private int left;
    private long done;
    private long badAt = -1;
    private int badByte;
    private boolean beyondAscii;
    private boolean hasZeros;

    private CharsetScan(Charset charset) {
      decoder =
          charset
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    /// The same bytes, which are looked at while they are read.
    private ByteFeed watching(ByteFeed file) {
      return new ByteFeed() {
        @Override
        public int read(byte[] into, int at, int length) {
          int count = file.read(into, at, Math.min(length, BUFFER_BYTES));
          add(into, at, Math.max(0, count), count < 0);
          return count;
        }

        @Override
        public long taken() {
          return file.taken();
        }

        @Override
        public void close() {
          file.close();
        }
      };
    }

    private void add(byte[] from, int at, int count, boolean last) {
      if (badAt >= 0) {
        return;
      }
      System.arraycopy(from, at, bytes, left, count);
      byte all = 0;
      for (int i = left; i < left + count; i++) {
        all |= bytes[i];
        hasZeros |= bytes[i] == 0;
      }
      beyondAscii |= all < 0;
      ByteBuffer in = ByteBuffer.wrap(bytes, 0, left + count);
      CoderResult result;
      do {
        result = decoder.decode(in, characters.clear(), last);
      } while (result.isOverflow());
      if (result.isError() || (last && in.hasRemaining())) {
        badAt = done + in.position();
        badByte = bytes[in.position()] & 0xFF;
        return;
      }
      done += in.position();
      left = in.remaining();
      System.arraycopy(bytes, in.position(), bytes, 0, left);
    }

    /// Where the first byte stands that is no character, or -1.
    long badAt() {
      return badAt;
    }

    /// That byte.
    int badByte() {
      return badByte;
    }

    /// Whether there are bytes of zero, which hardly a text has but in UTF-16 and UTF-32.
    boolean hasZeros() {
      return hasZeros;
    }

    /// Whether there are other bytes than those of ASCII.
    boolean beyondAscii() {
      return beyondAscii;
    }
  }
}
