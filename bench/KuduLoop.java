import java.util.ArrayList;
import java.util.List;
import org.apache.kudu.client.Insert;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.SessionConfiguration.FlushMode;

/// What the Java client alone can do, for `bench/kudu-race`: rows of the shape `meters`, made in
/// memory, inserted by some threads into a table that is there. Prints the seconds.
///
///     java -cp 'cli/target/lib/*' bench/KuduLoop.java MASTERS TABLE ROWS THREADS
public final class KuduLoop {

  private static final int FLUSH_ROWS = 10_000;
  private static final int DEVICES = 10_000;

  private KuduLoop() {}

  public static void main(String[] args) throws Exception {
    int rows = Integer.parseInt(args[2]);
    int threads = Integer.parseInt(args[3]);
    try (KuduClient client = new KuduClient.KuduClientBuilder(args[0]).build()) {
      KuduTable table = client.openTable(args[1]);
      long begun = System.nanoTime();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int from = (int) ((long) rows * i / threads);
        int to = (int) ((long) rows * (i + 1) / threads);
        all.add(Thread.ofPlatform().start(() -> write(client, table, from, to)));
      }
      for (Thread thread : all) {
        thread.join();
      }
      System.out.printf("%.2f%n", (System.nanoTime() - begun) / 1e9);
    }
  }

  private static void write(KuduClient client, KuduTable table, int from, int to) {
    try {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      session.setMutationBufferSpace(FLUSH_ROWS + 1, 64 << 20);
      for (int i = from; i < to; i++) {
        Insert insert = table.newInsert();
        PartialRow row = insert.getRow();
        int device = i % DEVICES;
        row.addInt(0, device / 1_000);
        row.addInt(1, device / 100 % 10);
        row.addInt(2, device % 100);
        row.addLong(3, 1_554_162_900_000_000L + i / DEVICES * 1_000_000L);
        row.addLong(4, 1_500 + i % 4_000);
        row.addInt(5, i % 4);
        session.apply(insert);
        if ((i - from + 1) % FLUSH_ROWS == 0) {
          check(session.flush());
        }
      }
      check(session.close());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(List<OperationResponse> responses) {
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        throw new IllegalStateException(response.getRowError().toString());
      }
    }
  }
}
