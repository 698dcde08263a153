import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import millrace.connectors.file.FileConnector;
import millrace.connectors.oracle.OracleConnector;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;

/// Copies into and out of Oracle against loops as people write them by hand with its driver, in turn
/// in one process, for `bench/oracle-race`. Prints the processor time of this process a row, medians
/// of all rounds behind those that warm it up.
///
///     bench/OracleRace.java PORT FOLDER ROUNDS
///
/// A turn is taken with few rows and with many, which are the files and tables FEW and MANY. What the
/// latter take beyond the former counts, so that log-ons and plans count for nobody.
/// The loop that loads parses its file before its clock begins: only setters and batches count.
public final class OracleRace {

  private static final int BATCH_ROWS = 1_000;
  private static final int FETCH_ROWS = 1_000;
  private static final int WARM_ROUNDS = 3;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final String USER = "SCOTT";
  private static final String PASSWORD = "tiger";

  private record Record(
      String name,
      LocalDateTime openedAt,
      long account,
      String code,
      BigDecimal amount,
      LocalDateTime closedAt,
      String branch,
      String place,
      long reference,
      String remark) {}

  /// The rows of a turn, as records in memory, as a file, and as a table.
  private record Part(List<Record> records, Path file, String table) {}

  private interface Turn {
    void run(Part part) throws Exception;
  }

  private final String port;
  private final Path folder;

  private OracleRace(String port, Path folder) {
    this.port = port;
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    OracleRace race = new OracleRace(args[0], Path.of(args[1]));
    race.run(Integer.parseInt(args[2]));
  }

  private Part part(String name) throws IOException {
    Path file = folder.resolve(name + ".csv");
    return new Part(read(file), file, name);
  }

  private void run(int rounds) throws Exception {
    Part few = part("FEW");
    Part many = part("MANY");
    Map<String, Turn> turns = new LinkedHashMap<>();
    turns.put("JDBC loop, load", part -> load(part.records()));
    turns.put("millrace, normal", part -> loaded(part, "normal"));
    turns.put("millrace, native", part -> loaded(part, "native"));
    turns.put("JDBC loop, unload", part -> unload(part, folder.resolve("loop.csv")));
    turns.put("millrace, unload", this::unloaded);
    Map<String, double[]> micros = new LinkedHashMap<>();
    for (int round = 0; round < WARM_ROUNDS + rounds; round++) {
      for (Map.Entry<String, Turn> turn : turns.entrySet()) {
        long begun = cpu();
        turn.getValue().run(few);
        long between = cpu();
        turn.getValue().run(many);
        long extra = cpu() - between - (between - begun);
        double each = extra / 1e3 / (many.records().size() - few.records().size());
        if (round >= WARM_ROUNDS) {
          micros.computeIfAbsent(turn.getKey(), _ -> new double[rounds])[round - WARM_ROUNDS] = each;
        }
        System.err.printf("round %d %-20s %6.2f%n", round, turn.getKey(), each);
      }
    }
    if (Files.mismatch(folder.resolve("loop.csv"), folder.resolve("millrace.csv")) >= 0) {
      throw new IllegalStateException("the two files differ");
    }
    micros.forEach((name, all) -> System.out.printf("%-20s %6.2f µs a row%n", name, median(all)));
    ratio(micros, "millrace, normal", "JDBC loop, load");
    ratio(micros, "millrace, native", "millrace, normal");
    ratio(micros, "millrace, unload", "JDBC loop, unload");
  }

  private static void ratio(Map<String, double[]> micros, String one, String other) {
    double[] ratios = new double[micros.get(one).length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = micros.get(one)[i] / micros.get(other)[i];
    }
    System.out.printf("%s / %s: %.2f%n", one, other, median(ratios));
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Endpoint table(String name, String... method) {
    Map<String, String> parameters =
        method.length == 0 ? Map.of("table", name) : Map.of("table", name, "method", method[0]);
    String place = "//" + USER + "@127.0.0.1:" + port + "/FREEPDB1";
    return new Endpoint("oracle", place, parameters, Secret.of(PASSWORD));
  }

  private static Endpoint csv(Path path) {
    return new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
  }

  private void loaded(Part part, String method) {
    copy(new FileConnector(), csv(part.file()), new OracleConnector(), table("T", method), Mode.APPEND);
  }

  private void unloaded(Part part) {
    Path out = folder.resolve("millrace.csv");
    copy(new OracleConnector(), table(part.table()), new FileConnector(), csv(out), Mode.REPLACE);
  }

  private static void copy(
      Connector source, Endpoint from, Connector target, Endpoint to, Mode mode) {
    Copying.of(source, from, target, to).mode(mode).run();
  }

  private Connection connect() throws Exception {
    Properties properties = new Properties();
    properties.put("user", USER);
    properties.put("password", PASSWORD);
    Connection connection =
        DriverManager.getConnection(
            "jdbc:oracle:thin:@//127.0.0.1:" + port + "/FREEPDB1", properties);
    connection.setAutoCommit(false);
    return connection;
  }

  private static List<Record> read(Path file) throws IOException {
    List<Record> records = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      in.readLine();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] f = line.split(",", -1);
        records.add(
            new Record(
                f[0], LocalDateTime.parse(f[1], TIME), Long.parseLong(f[2]), f[3],
                new BigDecimal(f[4]), LocalDateTime.parse(f[5], TIME), f[6], f[7],
                Long.parseLong(f[8]), f[9]));
      }
    }
    return records;
  }

  private void load(List<Record> records) throws Exception {
    String sql = "INSERT INTO T VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(sql)) {
      int waiting = 0;
      for (Record each : records) {
        insert.setString(1, each.name);
        insert.setTimestamp(2, Timestamp.valueOf(each.openedAt));
        insert.setLong(3, each.account);
        insert.setString(4, each.code);
        insert.setBigDecimal(5, each.amount);
        insert.setTimestamp(6, Timestamp.valueOf(each.closedAt));
        insert.setString(7, each.branch);
        insert.setString(8, each.place);
        insert.setLong(9, each.reference);
        insert.setString(10, each.remark);
        insert.addBatch();
        if (++waiting == BATCH_ROWS) {
          insert.executeBatch();
          waiting = 0;
        }
      }
      if (waiting > 0) {
        insert.executeBatch();
      }
      connection.commit();
    }
  }

  private void unload(Part part, Path to) throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        BufferedWriter out = Files.newBufferedWriter(to)) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows = statement.executeQuery("SELECT * FROM " + part.table())) {
        out.write("NAME,OPENED_AT,ACCOUNT,CODE,AMOUNT,CLOSED_AT,BRANCH,PLACE,REFERENCE,REMARK\n");
        while (rows.next()) {
          for (int i = 1; i <= 10; i++) {
            String value =
                switch (i) {
                  case 2, 6 -> rows.getTimestamp(i).toLocalDateTime().format(TIME);
                  case 5 -> rows.getBigDecimal(i).setScale(2).toPlainString();
                  default -> rows.getString(i);
                };
            boolean quoted = value.indexOf(',') >= 0 || value.indexOf('"') >= 0;
            out.write(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
            out.write(i == 10 ? '\n' : ',');
          }
        }
      }
    }
  }
}
