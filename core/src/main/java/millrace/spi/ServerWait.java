package millrace.spi;

/// What one of a server's processes that have something to do was seen to wait for.
///
/// @param event the server's own name of it; empty if it waited for nothing
/// @param what in words what it stands for, as the end of a sentence; several events may have the
///   same; empty if it waited for nothing
/// @param help what would make such waits shorter, a sentence; may be empty
public record ServerWait(String event, String what, String help) {

  /// It waited for nothing: it was on a processor, or wanted one.
  public static final ServerWait NONE = new ServerWait("", "", "");

  /// What a process waits for that wants what another has locked.
  public static final String LOCKS = "locks";

  /// What a process waits for that is told nothing by us, or can't tell us more.
  public static final String CLIENT = "Millrace or the network";
}
