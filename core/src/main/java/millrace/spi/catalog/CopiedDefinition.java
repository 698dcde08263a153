package millrace.spi.catalog;

import java.util.List;
import millrace.fault.Fault;

/// How a table is made as another one is, as statements of its system; all empty if the table is
/// there already and stays as it is.
///
/// @param make makes the table, before its rows
/// @param afterRows what is faster once its rows are in: keys, indexes, checks
/// @param afterAll what needs other tables: foreign keys
/// @param leftOut what belongs to the table and does not come along, in words
public record CopiedDefinition(
    List<String> make, List<String> afterRows, List<String> afterAll, List<String> leftOut) {

  /// Of a table that is there already.
  public static final CopiedDefinition NONE =
      new CopiedDefinition(List.of(), List.of(), List.of(), List.of());

  public CopiedDefinition {
    make = List.copyOf(make);
    afterRows = List.copyOf(afterRows);
    afterAll = List.copyOf(afterAll);
    leftOut = List.copyOf(leftOut);
  }

  /// A server's refusal of one of the statements.
  ///
  /// @param advice what to do about it
  public static Fault.User refused(String statement, String advice, Fault why) {
    return new Fault.User(
        why.clause() + ". The statement was: " + statement.lines().findFirst().orElse(""),
        advice,
        why);
  }
}
