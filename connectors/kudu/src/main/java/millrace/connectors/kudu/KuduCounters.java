package millrace.connectors.kudu;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.fault.Fault;
import millrace.spi.Counters;

/// What the tablet servers count: of the table, added up over its tablets, and of the servers as a
/// whole, and of the master that was asked. Refusals under memory pressure are among it: the client
/// tries again by itself.
public final class KuduCounters implements Counters {

  private static final List<String> OF_TABLE =
      List.of(
          "rows_inserted",
          "rows_upserted",
          "rows_updated",
          "rows_deleted",
          "insertions_failed_dup_key",
          "leader_memory_pressure_rejections",
          "follower_memory_pressure_rejections",
          "transaction_memory_pressure_rejections",
          "ops_timed_out_in_prepare_queue",
          "bytes_flushed",
          "log_bytes_logged",
          "scans_started",
          "scanner_rows_scanned",
          "scanner_rows_returned",
          "scanner_bytes_returned",
          "scanner_bytes_scanned_from_disk");

  private static final List<String> OF_SERVER =
      List.of(
          "cpu_utime",
          "cpu_stime",
          "rpcs_queue_overflow",
          "rpcs_timed_out_in_queue",
          "op_apply_queue_overload_rejections",
          "scanners_expired",
          "block_manager_total_bytes_written",
          "block_manager_total_bytes_read");

  private static final List<String> OF_MASTER =
      List.of("cpu_utime", "cpu_stime", "rpcs_queue_overflow", "rpcs_timed_out_in_queue");

  private static final String MEMORY_HELP =
      "a larger memory_limit_hard_bytes would help, a faster disk under the tablets, or fewer"
          + " lanes";

  /// What the client tries again by itself, so that nothing else tells of it.
  private static final Map<String, Alarm> ALARMS =
      Map.of(
          "leader_memory_pressure_rejections",
          new Alarm(0, "writes that it refused for want of memory", MEMORY_HELP),
          "follower_memory_pressure_rejections",
          new Alarm(0, "replicas that refused writes for want of memory", MEMORY_HELP),
          "transaction_memory_pressure_rejections",
          new Alarm(
              0,
              "writes that a tablet refused for want of memory",
              "a larger tablet_transaction_memory_limit_mb would help, or smaller write units"),
          "rpcs_queue_overflow",
          new Alarm(
              0,
              "calls that it refused with its queue full",
              "fewer lanes would help, or more rpc_num_service_threads"));

  private final WebServers web;
  private final String table;

  /// What each tablet had counted last; one that is gone has counted all the same.
  private final Map<String, Map<String, Long>> tablets = new TreeMap<>();

  /// @param web is closed with it
  public KuduCounters(WebServers web, String table) {
    this.web = web;
    this.table = table;
  }

  @Override
  public Reading read() {
    List<Count> counts = new ArrayList<>();
    try {
      Map<String, Long> servers = new TreeMap<>();
      String names = String.join(",", OF_TABLE) + "," + String.join(",", OF_SERVER);
      for (JsonNode entity : web.metrics(names)) {
        if (entity.path("type").asText().equals("server")) {
          metrics(entity).forEach((name, value) -> servers.merge(name, value, Long::sum));
        } else if (isOfTable(entity.path("attributes").path("table_name").asText())) {
          tablets.put(entity.path("id").asText(), metrics(entity));
        }
      }
      Map<String, Long> sums = new TreeMap<>();
      tablets
          .values()
          .forEach(each -> each.forEach((name, value) -> sums.merge(name, value, Long::sum)));
      OF_TABLE.forEach(name -> count("tablets", name, Scope.DATABASE, sums, counts));
      OF_SERVER.forEach(name -> count("tablet servers", name, Scope.SERVER, servers, counts));
      Map<String, Long> master = new TreeMap<>();
      web.masterMetrics(String.join(",", OF_MASTER))
          .forEach(entity -> master.putAll(metrics(entity)));
      OF_MASTER.forEach(name -> count("master", name, Scope.SERVER, master, counts));
      return new Reading(counts, List.of());
    } catch (Fault e) {
      return new Reading(counts, List.of("Kudu's counters: " + e.clause()));
    }
  }

  /// Or of one that is staged for it.
  private boolean isOfTable(String name) {
    return name.equals(table) || name.startsWith(table + "_millrace_");
  }

  private static Map<String, Long> metrics(JsonNode entity) {
    Map<String, Long> metrics = new TreeMap<>();
    for (JsonNode metric : entity.path("metrics")) {
      metrics.put(metric.path("name").asText(), metric.path("value").asLong());
    }
    return metrics;
  }

  private static void count(
      String group, String name, Scope scope, Map<String, Long> sums, List<Count> into) {
    // A table that is made has counted nothing before.
    into.add(new Count(group, name, scope, sums.getOrDefault(name, 0L), ALARMS.get(name)));
  }

  @Override
  public void close() {
    // Who is asked is the cluster's.
  }
}
