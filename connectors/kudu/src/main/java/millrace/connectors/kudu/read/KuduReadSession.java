package millrace.connectors.kudu.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.TabletRates;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Position;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.KuduScanToken;

/// A table that is being read: a split for each tablet, and several for a large one.
final class KuduReadSession implements ReadSession {

  /// How much a tablet server gives at once.
  private static final int ANSWER_BYTES = 4 << 20;

  private final KuduCluster cluster;
  private final KuduCalls calls;
  private final ScanOptions options;
  private final KuduSource.ScannedTable found;
  private final ReadPlan plan;
  private final TabletRates rates;

  /// @param calls the source's own, which its cancel ends
  KuduReadSession(
      KuduCluster cluster,
      KuduCalls calls,
      ScanOptions options,
      KuduSource.ScannedTable found,
      ReadPlan plan,
      TabletRates rates) {
    this.cluster = cluster;
    this.calls = calls;
    this.options = options;
    this.found = found;
    this.plan = plan;
    this.rates = rates;
  }

  /// What an earlier run has taken keeps its numbers; the rest gets others.
  @Override
  public Splits splits() {
    List<Split> all = new ArrayList<>();
    List<KeyRangeOfTablet> taken = new ArrayList<>();
    Set<Integer> numbers = new HashSet<>();
    for (Receipt receipt : plan.taken()) {
      KeyRangeOfTablet cut = KeyRangeOfTablet.parse(receipt.split().resource());
      if (cut != null) {
        taken.add(cut);
        numbers.add(receipt.split().index());
        all.add(receipt.split());
      }
    }
    int next = 0;
    for (KuduScanToken each : tokens()) {
      byte[] token = Scans.bytes(each);
      for (KeyRangeOfTablet cut : Scans.cut(token).without(taken)) {
        while (numbers.contains(next)) {
          next++;
        }
        Position position = new Position.Token(Scans.narrowed(token, cut), 0, Long.MAX_VALUE);
        all.add(new Split(next++, cut.spelled(), position, 0, 0));
      }
    }
    Queue<Split> left = new ArrayDeque<>(all);
    return left::poll;
  }

  private List<KuduScanToken> tokens() {
    return calls.get(() -> {
      KuduScanToken.KuduScanTokenBuilder builder =
          cluster
              .client()
              .newScanTokenBuilder(found.table())
              .setProjectedColumnIndexes(found.positions())
              .readMode(options.mode())
              .replicaSelection(options.replica())
              .setFaultTolerant(options.faultTolerant())
              .batchSizeBytes(ANSWER_BYTES)
              .cacheBlocks(false)
              .setSplitSizeBytes(plan.splitBytes() == Long.MAX_VALUE ? -1 : plan.splitBytes());
      found.predicates().forEach(builder::addPredicate);
      if (options.mode() == ReadMode.READ_AT_SNAPSHOT) {
        builder.snapshotTimestampRaw(found.snapshot());
      }
      return builder.build();
    });
  }

  @Override
  public Reader reader(ReadContext context) {
    return new KuduReader(cluster, found, context);
  }

  @Override
  public List<String> notes() {
    String note = rates.note("gave");
    return note == null ? List.of() : List.of(note);
  }

  @Override
  public void close() {
    // Scanners are the readers'; the client is the source's.
  }
}
