package millrace.connectors.file.csv;

import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.csv.Tokenizer.BadRecord;
import millrace.connectors.file.csv.Tokenizer.Problem;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Transcoder;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Reads one split in blocks of whole records. What a block leaves over goes to the front of the
/// next, so a record is only held together, never looked for. One thread.
public final class BlockReader implements AutoCloseable {

  private static final int READ_BYTES_MIN = 1 << 16;

  /// Room behind a block for a line end and for values that must be unescaped.
  private static final int SPARE_BYTES = 1 << 12;

  private static final int SKIP_BYTES = 1 << 16;

  private final ByteFeed byteFeed;
  private final StageClock clock;
  private final @Nullable Transcoder transcoder;
  private final CsvSyntax syntax;
  private final int width;
  private final int fieldBytesMax;
  private final int readBytes;
  private final Tokenizer tokenizer;
  private final CRC32C taken = new CRC32C();

  private byte[] carry = new byte[READ_BYTES_MIN];
  private int carried;
  private boolean ended;
  private long textOffset;
  private final long fileBase;
  private final boolean cut;
  private long counted;
  private long recordBytes;

  private long blockOffset;
  private int blockEnd;
  private long row;
  private long line;

  /// Where in the last block lines were last counted to, and the line there.
  private int countedTo;

  private long countedLine;
  private long nextRow;
  private long nextLine;
  private @Nullable BadRecord tooLong;

  /// @param head the file
  /// @param byteFeed its bytes from where the split begins, owned by the block reader; a
  ///   transcoder's text from its first character on
  /// @param split where in the file that is
  /// @param width how many fields a record has
  /// @param recordBytes about how long a record is, 0 if unknown
  /// @param readBytes about how much to read at a time
  public BlockReader(
      FileHead head,
      ByteFeed byteFeed,
      Split split,
      int width,
      int fieldBytesMax,
      long recordBytes,
      int readBytes,
      StageClock clock) {
    this.byteFeed = byteFeed;
    this.clock = clock;
    this.width = width;
    this.fieldBytesMax = fieldBytesMax;
    this.recordBytes = recordBytes;
    this.readBytes = readBytes;
    cut = head.canBeCut();
    fileBase = cut ? split.from() : 0;
    nextRow = split.firstRow();
    nextLine = split.firstLine();
    syntax = head.syntax();
    transcoder = byteFeed instanceof Transcoder decoding ? decoding : null;
    tokenizer = Tokenizer.of(syntax, width, fieldBytesMax, this::lengthInFile);
  }

  /// Steps over bytes at the beginning of the text.
  ///
  /// @return their CRC-32C
  public long skip(long bytes) {
    CRC32C skipped = new CRC32C();
    byte[] buffer = new byte[(int) Math.min(bytes, SKIP_BYTES)];
    long left = bytes;
    while (left > 0) {
      int length = byteFeed.fill(buffer, 0, (int) Math.min(left, buffer.length));
      skipped.update(buffer, 0, length);
      textOffset += length;
      left = length == 0 ? 0 : left - length;
    }
    return skipped.getValue();
  }

  /// What is left of the split behind the last block; null if it can't be read from there.
  @Nullable
  public Split rest(Split split) {
    return transcoder != null || tooLong != null
        ? null
        : new Split(
            split.index(), split.resource(), fileBase + textOffset, split.to(), nextRow, nextLine);
  }

  /// The CRC-32C of all bytes from the split's start to the end of the last block.
  public long checksum() {
    return taken.getValue();
  }

  /// Where records and fields of the next block go; see {@link Tokenizer#into}.
  public Tokenizer tokenizer() {
    return tokenizer;
  }

  /// Reads the next block: some records, good or bad.
  ///
  /// @return false at the end of the split
  public boolean next(TextBuffer textBuffer, int rowsMax) {
    if (tooLong != null) {
      stepOver();
    }
    int wanted = wanted(rowsMax);
    textBuffer.clear(Math.max(wanted, carried) + SPARE_BYTES);
    System.arraycopy(carry, 0, textBuffer.bytes, 0, carried);
    textBuffer.end = carried;
    begin();
    while (true) {
      fill(textBuffer, wanted);
      blockEnd = tokenizer.run(textBuffer, 0, ended);
      if (blockEnd > 0) {
        take(textBuffer);
        return true;
      }
      if (textBuffer.end == 0) {
        return false;
      }
      if (isTooLong(textBuffer)) {
        int field = tokenizer.pendingField();
        Problem problem =
            textBuffer.end - field > fieldBytesMax
                ? Problem.FIELD_TOO_LONG
                : Problem.RECORD_TOO_LONG;
        tooLong =
            new BadRecord(
                0, textBuffer.end, 0, problem, tokenizer.pendingColumn(), field, textBuffer.end);
        nextRow++;
        keep(textBuffer, 0);
        return true;
      }
      wanted = Math.toIntExact(Math.min(textBuffer.end * 2L, Integer.MAX_VALUE / 2));
      textBuffer.reserve(wanted - textBuffer.end + SPARE_BYTES);
    }
  }

  private void begin() {
    blockOffset = textOffset;
    row = nextRow;
    line = nextLine;
    countedTo = 0;
    countedLine = line;
    if (transcoder != null) {
      transcoder.forget(textOffset);
    }
  }

