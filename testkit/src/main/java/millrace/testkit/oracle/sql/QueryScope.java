package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One query block, or the statement around all of them: its tables and the ends of its clauses.
final class QueryScope {
  final @Nullable QueryScope parent;
  final List<TableRef> tables = new ArrayList<>();

  /// The token that ends FROM: WHERE, or what follows; -1 if there is none.
  int fromEnd = -1;

  /// The token behind the condition of WHERE.
  int whereEnd = -1;

  QueryScope(@Nullable QueryScope parent) {
    this.parent = parent;
  }

  /// The table of that alias, here or further out; with no alias the only one that has rows.
  @Nullable TableRef find(@Nullable String alias) {
    for (QueryScope scope = this; scope != null; scope = scope.parent) {
      for (TableRef ref : scope.tables) {
        if (ref.table() != null && (alias == null || ref.alias().equals(alias))) {
          return ref;
        }
      }
    }
    return null;
  }

  /// The predicates that partitions add to WHERE.
  List<String> partitions() {
    List<String> all = new ArrayList<>();
    for (TableRef ref : tables) {
      if (ref.partition() != null) {
        all.add(ref.partition());
      }
    }
    return all;
  }
}
