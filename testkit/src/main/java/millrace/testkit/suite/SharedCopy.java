package millrace.testkit.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.resume.Journal;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.StageClock;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription.Size;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Encoder;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.WriteStart.Journal.Begin;
import millrace.spi.write.WriteStart.Journal.Join;
import millrace.spi.write.WriteStart.Journal.Resume;
import millrace.testkit.Reading;
import millrace.testkit.memory.MemoryConnector;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// A run that several processes write to, each by a target of its own, without the engine. Most
/// live in this process, one may be a {@link ChildJoin}.
final class SharedCopy implements AutoCloseable {

  /// The key of the first row.
  static final int FIRST_ROW = 1_000;

  /// Four splits of four batches.
  static final int ROWS = 320;

  /// Rows of a batch, some of which are a split.
  static final int BATCH_ROWS = 20;

  private static final long SPLIT_BYTES = 2_400;

  private final Connector connector;
  private final Endpoint table;
  private final Schema schema;
  private final JournaledSuite.Way way;
  private final Source source;
  private final ReadSession reading;
  private final List<Party> parties = new ArrayList<>();
  private final RunRecord run;

  /// A new run.
  SharedCopy(Connector connector, Endpoint table, Schema schema, JournaledSuite.Way way) {
    this(connector, table, schema, way, UUID.randomUUID().toString());
  }

  /// The run of that id, with the same rows in each process.
  SharedCopy(
      Connector connector, Endpoint table, Schema schema, JournaledSuite.Way way, String id) {
    this.connector = connector;
    this.table = table;
    this.schema = schema;
    this.way = way;
    MemoryConnector memory = new MemoryConnector();
    memory.put("shared", schema, MemoryFixture.itemsFrom(FIRST_ROW, ROWS));
    source = memory.source(memory.endpoint("shared"), Selection.ALL, new OpenContext());
    reading = Reading.open(source.describe(new ColumnRequest.Typed()), SPLIT_BYTES);
    run =
        new RunRecord(
            id,
            id.replace("-", ""),
            "rows",
            List.of("rows"),
            SPLIT_BYTES,
            2,
            "2026-01-01T00:00:00Z");
  }

  /// How the run is known.
  RunRecord run() {
    return run;
  }

  /// All splits of the rows.
  List<Split> splits() {
    return Reading.splits(reading);
  }

  private Target open() {
    WriteOptions options = new WriteOptions(way.mode(), way.atomic(), List.of(), false);
    return connector.target(table, options, new OpenContext());
  }

  /// The process that begins the run.
  Party begin() {
    Target target = open();
    journal(target).claim(run.job());
    return party(target, null, new Begin(run, null));
  }

  /// Another process that resumes it.
  Party resume() {
    return resume(() -> {});
  }

