package millrace.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.Digest;
import millrace.report.AtomicFile;
import millrace.report.ReportJson;
import millrace.spi.catalog.CopiedDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which tables of a job are done: a file of the user's, a line of JSON each, which is on the disk
/// before the target forgets how far it was with the table. So a job that goes on never begins a
/// table anew that is complete, and each other table goes on by the journal of its own target: if
/// that knows the copy as complete, nothing is read, and the ledger has it from then on.
///
/// One process at a time; any thread.
public final class JobLedger {

  /// A line of the ledger.
  public sealed interface Line {}

  /// What a table that was made lacks until its rows, and those of all tables, are in.
  ///
  /// @param table its name in the job
  /// @param afterRows statements that follow its rows
  /// @param afterAll statements that follow the rows of all tables
  /// @param needs the tables that each of those needs; ledgers of earlier versions do not say it
  /// @param byCopy whether the table's copy makes it, and not the job; likewise
  public record Owed(
      String table,
      List<String> afterRows,
      List<String> afterAll,
      @Nullable List<String> needs,
      boolean byCopy)
      implements Line {

    /// What a table lacks that is made by a definition.
    static Owed of(String table, CopiedDefinition definition) {
      return new Owed(
          table,
          definition.afterRows(),
          definition.afterAll(),
          definition.references().stream().map(CopiedDefinition.Reference::table).toList(),
          definition.make().isEmpty());
    }

    /// What follows the rows of all tables.
    List<CopiedDefinition.Reference> references() {
      return IntStream.range(0, afterAll.size())
          .mapToObj(i ->
              new CopiedDefinition.Reference(needs == null ? "" : needs.get(i), afterAll.get(i)))
          .toList();
    }
  }

  /// Nothing is owed to a table any more.
  ///
  /// @param paid its name in the job
  public record Paid(String paid) implements Line {}

  /// A table that is done.
  ///
  /// @param table its name in the job
  /// @param rows how many rows arrived
  /// @param rejects how many bad records were set aside
  /// @param at when, in UTC
  /// @param how in which way, see {@link #open}
  public record Done(String table, long rows, long rejects, String at, String how) implements Line {

    /// One that is done in the ledger's way.
    public Done(String table, long rows, long rejects, String at) {
      this(table, rows, rejects, at, "");
    }

    /// One that is done now.
    static Done now(String table, long rows, long rejects) {
      return new Done(
          table, rows, rejects, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }
  }

  private static final String CHANGED = " (changed, ";

  private static final Logger LOG = LoggerFactory.getLogger(JobLedger.class);

  private final Path file;
  private final String how;
  private final boolean resumed;

  /// What was done in other ways.
  private final List<Done> others = new ArrayList<>();

  /// Held by whoever writes.
  private final Object writing = new Object();

  /// Whether the file still has what this ledger has forgotten.
  private boolean forgot;

  /// What is written next; null if nothing waits.
  private @Nullable Together next;

  private final Map<String, Done> done = new LinkedHashMap<>();
  private final Map<String, Owed> owed = new LinkedHashMap<>();

  private JobLedger(Path file, String how, boolean resumed) {
    this.file = file;
    this.how = how;
    this.resumed = resumed;
  }

  /// The ledger of a job.
  ///
  /// @param folder where ledgers are; made if it is not there
  /// @param job from where to where it copies, the same text each time
  /// @param how what it does with the rows, likewise: what was done in another way is not done
  /// @param resumed whether the job goes on; else it forgets what was done in this way, and never
  ///   what is owed. The file does so with {@link #begin}, or with the first line that is added
  /// @throws Fault.External if it can't be read or written
  public static JobLedger open(Path folder, String job, String how, boolean resumed) {
    return open(folder, job, how, resumed, _ -> true);
  }

  /// The same of a job of which only a part is meant.
  ///
  /// @param meant the names of what is forgotten if the job does not go on
  static JobLedger open(
      Path folder, String job, String how, boolean resumed, Predicate<String> meant) {
    String name = Digest.of(job).hex() + ".jsonl";
    JobLedger ledger = new JobLedger(folder.resolve(name), how, resumed);
    try {
      Files.createDirectories(folder);
      if (Files.exists(ledger.file)) {
        ledger.read(Files.readAllLines(ledger.file));
        ledger.forgot = !resumed && ledger.done.keySet().removeIf(meant);
      }
      return ledger;
    } catch (IOException e) {
      throw ledger.broken(e);
    }
  }

  /// Writes down that what is forgotten is not done.
  ///
  /// @throws Fault.External if it can't be written
  public void begin() {
    synchronized (writing) {
      try {
        forgetInFile();
      } catch (IOException e) {
        throw broken(e);
      }
    }
  }

