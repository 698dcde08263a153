package millrace.connectors.sql.h2;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import millrace.spi.Connector;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.DatabaseFileResumeFixture;

/// A database in which what makes tables commits.
abstract class H2ResumeFixture extends DatabaseFileResumeFixture {

  @Override
  public Connector connector() {
    return new H2Connector();
  }

  @Override
  public Connection connect(Path file) throws SQLException {
    return DriverManager.getConnection(H2Connector.url(file.toString()));
  }

  @Override
  public String tableNames() {
    return "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES";
  }

  @Override
  public String schemaName() {
    return H2Dialect.SCHEMA;
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(Behaviour.MISSING_DATABASES, "whoever opens one makes it");
    all.put(
        Behaviour.OTHER_PROCESS,
        "a file of H2 2.5.252 whose process was killed may never answer again");
    all.put(Behaviour.EARLIER_JOURNALS, "no version wrote such files");
    all.put(Behaviour.NAME_PATTERNS, "its tables are not listed here");
    return all;
  }
}
