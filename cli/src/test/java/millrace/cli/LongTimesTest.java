package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A TIME of MariaDB and MySQL, which is also beyond a day and below zero.
final class LongTimesTest {

  private static final String ROWS =
      """
      k,t
      1,-26:30:00
      2,838:59:59
      3,-838:59:59
      4,00:00:01.5
      5,-00:00:00.000001
      6,
      7,24:00:00
      """;

  @TempDir private Path home;

  private Cli.Result run(String... words) {
    return new Cli(home).run(words);
  }

  private void copy(String from, String to, String... more) {
    List<String> words = new ArrayList<>(List.of("copy", from, to));
    words.addAll(List.of(more));
    Cli.Result result = run(words.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text).toString();
  }

  private String table(String system, String engine) {
    MySqlFamilyServer server = server(system);
    String database = server.newDatabase();
    server.runIn(database, "CREATE TABLE t (k int PRIMARY KEY, t time(6)) ENGINE=" + engine);
    return server.url("root", "", database) + "?table=t";
  }

  private static MySqlFamilyServer server(String system) {
    return system.equals("mysql") ? MySqlServer.shared() : MariaDbServer.shared();
  }

  /// MyISAM takes inserts, InnoDB files of text.
  @ParameterizedTest
  @CsvSource({
    "mariadb, InnoDB, append",
    "mariadb, InnoDB, merge",
    "mariadb, InnoDB, replace",
    "mariadb, MyISAM, append",
    "mysql, InnoDB, append",
    "mysql, InnoDB, merge",
    "mysql, MyISAM, append"
  })
  void whatTheTypeHoldsGoesInAndComesBack(String system, String engine, String mode)
      throws IOException {
    String table = table(system, engine);
    String csv = file("in.csv", ROWS);
    copy(csv, table, "--mode", mode);
    Path back = home.resolve("back.csv");
    copy(table, back.toString(), "--ordered");
    assertThat(Files.readString(back)).isEqualTo(ROWS);
    assertThat(run("verify", csv, table, "--key", "k").code()).isZero();
    assertThat(run("verify", file("other.csv", ROWS.replace("-26", "26")), table).code())
        .isEqualTo(1);
  }

  @Test
  void jsonLinesAndTheSystemItselfGiveThemToo() throws IOException {
    String table = table("mariadb", "InnoDB");
    String json = home.resolve("in.jsonl").toString();
    copy(file("in.csv", ROWS), table);
    copy(table, json, "--ordered");
    String again = table("mysql", "InnoDB");
    copy(json, again, "--fields", "k:int32,t:text", "--select", "k,t");
    String last = table("mariadb", "InnoDB").replaceFirst("=t$", "=made");
    copy(again, last);
    Path back = home.resolve("back.csv");
    copy(last, back.toString(), "--ordered");
    assertThat(Files.readString(back)).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @CsvSource({
    "838:59:59.000001, is outside the column's range",
    "-839:00:00, is outside the column's range",
    "26:60:00, is no time",
    "26:30:00.0000001, is no time"
  })
  void whatItDoesNotHoldIsABadRecord(String value, String told) throws IOException {
    for (String engine : List.of("InnoDB", "MyISAM")) {
      Cli.Result result =
          run("copy", file("in.csv", "k,t\n1," + value + "\n"), table("mariadb", engine));
      assertThat(result.code()).isEqualTo(3);
      assertThat(result.err()).contains(value, told);
    }
  }

  /// PostgreSQL's time ends with the day. Its interval takes the text.
  @Test
  void anotherSystemTakesWhatItCan() throws IOException {
    String table = table("mariadb", "InnoDB");
    copy(file("in.csv", ROWS), table);
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String made = server.url(database) + "?table=made";
    Cli.Result refused = run("copy", table, made);
    assertThat(refused.err()).contains("\"-26:30:00\" does not fit time");
    copy(table, made, "--max-rejects", "9", "--rejects", home.resolve("bad.csv").toString());
    assertThat(Files.readString(home.resolve("bad.csv"))).contains("-26:30:00", "838:59:59");
    server.execute(database, "CREATE TABLE spans (k int, t interval)");
    String spans = server.url(database) + "?table=spans";
    copy(table, spans, "--cast", "t:text");
    Path back = home.resolve("back.csv");
    copy(spans, back.toString(), "--ordered");
    assertThat(Files.readString(back)).isEqualTo(ROWS);
    String again = table("mysql", "InnoDB");
    copy(spans, again, "--cast", "t:text");
    assertThat(run("verify", table, again).code()).isZero();
  }
}
