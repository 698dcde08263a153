package millrace.verify;

import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import millrace.testkit.memory.MemoryConnector;

/// Tables in memory as sides of a verify.
final class MemorySides {

  private MemorySides() {}

  /// A table that two lanes read.
  static Verify.Side of(MemoryConnector memory, Endpoint endpoint) {
    Job job =
        new Job(
            endpoint,
            endpoint,
            Selection.ALL,
            WriteOptions.DEFAULT,
            new Job.Tuning(2, false, null, null, null),
            Job.RejectPolicy.NONE);
    return new Verify.Side(job, () -> memory.source(endpoint, Selection.ALL, new OpenContext()));
  }
}
