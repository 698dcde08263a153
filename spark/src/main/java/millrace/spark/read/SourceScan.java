package millrace.spark.read;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import millrace.copy.SharedMoment;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// Some columns and rows of a table, in one state of the source however often Spark reads them.
/// Driver only, any thread.
final class SourceScan implements SupportsReportStatistics, Batch {

  private final SourceTable table;
  private final List<String> names;
  private final Schema columns;
  private final Selection selection;
  private final String condition;
  private SourcePartition @Nullable [] partitions;

  /// @param names of the columns wanted; empty if rows are to be counted
  /// @param condition in the source's SQL; empty if it is to give all rows
  SourceScan(SourceTable table, List<String> names, String condition) {
    this.table = table;
    this.names = List.copyOf(names);
    this.condition = condition;
    columns = table.held(names.isEmpty() ? List.of(narrowest(table.held())) : names);
    selection =
        new Selection(columns.names(), condition.isEmpty() ? null : condition, Long.MAX_VALUE);
  }

  /// The column to read if only rows are counted.
  private static String narrowest(Schema schema) {
    return schema.columns().stream()
        .filter(column -> column.type().layout() == Type.Layout.LONGS)
        .findFirst()
        .orElse(schema.column(0))
        .name();
  }

  @Override
  public StructType readSchema() {
    return SparkTypes.of(table.held(names));
  }

  /// Plans show it behind the table's name.
  @Override
  public String description() {
    return "columns: [%s], pushed: [%s]".formatted(String.join(", ", names), condition);
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public ColumnarSupportMode columnarSupportMode() {
    return ColumnarSupportMode.SUPPORTED;
  }

  @Override
  public Statistics estimateStatistics() {
    return new Estimate(known(table.size().bytes()), known(table.size().rows()));
  }

  private static OptionalLong known(long number) {
    return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /// About how large the table is; Spark sends small ones whole to all executors of a join.
  private record Estimate(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {}

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new PartitionRows.Factory();
  }

  /// Takes the state and cuts it into partitions, once.
  ///
  /// @throws IllegalArgumentException if the source is not what was loaded
  @Override
  public synchronized InputPartition[] planInputPartitions() {
    SourcePartition[] known = partitions;
    if (known == null) {
      known = Opening.explained(this::plan);
      partitions = known;
    }
    return known.clone();
  }

  private SourcePartition[] plan() {
    SourcePartition single = partition(table.options().from(), null);
    SharedMoment moment;
    try {
      moment = Opening.opener().moment(single.end());
    } catch (Fault.User e) {
      return single(single, e);
    }
    HeldMoment held = new HeldMoment(moment);
    try (Source source = Opening.opener().source(moment.end(), selection)) {
      DescribedSource described = source.describe(SourceTable.REQUEST);
      try {
        moment.check(described.description());
      } catch (Fault.User e) {
        return single(single, e);
      }
      return cut(partition(moment.end(), held), described);
    }
  }

  private SourcePartition partition(Endpoint end, @Nullable HeldMoment moment) {
    long splitBytes = table.options().splitBytes();
    return new SourcePartition(end, selection, columns, names.size(), splitBytes, null, moment);
  }

  /// What several processes can't read in one state, one task reads. So it does what can't be read
  /// at all, and says why.
  private static SourcePartition[] single(SourcePartition partition, Fault.User why) {
    Opening.note(why.clause() + ": one task reads all of it.");
    return new SourcePartition[] {partition};
  }

  /// One partition a split.
  private static SourcePartition[] cut(SourcePartition all, DescribedSource described) {
    checkSame(described.description(), all.columns());
    int tasks = SparkContext.getOrCreate().defaultParallelism();
    try (ReadSession session = described.open(readPlan(all, tasks))) {
      List<Split> splits = splits(session);
      return described.description().lanes().max() == 1
          ? new SourcePartition[] {all.of(splits)}
          : splits.stream().map(List::of).map(all::of).toArray(SourcePartition[]::new);
    }
  }

  /// All splits of a source.
  static List<Split> splits(ReadSession session) {
    List<Split> all = new ArrayList<>();
    try (Splits splits = session.splits()) {
      for (Split split = splits.next(); split != null; split = splits.next()) {
        all.add(split);
      }
    }
    return all;
  }

  /// How a partition's source is read, by so many at once in one process.
  static ReadPlan readPlan(SourcePartition partition, int lanes) {
    return new ReadPlan(
        partition.selection(),
        SourceTable.REQUEST,
        Form.COLUMNS,
        null,
        partition.splitBytes(),
        lanes,
        false,
        List.of());
  }

  /// Spark has planned its query with the columns that it was told.
  ///
  /// @throws Fault.User if the source has others now
  static void checkSame(SourceDescription now, Schema loaded) {
    Schema passed = now.passed(SourceTable.REQUEST);
    for (int i = 0; i < loaded.width(); i++) {
      if (!passed.column(i).type().equals(loaded.column(i).type())) {
        throw new Fault.User(
            "Column '%s' of %s is %s now, and was %s when it was loaded."
                .formatted(
                    loaded.column(i).name(),
                    now.label(),
                    passed.column(i).typeLabel(),
                    loaded.column(i).typeLabel()),
            "Load it again.");
      }
    }
  }
}
