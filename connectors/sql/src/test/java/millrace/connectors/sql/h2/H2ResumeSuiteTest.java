package millrace.connectors.sql.h2;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import millrace.spi.Connector;
import millrace.testkit.suite.DatabaseFileResumeSuite;

/// A database in which what makes tables commits.
class H2ResumeSuiteTest extends DatabaseFileResumeSuite {

  @Override
  protected Connector connector() {
    return new H2Connector();
  }

  @Override
  protected Connection connect(Path file) throws SQLException {
    return DriverManager.getConnection(H2Connector.url(file.toString()));
  }

  @Override
  protected String tableNames() {
    return "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES";
  }

  @Override
  protected String schemaName() {
    return H2Dialect.SCHEMA;
  }

  @Override
  protected boolean isOfEarlierVersions() {
    return false;
  }

  @Override
  protected boolean tellsOfMissing() {
    return false;
  }
}
