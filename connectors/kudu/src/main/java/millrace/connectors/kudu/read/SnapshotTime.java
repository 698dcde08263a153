package millrace.connectors.kudu.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.kudu.KuduCalls;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.LocatedTablet;

/// The moment at which a table is read, in the servers' hybrid time: microseconds since 1970,
/// shifted by twelve bits.
public final class SnapshotTime {

  private SnapshotTime() {}

  /// One that is not before anything that is written to the table by now: each tablet server is
  /// asked for its clock by a scan that gives nothing, and the latest counts.
  public static long now(KuduClient client, KuduTable table, KuduCalls calls) {
    Map<String, KuduScanToken> servers = new HashMap<>();
    for (KuduScanToken token :
        calls.get(() -> client.newScanTokenBuilder(table).limit(1).build())) {
      LocatedTablet.Replica leader = token.getTablet().getLeaderReplica();
      String server = leader == null ? "" : leader.getRpcHost() + ":" + leader.getRpcPort();
      servers.put(server, token);
    }
    for (KuduScanToken token : servers.values()) {
      calls.get(() -> {
        KuduScanner scanner = Scans.open(token, client);
        scanner.nextRows();
        return scanner.close();
      });
    }
    return client.hasLastPropagatedTimestamp() ? client.getLastPropagatedTimestamp() : -1;
  }

  /// Whether any row of the table was written, changed or deleted between two moments.
  ///
  /// @throws KuduException of an invalid argument if the servers do not keep what was then
  static boolean changed(KuduClient client, KuduTable table, long from, long to)
      throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnIndexes(List.of(0))
            .diffScan(from, to)
            .build();
    while (scanner.hasMoreRows()) {
      if (scanner.nextRows().hasNext()) {
        scanner.close();
        return true;
      }
    }
    return false;
  }

  /// Looks at the table as it was at a moment.
  ///
  /// @throws KuduException of an invalid argument if the servers do not keep what was then
  static boolean look(KuduClient client, KuduTable table, long moment) throws KuduException {
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnIndexes(List.of(0))
            .readMode(ReadMode.READ_AT_SNAPSHOT)
            .snapshotTimestampRaw(moment)
            .limit(1)
            .build();
    scanner.nextRows();
    scanner.close();
    return true;
  }
}
