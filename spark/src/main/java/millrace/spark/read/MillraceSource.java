package millrace.spark.read;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/// The data source `millrace` of Spark. Spark makes one for each table that is loaded, and calls it
/// on one thread of the driver.
public final class MillraceSource implements TableProvider, DataSourceRegister {

  private @Nullable SourceTable table;

  @Override
  public String shortName() {
    return "millrace";
  }

  /// Looks at the source.
  ///
  /// @throws IllegalArgumentException if an option or the source can't be understood
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SparkTypes.of(getTable(options).held());
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return getTable(new CaseInsensitiveStringMap(properties));
  }

  private SourceTable getTable(CaseInsensitiveStringMap options) {
    SourceTable known = table;
    if (known == null) {
      known = Opening.explained(() -> SourceTable.of(ReadOptions.of(options)));
      table = known;
    }
    return known;
  }
}
