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
import millrace.testkit.suite.MemoryFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

abstract class ParquetFixture extends MemoryFixture {

  private static final String UNCHANGING = "a Parquet file ends with an index of all its rows";

  @TempDir Path folder;

  @Override
  public Connector connector() {
    return new ParquetConnector();
  }

  @Override
  public Endpoint table(String name) {
    String file = folder.resolve(name + ".parquet").toString();
    return new Endpoint("parquet", file, Map.of(), Secret.NONE);
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    Path file = folder.resolve(name + ".parquet");
    return new Duck(folder.resolve("beside.db")).shown("'" + file + "'", columns);
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.ofEntries(
        Map.entry(Behaviour.APPEND, UNCHANGING),
        Map.entry(Behaviour.TRUNCATE, UNCHANGING),
        Map.entry(Behaviour.MERGE, UNCHANGING),
        Map.entry(Behaviour.EXISTING_COLUMNS, UNCHANGING),
        Map.entry(Behaviour.ATOMIC, "every mode that there is appears at once already"),
        Map.entry(Behaviour.KEYS, "Parquet has no keys"),
        Map.entry(Behaviour.CASE_IN_NAMES, "DuckDB's names are the same in any case"),
        Map.entry(Behaviour.SPLITS, "splits are row groups, and the suite's table fits one"),
        Map.entry(Behaviour.SQL, "a file takes none"),
        Map.entry(Behaviour.WRITE_LOCKS, "a file can be replaced at any time"),
        Map.entry(Behaviour.READ_LOCKS, "a file can be read at any time"),
        Map.entry(Behaviour.ROWS_LEFT_OUT, UNCHANGING));
  }
}
