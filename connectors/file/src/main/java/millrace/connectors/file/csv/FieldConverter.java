package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import millrace.connectors.file.FileHead;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.Transcoder;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.Records;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Utf8;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.guess.GuessCheck;
import org.jspecify.annotations.Nullable;

/// Turns the fields of a block into values, column by column.
///
/// Text is not copied: the tokenizer writes its places straight into the batch's vectors, which
/// then are views on the block. One thread.
public final class FieldConverter {

  private final FileHead head;
  private final FileColumns columns;
  private final BlockReader block;
  private final RejectMessages rejectMessages;
  private final @Nullable ValueDecoder decoder;
  private final @Nullable DocumentCheck documentCheck;
  private final List<@Nullable ValueParser> parsers = new ArrayList<>();
  private final List<@Nullable GuessCheck> checks = new ArrayList<>();

  /// Places of the fields by field; those that nobody wants share one array.
  private final int[][] starts;

  private final int[][] ends;
  private final int[] ignored;

  /// Fields whose places are known.
  private final boolean[] placed;

  /// Whether records are found only.
  private boolean bare;

  public FieldConverter(
      FileHead head,
      FileColumns columns,
      BlockReader block,
      RejectMessages rejectMessages,
      int rowsMax) {
    this.head = head;
    this.columns = columns;
    this.block = block;
    this.rejectMessages = rejectMessages;
    decoder =
        head.decoding() == Decoding.VALUES ? new ValueDecoder(head.dialect().charset()) : null;
    documentCheck =
        head.dialect().framing().documents() ? new DocumentCheck(head, rejectMessages) : null;
    ignored = new int[rowsMax];
    placed = new boolean[columns.width()];
    starts = new int[columns.width()][];
    ends = new int[columns.width()][];
    Arrays.fill(starts, ignored);
    Arrays.fill(ends, ignored);
    Schema schema = columns.schema();
    for (int i = 0; i < schema.width(); i++) {
      Type type = schema.column(i).type();
      int field = columns.fieldOf().get(i);
      if (field < 0) {
        parsers.add(null);
        checks.add(null);
        continue;
      }
      SpellingStyle style = columns.styles().get(i);
      placed[field] = true;
      if (!isView(type)) {
        starts[field] = new int[rowsMax];
        ends[field] = new int[rowsMax];
      }
      boolean isChecked = documentCheck != null && type instanceof Type.Json;
      parsers.add(needsParser(type) && !isChecked ? Spelling.parser(type, style) : null);
      checks.add(columns.guessed().get(i) ? GuessCheck.of(type, style) : null);
    }
  }

  /// Whether values of the type are the file's bytes.
  private static boolean isView(Type type) {
    return switch (type) {
      case Type.Textual _ -> true;
      case Type.Bool _, Type.Numeric _, Type.Temporal _, Type.Uuid _, Type.Bytes _ -> false;
    };
  }

  /// Text of a limited length has to be counted, and JSON looked at.
  private static boolean needsParser(Type type) {
    return !isView(type)
        || type instanceof Type.Json
        || (type instanceof Type.Text(int lengthMax, _) && lengthMax > 0);
  }

  /// Makes the tokenizer write into a batch.
  public void bind(Columns into, BatchBuffers batchBuffers) {
    Schema schema = columns.schema();
    for (int i = 0; i < schema.width(); i++) {
      if (isView(schema.column(i).type()) && columns.fieldOf().get(i) >= 0) {
        BytesVector vector = into.bytes(i);
        starts[columns.fieldOf().get(i)] = vector.starts;
        ends[columns.fieldOf().get(i)] = vector.ends;
      }
    }
    block
        .tokenizer()
        .into(
            starts, ends, batchBuffers.recordStarts, batchBuffers.recordEnds, batchBuffers.numbers);
  }

  /// Makes the tokenizer find records only.
  public void bindNothing(BatchBuffers batchBuffers) {
    Arrays.fill(starts, ignored);
    Arrays.fill(ends, ignored);
    Arrays.fill(placed, false);
    bare = true;
    block
        .tokenizer()
        .into(
            starts, ends, batchBuffers.recordStarts, batchBuffers.recordEnds, batchBuffers.numbers);
  }

