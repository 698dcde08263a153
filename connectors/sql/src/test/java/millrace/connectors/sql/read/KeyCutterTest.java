package millrace.connectors.sql.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.h2.H2Connector;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;
import millrace.testkit.Reading;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever the keys are, ranges of them hold every row once, and about as many rows each.
class KeyCutterTest {

  private static final String NAME = "keys";

  /// Numbers above it stand for keys that are missing.
  private static final int MOST = 300;

  /// What makes a key of each type out of a whole number.
  private static final Map<String, String> KEYS =
      Map.of(
          "SMALLINT", "%d",
          "BIGINT", "%d * 3000000000",
          "DECIMAL(9,2)", "%d / 100.00",
          "DECIMAL(40,3)", "%d * 1e33",
          "DATE", "DATEADD('DAY', %d, DATE '2024-02-29')",
          "TIMESTAMP(6)", "DATEADD('MINUTE', %d, TIMESTAMP '2024-02-29 12:00:00.25')",
          "TIMESTAMP(6) WITH TIME ZONE",
              "DATEADD('MINUTE', %d, TIMESTAMP WITH TIME ZONE '2024-02-29 12:00:00.25+02')",
          "VARCHAR(40)", "'%1$x é' || CASE WHEN MOD(%1$d, 2) = 0 THEN 'a' ELSE 'B''' END",
          "UUID", "CAST(LPAD(TO_CHAR(ABS(%d)), 32, '0') AS UUID)",
          "VARBINARY(9)", "CAST(LPAD(TO_CHAR(ABS(%d)), 8, '0') AS VARBINARY)");

  @Provide
  Arbitrary<List<Integer>> numbers() {
    return Arbitraries.integers().between(-300, MOST + 30).list().ofMaxSize(60);
  }

  @Provide
  Arbitrary<String> types() {
    return Arbitraries.of(KEYS.keySet());
  }

