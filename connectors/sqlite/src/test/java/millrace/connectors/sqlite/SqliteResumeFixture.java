package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import millrace.spi.Connector;
import millrace.testkit.suite.DatabaseFileResumeFixture;

abstract class SqliteResumeFixture extends DatabaseFileResumeFixture {

  @Override
  public Connector connector() {
    return new SqliteConnector();
  }

  @Override
  public Connection connect(Path file) throws SQLException {
    return new Sqlite(file).connect();
  }

  @Override
  public String tableNames() {
    return "SELECT name FROM sqlite_schema WHERE type = 'table'";
  }
}
