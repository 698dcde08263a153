package millrace.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.data.Location;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Rejects;
import org.jspecify.annotations.Nullable;

/// Sets bad records aside: the records byte for byte in one file, and beside it a line of JSON for
/// each that says where it stood and what is wrong.
///
/// All lanes share it; it locks. The files are made when the first record comes.
final class RejectLog implements Rejects, AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Job.RejectPolicy policy;
  private final Meter meter;
  private long count;
  private @Nullable OutputStream records;
  private @Nullable OutputStream reasons;

  RejectLog(Job.RejectPolicy policy, Meter meter) {
    this.policy = policy;
    this.meter = meter;
  }

  @Override
  public boolean allowed() {
    return policy.countMax() > 0;
  }

  @Override
  public synchronized void reject(Reject reject) {
    if (count >= policy.countMax()) {
      throw fault(reject);
    }
    count++;
    meter.countReject();
    try {
      open();
      write(reject);
    } catch (IOException e) {
      throw new Fault.External(
          "Can't write the bad records to " + policy.file() + ": " + e.getMessage(),
          "Name another file with --rejects.",
          e);
    }
  }

  private Fault.Data fault(Reject reject) {
    String where = where(reject);
    String message = where.isEmpty() ? reject.reason() : where + ": " + reject.reason();
    String advice =
        policy.countMax() == 0
            ? "Mend the record, or set bad records aside with --max-rejects N --rejects FILE."
            : "That is one more bad record than --max-rejects " + policy.countMax() + " allows.";
    return new Fault.Data(
        message,
        advice,
        new Location(reject.resource(), 0, reject.row(), reject.line(), reject.byteOffset()));
  }

  /// `file, line 3, byte 120, row 2, column "amount"`, as much of it as is known.
  private static String where(Reject reject) {
    StringBuilder where = new StringBuilder(reject.resource());
    if (reject.line() > 0) {
      where.append(", line ").append(reject.line());
    }
    if (reject.byteOffset() >= 0) {
      where.append(", byte ").append(reject.byteOffset());
    }
    if (reject.row() > 0) {
      where.append(", row ").append(reject.row());
    }
    if (!reject.column().isEmpty()) {
      where.append(", column \"").append(reject.column()).append('"');
    }
    return where.toString();
  }

  private void open() throws IOException {
    Path file = policy.file();
    if (file == null || records != null) {
      return;
    }
    try {
      records = create(file);
      reasons = create(file.resolveSibling(file.getFileName() + ".reasons.jsonl"));
    } catch (FileAlreadyExistsException e) {
      throw new Fault.User(
          "The file for bad records exists already: " + e.getFile(),
          "Move it away, or name another with --rejects.",
          e);
    }
  }

  private static OutputStream create(Path file) throws IOException {
    return new BufferedOutputStream(
        Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  private void write(Reject reject) throws IOException {
    if (records == null || reasons == null) {
      return;
    }
    records.write(reject.record());
    ObjectNode line = JSON.createObjectNode();
    line.put("resource", reject.resource());
    line.put("row", reject.row());
    line.put("line", reject.line());
    line.put("byte", reject.byteOffset());
    line.put("column", reject.column());
    line.put("reason", reject.reason());
    line.put("record_bytes", reject.record().length);
    reasons.write(JSON.writeValueAsString(line).getBytes(StandardCharsets.UTF_8));
    reasons.write('\n');
  }

  @Override
  public synchronized void close() {
    try {
      if (records != null) {
        records.close();
      }
      if (reasons != null) {
        reasons.close();
      }
    } catch (IOException e) {
      throw new Fault.External(
          "Can't finish the file of bad records " + policy.file() + ": " + e.getMessage(), "", e);
    }
  }
}
