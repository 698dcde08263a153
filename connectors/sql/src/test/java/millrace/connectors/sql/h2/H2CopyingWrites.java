package millrace.connectors.sql.h2;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes;
import org.jspecify.annotations.Nullable;

/// H2 as if it could not give tables other names: their rows are copied.
final class H2CopyingWrites implements Writes {

  @Override
  public Dialect.Profile profile() {
    return H2Dialect.SERVER.profile();
  }

  @Override
  public List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old) {
    String from = staging.sql(profile().names());
    String to = target.sql(profile().names());
    List<String> all = new ArrayList<>();
    if (replaced != null) {
      all.add("DROP TABLE " + to);
    }
    all.add("CREATE TABLE %s AS SELECT * FROM %s WHERE 1 = 0".formatted(to, from));
    // The key of all tables of the suites.
    all.add("ALTER TABLE %s ALTER COLUMN \"id\" SET NOT NULL".formatted(to));
    all.add("ALTER TABLE %s ADD PRIMARY KEY (\"id\")".formatted(to));
    all.add("INSERT INTO %s SELECT * FROM %s".formatted(to, from));
    all.add("DROP TABLE " + from);
    return all;
  }
}
