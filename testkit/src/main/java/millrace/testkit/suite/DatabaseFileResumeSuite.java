package millrace.testkit.suite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.junit.jupiter.api.io.TempDir;

/// {@link ResumeSuite} for databases that are a file each, have one schema `main`, and keep the
/// mark of a complete copy in the table `millrace_journal`.
public abstract class DatabaseFileResumeSuite extends ResumeSuite {

  @TempDir Path folder;

  /// Connects to a file by other means than the connector.
  protected abstract Connection connect(Path file) throws SQLException;

  /// A query for the names of all tables that are there.
  protected abstract String tableNames();

  /// The file that the tables are in.
  protected final Path file() {
    return folder.resolve("resume.db");
  }

  private Endpoint end(Path file, String table) {
    String scheme = connector().schemes().getFirst();
    return new Endpoint(scheme, file.toString(), Map.of("table", table), Secret.NONE);
  }

  @Override
  protected final Endpoint table(String name) {
    return end(file(), name);
  }

  private void run(String sql) {
    try (Connection connection = connect(file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected final boolean lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE " + name);
      case ROWS -> run("DELETE FROM " + name);
      case JOURNAL -> run("DROP TABLE IF EXISTS millrace_journal");
      case STAGED, STAGED_LAST -> {
        return false;
      }
    }
    return true;
  }

  @Override
  protected final List<String> leftovers(String name) {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect(file());
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(tableNames())) {
      while (tables.next()) {
        names.add(tables.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    names.removeIf(each -> !each.contains("millrace") || each.equals("millrace_journal"));
    return names;
  }

  @Override
  protected final List<Endpoint> spellings(String name) {
    Path fromHere = Path.of("").toAbsolutePath().relativize(file());
    return List.of(
        end(file(), "main." + name),
        end(file(), "MAIN." + name.toUpperCase(Locale.ROOT)),
        end(file(), "\"" + name + "\""),
        end(fromHere, name));
  }
}
