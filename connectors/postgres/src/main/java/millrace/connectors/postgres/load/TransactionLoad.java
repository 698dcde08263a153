package millrace.connectors.postgres.load;

import java.util.List;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Rows go into the table that exists, in one transaction on one connection, which may take away
/// its indexes and make them again, and may freeze the rows. Others wait for the table until its
/// end.
///
/// @param mayDropRows whether the table has triggers that may swallow rows
/// @param frozen whether the rows are frozen, for which the server wants a table that was emptied
///   in the same transaction
/// @param deferred what is taken away first and made again last
record TransactionLoad(
    Landing landing,
    List<LoadColumn> slots,
    QualifiedName into,
    boolean mayDropRows,
    boolean frozen,
    DeferredIndexes deferred,
    List<String> notes)
    implements LoadPlan {

  @Override
  public QualifiedName target() {
    return into;
  }

  @Override
  public List<String> placeColumns() {
    return List.of();
  }

  @Override
  public String ddl() {
    return "";
  }

  @Override
  public void ready(Session session) {
    if (frozen && mode() != Mode.TRUNCATE) {
      emptyAgain(session);
    }
    deferred.drop(session);
  }

  /// Truncates a table that was empty when the plan was made, and must still be.
  private void emptyAgain(Session session) {
    session.execute("LOCK TABLE ONLY " + into.sql() + " IN ACCESS EXCLUSIVE MODE");
    boolean holdsRows =
        session.one(
            "SELECT EXISTS (SELECT FROM ONLY " + into.sql() + ")", row -> row.getBoolean(1));
    if (holdsRows) {
      throw new Fault.User(
          "The table " + into.label() + " has got rows since the load was planned.",
          "Say what to do with them: --mode truncate or replace; or leave --freeze out.");
    }
    session.execute("TRUNCATE TABLE ONLY " + into.sql());
  }

  @Override
  public @Nullable MergeCounts add(Ending ending) {
    if (!deferred.isEmpty()) {
      ending.makeIndexes(() -> deferred.make(ending.session()));
    }
    return null;
  }
}
