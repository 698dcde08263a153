package millrace.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.reject.ExcludedRecords;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// A target that keeps nothing but hashes: verify is two runs into one of these each.
final class HashTarget implements Target {

  private final TargetDescription description;
  private final Comparison comparison;
  private final @Nullable ExcludedRecords leftOut;
  private final Function<ColumnPairs, HashSink> sinks;

  /// @param like the types that a source without types is to take; null if it is read with its own,
  ///   and as text if it has none
  /// @param comparison what is compared
  /// @param leftOut the records that do not count; null if all do
  /// @param sinks makes a sink for each lane, once the source's columns are known
  HashTarget(
      @Nullable Schema like,
      Comparison comparison,
      @Nullable ExcludedRecords leftOut,
      Function<ColumnPairs, HashSink> sinks) {
    description =
        TargetDescription.of("verify", State.STREAM)
            .keeping(like != null, false, "")
            .with(
                "verify",
                like == null
                    ? List.of()
                    : like.columns().stream().map(each -> TargetColumn.of(each, true)).toList(),
                List.of());
    this.comparison = comparison;
    this.leftOut = leftOut;
    this.sinks = sinks;
  }

  @Override
  public DescribedTarget describe() {
    return DescribedTarget.of(
        description,
        request -> planned(WritePlan.of(request), ColumnPairs.of(comparison, request.incoming())));
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  private PlannedTarget planned(WritePlan plan, ColumnPairs pairs) {
    return PlannedTarget.ofColumns(
        plan,
        0,
        _ ->
            WriteSession.of(
                context -> new HashWriter(pairs, sinks.apply(pairs), leftOut, context)));
  }

  /// What is compared, the same for both sides.
  ///
  /// @param names the columns in the reference order
  /// @param as of each column, the type that values are compared as
  /// @param key names of the columns that buckets go by; empty for all
  /// @param byPosition whether a side's columns are found by position, not by name
  record Comparison(List<String> names, List<Type> as, List<String> key, boolean byPosition) {}

  /// Where one side's batches hold the columns that are compared.
  ///
  /// @param columns position and way of hashing of each, in the reference order
  /// @param key positions, in the reference order, of the columns that buckets go by; empty for all
  record ColumnPairs(List<Paired> columns, List<Integer> key) {

    /// One column: where the batches hold it, its type there, and what it is compared as.
    record Paired(int position, Type type, Type as) {}

    /// Finds the columns in a schema: by position, or exactly, or else by the one name alike but
    /// for case.
    static ColumnPairs of(Comparison comparison, Schema schema) {
      List<Paired> columns = new ArrayList<>();
      for (int i = 0; i < comparison.names().size(); i++) {
        int position =
            comparison.byPosition()
                ? i
                : Selection.position(comparison.names().get(i), schema.names());
        Type type = schema.column(position).type();
        columns.add(new Paired(position, type, comparison.as().get(i)));
      }
      return new ColumnPairs(
          columns,
          comparison.key().stream()
              .map(name -> Selection.position(name, comparison.names()))
              .toList());
    }
  }

  private static final class HashWriter implements RecoverableWriter {

    private final int[] positions;
    private final RowHash[] hashes;
    private final int[] key;
    private final HashSink sink;
    private final @Nullable ExcludedRecords leftOut;
    private final WriteContext context;
    private final long[] values;
    private @Nullable Split split;
    private long rows;

    HashWriter(
        ColumnPairs columnPairs,
        HashSink sink,
        @Nullable ExcludedRecords leftOut,
        WriteContext context) {
      this.leftOut = leftOut;
      this.sink = sink;
      this.context = context;
      positions = columnPairs.columns().stream().mapToInt(ColumnPairs.Paired::position).toArray();
      hashes =
          columnPairs.columns().stream()
              .map(column -> new RowHash(column.type(), column.as()))
              .toArray(RowHash[]::new);
      key = columnPairs.key().stream().mapToInt(Integer::intValue).toArray();
      values = new long[positions.length];
    }

    @Override
    public void start(Split next) {
      split = next;
      rows = 0;
    }

    @Override
    public void write(Batch batch) {
      switch (batch) {
        case Columns columns -> {
          context.clock().enter(Stage.ENCODE);
          boolean[] without = leftOut == null ? null : leftOut.rows(columns);
          for (int row = 0; row < columns.rows(); row++) {
            if (without == null || !without[row]) {
              take(columns, row);
            }
          }
          rows += columns.rows();
          columns.release();
        }
        case Frames _ -> throw new Fault.Bug("verify was given raw frames", null);
      }
    }

    private void take(Columns columns, int row) {
      long rowHash = RowHash.SEED;
      for (int i = 0; i < values.length; i++) {
        values[i] = hashes[i].value(columns, positions[i], row);
        rowHash = RowHash.mix(rowHash, values[i]);
      }
      long keyHash = rowHash;
      if (key.length > 0) {
        keyHash = RowHash.SEED;
        for (int position : key) {
          keyHash = RowHash.mix(keyHash, values[position]);
        }
      }
      sink.row(columns, row, values, rowHash, (int) (keyHash >>> 1) & (Tally.BUCKETS - 1));
    }

    @Override
    public Receipt finish() {
      if (split == null) {
        throw new Fault.Bug("a split was finished that never began", null);
      }
      Receipt receipt = new Receipt(split, rows, 0, false);
      rows = 0;
      return receipt;
    }

    /// What has been added up can't be taken off again.
    @Override
    public Leftover leftover(boolean committing) {
      return rows == 0 ? Leftover.NOTHING : Leftover.ROWS;
    }

    @Override
    public void close() {
      // The sink outlives its writer.
    }
  }
}
