package millrace.testkit.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Harms connections that are opened by the {@link FaultyDriver}: has all of them end after a
/// statement, as the death of the process does, or has a statement hang that no cancel ends.
///
/// Any thread may call it.
public final class JdbcFaults {

  private final String name;
  private final AtomicLong statements = new AtomicLong();
  private final Set<Harmed> open = ConcurrentHashMap.newKeySet();
  private volatile long last = Long.MAX_VALUE;
  private volatile boolean dead;
  private volatile @Nullable Hang hangsAt;
  private final CompletableFuture<Void> hangs = new CompletableFuture<>();

  private record Hang(String method, String words) {}

  JdbcFaults(String name) {
    this.name = name;
  }

  /// Those of that name.
  public static JdbcFaults of(String name) {
    return FaultyDriver.faults(name);
  }

  /// The URL of a database by which it is harmed.
  ///
  /// @param inner its own, behind `jdbc:`; so is what is given
  public String url(String inner) {
    return FaultyDriver.url(name, inner);
  }

  /// How many statements and commits have been carried out.
  public long statements() {
    return statements.get();
  }

  /// After so many more, all connections end, and none can be opened.
  public void dieAfter(long more) {
    last = statements.get() + more;
  }

  /// Connections can be opened again.
  public void revive() {
    last = Long.MAX_VALUE;
    dead = false;
  }

  /// Calls of a method of JDBC hang until their connection is aborted, and cancels are lost.
  ///
  /// @param words what its statement has in it; empty for any
  public void hangAt(String method, String words) {
    hangsAt = new Hang(method, words);
  }

  /// Done once a statement hangs.
  public CompletableFuture<Void> hangs() {
    return hangs;
  }

  Connection open(String url, Properties info) throws SQLException {
    if (dead) {
      throw gone();
    }
    Harmed harmed = new Harmed(DriverManager.getConnection(url, info));
    open.add(harmed);
    return harmed.proxy(Connection.class, harmed.real, "");
  }

  private static SQLException gone() {
    return new SQLNonTransientConnectionException("The connection is closed", "08003");
  }

  /// One connection, and what is made by it.
  private final class Harmed {

    private final Connection real;
    private final CountDownLatch aborted = new CountDownLatch(1);

    Harmed(Connection real) {
      this.real = real;
    }

    <T> T proxy(Class<T> type, T inner, String sql) {
      InvocationHandler handler =
          (_, method, args) ->
              method.getDeclaringClass().equals(Object.class)
                  ? method.invoke(inner, args)
                  : call(inner, method, args, sql);
      return type.cast(
          Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object call(Object inner, Method method, Object @Nullable [] args, String sql)
        throws Throwable {
      String called = method.getName();
      switch (called) {
        case "abort" -> {
          aborted.countDown();
          return null;
        }
        case "cancel" -> {
          if (hangsAt != null) {
            return null;
          }
        }
        case "close", "isClosed" -> {
          if (dead) {
            return called.equals("close") ? null : true;
          }
        }
        default -> {
          if (dead) {
            throw gone();
          }
        }
      }
      boolean runs = called.startsWith("execute") || called.equals("commit");
      String words = sql.isEmpty() && args != null && runs ? String.valueOf(args[0]) : sql;
      hang(called, words);
      Object result = invoke(inner, method, args);
      if (runs && statements.incrementAndGet() == last) {
        die();
        throw gone();
      }
      return switch (result) {
        case PreparedStatement prepared when inner instanceof Connection && args != null ->
            proxy(PreparedStatement.class, prepared, String.valueOf(args[0]));
        case Statement statement when inner instanceof Connection ->
            proxy(Statement.class, statement, "");
        case ResultSet rows when inner instanceof Statement -> proxy(ResultSet.class, rows, sql);
        case null, default -> result;
      };
    }

    private void hang(String method, String sql) throws SQLException, InterruptedException {
      Hang at = hangsAt;
      if (at != null && method.equals(at.method) && sql.contains(at.words)) {
        hangs.complete(null);
        aborted.await();
      }
      if (aborted.getCount() == 0 && !method.equals("close") && !method.equals("isClosed")) {
        throw gone();
      }
    }

    private static @Nullable Object invoke(Object inner, Method method, Object @Nullable [] args)
        throws Throwable {
      try {
        return method.invoke(inner, args);
      } catch (InvocationTargetException e) {
        throw e.getTargetException();
      }
    }

    void end() {
      try {
        if (!real.isClosed()) {
          if (!real.getAutoCommit()) {
            real.rollback();
          }
          real.close();
        }
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void die() {
    dead = true;
    open.forEach(Harmed::end);
    open.clear();
  }
}
