package millrace.copy;

import millrace.data.Batch;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// One split that is read by itself, such as in another process than the one that planned the copy.
/// All that it needs can be serialized: the endpoint, the plan and the split. One thread.
public final class SplitReading implements AutoCloseable {

  private final Source source;
  private final ReadSession session;
  private final Reader reader;

  private SplitReading(Source source, ReadSession session, Reader reader) {
    this.source = source;
    this.session = session;
    this.reader = reader;
  }

  /// Begins to read a split.
  ///
  /// @param connector what the endpoint is for
  /// @throws Fault.User if the source can't be read any more
  public static SplitReading open(
      Connector connector, Endpoint endpoint, ReadPlan plan, Split split, ReadContext context) {
    Source source = connector.source(endpoint, plan.selection(), new OpenContext());
    try {
      ReadSession session = source.describe(plan.columnRequest()).open(plan);
      try {
        Reader reader = session.reader(context);
        reader.start(split);
        return new SplitReading(source, session, reader);
      } catch (RuntimeException e) {
        session.close();
        throw e;
      }
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  /// The next rows, or null at the end of the split. The caller owns the batch.
  public @Nullable Batch next() {
    return reader.next();
  }

  @Override
  public void close() {
    try (source;
        session) {
      reader.close();
    }
  }
}
