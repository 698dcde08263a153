package millrace.connectors.postgres.load;

import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// How rows get into the target: which table COPY writes to, and what happens before and after.
public sealed interface LoadPlan
    permits DirectLoad, TransactionLoad, SwapLoad, InsertLoad, MergeLoad {

  /// How rows get there, as the engine has decided it.
  Landing landing();

  /// What happens to what is there.
  default Mode mode() {
    return landing().mode();
  }

  /// Where each of the source's columns goes, in the source's order.
  List<LoadColumn> slots();

  /// The table that the user named.
  QualifiedName target();

  /// The table that COPY writes to: the target, or where rows wait for it.
  QualifiedName into();

  /// Whether rows appear only at the end.
  default boolean staged() {
    return !landing().leavesRows();
  }

  /// Whether all of it is one transaction, from begin to end, on the target's own connection.
  default boolean oneTransaction() {
    return landing().whole();
  }

  /// Whether COPY freezes the rows.
  default boolean frozen() {
    return false;
  }

  /// Names of two more columns of that table, for the split and the row number; or none.
  List<String> placeColumns();

  /// Names of all columns of that table that rows are sent for, in their order.
  default List<String> sentColumns() {
    return Stream.concat(slots().stream().map(LoadColumn::name), placeColumns().stream()).toList();
  }

  /// Whether a trigger of that table may swallow rows without an error.
  default boolean mayDropRows() {
    return false;
  }

  /// The statement that makes the target; empty if it exists.
  String ddl();

  /// What the user should know.
  List<String> notes();

  /// Makes the table that COPY writes to, if it is made.
  default void make(Session session) {
    // Rows go into the table that exists.
  }

  /// The table is as COPY fills it from now on.
  default void ready(Session session) {
    // Most have nothing to take away.
  }

  /// All rows are there: adds those that wait to the target, and makes again what was taken away
  /// for them. In the transaction that ends the load, unless another table takes the target's
  /// place.
  ///
  /// @return what a merge made of them; null in other modes
  default @Nullable MergeCounts add(Ending ending) {
    // Rows are where they belong.
    return null;
  }
}