  private void forgetInFile() throws IOException {
    if (forgot) {
      List<Line> all = new ArrayList<>(others);
      all.addAll(done.values());
      all.addAll(owed.values());
      AtomicFile.write(
          Objects.requireNonNull(file.getParent(), "it is in a folder"),
          String.valueOf(file.getFileName()),
          text(all));
      forgot = false;
    }
  }

  private static String text(List<Line> lines) throws JsonProcessingException {
    StringBuilder text = new StringBuilder();
    for (Line each : lines) {
      text.append(ReportJson.MAPPER.writeValueAsString(each)).append('\n');
    }
    return text.toString();
  }

  /// Whether the job goes on where an earlier run of it has ended.
  public boolean resumed() {
    return resumed;
  }

  /// A line that was cut off tells of a table whose target still knows that it is complete.
  private void read(List<String> lines) {
    for (String line : lines) {
      try {
        if (!line.isEmpty()) {
          take(line(ReportJson.MAPPER.readTree(line)));
        }
      } catch (JsonProcessingException e) {
        LOG.debug("{}: {}", file, line, e);
      }
    }
  }

  private static Line line(JsonNode json) throws JsonProcessingException {
    Class<? extends Line> type =
        json.has("paid") ? Paid.class : json.has("after_all") ? Owed.class : Done.class;
    return ReportJson.MAPPER.treeToValue(json, type);
  }

  private void take(Line line) {
    switch (line) {
      case Done each when each.how.equals(how) -> done.put(each.table(), each);
      case Done each -> others.add(each);
      case Owed each -> owed.put(each.table(), each);
      case Paid(String table) -> owed.remove(table);
    }
  }

  /// What is owed to tables that an earlier run of the job has made; by the table's name, in the
  /// order in which they were made.
  public synchronized Map<String, Owed> owed() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(owed));
  }

  /// What an earlier run of the job has done; by the table's name.
  public synchronized Map<String, Done> done() {
    return Map.copyOf(done);
  }

  /// What an earlier run of the job has done of that name; null if it has not.
  public synchronized @Nullable Done done(String table) {
    return done.get(table);
  }

  /// Writes down what a copy of a job file is, as it begins.
  ///
  /// @throws Fault.External if it can't be written
  void begins(TableCopy copy) {
    add(new Done(begun(copy.name()), 0, 0, copy.identity()));
  }

  private static String begun(String name) {
    return "begun: " + name;
  }

  /// A copy of a job file by a name that says whether it is the one that an earlier run of the job
  /// has done: if its ends or options are others now, it is another, and is done anew.
  TableCopy named(TableCopy copy) {
    Done begun = done(begun(copy.name()));
    String identity = copy.identity();
    return done(copy.name()) == null || (begun != null && begun.at().equals(identity))
        ? copy
        : copy.renamed(copy.name() + CHANGED + identity.substring(0, 6) + ")");
  }

  /// Whether an entry is of a copy of a job file, under whatever name.
  static boolean isOf(String entry, TableCopy copy) {
    return Stream.of(copy.name(), begun(copy.name()))
        .anyMatch(name -> entry.equals(name) || entry.startsWith(name + CHANGED));
  }

  /// Writes down that a table is done, and waits until that is on the disk.
  ///
  /// @throws Fault.External if it can't be written
  public void add(Done table) {
    write(new Done(table.table, table.rows, table.rejects, table.at, how));
  }

  /// Writes down what is owed to tables, likewise.
  public void addOwed(List<Owed> tables) {
    write(tables);
  }

  /// Writes down that nothing is owed to some tables any more, likewise.
  public void add(List<Paid> tables) {
    write(tables);
  }

  private void write(Line entry) {
    write(List.of(entry));
  }

  /// Lines that are written together: those of whoever came while others were being written.
  private static final class Together {
    private final List<Line> lines = new ArrayList<>();
    private boolean written;
  }

  private void write(List<? extends Line> entries) {
    Together mine = together(entries);
    synchronized (writing) {
      if (!mine.written) {
        begin(mine);
        writeDown(mine.lines);
        mine.written = true;
        taken(mine.lines);
      }
    }
  }

  private synchronized Together together(List<? extends Line> entries) {
    Together mine = next == null ? new Together() : next;
    next = mine;
    mine.lines.addAll(entries);
    return mine;
  }

  /// Nobody adds to them from here on.
  private synchronized void begin(Together some) {
    if (some.equals(next)) {
      next = null;
    }
  }

  private synchronized void taken(List<Line> lines) {
    lines.forEach(this::take);
  }

  private void writeDown(List<Line> lines) {
    begin();
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      // What stands before may be the beginning of a line.
      ByteBuffer bytes = ByteBuffer.wrap(("\n" + text(lines)).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private Fault.External broken(IOException e) {
    return new Fault.External(
        "Can't keep which tables are done in " + file + ": " + FileTrouble.of(e) + ".",
        "Make its folder one that you may write, or set XDG_STATE_HOME to another.",
        e);
  }
}
