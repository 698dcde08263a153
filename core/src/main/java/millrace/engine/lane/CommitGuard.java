package millrace.engine.lane;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps lanes from committing rows before the bad records among them are written down elsewhere.
public interface CommitGuard {

  /// Nothing is written down elsewhere.
  CommitGuard NONE =
      new CommitGuard() {
        @Override
        public boolean allows() {
          return true;
        }

        @Override
        public <T extends @Nullable Object> T commits(Supplier<T> work) {
          return work.get();
        }
      };

  /// Whether what has been written so far may be committed. If not, the lane reads on to the end of
  /// its split, so that all bad records of it are known, and asks again there.
  boolean allows();

  /// Makes a commit. A bad record that it brings to light stops it.
  ///
  /// @throws millrace.fault.Fault.Cancelled if something is to be written down first
  <T extends @Nullable Object> T commits(Supplier<T> work);
}
