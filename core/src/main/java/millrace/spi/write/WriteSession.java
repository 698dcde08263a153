package millrace.spi.write;

import java.util.function.Function;
import millrace.data.Form;
import millrace.spi.Capable;
import millrace.spi.PhaseTimer;
import org.jspecify.annotations.Nullable;

/// A target that is being written. It ends by one complete that went well or by one abort, and is
/// closed then.
///
/// The engine calls encoder and writer from the lanes' threads, all else from the target's.
/// Capabilities: {@link Recoverable}, {@link StagedRowValidator}, {@link JoinedSession.Main},
/// {@link JoinedSession}.
public interface WriteSession extends Capable, AutoCloseable {

  /// What makes one lane's columns into frames for its writer; null if the writers take columns
  /// themselves.
  ///
  /// @param context with the clock of the lane's reader
  default @Nullable Encoder encoder(WriteContext context) {
    return null;
  }

  /// A writer for one lane that takes batches in that form and in the fallback form. As with
  /// readers, several may have the same lane's number after each other.
  Writer writer(Form form, WriteContext context);

  /// All lanes are done: makes the rows appear where the mode staged them.
  ///
  /// @param steps for parts of it that may take long, to stand in the report by themselves
  /// @return what became of the rows
  Completed complete(PhaseTimer steps);

  /// The run failed or was stopped: removes what was staged, and leaves what the mode promises.
  ///
  /// @param keep whether to leave what is durable for a run that goes on with this one
  /// @return what stays
  Aborted abort(boolean keep);

  @Override
  void close();

  /// A session whose writers do all that there is to do: nothing is left to complete, to undo or to
  /// close.
  ///
  /// @param writers makes one for each lane
  static WriteSession of(Function<WriteContext, Writer> writers) {
    return new WriteSession() {
      @Override
      public Writer writer(Form form, WriteContext context) {
        return writers.apply(context);
      }

      @Override
      public Completed complete(PhaseTimer steps) {
        return Completed.PLAIN;
      }

      @Override
      public Aborted abort(boolean keep) {
        return Aborted.CLEAN;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
