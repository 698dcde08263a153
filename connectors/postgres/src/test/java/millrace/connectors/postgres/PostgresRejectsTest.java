package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.connectors.file.FileConnector;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows that only the server can refuse are set aside byte for byte with their place; all others
/// are loaded, each once.
class PostgresRejectsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path folder;

  private final String table = "setting_aside_" + NAMES.incrementAndGet();

  /// Why a server refuses a row whose value is 13: a table of n and v, and what the reason says.
  enum Why {
    CHECK("n int, v int CHECK (v <> 13)", "violates check constraint"),
    DOMAIN("n int, v not_13", "violates check constraint"),
    EXCLUSION("n int, v int, EXCLUDE (v WITH =) WHERE (v = 13)", "conflicting key value"),
    UNIQUE("n int, v int", "duplicate key value"),
    FOREIGN_KEY("n int, v int REFERENCES wanted (v)", "violates foreign key constraint"),
    TRIGGER("n int, v int", "thirteen brings bad luck"),
    TRIGGER_AFTER("n int, v int", "thirteen brings bad luck"),
    TEXT_FORM("n int, v int CHECK (v <> 13), a inet", "violates check constraint");

    private final String columns;
    private final String says;

    Why(String columns, String says) {
      this.columns = columns;
      this.says = says;
    }
  }

  private void make(Why why) {
    DATABASE.sql("DROP TABLE IF EXISTS wanted CASCADE");
    DATABASE.sql("DROP DOMAIN IF EXISTS not_13 CASCADE");
    DATABASE.sql("CREATE TABLE wanted (v int PRIMARY KEY)");
    DATABASE.sql("INSERT INTO wanted SELECT n FROM generate_series(0, 99) n WHERE n <> 13");
    DATABASE.sql("CREATE DOMAIN not_13 AS int CHECK (value <> 13)");
    DATABASE.sql("CREATE TABLE " + table + " (" + why.columns + ")");
    switch (why) {
      case UNIQUE -> {
        DATABASE.sql("CREATE UNIQUE INDEX ON " + table + " ((v = 13)) WHERE v = 13");
        DATABASE.sql("INSERT INTO " + table + " VALUES (-1, 13)");
      }
      case EXCLUSION -> DATABASE.sql("INSERT INTO " + table + " VALUES (-1, 13)");
      case TRIGGER, TRIGGER_AFTER -> {
        DATABASE.sql(
            "CREATE OR REPLACE FUNCTION lucky() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
                + " IF NEW.v = 13 THEN RAISE EXCEPTION 'thirteen brings bad luck'; END IF;"
                + " RETURN NEW; END$$");
        DATABASE.sql(
            "CREATE TRIGGER luck "
                + (why == Why.TRIGGER ? "BEFORE" : "AFTER")
                + " INSERT ON "
                + table
                + " FOR EACH ROW EXECUTE FUNCTION lucky()");
      }
      case CHECK, DOMAIN, FOREIGN_KEY, TEXT_FORM -> {}
    }
  }

  private Endpoint csv(String text) throws IOException {
    Path file = folder.resolve("in.csv");
    Files.writeString(file, text);
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }

  private Copying load(Endpoint csv, long rejectsMax) {
    return Copying.of(new FileConnector(), csv, new PostgresConnector(), DATABASE.table(table))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(rejectsMax, folder.resolve("bad.csv")));
  }

  private List<JsonNode> reasons() throws IOException {
    List<JsonNode> reasons = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("bad.csv.reasons.jsonl"))) {
      reasons.add(JSON.readTree(line));
    }
    return reasons;
  }

  @ParameterizedTest
  @CsvSource({
    "date, 5874898-01-01, dates",
    "date, 4714-01-01 BC, dates",
    "timestamp, 294277-01-01 00:00:00, timestamps",
  })
  void aDateThatPostgresqlDoesNotKnowIsToldAsItIsWritten(String type, String value, String what)
      throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (d " + type + ")");
    assertThatThrownBy(load(csv("d\n" + value + "\n"), 0)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "line 2, byte 2, row 1, column \"d\": "
                + value
                + " is out of PostgreSQL's range of "
                + what);
  }

  @ParameterizedTest
  @EnumSource(Why.class)
  void aRowThatTheServerRefusesIsSetAside(Why why) throws IOException {
    make(why);
    Set<Integer> bad = Set.of(0, 1, 400, 401, 777, 1999);
    boolean inet = why == Why.TEXT_FORM;
    StringBuilder text = new StringBuilder(inet ? "n,v,a\n" : "n,v\n");
    StringBuilder refused = new StringBuilder();
    List<Long> lines = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    for (int n = 0; n < 2000; n++) {
      String record =
          n + ",\"" + (bad.contains(n) ? 13 : n % 10) + "\"" + (inet ? ",10.0.0.1" : "") + "\n";
      if (bad.contains(n)) {
        refused.append(record);
        lines.add(n + 2L);
        offsets.add((long) text.length());
      }
      text.append(record);
    }
    load(csv(text.toString()), 6).run();
    assertThat(Files.readString(folder.resolve("bad.csv"))).endsWith(refused.toString());
    assertThat(reasons()).extracting(each -> each.get("line").asLong()).isEqualTo(lines);
    assertThat(reasons()).extracting(each -> each.get("byte").asLong()).isEqualTo(offsets);
    assertThat(reasons()).allMatch(each -> each.get("reason").asText().contains(why.says));
    assertThat(DATABASE.column("SELECT n FROM " + table + " WHERE n >= 0 ORDER BY n"))
        .isEqualTo(
            IntStream.range(0, 2000)
                .filter(n -> !bad.contains(n))
                .mapToObj(Integer::toString)
                .toList());
  }

  /// Many bad ones, on several lanes, with commits within splits, so that COPYs end everywhere.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachGoodRowIsLoadedOnceWhereverTheBadOnesStand(long seed) throws IOException {
    make(Why.FOREIGN_KEY);
    Random random = new Random(seed);
    TreeSet<Integer> bad = new TreeSet<>();
    StringBuilder text = new StringBuilder("n,v\n");
    for (int n = 0; n < 8000; n++) {
      if (random.nextInt(n % 1000 < 50 ? 3 : 300) == 0) {
        bad.add(n);
      }
      text.append(n).append(bad.contains(n) ? ",13\n" : ",7\n");
    }
    load(csv(text.toString()), bad.size())
        .lanes(3, 9_000)
        .units(new Amount(150, false), new Amount(40, false), new Amount(700, false))
        .run();
    assertThat(DATABASE.column("SELECT n FROM " + table + " ORDER BY n"))
        .isEqualTo(
            IntStream.range(0, 8000)
                .filter(n -> !bad.contains(n))
                .mapToObj(Integer::toString)
                .toList());
    assertThat(reasons())
        .extracting(each -> each.get("row").asInt() - 1)
        .containsExactlyInAnyOrderElementsOf(bad);
  }

  /// Which of twenty rows are bad: those at the ends of a COPY, neighbours, all, none.
  private static boolean isBad(int n) {
    int at = n % 20;
    return switch (n / 20 % 7) {
      case 0 -> at == 0;
      case 1 -> at == 19;
      case 2 -> at < 2 || at > 17;
      case 3 -> true;
      case 4 -> false;
      case 5 -> at % 2 == 0;
      default -> at == 9 || at == 10;
    };
  }

  /// The rows of each COPY have other lengths and lines than those of the COPY before.
  @ParameterizedTest
  @ValueSource(strings = {"binary", "text", "csv"})
  void eachBadRowIsNamedWhicheverCopyOfItsLaneItWasIn(String form) throws IOException {
    String more = form.equals("text") ? ", a inet" : "";
    DATABASE.sql("CREATE TABLE " + table + " (n text, v text CHECK (v !~ 'bad')" + more + ")");
    StringBuilder text = new StringBuilder(form.equals("text") ? "n,v,a\n" : "n,v\n");
    StringBuilder refused = new StringBuilder();
    List<String> good = new ArrayList<>();
    List<List<Long>> places = new ArrayList<>();
    long line = 2;
    for (int n = 0; n < 420; n++) {
      String lines = "\ny".repeat(n % 3 == 0 ? 1 + n / 20 % 2 : 0);
      String value = (isBad(n) ? "bad" : "good") + "x".repeat(n / 10 % 9) + lines;
      String record = n + ",\"" + value + "\"" + (form.equals("text") ? ",10.0.0.1" : "") + "\n";
      if (isBad(n)) {
        refused.append(record);
        places.add(List.of(line, (long) text.length()));
      } else {
        good.add(n + ":" + value);
      }
      text.append(record);
      line += 1 + lines.length() / 2;
    }
    load(csv(text.toString()), places.size())
        .form(form.equals("csv") ? "csv" : "columns")
        .lanes(1, 1_500)
        .units(new Amount(10, false), null, new Amount(20, false))
        .run();
    assertThat(DATABASE.column("SELECT n || ':' || v FROM " + table + " ORDER BY n::int"))
        .isEqualTo(good);
    assertThat(Files.readString(folder.resolve("bad.csv"))).endsWith("\n" + refused);
    assertThat(reasons())
        .extracting(each -> List.of(each.get("line").asLong(), each.get("byte").asLong()))
        .isEqualTo(places);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 19, 20, 59})
  void aRowThatEndsTheRunIsNamedWhicheverCopyOfItsLaneItWasIn(int bad) throws IOException {
    make(Why.CHECK);
    StringBuilder text = new StringBuilder("n,v\n");
    for (int n = 0; n < 80; n++) {
      text.append(n).append(n == bad ? ",13\n" : ",7\n");
    }
    Copying copying =
        load(csv(text.toString()), 0).units(new Amount(10, false), null, new Amount(20, false));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("in.csv, about row " + (bad + 1) + ")");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table))
        .isEqualTo(Integer.toString(bad / 20 * 20));
  }

  @Test
  void rowsThatTriggersLeaveOutAreCountedBesideBadOnesOfEveryCopy() throws IOException {
    make(Why.CHECK);
    DATABASE.sql(
        "CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$BEGIN IF NEW.n % 10 = 4 THEN RETURN NULL; END IF; RETURN NEW; END$$",
        "CREATE TRIGGER leave_out BEFORE INSERT ON "
            + table
            + " FOR EACH ROW EXECUTE FUNCTION leave_out()");
    StringBuilder text = new StringBuilder("n,v\n");
    for (int n = 0; n < 200; n++) {
      text.append(n).append(n % 10 == 3 ? ",13\n" : ",7\n");
    }
    Ran run =
        load(csv(text.toString()), 20)
            .units(new Amount(10, false), null, new Amount(20, false))
            .run();
    assertThat(run.meter().rows()).isEqualTo(160);
    assertThat(run.meter().rejects()).isEqualTo(20);
    assertThat(run.notes()).contains("20 rows were ignored by triggers of the table.");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("160");
  }

  @Test
  void ofTwoRowsWithOneKeyTheFirstStays() throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int PRIMARY KEY, t text)");
    load(csv("n,t\n1,a\n2,b\n1,c\n3,d\n2,e\n"), 5).run();
    assertThat(DATABASE.column("SELECT n || t FROM " + table + " ORDER BY n"))
        .containsExactly("1a", "2b", "3d");
    assertThat(Files.readString(folder.resolve("bad.csv"))).endsWith("1,c\n2,e\n");
    assertThat(reasons().getFirst().get("reason").asText()).contains("_pkey", "(n)=(1)");
  }

  @Test
  void recordsThatPassUntouchedAreSetAsideToo() throws IOException {
    DATABASE.sql(
        "CREATE TABLE " + table + " (a text, b text, CHECK (b !~ 'bad'), CHECK (length(a) < 9))");
    load(csv("a,b\n1,\"x\ny\"\n2,\"quoted \"\"bad\"\"\nrow\"\n3,good\n\"123\n56789\",b\n4,c"), 5)
        .form("csv")
        .run();
    assertThat(DATABASE.column("SELECT a FROM " + table + " ORDER BY a"))
        .containsExactly("1", "3", "4");
    assertThat(Files.readString(folder.resolve("bad.csv")))
        .endsWith("2,\"quoted \"\"bad\"\"\nrow\"\n\"123\n56789\",b\n");
    assertThat(reasons()).extracting(each -> each.get("line").asLong()).containsExactly(4L, 7L);
  }

  @Test
  void rowsOfAnotherTableAreSetAsideByTheirNumber() throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int, t text CHECK (t <> 'bad'))");
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + "_from AS SELECT n::int, CASE WHEN n = 77 THEN 'bad' ELSE 'good' END::text AS t"
            + " FROM generate_series(1, 500) n");
    TestDatabase.copy(DATABASE.table(table + "_from"), DATABASE.table(table))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(1, folder.resolve("bad.csv")))
        .run();
    assertThat(DATABASE.value("SELECT count(*) || ' ' || sum(n) FROM " + table))
        .isEqualTo("499 " + (500 * 501 / 2 - 77));
    assertThat(reasons()).hasSize(1);
    assertThat(reasons().getFirst().get("reason").asText()).contains("77, bad");
  }

  @Test
  void rowsLargerThanAPageAreFoundThoughTheServerNamesAnother() throws IOException {
    List<String> columns = IntStream.range(0, 400).mapToObj(i -> "c" + i).toList();
    DATABASE.sql(
        "CREATE TABLE " + table + " (" + String.join(" text, ", columns) + " text)",
        "ALTER TABLE "
            + table
            + " ALTER "
            + String.join(" SET STORAGE PLAIN, ALTER ", columns)
            + " SET STORAGE PLAIN");
    StringBuilder text = new StringBuilder();
    text.append(String.join(",", columns));
    for (int n = 0; n < 60; n++) {
      String value = n == 25 ? "x".repeat(40) : "y" + n;
      text.append('\n').append((value + ",").repeat(399)).append(value);
    }
    load(csv(text.append('\n').toString()), 1).run();
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("59");
    assertThat(reasons().getFirst().get("line").asLong()).isEqualTo(27);
  }

  @Test
  void oneTooManyStopsTheRunAndItsSplitIsUndone() throws IOException {
    make(Why.CHECK);
    assertThatThrownBy(() -> load(csv("n,v\n1,1\n2,13\n3,3\n4,13\n"), 1).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 5")
        .hasMessageContaining("violates check constraint");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("0");
  }

  @Test
  void aRowThatTheServerRefusesMayBeSetAsideAndTheAdviceSaysSo() throws IOException {
    make(Why.UNIQUE);
    assertThatThrownBy(() -> load(csv("n,v\n1,1\n2,13\n"), 0).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("duplicate key value")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--max-rejects N --rejects FILE");
  }

  @Test
  void aConstraintThatWaitsForTheCommitIsSaidToBeBeyondTellingRowsApart() throws IOException {
    make(Why.CHECK);
    DATABASE.sql(
        "ALTER TABLE "
            + table
            + " ADD FOREIGN KEY (v) REFERENCES wanted DEFERRABLE INITIALLY DEFERRED");
    assertThatThrownBy(() -> load(csv("n,v\n1,1\n2,1000\n"), 9).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("(v)=(1000)")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("make the constraint immediate");
  }

  @Test
  void aMergeSetsAsideWhatItsStagingTableRefuses() throws IOException {
    make(Why.DOMAIN);
    DATABASE.sql("ALTER TABLE " + table + " ADD PRIMARY KEY (n)");
    load(csv("n,v\n1,1\n2,13\n1,3\n"), 9).mode(Mode.MERGE).run();
    assertThat(DATABASE.column("SELECT n || ':' || v FROM " + table)).containsExactly("1:3");
    assertThat(Files.readString(folder.resolve("bad.csv"), StandardCharsets.UTF_8))
        .endsWith("2,13\n");
  }

  @Test
  void aMergeNamesTheRowWithoutAKeyOrSetsItAside() throws IOException {
    DATABASE.sql("CREATE TABLE " + table + " (n int PRIMARY KEY, v int)");
    Endpoint rows = csv("n,v\n1,1\n,2\n3,3\n");
    assertThatThrownBy(() -> load(rows, 0).mode(Mode.MERGE).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("has no value in column n, which is of the key")
        .hasMessageContaining("in.csv, about row 2");
    load(rows, 1).mode(Mode.MERGE).run();
    assertThat(DATABASE.column("SELECT n || ':' || v FROM " + table + " ORDER BY n"))
        .containsExactly("1:1", "3:3");
    assertThat(reasons().getFirst().get("line").asLong()).isEqualTo(3);
    assertThat(reasons().getFirst().get("column").asText()).isEqualTo("n");
  }

  @ParameterizedTest
  @CsvSource({
    "k text COLLATE no_case PRIMARY KEY, A:2 b:1",
    "k text COLLATE no_case, A:2 b:1",
    "k no_case_text PRIMARY KEY, A:2 b:1",
    "k text PRIMARY KEY, A:2 a:1 b:1"
  })
  void aMergeTakesKeysForTheSameThatTheCollationOfTheirColumnDoes(String column, String merged)
      throws IOException {
    DATABASE.sql(
        "CREATE COLLATION IF NOT EXISTS no_case"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "DROP DOMAIN IF EXISTS no_case_text CASCADE",
        "CREATE DOMAIN no_case_text AS text COLLATE no_case",
        "CREATE TABLE " + table + " (" + column + ", v int)",
        "INSERT INTO " + table + " VALUES ('A', 0)");
    load(csv("k,v\na,1\nb,1\nA,2\n"), 0)
        .landing(new WriteOptions(Mode.MERGE, false, List.of("k"), false))
        .run();
    assertThat(
            DATABASE.value(
                "SELECT string_agg(k || ':' || v, ' ' ORDER BY k COLLATE \"C\") FROM " + table))
        .isEqualTo(merged);
  }

  @Test
  void aUniqueIndexOfAnotherCollationDoesNotTellWhichKeysExist() throws IOException {
    DATABASE.sql(
        "CREATE COLLATION IF NOT EXISTS no_case"
            + " (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE " + table + " (k text COLLATE no_case, v int)",
        "CREATE UNIQUE INDEX ON " + table + " (k COLLATE \"C\")",
        "INSERT INTO " + table + " VALUES ('A', 0)");
    load(csv("k,v\na,1\n"), 0)
        .landing(new WriteOptions(Mode.MERGE, false, List.of("k"), false))
        .run();
    assertThat(DATABASE.column("SELECT k || ':' || v FROM " + table)).containsExactly("A:1");
  }
}
