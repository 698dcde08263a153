import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;

/// The stand-in for an Oracle server in a process of its own, for `bench/oracle-race`. Prints its
/// port; rows that go into tables named on the command line are counted and thrown away. Each line
/// that it reads is answered with executions of inserts, rows and round trips since the one before.
public final class OracleRaceServer {
  private OracleRaceServer() {}

  public static void main(String[] args) throws Exception {
    try (OracleServer server = OracleServer.start();
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      List.of(args).forEach(server::discardRowsOf);
      System.out.println(server.port());
      while (in.readLine() != null) {
        long executions = 0;
        long rows = 0;
        for (LogEvent event : server.log().events()) {
          switch (event) {
            case LogEvent.Executed each when each.rows() > 0 && each.sql().startsWith("INSERT") -> {
              executions++;
              rows += each.rows();
            }
            case LogEvent.DirectPathStreamed each -> {
              executions++;
              rows += each.rows();
            }
            case LogEvent.Fetched each -> {
              executions++;
              rows += each.rows();
            }
            default -> {}
          }
        }
        System.out.println(executions + " " + rows + " " + server.log().roundTrips());
        server.log().clear();
      }
    }
  }
}
