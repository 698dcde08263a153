package millrace.connectors.sql.h2;

import java.sql.SQLException;
import org.h2.tools.Server;

/// A server on loopback, which the tests of a process start once.
final class H2Server {

  /// Several sessions write, and commit in parts.
  static final H2Connector CONNECTOR = new H2Connector("h2server", H2Dialect::server);

  private static final Server SERVER = start();

  private H2Server() {}

  private static Server start() {
    System.setProperty("h2.bindAddress", "localhost");
    try {
      return Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists").start();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// The location of a database that has the server to itself.
  static String served(String database) {
    return "localhost:" + SERVER.getPort() + "/" + database;
  }
}
