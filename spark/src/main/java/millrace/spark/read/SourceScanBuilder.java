package millrace.spark.read;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

/// Settles which columns and rows of a table one query reads; Spark's planner calls it on one
/// thread.
final class SourceScanBuilder
    implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {

  private final SourceTable table;
  private List<String> columns;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<String> conditions = new ArrayList<>();

  SourceScanBuilder(SourceTable table) {
    this.table = table;
    columns = table.held().names();
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = List.of(required.fieldNames());
  }

  /// The source leaves out what it can, and Spark looks at all that comes: so it is enough that no
  /// row is left out for which Spark's own filter is true.
  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    pushed.clear();
    conditions.clear();
    for (Predicate each : predicates) {
      String condition = PushedConditions.sql(table, each);
      if (condition != null) {
        pushed.add(each);
        conditions.add(condition);
      }
    }
    return predicates;
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public Scan build() {
    return new SourceScan(table, columns, String.join(" AND ", conditions));
  }
}
