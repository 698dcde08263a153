package millrace.fault;

/// Says that memory ran out, how much there was, and how to give more.
public final class HeapTrouble {

  private HeapTrouble() {}

  /// The fault that says so.
  ///
  /// @param forWhat what the heap was too small for, with a blank in front; empty if unknown
  /// @param instead what else helps, as the beginning of a sentence; empty if nothing does
  public static Fault.External of(OutOfMemoryError cause, String forWhat, String instead) {
    long bytes = Runtime.getRuntime().maxMemory();
    return new Fault.External(
        "Out of memory: the heap of " + (bytes >> 20) + " MB is too small" + forWhat + ".",
        (instead.isEmpty() ? "Give" : instead + ", or give")
            + " more, for example MILLRACE_HEAP="
            + (bytes >> 19)
            + "m.",
        cause);
  }
}
