package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

class ParquetSuiteTest extends ConnectorSuite {

  private static final String UNCHANGING = "a Parquet file ends with an index of all its rows";

  @TempDir Path folder;

  @Override
  protected Connector connector() {
    return new ParquetConnector();
  }

  @Override
  protected Endpoint table(String name) {
    String file = folder.resolve(name + ".parquet").toString();
    return new Endpoint("parquet", file, Map.of(), Secret.NONE);
  }

  @Override
  protected List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    Path file = folder.resolve(name + ".parquet");
    return new Duck(folder.resolve("beside.db")).shown("'" + file + "'", columns);
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.APPEND,
        UNCHANGING,
        Behaviour.TRUNCATE,
        UNCHANGING,
        Behaviour.MERGE,
        UNCHANGING,
        Behaviour.EXISTING_COLUMNS,
        UNCHANGING,
        Behaviour.ATOMIC,
        "every mode that there is appears at once already",
        Behaviour.KEYS,
        "Parquet has no keys",
        Behaviour.CASE_IN_NAMES,
        "DuckDB's names are the same in any case",
        Behaviour.SPLITS,
        "splits are row groups, and the suite's table fits one");
  }
}
