package millrace.connectors.postgres.load;

import java.util.List;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.write.Landing;

/// Rows go into the target itself and stay as they are committed.
///
/// @param mayDropRows whether the table has triggers that may swallow rows
/// @param ddl makes the table first; empty if it exists
public record DirectLoad(
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
  public void make(Session session) {
    session.execute(ddl);
  }
}
