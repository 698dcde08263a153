package millrace.spi;

import org.jspecify.annotations.Nullable;

/// The capability of a connector that can make a table or file beside another one and remove it
/// without a trace. Probes and sweeps measure a target by it.
public interface Scratch {

  /// The endpoint of another table or file beside the one that the endpoint names; the endpoint
  /// itself if it keeps nothing; null if a run can't make one there and undo it.
  ///
  /// @param name of the other table, or what its file's name begins with; the caller makes sure
  ///   that there is none
  @Nullable Endpoint scratch(Endpoint endpoint, String name);

  /// Removes what a run has put into a scratch endpoint, all of it; fine if nothing is there.
  ///
  /// @param scratch what {@link #scratch} gave
  /// @throws millrace.fault.Fault if it is there and can't be removed
  void discard(Endpoint scratch);
}