  /// The same.
  ///
  /// @param meanwhile is done when it has read the journal
  Party resume(Runnable meanwhile) {
    Target target = open();
    JournaledRun from = Objects.requireNonNull(journal(target).claim(run.job()));
    meanwhile.run();
    try {
      return party(target, from, new Resume(from));
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /// Another process that joins it.
  Party join() {
    Target target = open();
    try {
      JournaledRun joined = journal(target).join(run);
      return party(target, joined, new Join(joined));
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /// How many rows the journal tells of.
  long journaledRows() {
    try (Target target = open()) {
      return Objects.requireNonNull(journal(target).claim(run.job())).rows();
    }
  }

  private static Journal journal(Target target) {
    return Objects.requireNonNull(Journal.of(target));
  }

  private Party party(Target target, @Nullable JournaledRun earlier, WriteStart.Journal journal) {
    DescribedTarget described = target.describe();
    boolean isThere = way.mode() != Mode.CREATE;
    List<String> key = way.mode() == Mode.MERGE ? List.of("id") : List.of();
    Landing.Offer offer = described.description().modes().offer();
    Landing landing = Landing.settle(offer, way.mode(), way.atomic(), isThere, key);
    List<TargetColumn> partners =
        isThere ? described.description().contents().columns() : List.of();
    WriteRequest request =
        new WriteRequest(schema, landing, partners, List.of(), earlier, TableComments.NONE);
    WriteStart start = new WriteStart(2, false, new Size(-1, -1, false), journal);
    Party party = new Party(target, described.plan(request).open(start));
    parties.add(party);
    return party;
  }

  @Override
  public void close() {
    parties.forEach(Party::close);
    reading.close();
    source.close();
  }

  /// One of the processes.
  final class Party implements AutoCloseable {

    private final Target target;
    private final WriteSession session;
    private final List<Pen> pens = new ArrayList<>();
    private boolean closed;

    Party(Target target, WriteSession session) {
      this.target = target;
      this.session = session;
    }

    /// Begins an attempt at a split.
    JoinedSession.Attempt takeUp(Split split) {
      return Objects.requireNonNull(session.capability(JoinedSession.class)).takeUp(split);
    }

    /// Begins one, and what writes the rest of the split.
    Pen attempt(Split split) {
      JoinedSession.Attempt attempt = takeUp(split);
      return new Pen(this, Objects.requireNonNull(attempt.rest()), attempt);
    }

    /// Writes a split without an attempt at it, as the process does that has begun the run.
    Receipt write(Split split) {
      return new Pen(this, split, null).finish();
    }

    /// Is told what another process has taken.
    void told(List<Receipt> receipts) {
      receipts.forEach(main()::taken);
    }

    private JoinedSession.Main main() {
      return Objects.requireNonNull(session.capability(JoinedSession.Main.class));
    }

    /// Fails: keeps the others from going on, and what they have committed.
    ///
    /// @return that
    List<Receipt> giveUp() {
      List<Receipt> committed = main().settle();
      session.abort(true);
      return committed;
    }

    void complete() {
      session.complete((_, _, work) -> work.run());
    }

    void abort() {
      session.abort(false);
    }

    /// Ends as a process does that is killed: connections are lost.
    void die() {
      close();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        pens.forEach(Pen::close);
        session.close();
        target.close();
      }
    }
  }

  /// Writes a split, and commits each batch if it is told to.
  final class Pen implements AutoCloseable {

    private final JoinedSession.@Nullable Attempt attempt;
    private final RecoverableWriter writer;
    private final @Nullable Encoder encoder;
    private final Reader reader;

    Pen(Party party, Split split, JoinedSession.@Nullable Attempt attempt) {
      this.attempt = attempt;
      WriteContext context =
          new WriteContext(
              0,
              new StageClock(),
              Reading.NO_REJECTS,
              null,
              BestUnit.unknown(),
              new Amount(1, false));
      encoder = party.session.encoder(context);
      writer = (RecoverableWriter) party.session.writer(Form.COLUMNS, context);
      party.pens.add(this);
      reader = reading.reader(Reading.context(new Amount(BATCH_ROWS, false)));
      reader.start(split);
      writer.start(split);
      if (encoder != null) {
        encoder.start(split);
      }
    }

    /// Writes a batch.
    ///
    /// @return whether there was one
    boolean write() {
      Batch batch = reader.next();
      if (batch == null) {
        return false;
      }
      Encoder encoding = encoder;
      if (encoding == null) {
        writer.write(batch);
      } else {
        encoding.encode((Columns) batch, writer::write);
      }
      return true;
    }

    /// Commits what is written so far.
    Receipt commit() {
      return Objects.requireNonNull(writer.checkpoint(Objects.requireNonNull(reader.rest()), 0));
    }

    /// Writes all that is left.
    Receipt finish() {
      while (write()) {
        // All of it is one commit.
      }
      writer.checkpoint(null, 0);
      return writer.finish();
    }

    /// The same.
    ///
    /// @return all receipts of the split
    List<Receipt> finishAttempt() {
      return Objects.requireNonNull(attempt).with(finish());
    }

    @Override
    public void close() {
      writer.close();
      reader.close();
    }
  }
}
