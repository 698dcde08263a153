package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import millrace.spi.Connector;
import millrace.testkit.suite.DatabaseFileResumeFixture;

abstract class DuckDbResumeFixture extends DatabaseFileResumeFixture {

  @Override
  public Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  public Connection connect(Path file) throws SQLException {
    return new Duck(file).connect();
  }

  @Override
  public String tableNames() {
    return "SELECT table_name FROM duckdb_tables()";
  }
}
