package millrace.cli.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import millrace.plan.Job;
import millrace.report.Report;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;

/// Tables as shops have them: with partitions, triggers, identities, defaults, foreign keys and
/// long values, and without a right. What arrives is counted, or compared with the file that it
/// came from. One thread.
final class CheckedTables {

  private static final String NATIVE = "native-trial";
  private static final int TWICE = 50;

  /// Half of a source that is worth more than one lane.
  private static final int LARGE_BYTES = 9 << 20;

  private static final String KEYED = " (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20))";

  private final CheckedServer server;
  private final Findings findings;
  private final Path folder;
  private final int rows;

  /// @param folder for files
  /// @param rows how many rows a table gets
  CheckedTables(CheckedServer server, Findings findings, Path folder, long rows) {
    this.server = server;
    this.findings = findings;
    this.folder = folder;
    this.rows = (int) Math.min(rows, 2_000);
  }

  void check() {
    badRows();
    values();
    rules();
    streams();
    rights();
  }

  private void badRows() {
    for (String parts : List.of("", " PARTITION BY HASH (id) PARTITIONS 4")) {
      findings.check(
          "a key twice" + (parts.isEmpty() ? "" : ", partitions"),
          () -> {
            Endpoint file = file("twice", CheckedTables::numberedTwice);
            Endpoint table = server.declared("twice", KEYED + parts);
            Report report = load(file, table, Map.of(), 1);
            if (report.totals().rejects() != 1) {
              throw new Findings.WrongResultException(
                  report.totals().rejects() + " rows were set aside instead of 1");
            }
            return counted(table, "", rows - 1);
          });
    }
  }

  private void values() {
    arrives(
        "a text of 1,500 bytes",
        "direct",
        "id NUMBER(9), v VARCHAR2(4000)",
        "",
        row -> row + "," + (row == TWICE ? "x".repeat(1_500) : "t" + row));
    arrives(
        "a text of 40,000 letters",
        NATIVE,
        "id NUMBER(9), v CLOB",
        "",
        row -> row + "," + (row == TWICE ? "y".repeat(40_000) : "t" + row));
    arrives("LONG", "normal", "id NUMBER(9), v LONG", "", CheckedTables::numbered);
    arrives(
        "a name of 100 letters",
        "normal",
        "id NUMBER(9), \"" + "V".repeat(100) + "\" VARCHAR2(20)",
        "",
        CheckedTables::numbered);
    arrives(
        "NOLOGGING",
        "direct",
        "id NUMBER(9), v VARCHAR2(20)",
        " NOLOGGING",
        CheckedTables::numbered);
    String ranges =
        " PARTITION BY RANGE (id) (PARTITION low VALUES LESS THAN ("
            + rows / 2
            + "), PARTITION high VALUES LESS THAN (MAXVALUE))";
    arrives("ranges", "direct", "id NUMBER(9), v VARCHAR2(20)", ranges, CheckedTables::numbered);
  }

  /// Rows of a file go into a table of those columns, and are the same there.
  private void arrives(
      String what, String method, String columns, String storage, IntFunction<String> line) {
    findings.checkIfPossible(
        what + ", " + method,
        () -> {
          String name =
              columns.contains("\"") ? columns.replaceAll("[^\"]*\"([^\"]*)\".*", "$1") : "v";
          Endpoint file = file("values", "id," + name, line);
          Endpoint table = server.declared("values", " (" + columns + ")" + storage);
          load(file, table, Map.of("method", method), 0);
          server.same(file, table);
          server.drop(table);
          return "";
        });
  }

  private void rules() {
    findings.checkIfPossible(
        "a key that a trigger fills",
        () -> {
          Endpoint table = server.declared("trigger", " (id NUMBER(9) NOT NULL, v VARCHAR2(20))");
          String name = CheckedServer.table(table);
          server.run(
              "CREATE TRIGGER "
                  + name
                  + "_t BEFORE INSERT ON "
                  + name
                  + " FOR EACH ROW WHEN (NEW.id IS NULL) BEGIN :NEW.id := 7; END;");
          load(file("values", "v", row -> "t" + row), table, Map.of(), 0);
          return counted(table, " WHERE id = 7", rows);
        });
    findings.check(
        "DEFAULT ON NULL",
        () -> {
          Endpoint table =
              server.declared("nulls", " (id NUMBER(9) DEFAULT ON NULL 7, v VARCHAR2(20))");
          load(file("values", row -> ",t" + row), table, Map.of(), 0);
          return counted(table, " WHERE id = 7", rows);
        });
    findings.check(
        "GENERATED ALWAYS",
        () -> {
          Endpoint table =
              server.declared(
                  "always", " (id NUMBER(9) GENERATED ALWAYS AS IDENTITY, v VARCHAR2(20))");
          try {
            load(file("values", CheckedTables::numbered), table, Map.of(), 0);
          } catch (Fault.User e) {
            load(file("values", "v", row -> "t" + row), table, Map.of(), 0);
            return counted(table, "", rows);
          }
          throw new Findings.WrongResultException("values for the column were not refused");
        });
    findings.checkIfPossible(
        "a foreign key, disabled",
        () -> {
          Endpoint parent = server.declared("parent", KEYED);
          load(file("values", CheckedTables::numbered), parent, Map.of(), 0);
          Endpoint child =
              server.declared(
                  "child",
                  " (id NUMBER(9) REFERENCES " + CheckedServer.table(parent) + ", v VARCHAR2(20))");
          Map<String, String> how = Map.of("method", "direct", "constraints", "disable");
          load(file("values", CheckedTables::numbered), child, how, 0);
          String enabled =
              server.value(
                  "SELECT MIN(status) AS s FROM user_constraints WHERE constraint_type = 'R' AND"
                      + " table_name = '"
                      + CheckedServer.table(child).toUpperCase(Locale.ROOT)
                      + "'");
          if (!enabled.equals("ENABLED")) {
            throw new Findings.WrongResultException(
                "the foreign key is " + enabled + " afterwards");
          }
          String counts = counted(child, "", rows);
          server.drop(parent);
          return counts;
        });
  }

