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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.Digest;
import millrace.report.ReportJson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which tables of a job are done: a file of the user's, a line of JSON each, which is on the disk
/// before the target forgets how far it was with the table. So a job that goes on never begins a
/// table anew that is complete, and each other table goes on by the journal of its own target.
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
  public record Owed(String table, List<String> afterRows, List<String> afterAll) implements Line {}

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
  public record Done(String table, long rows, long rejects, String at) implements Line {}

  private static final Logger LOG = LoggerFactory.getLogger(JobLedger.class);

  private final Path file;
  private final Map<String, Done> done = new LinkedHashMap<>();
  private final Map<String, Owed> owed = new LinkedHashMap<>();

  private JobLedger(Path file) {
    this.file = file;
  }

  /// The ledger of a job.
  ///
  /// @param folder where ledgers are; made if it is not there
  /// @param job what the job is, the same text each time
  /// @param goesOn whether the job goes on; else what the ledger says is forgotten
  /// @throws Fault.External if it can't be read or written
  public static JobLedger open(Path folder, String job, boolean goesOn) {
    JobLedger ledger = new JobLedger(folder.resolve(Digest.of(job).hex() + ".jsonl"));
    try {
      Files.createDirectories(folder);
      if (!goesOn) {
        Files.deleteIfExists(ledger.file);
      } else if (Files.exists(ledger.file)) {
        ledger.read(Files.readAllLines(ledger.file));
      }
      return ledger;
    } catch (IOException e) {
      throw ledger.broken(e);
    }
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
      case Done each -> done.put(each.table(), each);
      case Owed each -> owed.put(each.table(), each);
      case Paid(String table) -> owed.remove(table);
    }
  }

  /// What is owed to tables that an earlier run of the job has made; by the table's name.
  public synchronized Map<String, Owed> owed() {
    return Map.copyOf(owed);
  }

  /// What an earlier run of the job has done; by the table's name.
  public synchronized Map<String, Done> done() {
    return Map.copyOf(done);
  }

  /// Writes down that a table is done, and waits until that is on the disk.
  ///
  /// @throws Fault.External if it can't be written
  public void add(Done table) {
    write(table);
  }

  /// Writes down what is owed to a table, likewise.
  public void add(Owed table) {
    write(table);
  }

  /// Writes down that nothing is owed any more, likewise.
  public void add(Paid table) {
    write(table);
  }

  private synchronized void write(Line entry) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      // What stands before may be the beginning of a line.
      String line = "\n" + ReportJson.MAPPER.writeValueAsString(entry) + "\n";
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      take(entry);
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
