package millrace.connectors.sql.h2;

import millrace.connectors.sql.Statements;
import millrace.spi.Connector;

/// A server that neither renames tables, so that a swap is several statements, nor empties them at
/// once.
final class H2CopyingServer {

  static final Connector CONNECTOR =
      new H2Connector(
          "h2copying",
          url ->
              H2Dialect.server(
                  H2Dialect.profile(
                      new Statements.Tables(Statements.CREATE, Statements.DROP_IF_EXISTS, "", "")),
                  url));

  private H2CopyingServer() {}
}
