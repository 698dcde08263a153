package millrace.spi;

/// The capability of a connector that can make a scratch table with columns as its own system
/// declares them: checks on a user's server try types by it that no copy makes. {@link
/// Scratch#discard} removes it.
public interface DeclaresScratch {

  /// Makes the table, which must not exist.
  ///
  /// @param scratch what {@link Scratch#scratch} gave
  /// @param definition what follows the name in a CREATE TABLE, in the system's words
  /// @throws millrace.fault.Fault if the server refuses it
  void declare(Endpoint scratch, String definition);
}
