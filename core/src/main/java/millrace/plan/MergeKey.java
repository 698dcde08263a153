package millrace.plan;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteOptions;

/// Settles the key of a merge, for every target alike: the one that the user names, else the
/// target's own, else the source's. Pure.
final class MergeKey {

  private MergeKey() {}

  /// The columns that a merge goes by.
  ///
  /// @param incoming the columns that come
  /// @param partners of each, the target's own; empty if it is made anew
  /// @return their names as the target spells them
  /// @throws Fault.User if there is no key, or a column of it does not come
  static List<String> settle(
      TargetDescription target,
      WriteOptions options,
      Schema incoming,
      List<TargetColumn> partners) {
    List<String> names =
        partners.isEmpty() ? incoming.names() : partners.stream().map(TargetColumn::name).toList();
    List<String> wanted =
        !options.key().isEmpty()
            ? options.key()
            : !target.contents().key().isEmpty()
                ? target.contents().key()
                : incoming.key().stream().map(name -> names.get(incoming.indexOf(name))).toList();
    if (wanted.isEmpty()) {
      throw new Fault.User(
          target.contents().name() + " has no primary key to merge by.",
          "Name columns: --key id,day");
    }
    List<String> key = new ArrayList<>();
    for (String name : wanted) {
      int at = Selection.position(name, names);
      if (at < 0) {
        throw doesNotCome(target, name, names);
      }
      key.add(names.get(at));
    }
    return key;
  }

  private static Fault.User doesNotCome(TargetDescription target, String name, List<String> names) {
    return target.columns().stream()
        .filter(column -> !column.isWritable() && column.name().equalsIgnoreCase(name))
        .findFirst()
        .map(made ->
            new Fault.User(
                "Column "
                    + made.name()
                    + " of "
                    + target.contents().name()
                    + " is "
                    + made.generated()
                    + ", of which the target itself makes the values: rows can't be merged by it.",
                "Name other columns with --key."))
        .orElseGet(() ->
            new Fault.User(
                "The key's column \"" + name + "\" does not come from the source.",
                "It brings " + String.join(", ", names) + "."));
  }
}
