package millrace.spi.catalog;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import millrace.fault.Fault;

/// How a table is made as another one is, as statements of its system; all empty if the table is
/// there already and stays as it is.
///
/// @param make makes the table, before its rows; empty if its copy makes it
/// @param afterRows what is faster once its rows are in: keys, indexes, checks
/// @param references what needs another table too: foreign keys
/// @param leftOut what belongs to the table and does not come along
public record CopiedDefinition(
    List<String> make, List<String> afterRows, List<Reference> references, List<LeftOut> leftOut) {

  /// Of a table that is there already.
  public static final CopiedDefinition NONE =
      new CopiedDefinition(List.of(), List.of(), List.of(), List.of());

  /// A statement that needs the rows and keys of another table.
  ///
  /// @param table the label of that table, see {@link TableEntry#label}; one that is not of the job
  ///   is there already
  public record Reference(String table, String statement) {}

  public CopiedDefinition {
    make = List.copyOf(make);
    afterRows = List.copyOf(afterRows);
    references = List.copyOf(references);
    leftOut = List.copyOf(leftOut);
  }

  /// What follows the rows of all tables.
  public List<String> afterAll() {
    return references.stream().map(Reference::statement).toList();
  }

  /// The same with other names for the tables that it refers to.
  public CopiedDefinition withReferences(UnaryOperator<String> labels) {
    return new CopiedDefinition(
        make,
        afterRows,
        references.stream()
            .map(each -> new Reference(labels.apply(each.table), each.statement))
            .toList(),
        leftOut);
  }

  /// Whether nothing is done.
  public boolean isEmpty() {
    return make.isEmpty() && afterRows.isEmpty() && references.isEmpty();
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
