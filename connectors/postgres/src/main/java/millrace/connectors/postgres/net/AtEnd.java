package millrace.connectors.postgres.net;

import java.util.function.Consumer;

/// Takes work to the end of a job whose copies share connections.
public interface AtEnd {

  /// No job: what is to be done is done at once.
  AtEnd NONE = (_, _) -> false;

  /// Leaves work to the end, once for all who leave it.
  ///
  /// @param what names it, the same for all of them
  /// @param work does it on a connection to the same database, which throws nothing
  /// @return false if there is no such end
  boolean leave(String what, Consumer<Session> work);
}
