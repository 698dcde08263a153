package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.io.TempDir;

class SqliteResumeSuiteTest extends ResumeSuite {

  @TempDir Path folder;

  private Sqlite sqlite() {
    return new Sqlite(folder.resolve("resume.db"));
  }

  @Override
  protected Connector connector() {
    return new SqliteConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return sqlite().table(name);
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> sqlite().run("DROP TABLE " + name);
        case ROWS -> sqlite().run("DELETE FROM " + name);
        case JOURNAL -> sqlite().run("DROP TABLE IF EXISTS millrace_journal");
        case STAGED -> {
          return false;
        }
      }
      return true;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected List<String> leftovers(String name) {
    try {
      return sqlite()
          .texts(
              "SELECT name FROM sqlite_schema WHERE name LIKE '%millrace%' AND type = 'table'"
                  + " AND name <> 'millrace_journal'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    String fromHere = Path.of("").toAbsolutePath().relativize(sqlite().file()).toString();
    return List.of(
        sqlite().table("main." + name),
        sqlite().table("MAIN." + name.toUpperCase(Locale.ROOT)),
        sqlite().table("\"" + name + "\""),
        new Endpoint("sqlite", fromHere, Map.of("table", name), Secret.NONE));
  }
}
