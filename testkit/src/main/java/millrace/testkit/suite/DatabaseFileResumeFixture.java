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

/// What the suites of copies with a journal need of a database that lies in a file and keeps the
/// mark of a complete copy in the table `millrace_journal`.
public abstract class DatabaseFileResumeFixture extends MemoryFixture implements JournaledSuite {

  static final String JOURNAL = "millrace_journal";

  @TempDir private Path folder;

  /// Connects to a file by other means than the connector.
  protected abstract Connection connect(Path file) throws SQLException;

  /// A query for the names of all tables that are there.
  protected abstract String tableNames();

  /// The file that the tables are in.
  protected final Path file() {
    return folder.resolve("resume.db");
  }

  /// A table of the database in a file.
  protected Endpoint end(Path file, String table) {
    String scheme = connector().schemes().getFirst();
    return new Endpoint(scheme, file.toString(), Map.of("table", table), Secret.NONE);
  }

  /// The schema of a table that is named alone.
  protected String schemaName() {
    return "main";
  }

  /// What the database makes of a name without quotes.
  protected String inCatalog(String name) {
    return name;
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.SERVER, "the database is in files",
        Behaviour.SHARED_COMMITS, "a copy is one transaction, whatever its splits are",
        Behaviour.TABLE_IDENTITY, "a table is known by its name alone",
        Behaviour.LOSS_OF_STAGED, "a copy is one transaction, which leaves no rows",
        Behaviour.LOSS_OF_LAST_STAGED, "a copy is one transaction, which leaves no rows");
  }

  @Override
  public final Endpoint table(String name) {
    return end(file(), name);
  }

  @Override
  public final Endpoint elsewhere(String name) {
    return end(folder.resolve("none.db"), name);
  }

  @Override
  public final void sql(String name, String statement) {
    run(statement.formatted(name));
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
  public final void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> run("DROP TABLE " + name);
      case ROWS -> run("DELETE FROM " + name);
      case JOURNAL -> {
        if (tables().contains(JOURNAL)) {
          run("DROP TABLE " + JOURNAL);
        }
      }
      case STAGED -> throw notGiven(Behaviour.LOSS_OF_STAGED);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  /// Names of all tables, in lower case.
  private List<String> tables() {
    List<String> names = new ArrayList<>();
    try (Connection connection = connect(file());
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(tableNames())) {
      while (tables.next()) {
        names.add(tables.getString(1).toLowerCase(Locale.ROOT));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return names;
  }

  @Override
  public final List<String> leftovers(String name) {
    List<String> names = tables();
    names.removeIf(each -> !each.contains("millrace") || each.equals(JOURNAL));
    return names;
  }

  @Override
  public final List<Endpoint> spellings(String name) {
    Path fromHere = Path.of("").toAbsolutePath().relativize(file());
    return List.of(
        end(file(), schemaName() + "." + name),
        end(file(), (schemaName() + "." + name).toUpperCase(Locale.ROOT)),
        end(file(), "\"" + inCatalog(name) + "\""),
        end(fromHere, name));
  }
}