  private void streams() {
    findings.checkIfPossible(
        "two lanes, native",
        () -> {
          Endpoint table = server.declared("lanes", " (id NUMBER(9), v VARCHAR2(20))");
          // So large that two lanes are worth it, by a column that is left out.
          String unread = "x".repeat(LARGE_BYTES / rows);
          for (String name : List.of("lane-1", "lane-2")) {
            file(name, "id,v,unread", row -> numbered(row) + "," + unread);
          }
          Endpoint both =
              new Endpoint("file", folder.resolve("lane-*.csv").toString(), Map.of(), Secret.NONE);
          Selection read = new Selection(List.of("id", "v"), null, Long.MAX_VALUE);
          Job.Tuning two = new Job.Tuning(2, false, null, null, null);
          Report report =
              load(both, CheckedServer.with(table, Map.of("method", NATIVE)), read, two, 0);
          if (report.concurrency().lanes() != 2) {
            throw new Findings.WrongResultException(report.concurrency().lanes() + " lanes loaded");
          }
          return counted(table, "", 2L * rows);
        });
    for (String indexes : List.of("keep", "rebuild")) {
      Map<String, String> how = Map.of("method", NATIVE, "indexes", indexes);
      findings.check(
          "a key twice, native, indexes " + indexes,
          () -> {
            Endpoint table = server.declared("twice", KEYED);
            try {
              load(file("twice", CheckedTables::numberedTwice), table, how, 0);
            } catch (Fault.Data e) {
              if (!e.advice().contains("ALTER INDEX")) {
                throw new Findings.WrongResultException(FaultMessage.of(e));
              }
              return FaultMessage.of(e);
            }
            throw new Findings.WrongResultException("nobody noticed");
          });
      findings.checkIfPossible(
          "a key, native, indexes " + indexes,
          () -> {
            Endpoint table = server.declared("indexes", KEYED);
            load(file("values", CheckedTables::numbered), table, how, 0);
            return counted(table, " WHERE id > 0", rows);
          });
    }
  }

  /// A table of the dictionary that no role may read, not even DBA; somebody may have granted it.
  private void rights() {
    findings.check(
        "a table that the user may not read",
        () -> {
          try {
            server.value("SELECT COUNT(*) AS n FROM sys.user$");
          } catch (Fault.User e) {
            if (!e.advice().contains("GRANT")) {
              throw new Findings.WrongResultException(FaultMessage.of(e));
            }
            return FaultMessage.of(e);
          }
          throw new Findings.NotPossibleException("not tried: the user may read everything");
        });
  }

  private static String numbered(int row) {
    return row + ",t" + row;
  }

  private static String numberedTwice(int row) {
    return (row == TWICE ? row - 1 : row) + ",t" + row;
  }

  private String counted(Endpoint table, String condition, long expected) {
    String count =
        server.value("SELECT COUNT(*) AS n FROM " + CheckedServer.table(table) + condition);
    if (!count.equals(String.valueOf(expected))) {
      throw new Findings.WrongResultException(
          "the table has " + count + " such rows instead of " + expected);
    }
    server.drop(table);
    return count + " rows";
  }

  private Report load(Endpoint from, Endpoint to, Map<String, String> how, long rejects) {
    return load(from, CheckedServer.with(to, how), Selection.ALL, Job.Tuning.AUTOMATIC, rejects);
  }

  private Report load(Endpoint from, Endpoint to, Selection read, Job.Tuning tuning, long rejects) {
    return server.copy(
        new Job(
            from,
            to,
            read,
            new WriteOptions(Mode.APPEND, false, List.of(), false),
            tuning,
            new Job.RejectPolicy(rejects, null)));
  }

  private Endpoint file(String name, IntFunction<String> line) {
    return file(name, "id,v", line);
  }

  private Endpoint file(String name, String header, IntFunction<String> line) {
    List<String> lines = new ArrayList<>(List.of(header));
    for (int row = 1; row <= rows; row++) {
      lines.add(line.apply(row));
    }
    Path file = folder.resolve(name + ".csv");
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }
}