  private void take(TextBuffer textBuffer) {
    taken.update(textBuffer.bytes, 0, blockEnd);
    int records = tokenizer.records();
    if (records > 0) {
      recordBytes = Math.max(1, blockEnd / records);
    }
    nextRow += records;
    nextLine += Swar.count(textBuffer.bytes, 0, blockEnd, syntax.lineByte);
    keep(textBuffer, blockEnd);
    textOffset += blockEnd;
  }

  /// As much as the rows that fit are likely to need, so that little is left over and copied.
  private int wanted(int rowsMax) {
    long likely = recordBytes == 0 ? readBytes : recordBytes * rowsMax * 17 / 16;
    return Math.clamp(likely, Math.min(READ_BYTES_MIN, readBytes), readBytes);
  }

  private void fill(TextBuffer textBuffer, int wanted) {
    if (!ended && textBuffer.end < wanted) {
      clock.enter(Stage.READ);
      int end = byteFeed.fill(textBuffer.bytes, textBuffer.end, wanted);
      ended = end < wanted;
      textBuffer.end = end;
    }
    textBuffer.tail = textBuffer.end;
    clock.enter(Stage.PARSE);
  }

  private void keep(TextBuffer textBuffer, int from) {
    carried = textBuffer.end - from;
    if (carry.length < carried) {
      carry = new byte[Math.max(carried, carry.length * 2)];
    } else if (carry.length > readBytes * 4 && carried < readBytes) {
      carry = new byte[Math.max(carried, READ_BYTES_MIN)];
    }
    System.arraycopy(textBuffer.bytes, from, carry, 0, carried);
  }

  private boolean isTooLong(TextBuffer textBuffer) {
    return textBuffer.end - tokenizer.pendingField() > fieldBytesMax + SPARE_BYTES
        || textBuffer.end > recordBytesMax();
  }

  /// The most bytes that a record may have; it is held whole.
  long recordBytesMax() {
    return 4L * fieldBytesMax;
  }

  /// Goes on to the end of a record that is too long to hold; its beginning was carried over.
  private void stepOver() {
    tooLong = null;
    RecordScanner scanner = RecordScanner.of(syntax, width);
    byte[] window = carry;
    int end = carried;
    while (true) {
      int at = scanner.scan(window, 0, end, 0, ended);
      taken.update(window, 0, at);
      textOffset += at;
      carried = end - at;
      System.arraycopy(window, at, window, 0, carried);
      if (scanner.atBoundary()) {
        break;
      }
      if (transcoder != null) {
        transcoder.forget(textOffset);
      }
      end = byteFeed.fill(window, carried, window.length);
      ended = end < window.length;
    }
    nextLine += scanner.lines();
  }

  /// The record that was too long, if the last block was one.
  @Nullable
  public BadRecord tooLong() {
    return tooLong;
  }

  /// How many bytes of the slab the last block's records take.
  public int blockEnd() {
    return blockEnd;
  }

  /// The number of the last block's first record in the file, from 1.
  public long row() {
    return row;
  }

  /// The line on which the last block begins, from 1.
  long line() {
    return line;
  }

  /// The line on which a byte of the last block stands. It is counted from the byte that was asked
  /// for last, so that many bad records of one block cost little.
  public long line(TextBuffer textBuffer, int at) {
    countedLine +=
        at >= countedTo
            ? Swar.count(textBuffer.bytes, countedTo, at, syntax.lineByte)
            : -Swar.count(textBuffer.bytes, at, countedTo, syntax.lineByte);
    countedTo = at;
    return countedLine;
  }

  /// Where in the file a byte of the last block stands.
  public long fileOffset(int at) {
    return transcoder == null
        ? fileBase + blockOffset + at
        : transcoder.rawOffset(blockOffset + at);
  }

  /// How many bytes of the file itself were taken since this was last asked; compressed ones if it
  /// is compressed.
  public long sourceBytes() {
    long now = cut ? textOffset : byteFeed.taken();
    long since = now - counted;
    counted = now;
    return since;
  }

  /// The file's own bytes of a part of the last block.
  byte[] raw(TextBuffer textBuffer, int from, int to) {
    return transcoder == null
        ? Arrays.copyOfRange(textBuffer.bytes, from, to)
        : transcoder.raw(fileOffset(from), fileOffset(to));
  }

  /// Bytes of the last block that are no characters of the file's charset, if it was decoded.
  List<Transcoder.Malformed> malformed() {
    return transcoder == null
        ? List.of()
        : transcoder.malformed(blockOffset, blockOffset + blockEnd);
  }

  /// The first of such bytes, as the file has it.
  byte firstByte(Transcoder.Malformed malformed) {
    return transcoder == null ? 0 : transcoder.raw(malformed.rawAt(), malformed.rawAt() + 1)[0];
  }

  /// Where in the last block's slab such bytes stand.
  int at(Transcoder.Malformed malformed) {
    return (int) (malformed.textAt() - blockOffset);
  }

  private long lengthInFile(int start, int end) {
    return transcoder == null ? end - start : fileOffset(end) - fileOffset(start);
  }

  @Override
  public void close() {
    byteFeed.close();
  }
}
