package millrace.connectors.sql.h2;

import millrace.connectors.sql.Statements;
import millrace.spi.Connector;

/// The same on a server that neither renames tables, so that a swap is several statements, nor
/// empties them at once.
class H2CopyingServerResumeSuiteTest extends H2ServerResumeSuiteTest {

  @Override
  public Connector connector() {
    Statements.Tables tables =
        new Statements.Tables(Statements.CREATE, Statements.DROP_IF_EXISTS, "", "");
    return new H2Connector("h2copying", url -> H2Dialect.server(H2Dialect.profile(tables), url));
  }
}