  /// Finds records with bytes that are no characters, and lines that are no documents; decodes
  /// values if that is due.
  public void checkText(BatchBuffers batchBuffers, int rows, BlockRejects blockRejects) {
    TextBuffer textBuffer = batchBuffers.textBuffer;
    int end = block.blockEnd();
    switch (head.decoding()) {
      case NONE -> checkUtf8(batchBuffers, rows, blockRejects);
      case VALUES -> {
        if (decoder != null && !Swar.isAscii(textBuffer.bytes, 0, end)) {
          decode(decoder, batchBuffers, rows, blockRejects);
        }
        checkNul(batchBuffers, rows, blockRejects);
      }
      case STREAM -> {
        for (Transcoder.Malformed malformed : block.malformed()) {
          garbled(
              batchBuffers, rows, block.at(malformed), block.firstByte(malformed), blockRejects);
        }
        checkNul(batchBuffers, rows, blockRejects);
      }
    }
    if (documentCheck != null) {
      documentCheck.check(batchBuffers, rows, blockRejects, bare);
    }
  }

  private void checkUtf8(BatchBuffers batchBuffers, int rows, BlockRejects blockRejects) {
    byte[] bytes = batchBuffers.textBuffer.bytes;
    int end = block.blockEnd();
    int at = Utf8.firstInvalid(bytes, 0, end);
    while (at >= 0) {
      int next = garbled(batchBuffers, rows, at, bytes[at], blockRejects);
      at = Utf8.firstInvalid(bytes, next, end);
    }
  }

  private void checkNul(BatchBuffers batchBuffers, int rows, BlockRejects blockRejects) {
    byte[] bytes = batchBuffers.textBuffer.bytes;
    int end = block.blockEnd();
    int at = Swar.indexOf(bytes, 0, end, (byte) 0);
    while (at < end) {
      at =
          Swar.indexOf(
              bytes, garbled(batchBuffers, rows, at, bytes[at], blockRejects), end, (byte) 0);
    }
  }

  /// Notes the record in which a byte is wrong; returns where to look further: behind it.
  private int garbled(
      BatchBuffers batchBuffers, int rows, int at, byte wrong, BlockRejects blockRejects) {
    int row = Arrays.binarySearch(batchBuffers.recordEnds, 0, rows, at + 1);
    row = row < 0 ? -row - 1 : row;
    if (row == rows || batchBuffers.recordStarts[row] > at) {
      // In a record that is bad already: go on with the next byte.
      return at + 1;
    }
    blockRejects.add(
        batchBuffers,
        row,
        rejectMessages.garbled(batchBuffers.textBuffer, at, wrong, fieldAt(row, at)));
    return batchBuffers.recordEnds[row];
  }

  /// The field that a byte is in, or -1 if that is not known: the field is not wanted, or was
  /// copied when it was unescaped.
  private int fieldAt(int row, int at) {
    for (int field = 0; field < starts.length; field++) {
      if (placed[field] && starts[field][row] <= at && at < ends[field][row]) {
        return field;
      }
    }
    return -1;
  }

  private void decode(
      ValueDecoder decoder, BatchBuffers batchBuffers, int rows, BlockRejects blockRejects) {
    boolean any = false;
    for (int field = 0; field < starts.length; field++) {
      if (placed[field]) {
        any = true;
        decode(decoder, batchBuffers, field, starts[field], ends[field], rows, blockRejects);
      }
    }
    if (!any) {
      int tail = batchBuffers.textBuffer.tail;
      int[] from = Arrays.copyOf(batchBuffers.recordStarts, rows);
      int[] to = Arrays.copyOf(batchBuffers.recordEnds, rows);
      decode(decoder, batchBuffers, -1, from, to, rows, blockRejects);
      batchBuffers.textBuffer.tail = tail;
    }
  }

  /// Decodes one field of all rows, or, if it is -1, whole records, which are only checked.
  private void decode(
      ValueDecoder decoder,
      BatchBuffers batchBuffers,
      int field,
      int[] from,
      int[] to,
      int rows,
      BlockRejects blockRejects) {
    TextBuffer textBuffer = batchBuffers.textBuffer;
    for (int row = 0; row < rows; row++) {
      if (from[row] < 0 || Swar.isAscii(textBuffer.bytes, from[row], to[row])) {
        continue;
      }
      int tail = textBuffer.tail;
      int wrong = decoder.decode(textBuffer, from[row], to[row]);
      if (wrong >= 0) {
        byte which = textBuffer.bytes[wrong];
        blockRejects.add(
            batchBuffers, row, rejectMessages.garbled(textBuffer, wrong, which, field));
      } else {
        from[row] = tail;
        to[row] = textBuffer.tail;
      }
    }
  }

