package millrace.connectors.duckdb;

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

class DuckDbResumeSuiteTest extends ResumeSuite {

  @TempDir Path folder;

  private Duck duck() {
    return Duck.in(folder);
  }

  private Endpoint end(String file, String table) {
    return new Endpoint("duckdb", file, Map.of("table", table), Secret.NONE);
  }

  @Override
  protected Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return end(duck().file().toString(), name);
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> duck().run("DROP TABLE " + name);
        case ROWS -> duck().run("DELETE FROM " + name);
        case JOURNAL -> duck().run("DROP TABLE IF EXISTS millrace_journal");
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
      return duck()
          .rows(
              "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE '%millrace%'"
                  + " AND table_name <> 'millrace_journal'");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    String file = duck().file().toString();
    String fromHere = Path.of("").toAbsolutePath().relativize(duck().file()).toString();
    return List.of(
        end(file, "main." + name),
        end(file, "MAIN." + name.toUpperCase(Locale.ROOT)),
        end(file, "\"" + name + "\""),
        end(fromHere, name));
  }
}
