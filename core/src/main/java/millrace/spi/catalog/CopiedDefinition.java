package millrace.spi.catalog;

import java.util.List;
import java.util.function.Predicate;
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

  /// What belongs to a table, such as an index, a key or a sequence, is mostly called by the
  /// table's name and more. It is called by the name of the table that is made, so that both tables
  /// may stand in one schema. Other names stay.
  ///
  /// @param from the table that is copied
  /// @param to the table that is made
  /// @param fits whether a name is short enough for the server
  public static String named(String name, String from, String to, Predicate<String> fits) {
    if (from.equals(to) || !name.startsWith(from + "_")) {
      return name;
    }
    String end = name.substring(from.length());
    String begin = to;
    while (!fits.test(begin + end) && !begin.isEmpty()) {
      begin = begin.substring(0, begin.offsetByCodePoints(begin.length(), -1));
    }
    return begin + end;
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
