package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.plan.Job;
import millrace.spi.OpenContext;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SQLite converts what comes by the name of the column's type. Whatever that name is, a value
/// arrives as it was or is a bad record.
class SqliteAffinityTest {

  private static final Job.RejectPolicy ANY = new Job.RejectPolicy(Long.MAX_VALUE, null);
  private static final int TABLES = 150;

  private static final List<String> WORDS =
      List.of(
          "INT", "CHAR", "CLOB", "TEXT", "BLOB", "REAL", "FLOA", "DOUB", "ANY", "NUM", "STRING",
          "date", "FOO", "bool", "json", "DECIMAL", "uuid", "time", " ", "(10)", "(9,2)", "_", "X",
          "(int)", "(TEXT)", "\n", "é");

  private static final List<String> FIXED =
      List.of(
          "",
          "ANY",
          "any",
          "Any(3)",
          "NUMERIC",
          "STRING",
          "DECIMAL",
          "DECIMAL(9,2)",
          "DATE",
          "DATETIME",
          "TIMESTAMP",
          "FOO",
          "BOOLEAN",
          "CHARINT",
          "FLOATING POINT",
          "NUM",
          "JSON",
          "VARCHAR(INT)",
          "JSON(TEXT)",
          "MONEY",
          "UUID",
          "BLOB",
          "NATIVE CHARACTER(70)",
          "JSONB",
          "VARIANT");

  private static final List<String> TEXTS =
      List.of(
          "007",
          "1e400",
          "-1e400",
          "9223372036854775808",
          "-9223372036854775809",
          " 12 ",
          "12\n",
          "\t+7",
          "1e3",
          "1.0",
          ".5",
          "5.",
          "-0",
          "0x10",
          "1_000",
          "infinity",
          "nan",
          "12abc",
          "",
          " ",
          "abc",
          "1e",
          "+",
          "12345678901234567890.123",
          "2024-02-29",
          "2024-02-29 12:34:56",
          "12:34:56",
          "true",
          "{\"a\":1}",
          "1\0",
          "\u00a012",
          "１２");

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private final SqliteConnector connector = new SqliteConnector();
  private final Random random = new Random(42);

  private String typeName() {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      name.append(WORDS.get(random.nextInt(WORDS.size())));
    }
    return name.toString();
  }

  private Type type(Sqlite sqlite) {
    WriteOptions options = new WriteOptions(Mode.APPEND, false, List.of(), false);
    try (Target target = connector.target(sqlite.table("t"), options, new OpenContext())) {
      return target.describe().description().columns().get(1).type();
    }
  }

  private record Stored(String kind, String value) {}

  private static List<Stored> stored(Sqlite sqlite, int row) throws SQLException {
    try (Connection connection = sqlite.connect();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT typeof(c), c FROM t WHERE i = " + row)) {
      List<Stored> stored = new ArrayList<>();
      while (found.next()) {
        stored.add(new Stored(found.getString(1), found.getString(2)));
      }
      return stored;
    }
  }

  @Test
  void aTextArrivesAsItWasOrIsABadRecord() throws SQLException {
    Schema schema =
        Schema.of(List.of(Column.of("i", new Type.Int(64)), Column.of("c", Type.Text.UNLIMITED)));
    List<Row> rows = new ArrayList<>();
    for (String text : TEXTS) {
      rows.add(Row.of(rows.size(), text));
    }
    List<String> names = new ArrayList<>(FIXED);
    for (int i = 0; i < TABLES; i++) {
      names.add(typeName());
    }
    for (String name : names) {
      Sqlite sqlite = new Sqlite(folder.resolve(names.indexOf(name) + ".db"));
      String declared = name.isEmpty() ? "" : "\"" + name + "\"";
      sqlite.run("DROP TABLE IF EXISTS t", "CREATE TABLE t(i INTEGER, c " + declared + ")");
      check(schema, rows, sqlite, name);
    }
  }

  @Test
  void aStrictTableKeepsAnyTextInAColumnOfTypeAny() throws SQLException {
    Sqlite sqlite = new Sqlite(folder.resolve("strict.db"));
    sqlite.run("CREATE TABLE t(i INTEGER, c ANY) STRICT");
    Schema schema =
        Schema.of(List.of(Column.of("i", new Type.Int(64)), Column.of("c", Type.Text.UNLIMITED)));
    for (int i = 0; i < TEXTS.size(); i++) {
      memory.put("rows", schema, List.of(Row.of(i, TEXTS.get(i))));
      Copying.of(memory, memory.endpoint("rows"), connector, sqlite.table("t"))
          .mode(i % 2 == 0 ? Mode.APPEND : Mode.MERGE)
          .landing(
              new WriteOptions(i % 2 == 0 ? Mode.APPEND : Mode.MERGE, false, List.of("i"), false))
          .run();
      assertThat(stored(sqlite, i)).extracting(Stored::kind).containsExactly("text");
    }
  }

  private void check(Schema schema, List<Row> rows, Sqlite sqlite, String name)
      throws SQLException {
    Type type = type(sqlite);
    memory.put("rows", schema, rows);
    Ran run =
        Copying.of(memory, memory.endpoint("rows"), connector, sqlite.table("t"))
            .mode(Mode.APPEND)
            .rejects(ANY)
            .run();
    long arrived = 0;
    for (int i = 0; i < rows.size(); i++) {
      for (Stored stored : stored(sqlite, i)) {
        arrived++;
        String sent = TEXTS.get(i);
        String what = "'" + sent + "' in a column of type '" + name + "' (" + type + "): " + stored;
        if (type instanceof Type.Text) {
          assertThat(stored.kind).as(what).isEqualTo("text");
          assertThat(stored.value).as(what).isEqualTo(sent);
        } else if (stored.kind.equals("integer") || stored.kind.equals("real")) {
          String number = sent.equals("true") ? "1" : sent.strip();
          boolean isSame =
              stored.value.endsWith("Inf")
                  ? sent.equals("infinity")
                  : type instanceof Type.Float
                      ? Double.parseDouble(number) == Double.parseDouble(stored.value)
                      : new BigDecimal(number).compareTo(new BigDecimal(stored.value)) == 0;
          assertThat(isSame).as(what).isTrue();
        }
      }
    }
    assertThat(run.meter().rows()).as(name).isEqualTo(arrived);
    assertThat(run.meter().rejects()).as(name).isEqualTo(rows.size() - arrived);
  }
}
