package millrace.testkit.oracle.dictionary;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.testkit.oracle.OraException;
import org.jspecify.annotations.Nullable;

/// The functions that H2 calls for the views, and for what a session knows about itself.
///
/// H2 knows functions by name only, so each call names its session by a key.
public final class DictionaryFunctions {

  private static final String COLUMNS_ALONE = "jdbc:columnlist:connection";
  private static final Map<Long, DictionaryContext> SESSIONS = new ConcurrentHashMap<>();

  private DictionaryFunctions() {}

  /// A session begins.
  public static void register(long key, DictionaryContext context) {
    SESSIONS.put(key, context);
  }

  public static void unregister(long key) {
    SESSIONS.remove(key);
  }

  /// Whether there is a view of that name.
  public static boolean isView(String name) {
    return name.equals("DUAL") || DictionaryViews.find(name) != null;
  }

  /// The rows of a view.
  ///
  /// @param requested by its address H2 says that it wants the columns alone
  public static ResultSet view(Connection requested, String name, long key) throws SQLException {
    ViewDefinition view = DictionaryViews.find(name);
    DictionaryContext context = context(key);
    if (view == null || !view.isVisible(name, context)) {
      OraException e =
          new OraException(942, "table or view \"SYS\".\"" + name + "\" does not exist");
      throw new SQLException(e.getMessage(), "42000", e.code(), e);
    }
    return requested.getMetaData().getURL().equals(COLUMNS_ALONE)
        ? view.empty()
        : view.rows(context);
  }

  private static DictionaryContext context(long key) throws SQLException {
    DictionaryContext context = SESSIONS.get(key);
    if (context == null) {
      throw new SQLException("the session is over");
    }
    return context;
  }

  /// The SCN now.
  public static long scn(long key) throws SQLException {
    return context(key).takeScn();
  }

  public static @Nullable String sysContext(long key, String namespace, String name)
      throws SQLException {
    return namespace.equalsIgnoreCase("USERENV") ? userEnv(key, name) : null;
  }

  public static @Nullable String userEnv(long key, String name) throws SQLException {
    DictionaryContext context = context(key);
    DictionaryContext.SessionRow self = context.self();
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "SESSION_USER", "CURRENT_USER" -> self.user();
      case "CURRENT_SCHEMA" -> context.currentSchema();
      case "SESSION_TIME_ZONE" -> context.timeZone();
      case "SID", "SESSIONID", "AUDSID" -> String.valueOf(self.number().sid());
      case "INSTANCE" -> String.valueOf(self.number().instance());
      case "CON_NAME", "SERVICE_NAME", "DB_NAME" -> "FREEPDB1";
      case "INSTANCE_NAME" -> "FREE";
      case "HOST", "TERMINAL" -> self.machine();
      case "MODULE" -> self.module();
      case "ACTION" -> self.action();
      case "LANGUAGE" -> "AMERICAN_AMERICA.AL32UTF8";
      case "ISDBA" -> "FALSE";
      case "DATABASE_ROLE" -> "PRIMARY";
      default -> null;
    };
  }
}
