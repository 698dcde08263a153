package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Columns that are read as the user says, and not as they are declared.
class SqliteColumnsTest {

  private static final Job.RejectPolicy ANY = new Job.RejectPolicy(Long.MAX_VALUE, null);

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private Sqlite sqlite;

  @BeforeEach
  void file() {
    sqlite = new Sqlite(folder.resolve("columns.db"));
  }

  private Copying reading(String columns, Type as) {
    memory.put("back", Schema.of(List.of(Column.of("c", as))), List.of());
    Endpoint from =
        new Endpoint(
            "sqlite",
            sqlite.file().toString(),
            columns.isEmpty() ? Map.of("table", "t") : Map.of("table", "t", "columns", columns),
            Secret.NONE);
    return Copying.of(new SqliteConnector(), from, memory, memory.endpoint("back"))
        .mode(Mode.APPEND);
  }

  /// What text the values have, in the order of the table.
  private List<String> texts(String columns) {
    reading(columns, Type.Text.UNLIMITED).run();
    return memory.rows("back").stream().map(row -> String.valueOf(row.value(0))).toList();
  }

  @Test
  void aNameThatTheDatabaseCanNotHaveIsRefusedBeforeAnythingIsMade() {
    memory.put("from", Schema.of(List.of(Column.of("a\0b", Type.Text.UNLIMITED))), List.of());
    Endpoint to =
        new Endpoint("sqlite", sqlite.file().toString(), Map.of("table", "t"), Secret.NONE);
    Copying copying =
        Copying.of(memory, memory.endpoint("from"), new SqliteConnector(), to).mode(Mode.CREATE);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has a character U+0000, and names of this database have none");
    assertThat(sqlite.file()).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "DATETIME | timestamp(unix) | 1709210096 | 2024-02-29 12:34:56",
        "DATETIME | Timestamp ( UNIX ) | 1709210096.789 | 2024-02-29 12:34:56.789",
        "INTEGER | timestamp(unix) | -1 | 1969-12-31 23:59:59",
        "TIMESTAMP | timestamp(unix) | 253402300799 | 9999-12-31 23:59:59",
        "TIMESTAMP | timestamp(unix) | 0 | 1970-01-01 00:00:00",
        "TIMESTAMP | timestamptz(unix) | 1709210096 | 2024-02-29 12:34:56+00",
        "TIMESTAMP | timestamp(unixms) | 1709210096789 | 2024-02-29 12:34:56.789",
        "TIMESTAMP | timestamp(unixms) | -1 | 1969-12-31 23:59:59.999",
        "TIMESTAMP | timestamp(unixus) | 1709210096789012 | 2024-02-29 12:34:56.789012",
        "DATE | date(unix) | 1709164800 | 2024-02-29",
        "REAL | timestamp(julian) | julianday('2024-02-29 12:34:56.789') | 2024-02-29 12:34:56.789",
        "REAL | timestamp(julian) | julianday('0001-01-01') | 0001-01-01 00:00:00",
        "DATETIME | timestamp(julian) | 2440588 | 1970-01-01 12:00:00",
        "DATE | date(julian) | julianday('2024-02-29') | 2024-02-29",
        "DATETIME | timestamptz | '2024-02-29 12:34:56+02:00' | 2024-02-29 10:34:56+00",
        "TEXT | timestamptz | '2024-02-29T12:34:56Z' | 2024-02-29 12:34:56+00",
        "TEXT | date | '2024-02-29' | 2024-02-29",
        "INTEGER | decimal(9,2) | 12.5 | 12.50",
        "NUMERIC | float64 | 5 | 5",
        "INTEGER | text | 7 | 7",
        "BOOLEAN | int64 | 2 | 2",
      })
  void aValueIsReadAsTheUserSays(String declared, String type, String value, String text)
      throws SQLException {
    sqlite.run(
        "CREATE TABLE t(c " + declared + ")", "INSERT INTO t VALUES (" + value + "), (null)");
    assertThat(texts("c:" + type)).containsExactly(text, "null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "timestamp(unix) | 1709210096789 | the number 1709210096789, read as unix",
        "timestamp(unix) | 1709210096.1234567 | read as unix",
        "timestamp(unix) | -62167219201 | read as unix",
        "timestamp(unix) | 253402300800 | read as unix",
        "timestamp(unix) | 1e300 | read as unix",
        "timestamp(unix) | 9e999 | read as unix",
        "timestamp(unix) | '2024-02-29' | text '2024-02-29', read as unix",
        "timestamp(unix) | x'00' | 1 bytes, read as unix",
        "date(unix) | 1709210096 | read as unix",
        "timestamp(julian) | 2460370.0243605 | read as julian",
        "timestamp(julian) | 1e300 | read as julian",
        "timestamp(julian) | -1.5 | read as julian",
        "timestamptz | '2024-02-29 12:34:56' | text '2024-02-29 12:34:56'",
        "text | x'41' | 1 bytes",
        "int64 | 'abc' | text 'abc'",
      })
  void whatIsNotExactlyThatIsABadRecord(String type, String value, String said)
      throws SQLException {
    sqlite.run("CREATE TABLE t(c)", "INSERT INTO t VALUES (" + value + "), (null)");
    Copying copying = reading("c:" + type, Type.Text.UNLIMITED);
    assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class).hasMessageContaining(said);
    Ran run = copying.rejects(ANY).run();
    assertThat(run.meter().rejects()).isEqualTo(1);
    assertThat(memory.rows("back")).containsExactly(Row.of((Object) null));
  }

  @Test
  void aColumnOfSeveralClassesIsReadAsText() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(i INTEGER PRIMARY KEY, c INTEGER)",
        "INSERT INTO t(c) VALUES (7), ('007x'), (0.1), (1e300), ('abc'), (9223372036854775807),"
            + " (null), (12345678.9)");
    Copying copying =
        reading("c:text", Type.Text.UNLIMITED)
            .select(new Selection(List.of("c"), null, Long.MAX_VALUE));
    copying.run();
    assertThat(memory.rows("back"))
        .extracting(row -> row.value(0))
        .containsExactly(
            "7", "007x", "0.1", "1e+300", "abc", "9223372036854775807", null, "12345678.9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "DATETIME | 1709210096 | --columns 'c:timestamp(unix)'",
        "TIMESTAMP | 1709210096789 | --columns 'c:timestamp(unixms)'",
        "TIMESTAMP | 1709210096789012 | --columns 'c:timestamp(unixus)'",
        "DATE | 2460370.5 | --columns 'c:date(julian)'",
        "TIMESTAMPTZ | 1.5 | --columns 'c:timestamptz(unix)'",
        "DATETIME | '2024-02-29 12:34:56+02:00' | --columns 'c:timestamptz'",
        "DATETIME | '2024-02-29T12:34:56Z' | --columns 'c:timestamptz'",
        "INTEGER | 'abc' | --columns 'c:text'",
        "INTEGER | 1.5 | CAST(\"c\" AS TEXT) AS \"c\"",
        "TEXT | x'00' | --columns 'c:text'",
      })
  void theMessageSaysHowToReadTheColumn(String declared, String value, String said)
      throws SQLException {
    sqlite.run("CREATE TABLE t(c " + declared + ")", "INSERT INTO t VALUES (" + value + ")");
    assertThatThrownBy(reading("", Type.Text.UNLIMITED)::run)
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault ->
                assertThat(fault.advice())
                    .contains(said)
                    .contains("--max-rejects N --rejects FILE")
                    .doesNotContain("Mend the record"));
  }

  @Test
  void aConditionIsThatOfTheTypeThatTheUserSays() throws SQLException {
    sqlite.run("CREATE TABLE t(c DATETIME)", "INSERT INTO t VALUES (1709210096), (1), (0.5)");
    List<Object> found = new ArrayList<>();
    reading("c:timestamp(unix)", Type.Text.UNLIMITED)
        .select(new Selection(List.of(), "c > '2000-01-01'", Long.MAX_VALUE))
        .run();
    memory.rows("back").forEach(row -> found.add(row.value(0)));
    assertThat(found).containsExactly("2024-02-29 12:34:56");
  }

  @ParameterizedTest
  @ValueSource(strings = {"d:text", "c:timestamp(unixx)", "c:int64(unix)", "c:nothing", "c"})
  void whatIsNoColumnOrNoTypeIsRefused(String columns) throws SQLException {
    sqlite.run("CREATE TABLE t(c DATETIME)");
    assertThatThrownBy(reading(columns, Type.Text.UNLIMITED)::run).isInstanceOf(Fault.User.class);
  }
}
