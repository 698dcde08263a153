package millrace.copy;

import java.util.List;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.SharedSnapshot.Held;
import millrace.spi.read.SourceDescription;
import org.jspecify.annotations.Nullable;

/// The state in which several processes read one source: if each read it as it finds it, rows that
/// others write meanwhile would be read twice, or not at all. It lasts until it is closed, so
/// whoever took it closes it once all have read.
public final class SharedMoment implements AutoCloseable {

  private final Endpoint end;
  private final @Nullable Held held;

  private SharedMoment(Endpoint end, @Nullable Held held) {
    this.end = end;
    this.held = held;
  }

  /// Takes it.
  ///
  /// @param context shares nothing
  static SharedMoment take(Connector connector, Endpoint from, OpenContext context) {
    if (from.isStandardStream()) {
      // It is not even opened: the rows that are looked at would be gone.
      throw refused("Standard input", "it is one stream");
    }
    SharedSnapshot system = connector.capability(SharedSnapshot.class);
    if (system == null) {
      return new SharedMoment(from, null);
    }
    Held held = system.hold(List.of(from), 1, context);
    Endpoint end = held.ends().getFirst();
    if (end == null) {
      held.close();
      throw refused(from.labelWithTable(), held.whyNot());
    }
    return new SharedMoment(end, held);
  }

  /// The source as each of the processes opens it, this one too.
  public Endpoint end() {
    return end;
  }

  /// Has to be called with what the source says of itself, before others read its splits: the state
  /// may be in its splits alone.
  ///
  /// @throws Fault.User if it is neither there nor held
  public void check(SourceDescription source) {
    String whyNot = source.reading().oneProcess();
    if (held == null && !whyNot.isEmpty()) {
      throw refused(source.label(), whyNot);
    }
  }

  private static Fault.User refused(String label, String whyNot) {
    return new Fault.User(
        label + " can't be read by several processes: " + whyNot + ".",
        "Copy on one machine, with more lanes.");
  }

  @Override
  public void close() {
    if (held != null) {
      held.close();
    }
  }
}