  /// Fills the batch's vectors.
  ///
  /// @param skip rows that are bad already
  /// @param misfits takes rows with values that their types do not know
  public void convert(
      Columns into, BatchBuffers batchBuffers, int rows, BitSet skip, BlockRejects misfits) {
    Schema schema = columns.schema();
    for (int i = 0; i < schema.width(); i++) {
      int field = columns.fieldOf().get(i);
      Vector vector = into.vector(i);
      FolderValue ofFolder = columns.folderValue(i);
      if (ofFolder != null) {
        ofFolder.fill(vector, rows);
        continue;
      }
      if (isView(schema.column(i).type()) && vector instanceof BytesVector bytes) {
        bytes.view(batchBuffers.textBuffer.bytes);
      }
      ValueParser parser = parsers.get(i);
      if (parser == null) {
        markNulls(starts[field], vector.nulls, rows);
      } else {
        parse(parser, vector, batchBuffers, i, rows, skip, misfits);
      }
    }
  }

  private static void markNulls(int[] starts, boolean[] nulls, int rows) {
    for (int row = 0; row < rows; row++) {
      nulls[row] = starts[row] < 0;
    }
  }

  private void parse(
      ValueParser parser,
      Vector vector,
      BatchBuffers batchBuffers,
      int column,
      int rows,
      BitSet skip,
      BlockRejects misfits) {
    byte[] bytes = batchBuffers.textBuffer.bytes;
    int field = columns.fieldOf().get(column);
    Type type = columns.schema().column(column).type();
    GuessCheck check = checks.get(column);
    int[] from = starts[field];
    int[] to = ends[field];
    // Text of so few bytes can't be too long in any unit, and its places are the vector's.
    int shortMax = type instanceof Type.Text(int lengthMax, _) ? lengthMax : -1;
    for (int row = 0; row < rows; row++) {
      int start = from[row];
      if (start < 0) {
        vector.nulls[row] = true;
      } else if (to[row] - start <= shortMax) {
        vector.nulls[row] = false;
      } else if (!GuessCheck.parse(parser, check, bytes, start, to[row], vector, row)
          && !skip.get(row)) {
        int end = to[row];
        int record = batchBuffers.recordStarts[row];
        misfits.add(
            batchBuffers,
            row,
            () -> rejectMessages.misfit(batchBuffers.textBuffer, start, end, record, column));
      }
    }
  }

  /// The records that the rows were read from, in the file's own bytes.
  public Records origin(BatchBuffers batchBuffers, int rows) {
    byte lineByte = head.syntax().lineByte;
    if (head.decoding() != Decoding.STREAM) {
      byte[] bytes = batchBuffers.textBuffer.bytes;
      return new Records(
          bytes,
          batchBuffers.recordStarts,
          batchBuffers.recordEnds,
          (from, to) -> Swar.count(bytes, from, to, lineByte));
    }
    long first = block.fileOffset(0);
    byte[] raw = block.raw(batchBuffers.textBuffer, 0, block.blockEnd());
    int[] rawStarts = new int[rows];
    int[] rawEnds = new int[rows];
    int[] linesBefore = new int[rows];
    for (int row = 0; row < rows; row++) {
      rawStarts[row] = (int) (block.fileOffset(batchBuffers.recordStarts[row]) - first);
      rawEnds[row] = (int) (block.fileOffset(batchBuffers.recordEnds[row]) - first);
      if (row > 0) {
        linesBefore[row] =
            linesBefore[row - 1]
                + Swar.count(
                    batchBuffers.textBuffer.bytes,
                    batchBuffers.recordStarts[row - 1],
                    batchBuffers.recordStarts[row],
                    lineByte);
      }
    }
    int[] places = rawStarts.clone();
    return new Records(
        raw,
        rawStarts,
        rawEnds,
        (from, to) ->
            linesBefore[Arrays.binarySearch(places, to)]
                - linesBefore[Arrays.binarySearch(places, from)]);
  }
}
