package millrace.testkit.oracle.catalog;

/// Something that is kept as a text: PL/SQL, types, triggers, and synonyms.
///
/// @param kind as the dictionary has it, such as `PACKAGE BODY`
/// @param text as it was written, from its kind on; of a synonym the other object's name
/// @param target the schema of the object that a synonym stands for; empty if it is none
/// @param error why it does not compile; empty if it does
public record OraCode(
    String schema,
    String name,
    String kind,
    long objectId,
    String text,
    String target,
    String error) {

  /// Another object of its name that is not beside it in one schema.
  public boolean isBeside() {
    return kind.endsWith(" BODY") || kind.equals("TRIGGER");
  }
}
