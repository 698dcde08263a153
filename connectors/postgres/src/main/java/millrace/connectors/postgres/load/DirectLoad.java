package millrace.connectors.postgres.load;

import java.util.List;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;

/// Rows go into the target itself and stay as they are committed.
///
/// @param mayDropRows whether the table has triggers that may swallow rows
/// @param ddl makes the table first; empty if it exists
record DirectLoad(
    Landing landing,
    List<LoadColumn> slots,
    QualifiedName into,
    boolean mayDropRows,
    String ddl,
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
  public void begin(Session session) {
    if (!ddl.isEmpty()) {
      session.execute(ddl);
    } else if (mode() == Mode.TRUNCATE) {
      session.execute(new Catalog(session).truncate(into));
    }
  }

  @Override
  public void complete(Ending ending) {
    ending.session().transaction(ending.markCompleteInTransaction());
  }
}
