package millrace.spark.read;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import millrace.data.Schema;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/// A source as it was when it was loaded: its columns and about how large it is.
///
/// @param options what the user says of it
/// @param held its columns, with all of their types settled
/// @param size how much is in it
record SourceTable(ReadOptions options, Schema held, SourceDescription.Size size)
    implements Table, SupportsRead {

  /// Every source tells its types, by its catalog or by a sample.
  static final ColumnRequest REQUEST = new ColumnRequest.Typed();

  /// Looks at a source.
  static SourceTable of(ReadOptions options) {
    try (Source source = Opening.opener().source(options.from(), Selection.ALL)) {
      SourceDescription description = source.describe(REQUEST).description();
      return new SourceTable(options, description.passed(REQUEST), description.size());
    }
  }

  /// Some of its columns, by the names that they have there.
  Schema held(List<String> names) {
    return Schema.of(names.stream().map(name -> held.column(held.indexOf(name))).toList());
  }

  @Override
  public String name() {
    return "millrace " + options.from().labelWithTable();
  }

  @Override
  public Column[] columns() {
    return Arrays.stream(SparkTypes.of(held).fields())
        .map(each ->
            Column.create(
                each.name(), each.dataType(), true, each.getComment().getOrElse(() -> null), null))
        .toArray(Column[]::new);
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap readOptions) {
    return new SourceScanBuilder(this);
  }

  /// Spark prints tables in plans.
  @Override
  public String toString() {
    return name();
  }
}
