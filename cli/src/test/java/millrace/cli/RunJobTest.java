package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/// `millrace run`, from the job file to the rows.
final class RunJobTest {

  @TempDir private Path home;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(home.resolve("in"));
    Files.createDirectories(home.resolve("out"));
    file("in/orders.csv", "id,note\n1,a\n2,b\n3,c\n");
    file("in/items.csv", "sku,n\nx,1\ny,2\n");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(home.resolve(name), text);
  }

  /// The folder of the test stands in the place of `~`.
  private Path job(String text) throws IOException {
    return file("job.yaml", text.replace("~", home.toString()));
  }

  private Cli.Result run(String... more) {
    List<String> words = new ArrayList<>(List.of("run", home.resolve("job.yaml").toString()));
    words.addAll(Arrays.asList(more));
    return new Cli(home).run(words.toArray(String[]::new));
  }

  private String rows(String end) throws IOException {
    Path out = home.resolve("rows.csv");
    Cli.Result copied =
        new Cli(home)
            .run("copy", end.replace("~", home.toString()), out.toString(), "--mode", "replace");
    assertThat(copied.code()).as(copied.err()).isZero();
    return Files.readString(out);
  }

  @Test
  void filesGoIntoADatabaseAndBackAsTheJobSays() throws IOException {
    job(
        """
        source: file://
        target: duckdb:~/shop.db
        defaults:
          mode: full-refresh
          object: main.{stream_file_name}
        streams:
          '~/in/*.csv':
          file://~/in/orders.csv:
            object: main.recent
            where: id > {LEAST}
        env:
          LEAST: 1
        """);
    Cli.Result result = run();
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("2 tables: 2 ok; 4 rows");
    assertThat(rows("duckdb:~/shop.db?table=items")).isEqualTo("sku,n\nx,1\ny,2\n");
    assertThat(rows("duckdb:~/shop.db?table=recent")).isEqualTo("id,note\n2,b\n3,c\n");

    assertThat(run("--set", "LEAST=2", "--only", "file://" + home + "/in/orders.csv").err())
        .contains("1 table: 1 ok; 1 rows");
    job(
        """
        source: duckdb:~/shop.db
        target: LOCAL
        streams:
          '*':
            object: ~/out/{stream_table}.csv
          counted:
            sql: SELECT count(*) AS n FROM recent
            object: ~/out/{stream_table}.csv
        """);
    Cli.Result back = run();
    assertThat(back.err()).contains("3 tables: 3 ok; 4 rows");
    assertThat(Files.readString(home.resolve("out/recent.csv"))).isEqualTo("id,note\n3,c\n");
    assertThat(Files.readString(home.resolve("out/counted.csv"))).isEqualTo("n\n1\n");
  }

  @Test
  void aStreamIsMergedByItsKey() throws IOException {
    job(
        """
        target: sqlite:~/shop.db
        defaults: {object: orders}
        streams:
          ~/in/orders.csv: {mode: incremental, primary_key: id}
        """);
    assertThat(
            new Cli(home)
                .run("copy", home + "/in/orders.csv", "sqlite:" + home + "/shop.db?table=orders")
                .code())
        .isZero();
    file("in/orders.csv", "id,note\n3,changed\n4,new\n");
    Cli.Result result = run();
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(rows("sqlite:~/shop.db?table=orders"))
        .isEqualTo("id,note\n1,a\n2,b\n3,changed\n4,new\n");
  }

  @Test
  void optionsOfAnEndReachThatEndAlone() throws IOException {
    file("in/semicolons.csv", "id;note\n1;a\n");
    job(
        """
        streams:
          ~/in/semicolons.csv:
            object: ~/out/bars.csv
            source_options: {delimiter: ';'}
            target_options: {delimiter: '|'}
        """);
    assertThat(run().code()).isZero();
    assertThat(Files.readString(home.resolve("out/bars.csv"))).isEqualTo("id|note\n1|a\n");
  }

  @Test
  void connectionsOfSlingHaveASchema() throws IOException {
    Files.createDirectories(home.resolve(".config/millrace"));
    file(
        ".config/millrace/connections.yaml",
        """
        connections:
          LAKE: {type: duckdb, instance: %s/lake.db, schema: landing}
        """
            .formatted(home));
    job(
        """
        source: file://
        target: LAKE
        streams:
          ~/in/orders.csv: {object: '{target_schema}.o'}
          ~/in/items.csv: {object: i}
        """);
    Cli.Result result = run();
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(rows("duckdb:~/lake.db?table=landing.o")).startsWith("id,note\n");
    assertThat(rows("lake:i")).startsWith("sku,n\n");
  }

  @Test
  void hooksRunBeforeAndAfterStreamsAndTheJob() throws IOException {
    job(
        """
        hooks:
          start: [{command: [sh, -c, 'echo start >> ~/log']}]
          end: [{command: 'echo end >> ~/log; echo well done', shell: true}]
        streams:
          ~/in/orders.csv:
            object: ~/out/o.csv
            hooks:
              pre: [{command: 'test ! -e ~/out/o.csv && echo pre >> ~/log', shell: true}]
              post: [{command: 'test -e ~/out/o.csv && echo post $N >> ~/log', shell: true, env: {N: 7}}]
        """);
    Cli.Result dry = run("--dry-run");
    assertThat(dry.code()).isZero();
    assertThat(dry.out()).contains("hook before the job: sh -c", "hook after", "o.csv");
    assertThat(home.resolve("out")).isEmptyDirectory();
    assertThat(home.resolve("log")).doesNotExist();
    Cli.Result result = run();
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("after the job: well done");
    assertThat(Files.readAllLines(home.resolve("log")))
        .containsExactly("start", "pre", "post 7", "end");
    assertThat(run("--resume").err()).contains("1 done before");
    assertThat(Files.readAllLines(home.resolve("log"))).hasSize(4);
  }

  @Test
  void aHookThatFailsBeforeAStreamStopsThatStream() throws IOException {
    job(
        """
        streams:
          ~/in/orders.csv:
            object: ~/out/o.csv
            hooks:
              pre:
                - command: [sh, -c, 'echo no disk; exit 3']
              post: [{command: [touch, ~/after]}]
          ~/in/items.csv:
            object: ~/out/i.csv
        """);
    Cli.Result result = run();
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(result.err())
        .contains("job.yaml, line 6: the hook before", "exit code 3", "no disk", "--resume");
    assertThat(home.resolve("out/o.csv")).doesNotExist();
    assertThat(home.resolve("after")).doesNotExist();
    assertThat(home.resolve("out/i.csv")).exists();
  }

  @Test
  void aHookThatFailsBeforeTheJobStopsAll() throws IOException {
    job(
        """
        hooks:
          start: [{command: [no-such-program]}]
        streams:
          ~/in/items.csv: {object: ~/out/i.csv}
        """);
    Cli.Result result = run();
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(result.err()).contains("line 2: the hook before the job", "can't be run");
    assertThat(home.resolve("out")).isEmptyDirectory();
  }

  @Test
  void aHookThatFailsAfterAStreamFailsTheJobAndIsGoneOnWith() throws IOException {
    job(
        """
        hooks:
          end: [{command: [touch, ~/ended]}]
        streams:
          ~/in/items.csv:
            object: ~/out/i.csv
            mode: append
            hooks:
              post: [{command: [test, -e, ~/mended]}]
        """);
    Cli.Result result = run("--junit", home.resolve("j.xml").toString());
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(result.err()).contains("line 8: the hook after", "1 table: 1 ok; 2 rows");
    assertThat(Files.readString(home.resolve("j.xml"))).contains("failures=\"1\"", "line 8");
    assertThat(home.resolve("ended")).doesNotExist();
    file("mended", "");
    Cli.Result again = run("--resume");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.err()).contains("1 done before");
    assertThat(home.resolve("ended")).exists();
    assertThat(Files.readString(home.resolve("out/i.csv"))).isEqualTo("sku,n\nx,1\ny,2\n");
  }

  @Test
  void aHookThatOnlyWarnsOrTakesTooLongIsTold() throws IOException {
    job(
        """
        streams:
          ~/in/items.csv:
            object: ~/out/i.csv
            hooks:
              pre: [{command: ['false'], on_failure: warn}]
              post: [{command: [sleep, 60], timeout: 1}]
        """);
    Cli.Result result = run();
    assertThat(result.err())
        .contains("line 5: the hook before", "line 6: the hook after", "did not end within 1 s");
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(home.resolve("out/i.csv")).exists();
  }

  @Test
  void aStreamThatFailedIsGoneOnWithAndOneThatChangedIsDoneAnew() throws IOException {
    file("in/bad.csv", "id,n\n1,x\"y\n2,\"open\n");
    String text =
        """
        streams:
          ~/in/items.csv: {object: ~/out/i.csv, mode: replace}
          ~/in/bad.csv: {object: ~/out/b.csv}
        """;
    job(text);
    Cli.Result failed = run();
    assertThat(failed.code()).as(failed.err()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(failed.err()).contains("1 ok, 1 failed", "Go on with: millrace run");
    file("in/bad.csv", "id,n\n1,x\n");
    assertThat(run("--resume").err()).contains("1 ok, 1 done before");
    job(text.replace("mode: replace", "mode: replace, where: n > 1"));
    Cli.Result changed = run("--resume");
    assertThat(changed.err()).contains("(changed", "1 ok, 1 done before");
    assertThat(Files.readString(home.resolve("out/i.csv"))).isEqualTo("sku,n\ny,2\n");
  }

  @Test
  void whatIsRunAloneLeavesTheOthersDone() throws IOException {
    job(
        """
        defaults: {mode: append}
        streams:
          ~/in/items.csv: {object: ~/out/i.csv}
          ~/in/orders.csv:
            object: ~/out/o.csv
            hooks: {pre: [{command: [test, -e, ~/ready]}]}
        """);
    assertThat(run().err()).contains("1 ok, 1 failed");
    file("ready", "");
    assertThat(run("--only", home + "/in/orders.csv").err()).contains("1 table: 1 ok");
    assertThat(run("--resume").err()).contains("2 tables: 2 done before");
    assertThat(Files.readString(home.resolve("out/i.csv"))).isEqualTo("sku,n\nx,1\ny,2\n");
  }

  private void refused(String text, int line, String... words) throws IOException {
    job(text);
    Cli.Result result = run();
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    assertThat(result.err()).contains("job.yaml, line " + line + ": ").contains(words);
    assertThat(home.resolve("out")).isEmptyDirectory();
  }

  @Test
  void whatCantBeDoneIsToldBeforeTheFirstRow() throws IOException {
    String first = "streams:\n  ~/in/items.csv: {object: ~/out/i.csv}\n";
    refused(first + "  ~/in/orders.csv: {object: ~/out/./i.csv}\n", 3, "line 2", "another object:");
    refused(first + "  ~/in/x*.csv: {object: '~/out/{stem}.csv'}\n", 3, "x*.csv");
    refused(first + "  ~/in/none.csv: {object: ~/out/n.csv}\n", 3, "none.csv");
    refused(first + "  ~/in/orders.csv:\n", 3, "has no object:");
    refused(first + "  ~/in/orders.csv:\n    object: ~/out/o.csv\n    lanes: 0\n", 5, "--lanes 0");
    refused(first + "  ~/in/orders.csv:\n    object: ~/out/o.csv\n    limit: x\n", 5, "--limit");
    refused(
        first + "  ~/in/orders.csv:\n    object: ~/out/o.csv\n    freeze: true\n",
        5,
        "--freeze means nothing");
    refused(
        first + "  ~/in/orders.csv:\n    object: ~/out/o.csv\n    source_options: {delim: x}\n",
        5,
        "means nothing to");
    refused(first + "  ~/in/orders.csv: {object: '~/out/{tabel}.csv'}\n", 3, "{tabel}");
    refused(first + "  ~/in/orders.csv: {object: '-'}\n", 3, "Standard input and output");
    refused("source: nope\n" + first.replace("~/in/items.csv", "public.x"), 3, "nor a connection");
    refused(
        "source: duckdb:~/no.db\nstreams:\n  'a.*': {object: '~/out/{table}.csv'}\n", 3, "no.db");
    refused("streams:\n\ta: {object: b}\n", 2, "tab");
  }

  @Test
  void programsReadTheSummaryAsJsonAndAsJUnitAndPeopleInALog() throws Exception {
    file("in/bad.csv", "id,n\n1,x\"y\n2,\"open\n");
    job(
        """
        defaults: {max-rejects: 5, rejects: '~/bad-{table}.csv', rejects-exit-code: 9}
        streams:
          '~/in/[io]*s.csv': {object: '~/out/{table}.csv'}
        """);
    Path log = home.resolve("job.log");
    Path junit = home.resolve("job.xml");
    Cli.Result result = run("--json", "--log", log.toString(), "--junit", junit.toString());
    assertThat(result.code()).as(result.err()).isZero();
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    assertThat(last.path("event").asText()).isEqualTo("job");
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
    assertThat(xml.getDocumentElement().getAttribute("tests")).isEqualTo("2");
    assertThat(xml.getElementsByTagName("testcase").getLength()).isEqualTo(2);
    assertThat(run("--log", log.toString(), "--resume").code()).isZero();
    assertThat(Files.readString(log)).containsPattern("(?m)^[0-9T:-]+Z 2 tables: 2 done before");
    job("streams: {~/in/none.csv: {object: ~/out/x.csv}}\n");
    assertThat(run("--log", log.toString()).code()).isEqualTo(ExitCode.USER.number());
    assertThat(Files.readString(log)).contains("none.csv");
    assertThat(run("--junit", home + "/no/x.xml").err()).contains("--junit");
    assertThat(run("--log", home + "/no/x.log").err()).contains("--log");
  }

  @Test
  void badRecordsGoToAFileForEachStreamAndHaveACodeOfTheirOwn() throws IOException {
    file("in/bad.csv", "id,n\n1,x\n2\n");
    file("in/worse.csv", "id,n\n1,x\n2\n3\n");
    String text =
        """
        defaults: {max-rejects: 5, rejects: '~/bad-{table}.csv', rejects-exit-code: 9}
        streams:
          ~/in/bad.csv: {object: ~/out/b.csv}
          ~/in/worse.csv: {object: ~/out/w.csv}
        """;
    refused(text.replace("-{table}", ""), 1, "bad.csv is that of", "bad-{table}.csv");
    job(text);
    Cli.Result result = run();
    assertThat(result.code()).as(result.err()).isEqualTo(9);
    assertThat(Files.readString(home.resolve("bad-bad.csv"))).isEqualTo("id,n\n2\n");
    assertThat(Files.readString(home.resolve("bad-worse.csv"))).isEqualTo("id,n\n2\n3\n");
    job(text.replace("exit-code: 9", "exit-code: 300"));
    assertThat(run().err()).contains("line 1: rejects-exit-code: 300");
    job(text);
    Cli.Result other = run("--rejects-exit-code", "11", "--resume");
    assertThat(other.code()).as(other.err()).isEqualTo(11);
  }

  @Test
  void theSchemaIsForEditors() throws IOException {
    Cli.Result result = new Cli(home).run("run", "--schema");
    JsonNode schema = new ObjectMapper().readTree(result.out());
    JsonNode stream = schema.at("/definitions/stream/properties");
    assertThat(stream.path("max_rejects").path("description").asText()).contains("0.1%");
    assertThat(stream.path("atomic").path("type").asText()).isEqualTo("boolean");
    assertThat(stream.at("/mode/enum").toString()).contains("full-refresh", "merge");
    assertThat(schema.at("/properties/hooks/properties/start/$ref").asText()).contains("hooks");
    assertThat(new Cli(home).run("run").err()).contains("JOB is missing");
  }

  @Test
  void aCopyThatWasTypedIsSavedAndRun() throws IOException {
    String job = home.resolve("saved.yaml").toString();
    String[] typed = {
      "copy",
      home + "/in/orders.csv",
      home + "/out/o.csv",
      "--where",
      "note <> '{b}'",
      "--mode",
      "replace",
      "--delimiter",
      ",",
      "--save",
      job
    };
    Cli.Result saved = new Cli(home).run(typed);
    assertThat(saved.code()).as(saved.err()).isZero();
    assertThat(saved.err()).contains("saved.yaml is written");
    String first = Files.readString(home.resolve("out/o.csv"));
    Files.delete(home.resolve("out/o.csv"));
    Cli.Result run = new Cli(home).run("run", job);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(Files.readString(home.resolve("out/o.csv"))).isEqualTo(first);
    assertThat(new Cli(home).run(typed).err()).contains("exists already");

    String many = home.resolve("many.yaml").toString();
    Cli.Result all =
        new Cli(home)
            .run(
                "copy",
                home + "/in/*.csv",
                "sqlite:" + home + "/all.db?table={table}",
                "--exclude",
                "it*",
                "--lanes",
                "3",
                "--fail-fast",
                "--dry-run",
                "--save",
                many);
    assertThat(all.code()).as(all.err()).isZero();
    assertThat(Files.readString(Path.of(many))).contains("defaults:", "lanes: \"3\"", "fail-fast");
    assertThat(new Cli(home).run("run", many).err()).contains("1 table: 1 ok; 3 rows");
  }

  @Test
  void onlyWhatIsNamedIsRun() throws IOException {
    job("streams:\n  ~/in/*.csv: {object: '~/out/{table}.csv'}\n");
    assertThat(run("--only", "orders").err()).contains("1 table: 1 ok; 3 rows");
    Cli.Result none = run("--only", "order");
    assertThat(none.err()).contains("--only order", "Did you mean 'orders'?");
    assertThat(none.code()).isEqualTo(ExitCode.USER.number());
  }
}
