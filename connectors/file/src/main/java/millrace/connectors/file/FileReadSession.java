package millrace.connectors.file;

import java.util.HashMap;
import java.util.Map;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.io.SplitReadCache;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;

/// Delimited files that are being read. Its readers share it, and change nothing of it.
final class FileReadSession implements ReadSession {

  private final InputSpec spec;
  private final FileSource.Looked described;
  private final ReadPlan plan;
  private final SplitReadCache cut;
  private final CommittedPrefix taken;
  private final FileSource.RowReading rows;

  /// The files by what their splits are known by.
  private final Map<String, FileHead> heads = new HashMap<>();

  /// @param cut where the bytes of splits wait for their readers
  /// @param rows makes rows of the records
  FileReadSession(
      InputSpec spec,
      FileSource.Looked described,
      ReadPlan plan,
      SplitReadCache cut,
      FileSource.RowReading rows) {
    this.rows = rows;
    this.spec = spec;
    this.described = described;
    this.plan = plan;
    this.cut = cut;
    taken = new CommittedPrefix(plan.taken());
    described.files().heads().forEach(head -> heads.put(head.file().resource(), head));
  }

  @Override
  public Splits splits() {
    return new FileSplits(described, cut, plan.splitBytes(), plan.lanes());
  }

  @Override
  public Reader reader(ReadContext context) {
    return rows.of(new FileReader(this, context), context);
  }

  /// How it is read.
  ReadPlan plan() {
    return plan;
  }

  /// The columns that readers give.
  Schema schema() {
    return described.schema();
  }

  /// Most bytes in a field.
  int fieldBytesMax() {
    return spec.fieldBytesMax();
  }

  /// About how long a record is, 0 if unknown.
  long recordBytes() {
    return described.recordBytes();
  }

  /// The file that a split is of.
  FileHead head(Split split) {
    FileHead head = heads.get(split.resource());
    if (head == null) {
      throw new Fault.Bug("a split of " + split.resource() + ", which is not read here", null);
    }
    return head;
  }

  /// The columns of a file.
  FileColumns columns(FileHead head) {
    return described.columns(head);
  }

  /// What an earlier run has taken.
  CommittedPrefix taken() {
    return taken;
  }

  /// What was read of splits when they were cut.
  SplitReadCache cut() {
    return cut;
  }

  @Override
  public void close() {
    // Readers close what they open, and standard input is the source's.
  }
}
