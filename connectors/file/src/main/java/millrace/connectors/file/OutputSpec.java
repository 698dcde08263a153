package millrace.connectors.file;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.RecordEncoder;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.RangeFeed;
import millrace.connectors.file.io.StreamFeed;
import millrace.connectors.file.output.Chunk;
import millrace.connectors.file.output.FilesOption;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Page;
import millrace.connectors.file.output.TextNames;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Where and how rows are to be written, as the endpoint and the options say.
///
/// @param label how the target is named
/// @param mode what is to happen to what is there; null if nobody said
/// @param byPosition whether columns pair up by position rather than by name
/// @param dialect how records are spelled
/// @param compression how files are compressed
/// @param outputs the files; null for standard output
/// @param files how many there are
record OutputSpec(
    String label,
    @Nullable Mode mode,
    boolean byPosition,
    CsvDialect dialect,
    Compression compression,
    @Nullable Outputs outputs,
    FilesOption files) {

  /// @throws Fault.User if nothing can be written there, or an option makes no sense
  static OutputSpec of(Endpoint endpoint, WriteOptions writeOptions) {
    boolean isStandard = endpoint.location().equals(Inputs.STANDARD);
    Outputs outputs = isStandard ? null : new Outputs(FileLocation.of(endpoint));
    if (outputs != null && !outputs.isDevice()) {
      TextNames.check(endpoint);
    }
    CsvDialect requested = FileOptions.dialect(endpoint);
    OutputSpec spec =
        new OutputSpec(
            endpoint.label(),
            writeOptions.mode(),
            writeOptions.byPosition(),
            requested.framing().newline() == Newline.AUTO ? requested.as(Newline.LF) : requested,
            Compression.ofName(endpoint.location()),
            outputs,
            FilesOption.of(endpoint));
    if (spec.files.areSeveral() && spec.written() == null) {
      throw new Fault.User(
          "files=" + endpoint.text("files").orElse("") + " needs a file to write to.",
          "Leave files out, or name a file.");
    }
    return spec;
  }

  /// The files that get their names when they are complete; null if it is a stream, be it of a
  /// device.
  @Nullable Outputs written() {
    return outputs == null || outputs.isDevice() ? null : outputs;
  }

  /// Files that the run would write over; the numbered ones if it writes several.
  List<Path> existing(Outputs written) {
    if (files.areSeveral()) {
      return written.numbers().stream().map(written::numbered).toList();
    }
    return Outputs.exists(written.path()) ? List.of(written.path()) : List.of();
  }

  /// Whether rows are added to a file that is there and has some.
  boolean appendsToFile(Outputs written) {
    return mode == Mode.APPEND && hasRows(written);
  }

  /// Whether there is one file, and it has some.
  boolean hasRows(Outputs written) {
    return !files.areSeveral() && Outputs.exists(written.path()) && Inputs.size(written.path()) > 0;
  }

  /// What is to be appended has no header, since the file had one.
  ///
  /// @param appends whether rows were to be added to a file that was there
  /// @throws Fault.User if it is not there any more
  void checkStillThere(Outputs written, boolean appends) {
    if (appends && !appendsToFile(written)) {
      throw new Fault.User(
          "The copy can't be resumed: "
              + written.path()
              + " is empty or not there any more, and its rows were to come behind what it held.",
          "Begin again with --fresh.");
    }
  }

  /// What a file begins with: a byte order mark if the charset has one, the header if the dialect
  /// has one, and an empty gzip member or Zstandard frame if it has neither.
  ///
  /// @throws Fault.User if a name can't be written
  Chunk header(Schema schema) {
    Page page = new Page(256);
    page.append(RecordEncoder.preamble(dialect.charset()));
    if (dialect.writesHeader()) {
      RecordEncoder.Refusal refusal =
          new RecordEncoder(dialect, schema).appendHeader(page, schema.names());
      if (refusal != null) {
        throw new Fault.User(
            (refusal.column() < 0
                    ? "The header"
                    : "The column name '" + schema.names().get(refusal.column()) + "'")
                + " can't be written to "
                + label
                + ": "
                + refusal.why()
                + ".",
            "Say header=false, or select the columns under other names.");
      }
    }
    return page.length == 0 && compression == Compression.NONE
        ? Chunk.owning(new byte[0], 0)
        : Chunk.of(page.bytes, 0, page.length, compression);
  }

  /// The same, with records spelled as those are that they are added to.
  OutputSpec spelledAs(CsvDialect found) {
    return new OutputSpec(label, mode, byPosition, found, compression, outputs, files);
  }

  /// The line end that the last record of a file lacks, or nothing.
  Chunk lineEndIfMissing(Path path) {
    byte[] lineEnd = encoded(dialect.framing().newline().text());
    return lacksLineEnd(path)
        ? Chunk.of(lineEnd, 0, lineEnd.length, compression)
        : Chunk.owning(new byte[0], 0);
  }

  /// Whether the last record of a file has no line end.
  private boolean lacksLineEnd(Path path) {
    String text = dialect.framing().newline().text();
    byte[] lastOfIt = encoded(text.substring(text.length() - 1));
    return !Arrays.equals(end(path, lastOfIt.length), lastOfIt);
  }

  /// Refuses to add rows behind half a line that somebody has written since it was looked at.
  ///
  /// @param staged what is to be added
  void checkLineEnd(Path path, Path staged) {
    byte[] lineEnd = encoded(dialect.framing().newline().text());
    byte[] first = new byte[lineEnd.length];
    if (lacksLineEnd(path)) {
      try (ByteFeed byteFeed = feed(staged)) {
        byteFeed.fill(first, 0, first.length);
      }
      if (!Arrays.equals(first, lineEnd)) {
        throw new Fault.User(
            path + " was written to by somebody else meanwhile, and ends in the middle of a line.",
            "End that line, then give the same command with --resume.");
      }
    }
  }

  /// Without what the charset puts in front of a text.
  private byte[] encoded(String text) {
    byte[] bytes = text.getBytes(dialect.charset());
    int from = RecordEncoder.preamble(dialect.charset()).length;
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }

  private ByteFeed feed(Path path) {
    return new StreamFeed(path.toString(), Inputs.open(path), compression);
  }

  /// The last bytes of a file; a compressed one is read from its beginning for them.
  private byte[] end(Path path, int length) {
    if (compression == Compression.NONE) {
      long size = Inputs.size(path);
      byte[] end = new byte[(int) Math.min(length, size)];
      try (ByteFeed byteFeed = new RangeFeed(path, size - end.length, size)) {
        byteFeed.fill(end, 0, end.length);
      }
      return end;
    }
    try (ByteFeed byteFeed = feed(path)) {
      byte[] buffer = new byte[1 << 16];
      int held = 0;
      for (int count = byteFeed.read(buffer, 0, buffer.length - length);
          count >= 0;
          count = byteFeed.read(buffer, held, buffer.length - length)) {
        int keeps = Math.min(length, held + count);
        System.arraycopy(buffer, held + count - keeps, buffer, 0, keeps);
        held = keeps;
      }
      return Arrays.copyOf(buffer, held);
    }
  }
}
