package millrace.connectors.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.DatabaseFileResumeFixture;
import millrace.testkit.suite.Deaths;
import millrace.testkit.suite.JdbcDeaths;

/// {@link DatabaseFileResumeFixture} for a database behind JDBC that makes upper-case names of
/// those without quotes.
abstract class JdbcResumeFixture extends DatabaseFileResumeFixture {

  abstract Engine engine(Path file);

  @Override
  public Connector connector() {
    return new JdbcConnector();
  }

  @Override
  public Endpoint end(Path file, String table) {
    return engine(file).end("table", table);
  }

  @Override
  public Connection connect(Path file) throws SQLException {
    return engine(file).connect();
  }

  @Override
  public String tableNames() {
    return "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES";
  }

  @Override
  public String schemaName() {
    return "PUBLIC";
  }

  @Override
  public String inCatalog(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  @Override
  public List<Endpoint> sourceSpellings(String name) {
    return List.of(end(file(), schemaName() + "." + name));
  }

  @Override
  public Deaths deaths() {
    return JdbcDeaths.of("resume" + System.identityHashCode(this));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new EnumMap<>(super.cannot());
    all.put(Behaviour.CASE_IN_NAMES, "names that need no quotes are folded");
    all.put(Behaviour.MISSING_DATABASES, "whoever opens one makes it");
    all.put(Behaviour.EARLIER_JOURNALS, "no version wrote such files");
    return all;
  }
}
