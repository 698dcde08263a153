package millrace.job;

import java.util.TreeMap;
import millrace.copy.CopySpec;
import millrace.io.Digest;
import millrace.job.file.JobStream;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;

/// One of the copies of a job.
///
/// @param name the table's, as results name it
/// @param spec what is to be done
/// @param entry the table that it reads
/// @param stream the stream of the job file that it is of, or {@link JobStream#NONE}
public record TableCopy(String name, CopySpec spec, TableEntry entry, JobStream stream) {

  /// One of a table that nobody has listed.
  ///
  /// @param bytes about how large it is; -1 if nobody knows
  public TableCopy(String name, CopySpec spec, long bytes) {
    this(name, spec, NamedTables.unlisted(name, spec.job().from(), bytes), JobStream.NONE);
  }

  /// About how large the table is; -1 if nobody knows.
  public long bytes() {
    return entry.bytes();
  }

  Endpoint from() {
    return spec.job().from();
  }

  Endpoint to() {
    return spec.job().to();
  }

  TableCopy renamed(String other) {
    return new TableCopy(other, spec, entry, stream);
  }

  /// What the copy is: the same each time, however fast or careful it is to be.
  String identity() {
    return Digest.of(identity(from(), to()) + "\n" + rows(spec.job())).hex();
  }

  static String identity(Endpoint from, Endpoint to) {
    return identity(from) + "\n" + identity(to);
  }

  private static String identity(Endpoint end) {
    return end.label() + " " + new TreeMap<>(end.parameters());
  }

  /// What is done with the rows.
  static String rows(Job job) {
    return job.selection() + "\n" + job.writeOptions() + job.mapping().identity();
  }
}
