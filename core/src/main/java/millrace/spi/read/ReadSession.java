package millrace.spi.read;

import java.util.List;
import millrace.spi.Capable;

/// A source that is being read, as its {@link ReadPlan} says.
public interface ReadSession extends Capable, AutoCloseable {

  /// The splits, each of about as many bytes as the plan says, if the source can be cut. Called
  /// once.
  Splits splits();

  /// A reader for one lane. Lanes may end and others begin during the run: then several readers
  /// after each other have the same lane's number, never at once. From any thread.
  Reader reader(ReadContext context);

  /// All rows have been read, or the run has failed, and none will be asked for again: what keeps
  /// them as they are, such as a snapshot or a lock, may go, so that the target can take the place
  /// of what was read, and that others need not wait for what it does at its end.
  default void allRead() {
    // Nothing is kept.
  }

  /// What the user should know of how it went, one sentence each. Asked once the run has ended.
  default List<String> notes() {
    return List.of();
  }

  @Override
  void close();
}
