package millrace.connectors.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.testkit.Reading;

/// Reads made rows for tests.
final class Made {

  private Made() {}

  static Endpoint endpoint(String shape, Map<String, String> parameters) {
    return new Endpoint("generate", shape, parameters, Secret.NONE);
  }

  static Source source(String shape, Map<String, String> parameters) {
    return new GenerateConnector()
        .source(endpoint(shape, parameters), Selection.ALL, new OpenContext());
  }

  static DescribedSource described(Source source) {
    return source.describe(new ColumnRequest.Typed());
  }

  static List<Split> splits(Source source, long splitBytes) {
    return Reading.splits(described(source), splitBytes);
  }

  /// Hands over every batch of the splits, in order.
  static void read(Source source, List<Split> splits, Consumer<Columns> each) {
    try (ReadSession session = Reading.open(described(source), 1 << 20);
        Reader reader = session.reader(Reading.context(null))) {
      for (Split split : splits) {
        reader.start(split);
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          each.accept((Columns) batch);
          batch.release();
        }
      }
    }
  }

  /// Every row of a source as text, values separated by `|`, a missing one as `null`.
  static List<String> rows(Source source, long splitBytes) {
    return rows(source, splits(source, splitBytes));
  }

  static List<String> rows(Source source, List<Split> splits) {
    List<String> rows = new ArrayList<>();
    read(
        source,
        splits,
        batch -> {
          for (int row = 0; row < batch.rows(); row++) {
            rows.add(row(batch, row));
          }
        });
    return rows;
  }

  private static String row(Columns batch, int row) {
    List<String> values = new ArrayList<>();
    for (int column = 0; column < batch.schema().width(); column++) {
      values.add(value(batch, column, row));
    }
    return String.join("|", values);
  }

  private static String value(Columns batch, int column, int row) {
    if (batch.vector(column).nulls[row]) {
      return "null";
    }
    return switch (batch.schema().column(column).type().layout()) {
      case LONGS -> Long.toString(batch.longs(column).values[row]);
      case DOUBLES -> Double.toString(batch.doubles(column).values[row]);
      case BYTES -> batch.bytes(column).text(row);
    };
  }
}
