package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.file.FileConnector;
import millrace.connectors.sql.Names;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows that only DuckDB can refuse are set aside byte for byte with their place; all others are
/// loaded, each once.
class DuckDbRejectsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  private Duck duck;

  @BeforeEach
  void makeDatabase() {
    duck = Duck.in(folder);
  }

  /// Why a row whose value is 13 is refused: the table, and what the reason says.
  enum Why {
    CHECK("CREATE TABLE t (n int, v int CHECK (t.v <> 13))", "violates CHECK((t.v"),
    CHECK_THAT_FAILS(
        "CREATE TABLE t (n int, v int CHECK ((CASE WHEN v = 13"
            + " THEN 'x' ELSE '1' END)::int = 1))",
        "violates CHECK("),
    CHECK_WITH_A_DEFAULT(
        "CREATE TABLE t (n int, v int, less int DEFAULT 13, none int, CHECK (v <> less OR none"
            + " IS NOT NULL))",
        "(v, less, none)=(13, 13, NULL) violates CHECK("),
    PRIMARY_KEY(
        "CREATE TABLE t (n int, v int, w varchar DEFAULT 'it''s', PRIMARY KEY (n, w)); INSERT INTO"
            + " t (n, v) VALUES (0, 13), (1, 13), (400, 13), (401, 13), (777, 13), (1999, 13)",
        "is in t already, which violates PRIMARY KEY(n, w)"),
    UNIQUE_INDEX(
        "CREATE TABLE t (n int, v int); CREATE UNIQUE INDEX i ON t ((CASE WHEN v = 13 THEN 1 END));"
            + " INSERT INTO t VALUES (-1, 13)",
        "violates the unique index i ("),
    FOREIGN_KEY(
        "CREATE TABLE wanted (v int PRIMARY KEY); INSERT INTO wanted SELECT * FROM range(13);"
            + " CREATE TABLE t (n int, v int REFERENCES wanted (v))",
        "(v)=(13) is not in wanted, which violates FOREIGN KEY (v)"),
    ENUM(
        "CREATE TABLE t (n int, v ENUM('0','1','2','3','4','5','6','7','8','9'))",
        "13 does not fit ENUM("),
    LIST("CREATE TABLE t (n int, v int[])", "13 does not fit INTEGER[]");

    private final String made;
    private final String says;

    Why(String made, String says) {
      this.made = made;
      this.says = says;
    }
  }

  private Endpoint csv(String text) throws IOException {
    return csv(text.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  private Endpoint csv(byte[] bytes, Map<String, String> options) throws IOException {
    Path file = folder.resolve("in.csv");
    Files.write(file, bytes);
    return new Endpoint("file", file.toString(), options, Secret.NONE);
  }

  private Copying load(Endpoint csv, String table, Job.RejectLimit limit) {
    return Copying.of(new FileConnector(), csv, new DuckDbConnector(), duck.table(table))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(limit, folder.resolve("bad.csv")));
  }

  private Copying load(Endpoint csv, long rejectsMax) {
    return load(csv, "t", new Job.RejectLimit.Count(rejectsMax));
  }

  /// DuckDB itself takes the first two, and names no row if it refuses one.
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {"{\"a\":1,} -> duckdb", "[NaN] -> parquet", "{'a':1} -> duckdb", "{ -> parquet"})
  void brokenJsonOfATextFileIsNamedByItsLineOrSetAside(String broken, String system)
      throws IOException, SQLException {
    Path lines = folder.resolve("in.jsonl");
    Files.writeString(lines, "{\"a\":0}\n" + broken + "\n{\"a\":2}\n");
    Endpoint from = new Endpoint("file", lines.toString(), Map.of("format", "jsonl"), Secret.NONE);
    boolean isTable = system.equals("duckdb");
    Copying strict =
        Copying.of(
            new FileConnector(),
            from,
            isTable ? new DuckDbConnector() : new ParquetConnector(),
            isTable
                ? duck.table("docs")
                : new Endpoint(
                    "parquet", folder.resolve("docs.parquet").toString(), Map.of(), Secret.NONE));
    assertThatThrownBy(strict::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "in.jsonl, line 2, byte 8, row 2, column \"doc\": " + broken + " is no JSON");
    strict.rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(1), folder.resolve("bad"))).run();
    assertThat(folder.resolve("bad")).hasContent(broken + "\n");
    String docs = isTable ? "docs" : Names.text(folder.resolve("docs.parquet").toString());
    assertThat(duck.rows("SELECT doc FROM " + docs)).containsExactly("{\"a\":0}", "{\"a\":2}");
  }

  /// DuckDB itself would take the first two.
  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "{\"a\":1,} -> is no JSON",
        "[NaN] -> is no JSON",
        "{\"a\":\"\\ud800\"} -> has half of a surrogate pair"
      })
  void brokenJsonForATableThatExistsIsNamedByItsLineOrSetAside(String broken, String says)
      throws IOException, SQLException {
    duck.run("CREATE TABLE docs(doc JSON)");
    Path lines = folder.resolve("in.jsonl");
    Files.writeString(lines, "{\"a\":0}\n" + broken + "\n{\"a\":2}\n");
    Endpoint from = new Endpoint("file", lines.toString(), Map.of("format", "jsonl"), Secret.NONE);
    Copying strict = load(from, "docs", new Job.RejectLimit.Count(0));
    assertThatThrownBy(strict::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "in.jsonl, line 2, byte 8, row 2, column \"doc\": " + broken + " " + says);
    load(from, "docs", new Job.RejectLimit.Count(1)).run();
    assertThat(bad()).isEqualTo(broken + "\n");
    assertThat(duck.rows("SELECT doc FROM docs")).containsExactly("{\"a\":0}", "{\"a\":2}");
  }

  /// DuckDB takes them for JSON itself, and nobody has looked at the documents of a Parquet file.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void brokenJsonOfATableIsABadRecordWhoeverTakesIt(boolean packed)
      throws IOException, SQLException {
    Path parquet = folder.resolve("docs.parquet");
    String rows =
        "SELECT i AS id, (CASE WHEN i % 1000 = 7 THEN '[NaN]' WHEN i = 4000 THEN '[1,]' WHEN i > 4"
            + " THEN '{\"n\": ' || i || '}' END)::JSON AS doc, 'x' || i AS t FROM range(5000) r(i)";
    duck.run("CREATE TABLE docs AS " + rows, "COPY docs TO " + Names.text(parquet.toString()));
    Endpoint from =
        packed
            ? new Endpoint("parquet", parquet.toString(), Map.of(), Secret.NONE)
            : duck.table("docs");
    Path out = folder.resolve("out.csv");
    Copying copying =
        Copying.of(
            packed ? new ParquetConnector() : new DuckDbConnector(),
            from,
            new FileConnector(),
            new Endpoint("file", out.toString(), Map.of(), Secret.NONE));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column \"doc\": holds text '[NaN]', which is no JSON");
    copying
        .rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(6), folder.resolve("bad")))
        .run();
    assertThat(Files.readAllLines(out))
        .hasSize(4995)
        .doesNotHaveDuplicates()
        .contains("4,,x4", "8,\"{\"\"n\"\": 8}\",x8", "4999,\"{\"\"n\"\": 4999}\",x4999")
        .noneMatch(line -> line.contains("NaN") || line.contains("[1,]"));
  }

  private String bad() throws IOException {
    return Files.readString(folder.resolve("bad.csv"));
  }

  private List<JsonNode> reasons() throws IOException {
    List<JsonNode> reasons = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("bad.csv.reasons.jsonl"))) {
      reasons.add(JSON.readTree(line));
    }
    return reasons;
  }

  private static List<String> numbersBut(Set<Integer> bad, int count) {
    return IntStream.range(0, count)
        .filter(n -> !bad.contains(n))
        .mapToObj(Integer::toString)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Why.class)
  void aRowThatDuckDbRefusesIsSetAside(Why why) throws IOException, SQLException {
    duck.run(why.made);
    Set<Integer> bad = Set.of(0, 1, 400, 401, 777, 1999);
    boolean list = why == Why.LIST;
    StringBuilder text = new StringBuilder("n,v\n");
    StringBuilder refused = new StringBuilder();
    List<Long> lines = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    for (int n = 0; n < 2000; n++) {
      String good = list ? "[" + n + "]" : Integer.toString(n % 10);
      String record = n + ",\"" + (bad.contains(n) ? "13" : good) + "\"\n";
      if (bad.contains(n)) {
        refused.append(record);
        lines.add(n + 2L);
        offsets.add((long) text.length());
      }
      text.append(record);
    }
    Ran run = load(csv(text.toString()), 6).run();
    assertThat(run.meter().rows()).isEqualTo(1994);
    assertThat(run.meter().rejects()).isEqualTo(6);
    assertThat(bad()).isEqualTo("n,v\n" + refused);
    assertThat(reasons()).extracting(each -> each.get("line").asLong()).isEqualTo(lines);
    assertThat(reasons()).extracting(each -> each.get("byte").asLong()).isEqualTo(offsets);
    assertThat(reasons())
        .extracting(each -> each.get("reason").asText())
        .allSatisfy(reason -> assertThat(reason).contains(why.says));
    assertThat(duck.rows("SELECT n FROM t WHERE v::varchar <> '13' ORDER BY n"))
        .isEqualTo(numbersBut(bad, 2000));
  }

  /// Held against adding the rows one by one.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachGoodRowIsLoadedOnceWhereverTheBadOnesStand(long seed) throws Exception {
    duck.run(
        "CREATE TABLE wanted (v int PRIMARY KEY)",
        "INSERT INTO wanted SELECT v FROM range(5000) r(v) WHERE v % 50 <> 13",
        "CREATE TABLE t (n int PRIMARY KEY, v int UNIQUE REFERENCES wanted (v), w varchar,"
            + " UNIQUE (w, v))",
        "CREATE UNIQUE INDEX lower_w ON t ((lower(w)))",
        "INSERT INTO t VALUES (-1, 4999, 'W7')");
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder("n,v,w\n");
    TreeSet<Integer> bad = new TreeSet<>();
    Set<Integer> keys = new HashSet<>();
    Set<Integer> values = new HashSet<>(Set.of(4999));
    Set<String> words = new HashSet<>(Set.of("w7"));
    for (int line = 0; line < 4000; line++) {
      int n = random.nextInt(100) == 0 ? random.nextInt(4000) : 10_000 + line;
      Integer v = random.nextInt(4) == 0 ? null : random.nextInt(5000);
      String w =
          random.nextInt(3) == 0 ? "" : (random.nextBoolean() ? "w" : "W") + random.nextInt(9000);
      boolean good =
          (v == null || (v % 50 != 13 && !values.contains(v)))
              && !keys.contains(n)
              && !words.contains(w.toLowerCase(java.util.Locale.ROOT));
      if (good) {
        keys.add(n);
        Stream.ofNullable(v).forEach(values::add);
        Stream.of(w.toLowerCase(java.util.Locale.ROOT))
            .filter(word -> !word.isEmpty())
            .forEach(words::add);
      } else {
        bad.add(line);
      }
      text.append(n).append(',').append(v == null ? "" : v).append(',').append(w).append('\n');
    }
    assertThat(bad).hasSizeBetween(800, 3000);
    load(csv(text.toString()), bad.size()).lanes(3, 9_000).run();
    assertThat(duck.rows("SELECT count(*), count(v), count(w) FROM t"))
        .containsExactly(4001 - bad.size() + " | " + values.size() + " | " + words.size());
    assertThat(reasons())
        .extracting(each -> each.get("line").asInt() - 2)
        .containsExactlyElementsOf(bad);
    List<String> records = text.toString().lines().toList();
    StringBuilder aside = new StringBuilder("n,v,w\n");
    bad.forEach(line -> aside.append(records.get(line + 1)).append('\n'));
    assertThat(bad()).isEqualTo(aside.toString());
  }

  @Test
  void ofTwoRowsWithOneKeyTheFirstStays() throws IOException, SQLException {
    duck.run("CREATE TABLE t (n int PRIMARY KEY, w text)");
    load(csv("n,w\n1,a\n2,b\n1,c\n3,d\n2,e\n"), 5).run();
    assertThat(duck.rows("SELECT n, w FROM t ORDER BY n"))
        .containsExactly("1 | a", "2 | b", "3 | d");
    assertThat(bad()).endsWith("1,c\n2,e\n");
    assertThat(reasons().getFirst().get("reason").asText())
        .isEqualTo("(n)=(1) has come before, which violates PRIMARY KEY(n).");
    assertThat(reasons().getFirst().get("column").asText()).isEqualTo("n");
  }

  @Test
  void aRowThatIsRefusedDoesNotKeepAnotherOut() throws IOException, SQLException {
    duck.run("CREATE TABLE t (a int UNIQUE, b int UNIQUE, c int CHECK (c > 0))");
    load(csv("a,b,c\n1,1,1\n1,2,1\n2,2,1\n3,3,0\n3,3,1\n"), 5).run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY a"))
        .containsExactly("1 | 1 | 1", "2 | 2 | 1", "3 | 3 | 1");
    assertThat(bad()).endsWith("1,2,1\n3,3,0\n");
  }

  @Test
  void theRejectsLoadWithTheSameCommandOnceTheyAreMended() throws IOException, SQLException {
    duck.run("CREATE TABLE t (n int PRIMARY KEY, w text CHECK (length(w) < 4))");
    load(csv("n,w\n1,a\n2,\"long,er\"\n1,c\n"), 5).run();
    Path mended = folder.resolve("mended.csv");
    Files.writeString(mended, bad().replace("long,er", "l,r").replace("1,c", "3,c"));
    Files.delete(folder.resolve("bad.csv"));
    Files.delete(folder.resolve("bad.csv.reasons.jsonl"));
    load(new Endpoint("file", mended.toString(), Map.of(), Secret.NONE), 5).run();
    assertThat(duck.rows("SELECT n, w FROM t ORDER BY n"))
        .containsExactly("1 | a", "2 | l,r", "3 | c");
    assertThat(folder.resolve("bad.csv")).doesNotExist();
  }

  @Test
  void theBytesOfTheRecordAreThoseOfTheFileWhateverItsCharset() throws IOException, SQLException {
    duck.run("CREATE TABLE t (n int, w text CHECK (w <> 'schön\nbad'))");
    byte[] text = "n;w\r\n1;gut\r\n2;\"schön\nbad\"\r\n3;süß".getBytes(StandardCharsets.ISO_8859_1);
    load(csv(text, Map.of("charset", "ISO-8859-1", "delimiter", ";")), 5).run();
    assertThat(duck.rows("SELECT w FROM t ORDER BY n")).containsExactly("gut", "süß");
    assertThat(Files.readString(folder.resolve("bad.csv"), StandardCharsets.ISO_8859_1))
        .isEqualTo("n;w\r\n2;\"schön\nbad\"\r\n");
    assertThat(reasons().getFirst().get("line").asLong()).isEqualTo(3);
  }

  @Test
  void rowsWithoutARecordAreSetAsideByTheirNumber() throws IOException, SQLException {
    duck.run("CREATE TABLE t (n bigint UNIQUE CHECK (n <> 77), w text)");
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(List.of(Column.of("n", new Type.Int(64)), Column.of("w", Type.Text.UNLIMITED)));
    memory.put("rows", schema, IntStream.range(0, 500).mapToObj(n -> Row.of(n, "w" + n)).toList());
    Copying.of(memory, memory.endpoint("rows"), new DuckDbConnector(), duck.table("t"))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(1, folder.resolve("bad.csv")))
        .run();
    assertThat(duck.rows("SELECT count(*), sum(n) FROM t"))
        .containsExactly("499 | " + (499 * 500 / 2 - 77));
    assertThat(reasons()).hasSize(1);
    assertThat(reasons().getFirst().get("reason").asText()).contains("(n)=(77)");
  }

  @Test
  void aTableThatIsEmptiedFirstTakesTheKeysThatItHad() throws SQLException, IOException {
    duck.run("CREATE TABLE t (n int PRIMARY KEY, v int)", "INSERT INTO t VALUES (0, 1), (1, 1)");
    load(csv("n,v\n1,1\n1,3\n0,2\n"), 1).mode(Mode.TRUNCATE).run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY n")).containsExactly("0 | 2", "1 | 1");
    assertThat(bad()).endsWith("\n1,3\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2%"})
  void moreThanAreAllowedStopTheRunAndLeaveTheTableAsItWas(String limit)
      throws SQLException, IOException {
    duck.run(
        "CREATE TABLE t (n int PRIMARY KEY, v int CHECK (v <> 13))", "INSERT INTO t VALUES (3, 0)");
    StringBuilder text = new StringBuilder("n,v\n1,1\n2,13\n3,3\n");
    for (int n = 10; n < 60; n++) {
      text.append(n).append(",1\n");
    }
    Job.RejectLimit most =
        limit.endsWith("%") ? new Job.RejectLimit.Percent(2, limit) : new Job.RejectLimit.Count(1);
    assertThatThrownBy(() -> load(csv(text.toString()), "t", most).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(limit.endsWith("%") ? "2 of 53 records are bad" : "line 4");
    assertThat(duck.rows("SELECT * FROM t")).containsExactly("3 | 0");
  }

  @Test
  void aMergeSetsAsideWhatARowBreaksByItself() throws IOException, SQLException {
    duck.run(
        "CREATE TABLE t (n int PRIMARY KEY, v int CHECK (v <> 13), _split int)",
        "INSERT INTO t VALUES (1, 0, 0)");
    load(csv("n,v,_split\n1,1,1\n2,13,2\n1,3,3\n4,4,4\n"), 9).mode(Mode.MERGE).run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY n")).containsExactly("1 | 3 | 3", "4 | 4 | 4");
    assertThat(bad()).endsWith("\n2,13,2\n");
  }

  @Test
  void whereNothingMayBeSetAsideTheTableStaysAsItWas() throws SQLException {
    duck.run("CREATE TABLE t (n int PRIMARY KEY)", "INSERT INTO t VALUES (1)");
    assertThatThrownBy(() ->
            Copying.of(
                    new FileConnector(), csv("n\n2\n1\n"), new DuckDbConnector(), duck.table("t"))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.Data.class)
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--max-rejects 1 --rejects FILE finds");
    assertThat(duck.rows("FROM t")).containsExactly("1");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "REPLACE"})
  void aNewTableWithAKeyTakesTheFirstOfEach(Mode mode) throws SQLException, IOException {
    if (mode == Mode.REPLACE) {
      duck.run("CREATE TABLE t (id BIGINT, w VARCHAR)", "CREATE UNIQUE INDEX by_w ON t (w)");
    }
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        new Schema(
            List.of(
                new Column("id", new Type.Int(64), false, null),
                Column.of("w", Type.Text.UNLIMITED)),
            List.of("id"));
    memory.put(
        "rows", schema, List.of(Row.of(1, "a"), Row.of(1, "b"), Row.of(2, "a"), Row.of(3, null)));
    Copying.of(memory, memory.endpoint("rows"), new DuckDbConnector(), duck.table("t"))
        .landing(new WriteOptions(mode, false, List.of(), false))
        .rejects(new Job.RejectPolicy(5, folder.resolve("bad")))
        .run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY id"))
        .isEqualTo(
            mode == Mode.REPLACE
                ? List.of("1 | a", "3 | null")
                : List.of("1 | a", "2 | a", "3 | null"));
  }
}
