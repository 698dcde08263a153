package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Columns that are renamed, cast, added and dropped, from files into databases and back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MappedColumnsTest {

  private static final String LONG =
      "a_question_of_a_survey_that_is_longer_than_names_of_tables_may_be_";

  private PostgresServer server;
  private String database;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeEnds() throws IOException {
    database = server.newDatabase();
    Files.writeString(home.resolve("price.csv"), "id,price,junk\n1,10.50,zz\n2,3.25,yy\n");
  }

  private String end(String name) {
    return switch (name) {
      case "postgresql" -> server.url(database) + "?table=t";
      case "sqlite" -> "sqlite:" + home.resolve(database + ".db") + "?table=t";
      case "duckdb" -> "duckdb:" + home.resolve(database + ".duckdb") + "?table=t";
      default -> home.resolve(database + "-" + name).toString();
    };
  }

  private Cli.Result run(String... words) {
    return new Cli(home).run(words);
  }

  private Cli.Result copy(String from, String to, String... more) {
    List<String> words = new ArrayList<>(List.of("copy", from, to));
    words.addAll(Arrays.asList(more));
    return run(words.toArray(String[]::new));
  }

  private void done(Cli.Result result) {
    assertThat(result.code()).as(result.err()).isZero();
  }

  private static void refused(Cli.Result result, String... said) {
    assertThat(result.err()).contains(said);
    assertThat(result.code()).isEqualTo(2);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text).toString();
  }

  private String rows(String from) throws IOException {
    Path out = home.resolve("rows.csv");
    done(copy(from, out.toString(), "--mode", "replace", "--ordered"));
    return Files.readString(out);
  }

  private String priceCsv() {
    return home.resolve("price.csv").toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "sqlite", "duckdb", "out.parquet", "out.csv"})
  void columnsAreRenamedCastAddedAndDropped(String to) throws IOException {
    done(
        copy(
            priceCsv(),
            end(to),
            "--rename=id=article,price=amount",
            "--cast=price:decimal(12,3)",
            "--add=src='night, 2',n=7",
            "--drop=junk"));
    assertThat(rows(end(to)))
        .isEqualTo("article,amount,src,n\n1,10.500,\"night, 2\",7\n2,3.250,\"night, 2\",7\n");
  }

  /// Into a table that is made, and into one that is there.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--rename=id=article ; --add=id=2026-01-01 ; --cast=id:date ;"
            + " article,price,junk,id ; 1,10.50,zz,2026-01-01 ; 2,3.25,yy,2026-01-01",
        "--rename=price=amount ; --add=price=7 ; --cast=price:decimal(9,2) ;"
            + " id,amount,junk,price ; 1,10.50,zz,7.00 ; 2,3.25,yy,7.00",
        "--rename=id=price,price=id ; --add=n=7 ; --cast=n:decimal(9,2) ;"
            + " price,id,junk,n ; 1,10.50,zz,7.00 ; 2,3.25,yy,7.00",
        "--drop=junk ; --add=junk=7 ; --cast=junk:decimal(9,2) ;"
            + " id,price,junk ; 1,10.50,7.00 ; 2,3.25,7.00",
      })
  void aCastOfAnAddedColumnStandsBesideARename(
      String rename, String add, String cast, String header, String first, String second)
      throws IOException {
    for (String to : List.of("postgresql", "sqlite", "duckdb")) {
      done(copy(priceCsv(), end(to), rename, add, cast));
      String rows = first + "\n" + second + "\n";
      assertThat(rows(end(to))).isEqualTo(header + "\n" + rows);
      done(copy(priceCsv(), end(to), rename, add, cast, "--mode=append"));
      assertThat(rows(end(to))).isEqualTo(header + "\n" + rows + rows);
    }
  }

  /// The types that the file's columns take are those of the columns that they go to.
  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "sqlite", "duckdb"})
  void aTableThatExistsIsFilledUnderItsOwnNames(String to) throws IOException {
    String table = file("table.csv", "article,amount,loaded\n");
    done(copy(table, end(to), "--columns=article:text,amount:decimal(9,2),loaded:timestamp"));
    String codes = file("codes.csv", "amount,price\n007,1.50\n08,2\n");
    done(
        copy(
            codes,
            end(to),
            "--mode=append",
            "--rename=amount=article,price=amount",
            "--add=loaded=now()"));
    assertThat(rows(end(to)))
        .containsPattern("^article,amount,loaded\n007,1.50,20\\d\\d-\\S+ \\S+\n08,2.00,20\\d\\d-");
  }

  @Test
  void aTableGoesToAFileUnderOtherNamesAndTypes() throws IOException {
    server.execute(
        database,
        "CREATE TABLE t (id int PRIMARY KEY, code text, at timestamp, secret text)",
        "INSERT INTO t VALUES (1, '17', '2026-01-02', 's'), (2, '18', NULL, 's')");
    String out = home.resolve("out.csv").toString();
    done(
        copy(
            end("postgresql"), out, "--rename=id=key", "--cast=code:int,at:text", "--drop=secret"));
    assertThat(Files.readString(Path.of(out)))
        .isEqualTo("key,code,at\n1,17,2026-01-02 00:00:00\n2,18,\n");
  }

  @Test
  void aValueThatDoesNotFitItsCastIsABadRecordWithItsLine() throws IOException {
    String bad = file("bad.csv", "id,n\n1,5\n2,x\n3,7\n");
    Cli.Result stopped = copy(bad, end("sqlite"), "--cast=n:int16");
    assertThat(stopped.code()).isEqualTo(3);
    assertThat(stopped.err()).contains("line 3", "\"n\"", "'x'");
    String rejects = home.resolve("rejects.csv").toString();
    done(copy(bad, end("sqlite"), "--cast=n:int16", "--max-rejects=1", "--rejects=" + rejects));
    assertThat(rows(end("sqlite"))).isEqualTo("id,n\n1,5\n3,7\n");
    assertThat(Files.readString(Path.of(rejects))).isEqualTo("id,n\n2,x\n");
  }

  @Test
  void nanosecondsOfACastAreBadOrCutIfThatIsAsked() throws IOException {
    String times = file("times.csv", "id,at\n1,2026-01-01 10:00:00.123456789\n");
    Cli.Result stopped = copy(times, end("postgresql"), "--cast=at:timestamp");
    assertThat(stopped.code()).isEqualTo(3);
    assertThat(stopped.err()).contains("line 2", "\"at\"");
    done(copy(times, end("postgresql"), "--cast=at:timestamp", "--truncate-nanoseconds"));
    assertThat(rows(end("postgresql"))).isEqualTo("id,at\n1,2026-01-01 10:00:00.123456\n");
  }

  /// A value of a column that is cast and goes into one of a third type has to fit both.
  @Test
  void aCastHoldsOnTheWayIntoAColumnOfAThirdType() throws IOException {
    server.execute(
        database,
        "CREATE TABLE s (id int, code text)",
        "INSERT INTO s VALUES (1, '17'), (2, '99999')",
        "CREATE TABLE t (id int, code bigint)");
    String from = server.url(database) + "?table=s";
    String rejects = home.resolve("rejects.csv").toString();
    done(
        copy(
            from,
            end("postgresql"),
            "--mode=append",
            "--cast=code:int16",
            "--max-rejects=1",
            "--rejects=" + rejects));
    assertThat(rows(end("postgresql"))).isEqualTo("id,code\n1,17\n");
    assertThat(Files.readString(Path.of(rejects))).isEqualTo("id,code\n2,99999\n");
  }

  /// What is not read can't be bad.
  @Test
  void aColumnThatIsDroppedIsNotLookedAt() throws IOException {
    StringBuilder text = new StringBuilder("id,junk\n");
    for (int i = 0; i < 100_000; i++) {
      text.append(i).append(',').append(i < 99_999 ? "1" : "x").append('\n');
    }
    String from = file("junk.csv", text.toString());
    done(copy(from, end("sqlite"), "--drop=junk"));
    refused(copy(from, end("out.csv"), "--drop=jumk"), "no column 'jumk'", "Did you mean 'junk'?");
  }

  @Test
  void aFileWithoutAHeaderIsRenamedByPosition() throws IOException {
    server.execute(database, "CREATE TABLE t (amount numeric(9,2), article int)");
    String from = file("bare.csv", "1,10.50\n2,3.25\n");
    done(
        copy(
            from,
            end("postgresql"),
            "--header=false",
            "--mode=append",
            "--rename=column1=article,column2=amount"));
    assertThat(rows(end("postgresql"))).isEqualTo("amount,article\n10.50,1\n3.25,2\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "sqlite", "duckdb"})
  void columnsThatTheTableLacksAreRefusedLeftOutOrAdded(String to) throws IOException {
    done(copy(file("old.csv", "id\n0\n"), end(to)));
    refused(
        copy(priceCsv(), end(to), "--mode=append"),
        "has no columns price, junk",
        "--new-columns ignore or add");
    done(copy(priceCsv(), end(to), "--mode=append", "--new-columns=ignore"));
    assertThat(rows(end(to))).isEqualTo("id\n0\n1\n2\n");
    Cli.Result plan = copy(priceCsv(), end(to), "--mode=append", "--new-columns=add", "--dry-run");
    assertThat(plan.out()).contains("note     columns price, junk are added to ");
    assertThat(rows(end(to))).isEqualTo("id\n0\n1\n2\n");
    Cli.Result added =
        copy(priceCsv(), end(to), "--mode=append", "--new-columns=add", "--where=id=2");
    done(added);
    assertThat(added.err()).contains("note  columns price, junk were added to ");
    assertThat(rows(end(to))).isEqualTo("id,price,junk\n0,,\n1,,\n2,,\n2,3.25,yy\n");
  }

  @Test
  void aTargetThatCannotBeGivenColumnsSaysSo() throws IOException {
    String out = file("out.csv", "id\n0\n");
    refused(
        copy(priceCsv(), out, "--mode=append", "--new-columns=add"),
        "out.csv can't be given columns that it does not have.",
        "--drop");
  }

  @Test
  void namesThatAreTooLongAreCutIfThatIsAsked() throws IOException {
    String from = file("long.csv", "id," + LONG + "name," + LONG + "title\n1,007,8\n");
    refused(copy(from, end("postgresql")), "--fit-names", "--rename");
    String cut = LONG.substring(0, 63);
    String other = LONG.substring(0, 61) + "_2";
    done(copy(from, end("postgresql"), "--fit-names", "--columns=" + LONG + "name:text"));
    // The table's types hold, though its names are others.
    done(copy(from, end("postgresql"), "--fit-names", "--mode=append"));
    assertThat(rows(end("postgresql")))
        .isEqualTo("id," + cut + "," + other + "\n1,007,8\n1,007,8\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--rename=prise=x ; has no column 'prise'. ; Did you mean 'price'?",
        "--rename=id=junk ; Two columns would be called junk. ; --rename",
        "--cast=price:txt ; The type 'txt' is not known. ; Did you mean 'text'?",
        "--add=id=5       ; Two columns would be called id. ; --drop",
        "--new-columns=x  ; is none of add, ignore and error ; leaves them out",
      })
  void aMappingThatMakesNoSenseIsRefusedBeforeTheFirstRow(
      String option, String message, String advice) {
    refused(copy(priceCsv(), end("sqlite"), option), message, advice);
  }

  @Test
  void aCastThatWouldLoseValuesIsRefused() throws IOException {
    server.execute(database, "CREATE TABLE s (at timestamp)", "INSERT INTO s VALUES (now())");
    refused(
        copy(server.url(database) + "?table=s", end("sqlite"), "--cast=at:date"),
        "\"at\"",
        "the time of day would be lost");
    refused(
        copy(priceCsv(), end("sqlite"), "--add=d=x", "--cast=d:date"), "--add d=x does not fit");
  }

  @Test
  void anotherMappingIsAnotherCopy() throws IOException {
    String to = end("sqlite");
    done(copy(priceCsv(), to, "--mode=append", "--drop=junk"));
    Cli.Result same = copy(priceCsv(), to, "--mode=append", "--drop=junk", "--resume");
    done(same);
    Cli.Result other =
        copy(priceCsv(), to, "--mode=append", "--drop=junk", "--rename=ID=id", "--resume");
    done(other);
    assertThat(rows(to)).startsWith("id,price\n1,10.50\n2,3.25\n");
  }

  @Test
  void aJobSaysTheSame() throws IOException {
    String job =
        file(
            "job.yaml",
            """
            target: sqlite:%s
            streams:
              file://%s:
                object: t
                rename: {id: article}
                cast: {price: 'decimal(12,3)'}
                add: {src: 'a, b'}
                drop: [junk]
            """
                .formatted(home.resolve(database + ".db"), priceCsv()));
    done(run("run", job));
    assertThat(rows(end("sqlite")))
        .isEqualTo("article,price,src\n1,10.500,\"a, b\"\n2,3.250,\"a, b\"\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "sqlite", "out.csv"})
  void verifyTakesTheSameMapping(String to) throws IOException {
    String[] mapping = {
      "--rename=id=article,price=amount",
      "--cast=price:decimal(9,2)",
      "--add=src=night",
      "--drop=junk"
    };
    done(copy(priceCsv(), end(to), mapping));
    List<String> words = new ArrayList<>(List.of("verify", priceCsv(), end(to)));
    words.addAll(List.of(mapping));
    Cli.Result same = run(words.toArray(String[]::new));
    assertThat(same.out()).as(same.err()).startsWith("same: 2 rows on both sides.");
    words.add("--select=id,junk,price");
    assertThat(run(words.toArray(String[]::new)).out()).startsWith("same: 2 rows on both sides.");
    file("price.csv", "id,price,junk\n1,10.50,zz\n2,3.26,yy\n");
    words.removeLast();
    Cli.Result differs = run(words.toArray(String[]::new));
    assertThat(differs.code()).isEqualTo(1);
    assertThat(differs.out()).contains("3.25", "3.26");
    refused(run("verify", priceCsv(), end(to), "--add=t=now()"), "nobody knows which one");
    refused(run("verify", priceCsv(), end(to), "--fit-names"), "are for copies");
  }

  @Test
  void typesHoldForTheValuesOfAllFilesOfAGlob() throws IOException {
    Files.createDirectories(home.resolve("in"));
    file("in/a1.csv", "a,b\n1,2\n");
    file("in/a2.csv", "b,a\nx,5\n");
    done(copy(home.resolve("in/*.csv").toString(), end("sqlite")));
    assertThat(rows(end("sqlite"))).isEqualTo("a,b\n1,2\n5,x\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl", "parquet"})
  void foldersNamedAsHiveNamesThemAreColumns(String kind) throws IOException {
    String rows = kind.equals("jsonl") ? "{\"a\":1}\n" : "a\n1\n";
    String from = file(kind.equals("jsonl") ? "x.jsonl" : "x.csv", rows);
    Path data = home.resolve("data-" + kind);
    for (String folder :
        List.of("y=2026/m=01/c=a%20b", "y=2027/m=02/c=__HIVE_DEFAULT_PARTITION__")) {
      Files.createDirectories(data.resolve(folder));
      done(copy(from, data.resolve(folder).resolve("rows." + kind).toString()));
    }
    String glob = data.resolve("*/*/*/*." + kind).toString();
    done(copy(glob, end("sqlite"), "--hive-partitioning"));
    String doc = kind.equals("jsonl") ? "doc" : "a";
    String one = kind.equals("jsonl") ? "\"{\"\"a\"\":1}\"" : "1";
    assertThat(rows(end("sqlite")))
        .isEqualTo("%1$s,y,m,c\n%2$s,2026,1,a b\n%2$s,2027,2,\n".formatted(doc, one));
    Path some = home.resolve("some.csv");
    done(copy(glob, some.toString(), "--hive-partitioning", "--where=y = 2027", "--select=m,y"));
    assertThat(Files.readString(some)).isIn("m,y\n2,2027\n", "m,y\n02,2027\n");
    done(copy(glob, end("plain.csv")));
    assertThat(Files.readString(Path.of(end("plain.csv")))).doesNotContain("2026");
  }

  @Test
  void foldersThatAreNotAlikeAreRefused() throws IOException {
    Files.createDirectories(home.resolve("d/y=1"));
    Files.createDirectories(home.resolve("d/z=1"));
    file("d/y=1/a.csv", "a\n1\n");
    file("d/z=1/a.csv", "a\n1\n");
    refused(
        copy(home.resolve("d/*/*.csv").toString(), end("sqlite"), "--hive-partitioning"),
        "values of z",
        "all alike");
    refused(copy(priceCsv(), end("sqlite"), "--hive-partitioning"), "no values");
  }

  @Test
  void aStarInColumnsStandsForAllOthers() throws IOException {
    String codes = file("codes.csv", "id,a,b\n1,5,2026-01-01\n");
    Cli.Result plan = copy(codes, end("sqlite"), "--columns=id:int32,*:text", "--dry-run");
    assertThat(plan.out())
        .containsPattern("column   id int32.*")
        .contains("column   a text", "column   b text");
  }

  @Test
  void theHelpHasAPageOfItsOwn() {
    Cli.Result page = run("help", "mapping");
    assertThat(page.code()).isZero();
    assertThat(page.out()).contains("--rename=OLD=NEW", "--fit-names", "Examples:");
    assertThat(run("copy", "--help").out())
        .contains("millrace help mapping")
        .doesNotContain("--fit-names");
    assertThat(run("help", "maping").err()).contains("Did you mean 'mapping'?");
  }
}