  @Property(tries = 200)
  void everyRowIsInOneRange(
      @ForAll @From("types") String type,
      @ForAll @From("numbers") List<Integer> numbers,
      @ForAll @IntRange(min = 1, max = 20) int rowsEach)
      throws SQLException {
    String make = Objects.requireNonNull(KEYS.get(type));
    List<String> statements = new ArrayList<>();
    // In this order, é stands between e and f, and a beside A.
    statements.add("SET COLLATION FRENCH");
    statements.add("CREATE TABLE t (id INT, k " + type + ")");
    for (int i = 0; i < numbers.size(); i++) {
      int number = numbers.get(i);
      String key = number > MOST ? "NULL" : make.formatted(number);
      statements.add("INSERT INTO t VALUES (" + i + ", " + key + ")");
    }
    List<Object> expected =
        IntStream.range(0, numbers.size()).mapToObj(i -> (Object) (long) i).toList();
    List<List<Object>> ranges = ranges(statements, rowsEach);
    assertThat(ranges.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(expected);
    long most =
        numbers.stream()
            .filter(number -> number <= MOST)
            .collect(Collectors.groupingBy(n -> n, Collectors.counting()))
            .values()
            .stream()
            .mapToLong(count -> count)
            .max()
            .orElse(0);
    long missing = numbers.stream().filter(number -> number > MOST).count();
    // UUIDs and bytes are the same for a number and the one below zero.
    assertThat(ranges).allMatch(range -> range.size() <= rowsEach + 2 * most + missing);
  }

  /// Whoever reads a split may not find what it was cut by: a DDL came between, or a right is gone.
  /// All rows would come once for each split.
  @Test
  void aRangeOfWhatCanNotBeCutIsNotReadAsAll() {
    SqlDatabase database =
        new H2Connector().database(new Endpoint("h2", NAME, Map.of(), Secret.NONE));
    TableOrQuery table = new TableOrQuery.Table(new TableName("PUBLIC", "T"));
    List<ColumnInfo> columns = List.of();
    SqlQuery whole =
        new SqlQuery(
            database, "keys", table, columns, Schema.of(List.of()), "", Long.MAX_VALUE, null, "");
    assertThatThrownBy(() -> whole.sql(KeyRanges.between("3", null), Long.MAX_VALUE))
        .isInstanceOf(Fault.Transient.class)
        .hasMessage("keys can't be read in parts any more: it was changed since it was cut.");
  }

  /// Some are cut evenly, and some by looking, because most rows stand close together.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "BIGINT; x; 30",
        "BIGINT; 10 * x - 300000; 30",
        "BIGINT; x * x * x * x; 21",
        "BIGINT; CASE x WHEN 1 THEN -9223372036854775808 WHEN 2 THEN 9223372036854775807 ELSE x"
            + " END; 21",
        "DECIMAL(20,4); x / 8.0; 30",
        "DECIMAL(30,4); x / 8.0; 30",
        "DATE; DATEADD('DAY', x / 2000, DATE '2024-02-29'); 21",
        "TIMESTAMP(6); DATEADD('SECOND', x, TIMESTAMP '2024-02-29 12:00:00'); 30",
        "TIMESTAMP(6); DATEADD('SECOND', x * x, TIMESTAMP '2024-02-29 12:00:00'); 30",
        "VARCHAR(40); 'key ' || x; 21"
      })
  void rangesHaveAboutAsManyRows(String type, String key, int rangesMax) throws SQLException {
    List<List<Object>> ranges =
        ranges(
            List.of(
                "CREATE TABLE t (id INT, k " + type + ")",
                "INSERT INTO t SELECT x, " + key + " FROM SYSTEM_RANGE(1, 20000)",
                "CREATE INDEX i ON t(k)"),
            1_000);
    assertThat(ranges.stream().flatMap(List::stream)).hasSize(20_000).doesNotHaveDuplicates();
    assertThat(ranges).hasSizeBetween(10, rangesMax).allMatch(range -> range.size() <= 5_000);
  }

  /// A cut's own starts stand for numbers that lie unevenly, and for all that has a size of its
  /// own.
  @ParameterizedTest
  @CsvSource({"x * x * x * x,'',3", "10 * x,'',20", "10 * x,one for each lane,3"})
  void aCutThatKnowsWhereItsRangesBeginIsAskedIfKeysLieUnevenly(
      String key, String perLane, int expected) throws SQLException {
    List<List<Object>> ranges =
        ranges(
            List.of(
                "CREATE TABLE t (id INT, k BIGINT)",
                "INSERT INTO t SELECT x, " + key + " FROM SYSTEM_RANGE(1, 20000)",
                "CREATE INDEX i ON t(k)"),
            1_000,
            cut ->
                new Cut(
                    cut.sql(),
                    cut.type(),
                    cut.nullable(),
                    (_, wanted) -> Stream.of("70", String.valueOf(80 * wanted.rows())),
                    perLane));
    assertThat(ranges.stream().flatMap(List::stream)).hasSize(20_000).doesNotHaveDuplicates();
    assertThat(ranges).hasSize(expected);
  }

  /// The ids of a table's rows, by ranges of the keys.
  private static List<List<Object>> ranges(List<String> statements, int rowsEach)
      throws SQLException {
    return ranges(statements, rowsEach, UnaryOperator.identity());
  }

  private static List<List<Object>> ranges(
      List<String> statements, int rowsEach, UnaryOperator<Cut> known) throws SQLException {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(NAME));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      SqlDatabase database =
          new H2Connector().database(new Endpoint("h2", NAME, Map.of(), Secret.NONE));
      try (SqlSession session = SqlSession.open(database, false)) {
        return ranges(database, session, rowsEach, known);
      } finally {
        statement.execute("SHUTDOWN");
      }
    }
  }

  private static List<List<Object>> ranges(
      SqlDatabase database, SqlSession session, int rowsEach, UnaryOperator<Cut> known) {
    TableName table = new TableName("", "t");
    TableInfo info = Objects.requireNonNull(database.dialect().catalog().find(session, table));
    List<ColumnInfo> columns = List.of(info.column("id"));
    Schema schema =
        Schema.of(
            columns.stream().map(column -> column.column(database.dialect().types())).toList());
    Cut cut = Objects.requireNonNull(Cut.of(info.column("k"), database.dialect().profile()));
    SqlQuery query =
        new SqlQuery(
            database,
            "t",
            new TableOrQuery.Table(table),
            columns,
            schema,
            "",
            Long.MAX_VALUE,
            known.apply(cut),
            "");
    ReadPlan plan = ReadPlan.of(new ColumnRequest.Typed(), 10L * rowsEach, 1);
    try (ReadSession reading = new SqlReadSession(query, session, 10, plan)) {
      List<List<Object>> ranges = new ArrayList<>();
      for (Split split : Reading.splits(reading)) {
        ranges.add(
            Reading.rows(reading, List.of(split), null).stream()
                .map(row -> Objects.requireNonNull(row.value(0)))
                .toList());
      }
      return ranges;
    }
  }
}
