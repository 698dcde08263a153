package millrace.engine.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.engine.lane.CommitGuard;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.fault.Fault;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// The bad records of a split that the process which has begun the run has not written down. A
/// receipt says of each row that it was taken or set aside; so nothing is committed while there are
/// any, and the attempt reports them and is made again. Threads of one lane.
final class UnrecordedRejects implements Consumer<SetAside>, CommitGuard {

  /// What a bad record is known by.
  private record Known(
      String resource,
      long row,
      long byteOffset,
      Reject.@Nullable InSplit inSplit,
      String column,
      int record) {

    static Known of(Reject reject) {
      return new Known(
          reject.resource(),
          reject.row(),
          reject.byteOffset(),
          reject.inSplit(),
          reject.column(),
          Arrays.hashCode(reject.record()));
    }
  }

  private final Set<Known> recorded = new HashSet<>();
  private final List<SetAside> all = new ArrayList<>();
  private boolean committing;

  UnrecordedRejects(List<SetAside> recorded) {
    recorded.forEach(each -> this.recorded.add(Known.of(each.reject())));
  }

  @Override
  public synchronized void accept(SetAside bad) {
    if (recorded.contains(Known.of(bad.reject()))) {
      return;
    }
    all.add(bad);
    if (committing) {
      throw withheld();
    }
  }

  @Override
  public synchronized boolean allows() {
    return all.isEmpty();
  }

  @Override
  public <T extends @Nullable Object> T commits(Supplier<T> work) {
    synchronized (this) {
      if (!all.isEmpty()) {
        throw withheld();
      }
      committing = true;
    }
    T done = work.get();
    synchronized (this) {
      committing = false;
    }
    return done;
  }

  private static Fault withheld() {
    return new Fault.Cancelled("bad records are to be written down before their split is taken");
  }

  /// All that came.
  synchronized List<SetAside> all() {
    return List.copyOf(all);
  }
}
