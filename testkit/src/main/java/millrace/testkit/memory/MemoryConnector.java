package millrace.testkit.memory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import millrace.data.Schema;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.LaneLimit;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;

/// `memory:NAME`, tables by name in the heap, with every mode and every type. Tests of the engine
/// use it at both ends, and {@link millrace.testkit.suite.ConnectorSuite} as the end that is known
/// to be right. Each instance has tables of its own; any thread may use it.
public final class MemoryConnector implements Connector {

  /// A parameter of a source without types of its own.
  public static final String GUESSES = "guesses";

  /// A parameter of a target that keeps receipts: it commits where it can, and tells of a split
  /// whose writer has failed what it has taken.
  public static final String RECEIPTS = "receipts";

  private final Map<String, MemoryTable> tables = new ConcurrentHashMap<>();

  /// Makes a table, or puts another in its place.
  public void put(String name, Schema schema, List<Row> rows) {
    tables.put(name, new MemoryTable(schema, rows));
  }

  /// The table of that name as it is now.
  public Optional<MemoryTable> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /// The rows of a table that has to exist.
  public List<Row> rows(String name) {
    return table(name).orElseThrow().rows();
  }

  /// The endpoint of a table.
  public Endpoint endpoint(String name) {
    return endpoint(name, Map.of());
  }

  /// The endpoint of a table, with parameters; see {@link #options}.
  public Endpoint endpoint(String name, Map<String, String> parameters) {
    return new Endpoint("memory", name, parameters, Secret.NONE);
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public List<String> schemes() {
    return List.of("memory");
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("batch-rows", "Most rows of a batch that it reads; 1000 if not given.", "3"),
        new Option("split-rows", "Rows of a split; by the bytes asked for if not given.", "10"),
        Option.sourceFlag(GUESSES, "Types are guesses: the target's win where it has any."),
        new Option(
            RECEIPTS, "Rows of a commit; whole splits, without receipts, if not given.", "3"),
        new Option("lanes", "Most lanes at once; no limit if not given.", "1"));
  }

  static LaneLimit lanes(Endpoint endpoint) {
    return endpoint.text("lanes").isPresent()
        ? new LaneLimit(count(endpoint, "lanes", 1), "that many were allowed")
        : LaneLimit.NONE;
  }

  /// A parameter that is a number of rows or lanes.
  static int count(Endpoint endpoint, String name, int otherwise) {
    return endpoint.text(name).map(Integer::parseInt).orElse(otherwise);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return new MemorySource(tables, endpoint, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new MemoryTarget(tables, endpoint);
  }
}
