package millrace.testkit.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A driver over the real one of a database: `jdbc:faulty:NAME:h2:mem:shop` is `jdbc:h2:mem:shop`,
/// whose connections {@link JdbcFaults#of} NAME harms as it is told.
public final class FaultyDriver implements Driver {

  private static final String PREFIX = "jdbc:faulty:";
  private static final Map<String, JdbcFaults> FAULTS = new ConcurrentHashMap<>();

  static {
    try {
      DriverManager.registerDriver(new FaultyDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// For whoever looks for drivers.
  public FaultyDriver() {}

  /// What harms the connections of that name.
  static JdbcFaults faults(String name) {
    return FAULTS.computeIfAbsent(name, _ -> new JdbcFaults(name));
  }

  /// The URL of a database, behind `jdbc:`, by which its connections are harmed under a name.
  static String url(String name, String inner) {
    return PREFIX.substring("jdbc:".length()) + name + ":" + inner;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(PREFIX);
  }

  @Override
  public @Nullable Connection connect(String url, Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    String rest = url.substring(PREFIX.length());
    int end = rest.indexOf(':');
    return faults(rest.substring(0, end)).open("jdbc:" + rest.substring(end + 1), info);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
