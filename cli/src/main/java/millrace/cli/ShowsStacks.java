package millrace.cli;

/// A command that users can ask for the stack of every fault.
interface ShowsStacks {

  /// Whether the user did.
  boolean debugs();
}
