package millrace.job;

import java.nio.file.Path;
import java.util.List;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;

/// Which tables are to be copied, and how each.
///
/// @param each what is asked of each copy. Of many tables, its job goes from an end that names them
///   to one that is a template, see {@link NameTemplate}
/// @param only the tables that are meant, each with its schema or without; all if empty
/// @param excluded patterns of tables that are left out
/// @param many whether FROM names many tables, or TO is a template
public record TablesRequest(
    CopySpec each, List<TableTargets.Listed> only, List<String> excluded, boolean many) {

  public TablesRequest {
    only = List.copyOf(only);
    excluded = List.copyOf(excluded);
  }

  Endpoint from() {
    return each.job().from();
  }

  Endpoint to() {
    return each.job().to();
  }

  /// The copy of one of the tables.
  ///
  /// @throws Fault.User if bad records of many tables would go to one file
  CopySpec spec(TableTargets.Pair pair) {
    Job job = each.job().between(pair.from().end(), pair.to());
    Path rejects = job.rejects().file();
    if (rejects == null) {
      return each.with(job);
    }
    if (NameTemplate.hasVariable(rejects.toString())) {
      Path expanded = Path.of(NameTemplate.expanded(rejects.toString(), pair.from()));
      return each.with(
          job.with(
              new Job.RejectPolicy(job.rejects().limit(), expanded)
                  .cuttingNanoseconds(job.rejects().cutsNanoseconds())));
    }
    if (many) {
      throw new Fault.User(
          "--rejects " + rejects + " is one file for many tables.",
          "Write {table} in its name, such as bad-{table}.csv.");
    }
    return each.with(job);
  }
}
