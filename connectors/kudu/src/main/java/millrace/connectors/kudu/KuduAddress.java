package millrace.connectors.kudu;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;

/// Which cluster and table.
///
/// @param masters `host:port` of each master
/// @param table as the cluster knows it, such as `default.orders` or `impala::default.orders`
public record KuduAddress(List<String> masters, String table) {

  private static final String PORT = "7051";
  private static final Pattern LOCATION = Pattern.compile("//([^/@]+)(?:/(.*))?", Pattern.DOTALL);
  private static final Pattern MASTER = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[^:]+)(?::(\\d+))?");

  public KuduAddress {
    masters = List.copyOf(masters);
  }

  /// Reads `//host:port,host:port/table`; the table may also be the parameter `table`.
  ///
  /// @throws Fault.User if it is no such address
  public static KuduAddress of(Endpoint endpoint) {
    Matcher matcher = LOCATION.matcher(endpoint.location());
    if (!matcher.matches()) {
      throw bad(endpoint);
    }
    List<String> masters = new ArrayList<>();
    for (String each : matcher.group(1).split(",", -1)) {
      Matcher master = MASTER.matcher(each);
      if (!master.matches()) {
        throw bad(endpoint);
      }
      masters.add(master.group(1) + ":" + (master.group(2) == null ? PORT : master.group(2)));
    }
    String path = matcher.group(2);
    String table = endpoint.text("table").orElse(path == null ? "" : decoded(path, endpoint));
    if (table.isEmpty()) {
      throw new Fault.User(
          endpoint.label() + " names no table.", "Write kudu://master:7051/database.table");
    }
    return new KuduAddress(masters, table);
  }

  private static String decoded(String text, Endpoint endpoint) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw bad(endpoint);
    }
  }

  private static Fault.User bad(Endpoint endpoint) {
    return new Fault.User(
        endpoint.label() + " is no address of a Kudu table.",
        "Write kudu://master:7051/database.table, with several masters as m1:7051,m2:7051.");
  }

  /// How the table is named in plans, reports and errors.
  public String label() {
    return "kudu://" + String.join(",", masters) + "/" + table;
  }

  /// The same cluster, another table.
  public KuduAddress withTable(String other) {
    return new KuduAddress(masters, other);
  }
}
