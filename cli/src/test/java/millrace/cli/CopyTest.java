package millrace.cli;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import millrace.cli.command.CopyCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `millrace copy` and `millrace runs`, from what a user types to what a user reads.
final class CopyTest {

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  /// Only a column that the condition names has to be more than text.
  @Test
  void aConditionLeavesOtherColumnsOfAFileAsTheyAreSpelled() throws IOException {
    String second = "2,1.5,T,1e3,2024-01-01T10:00:00+09:00,01067\n";
    Path from =
        Files.writeString(
            home.resolve("from.csv"),
            "id,n,b,e,t,zip\n10,2.25,F,2e3,2024-01-01T10:00:00Z,12345\n" + second);
    Path to = home.resolve("to.csv");
    Cli.Result result = run("copy", from.toString(), to.toString(), "--where", "id < 5", "-q");
    assertThat(result.err()).isEmpty();
    assertThat(to).hasContent("id,n,b,e,t,zip\n" + second);
  }

  @Test
  void aCopyEndsWithAReportOnStandardErrorAndIsKept() {
    Cli.Result copied = run("copy", "generate:unload?rows=1000", "null:");
    assertThat(copied.code()).isZero();
    assertThat(copied.out()).isEmpty();
    assertThat(copied.err())
        .startsWith("copy done: 1,000 rows (")
        .doesNotContain("share of the lanes' time", "bottleneck");
    assertThat(copied.err().lines().count()).isLessThanOrEqualTo(8);

    Cli.Result listed = run("runs");
    assertThat(listed.code()).isZero();
    assertThat(listed.outLines()).hasSize(3);
    assertThat(listed.outLines().getLast()).contains("generate:unload", "null:", "1,000", "ok");

    String id = listed.outLines().getLast().split(" ", 2)[0];
    assertThat(copied.err())
        .endsWith("All figures: millrace runs last (" + id + ")" + System.lineSeparator());
    assertThat(run("runs", id).out())
        .contains("copy done: 1,000 rows", "share of the lanes' time", "column   name text");
    assertThat(run("runs", "last").out()).isEqualTo(run("runs", id).out());
  }

  /// They are neither the disk's time nor that of the rows' own bytes.
  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst"})
  void compressingAndDecompressingAreStagesOfTheirOwn(String ending) {
    String packed = home.resolve("rows.csv." + ending).toString();
    assertThat(run("copy", "generate:unload?rows=20000", packed, "--verbose").err())
        .containsPattern("compress +[0-9.]+ %")
        .doesNotContain("decompress");
    assertThat(run("copy", packed, "null:", "--verbose").err())
        .containsPattern("decompress +[0-9.]+ %")
        .containsPattern("connect and plan +[0-9.]+ s");
    assertThat(run("copy", "generate:unload?rows=20000", "null:", "--verbose").err())
        .doesNotContain("compress");
  }

  @Test
  void aVerboseCopyEndsWithAllThatRunsShows() {
    Cli.Result copied = run("copy", "generate:unload?rows=1000", "null:", "--verbose");
    assertThat(copied.err())
        .startsWith("copy done: 1,000 rows (")
        .contains("copy rows", "share of the lanes' time", "µs a row", "column   name text");
    assertThat(run("runs", "last").out()).endsWith(copied.err());
  }

  @Test
  void aRunThatWasRefusedIsTheLastOne() throws IOException {
    Path there = Files.writeString(home.resolve("there.csv"), "id\n1\n");
    run("copy", "generate:unload?rows=5", "null:");
    assertThat(run("copy", "generate:unload?rows=5", there.toString()).code()).isEqualTo(2);
    assertThat(run("runs", "last").out())
        .contains("there.csv holds rows already", "copy did not begin", "generate:unload");
    assertThat(run("runs").outLines()).hasSize(4).last().asString().contains(there + " ");
    assertThat(run("verify", "no.csv?password=s3cret", "nope:x").code()).isEqualTo(2);
    assertThat(run("runs", "last").out()).contains("verify did not begin").doesNotContain("s3cret");
  }

  @Test
  void aReportSaysWhereBadRecordsWent() throws IOException {
    Path from = Files.writeString(home.resolve("from.csv"), "id\n1\nx\ny\n4\n");
    Path bad = home.resolve("bad.csv");
    String[] copy = {
      "copy", from + "?columns=id:int64", "null:", "--max-rejects=2", "--rejects=" + bad
    };
    String told =
        "2 bad records were set aside in "
            + bad
            + ", with the reasons in "
            + bad
            + ".reasons.jsonl";
    assertThat(run(copy).err()).contains("2 rows and 2 rejects (", "  note  " + told);
    assertThat(run("runs", "last").out()).contains(told);
    Files.delete(bad);
    Files.delete(home.resolve("bad.csv.reasons.jsonl"));
    List<String> coded = new ArrayList<>(List.of(copy));
    coded.add("--rejects-exit-code=10");
    assertThat(run(coded.toArray(String[]::new)).code()).isEqualTo(10);
    coded.set(1, "generate:tokens?rows=3");
    assertThat(run(coded.toArray(String[]::new)).code()).as("without rejects").isZero();
    Files.delete(bad);
    Files.delete(home.resolve("bad.csv.reasons.jsonl"));
    copy[3] = "--max-rejects=1";
    assertThat(run(copy).err()).contains("; those before it are in " + bad);
  }

  @Test
  void aReportThatCannotBeKeptIsNotCalledKept() throws IOException {
    Files.createDirectories(home.resolve(".local/state/millrace"));
    Files.createFile(home.resolve(".local/state/millrace/runs"));
    Cli.Result copied = run("copy", "generate:unload?rows=1000", "null:");
    assertThat(copied.code()).isZero();
    assertThat(copied.err())
        .contains("millrace: this run's report can't be kept: ", "copy done: 1,000 rows")
        .doesNotContain("millrace runs");
  }

  @Test
  void theStepsMoveAsManyBytesAsTheWhole() throws IOException {
    Path file = home.resolve("in.csv");
    Files.writeString(file, "n,when\n".concat("1,2026-03-14T15:09:26\n".repeat(1000)));
    Cli.Result copied =
        run("copy", file.toString(), home.resolve("out.parquet").toString(), "--verbose");
    List<String> sizes =
        copied
            .err()
            .lines()
            .filter(line -> line.startsWith("  copy rows") || line.startsWith("  total"))
            .map(line -> line.replaceAll(".*1,000 +([0-9.]+ kB).*", "$1"))
            .toList();
    assertThat(sizes).containsExactly("21.5 kB", "21.5 kB");
  }

  @Test
  void loadAndUnloadAreTheSameVerb() {
    assertThat(run("load", "generate:tokens?rows=5", "null:").code()).isZero();
    assertThat(run("unload", "generate:tokens?rows=5", "null:").code()).isZero();
  }

  @Test
  void aDryRunPrintsThePlanAndMovesNothing() {
    Cli.Result result = run("copy", "generate:unload?rows=1000", "null:", "--dry-run");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains("from     generate:unload, about 1,000 rows", "lanes    1", "column   name");
    assertThat(run("copy", "generate:unload?rows=1000", "null:", "--dry-run", "--json").outLines())
        .singleElement(as(STRING))
        .startsWith("{\"event\":\"plan\",\"plan\":[\"from     generate:unload");
    assertThat(run("runs").outLines()).hasSize(2);
  }

  @Test
  void aRecordingHasTheMethodsOfTheCopyAndNoArguments() throws IOException {
    Path recording = home.resolve("copy.jfr");
    run("copy", "generate:unload?rows=9", "null:", "--jfr=" + recording);
    Cli.Result result = run("copy", "generate:unload?rows=1000000", "null:", "--jfr=" + recording);
    assertThat(result.code()).isZero();
    // Of tests in the same process that end meanwhile JUnit records that.
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(recording).stream()
            .filter(event -> !event.getEventType().getName().startsWith("org.junit."))
            .toList();
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .isSubsetOf("jdk.CPUTimeSample", "jdk.ExecutionSample", "jdk.CPUTimeSamplesLost");
    assertThat(events)
        .filteredOn(event -> event.getStackTrace() != null)
        .flatExtracting(event -> event.getStackTrace().getFrames())
        .extracting(frame -> frame.getMethod().getType().getName())
        .anyMatch(name -> name.startsWith("millrace.engine."));
  }

  @Test
  void aRecordingThatCannotBeWrittenIsToldBeforeTheCopyBegins() {
    Path out = home.resolve("rows.csv");
    Cli.Result result =
        run("copy", "generate:unload?rows=9", out.toString(), "--jfr", home + "/none/x.jfr");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("--jfr can't be written: ", "none/x.jfr");
    assertThat(out).doesNotExist();
  }

  @Test
  void aRecordingWritesOverNothingButARecording() throws IOException {
    Path rows = Files.writeString(home.resolve("rows.csv"), "id\n1\n");
    Cli.Result result = run("copy", rows.toString(), "null:", "--jfr=" + rows);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("rows.csv exists, and is no recording.");
    assertThat(rows).hasContent("id\n1\n");
  }

  @Test
  void theOptionOfEarlierNamesTheOneInItsPlace() {
    Cli.Result result = run("copy", "generate:unload?rows=9", "null:", "--methods");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("Unknown option: '--methods'. Use --jfr FILE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rows.csv", "rows.parquet", "duckdb:rows.db?table=t"})
  void ceilingsAndAGoalAreToldAndLeaveNothingBehind(String target) throws IOException {
    Path folder = Files.createDirectories(home.resolve("out"));
    String to = target.replaceFirst("rows", folder + "/rows");
    Cli.Result result =
        run("copy", "generate:unload?rows=20000", to, "--ceilings", "--goal=1h", "--lanes=1");
    assertThat(result.code()).isZero();
    assertThat(result.err())
        .contains(
            "source alone",
            "target alone",
            "from memory into a scratch file",
            "target's disk",
            "sequential write")
        .doesNotContain("not measured");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).singleElement().asString().matches(".*/rows\\.(csv|parquet|db)");
    }
  }

  @Test
  void whatATargetDoesWhenAllRowsAreThereCountsAgainstItsCeiling() throws IOException {
    Path file = home.resolve("rows.parquet");
    Cli.Result result =
        run("copy", "generate:unload?rows=200000", file.toString(), "--ceilings", "--json");
    JsonNode report = new ObjectMapper().readTree(result.outLines().getLast()).path("report");
    long nanos = 0;
    for (JsonNode step : report.path("steps")) {
      nanos +=
          step.path("name").asText().matches("(copy rows|complete target)")
              ? step.path("nanos").asLong()
              : 0;
    }
    JsonNode target = ceiling(report, "target alone");
    assertThat(target.path("percent").asDouble())
        .isCloseTo(
            100 * 200_000 / (nanos / 1e9) / target.path("rows_per_s").asDouble(), within(0.1));
  }

  private static JsonNode ceiling(JsonNode report, String what) {
    for (JsonNode ceiling : report.path("ceilings").path("measured")) {
      if (ceiling.path("what").asText().equals(what)) {
        return ceiling;
      }
    }
    throw new AssertionError(what + " was not measured: " + report.path("ceilings"));
  }

  @Test
  void thatStandardOutputCannotBeMeasuredIsTold() {
    Cli.Result result = run("copy", "generate:unload?rows=1000", "-", "--ceilings");
    assertThat(result.err())
        .contains("source alone", "not measured: the target, because what standard output takes");
  }

  @Test
  void quietSaysNothing() {
    Cli.Result result = run("copy", "generate:unload?rows=1000", "null:", "--quiet");
    assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
  }

  @Test
  void jsonGivesTheReportAsOneLineOfStandardOutput() throws IOException {
    Cli.Result result = run("copy", "generate:unload?rows=1000", "null:", "--json");
    assertThat(result.err()).isEmpty();
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    assertThat(last.path("event").asText()).isEqualTo("report");
    assertThat(last.path("report").path("rows").asLong()).isEqualTo(1000);
    assertThat(last.path("report").path("outcome").asText()).isEqualTo("ok");
    assertThat(last.path("report").path("steps")).isNotEmpty();
    JsonNode kept = new ObjectMapper().readTree(run("runs", "last", "--json").out());
    assertThat(kept).isEqualTo(last.path("report"));
  }

  @Test
  void optionsOfAConnectorAreThoseOfItsUrl() {
    assertThat(run("copy", "generate:unload", "null:", "--rows", "7").err()).contains(": 7 rows");
    assertThat(run("copy", "generate:unload?rows=9", "null:", "--rows=7").err())
        .contains(": 9 rows");
  }

  @Test
  void namesThatHoldCommasAreListedInQuotes() throws IOException {
    Path from = Files.writeString(home.resolve("from.csv"), "id,\"a,b\",\"c:d\"\n1,2,3\n");
    Path to = home.resolve("to.csv");
    String columns = "\"a,b\":text,\"c:d\":decimal(5,2)";
    assertThat(run("copy", from.toString(), to.toString(), "--select=\"c:d\", \"a,b\"").code())
        .isZero();
    assertThat(to).hasContent("c:d,\"a,b\"\n3,2\n");
    assertThat(run("preview", from.toString(), "--columns", columns).out())
        .containsPattern("a,b +text")
        .containsPattern("c:d +decimal\\(5,2\\)");
    assertThat(run("copy", from.toString(), "null:", "--select=a,b").err())
        .contains("has no column 'a'", "It has id, \"a,b\", c:d.");
  }

  @Test
  void selectAndLimitAndLanesReachTheRun() {
    Cli.Result result =
        run(
            "copy",
            "generate:unload?rows=1000",
            "null:",
            "--select=amount, name",
            "--limit=10",
            "--lanes=2",
            "--dry-run");
    assertThat(result.out().lines().filter(line -> line.startsWith("column")))
        .extracting(line -> List.of(line.split(" +")).get(1))
        .containsExactly("amount", "name");
    assertThat(result.out()).contains("2 lanes asked, 1 used");
  }

  @Test
  void thePlanSaysWhatBecomesOfTheCommitUnit() throws IOException {
    Path from = Files.writeString(home.resolve("few.csv"), "a\n1\n2\n3\n");
    Cli.Result parts =
        run(
            "copy",
            from.toString(),
            home.resolve("to.csv").toString(),
            "--commit-unit=2",
            "--write-unit=5",
            "--dry-run");
    assertThat(parts.out())
        .contains(
            "units    write 5, as requested",
            "note     Rows are committed after the batch that reaches the commit unit (2 rows)");
    Cli.Result whole =
        run(
            "copy",
            from.toString(),
            "sqlite:" + home.resolve("t.db") + "?table=t",
            "--commit-unit=2",
            "--dry-run");
    assertThat(whole.out())
        .contains("note     --commit-unit has no effect: all rows are committed at once")
        .doesNotContain("as requested");
  }

  @Test
  void aLaneThatIsTheOnlyOnePossibleIsToldAsThatThoughNoMoreWereAsked() throws IOException {
    Path from = Files.writeString(home.resolve("one.csv"), "a\n1\n2\n3\n");
    assertThat(run("copy", from.toString(), "null:", "--lanes=1", "--dry-run").out())
        .contains("lanes    1 (the source is small)");
    String to = "sqlite:" + home.resolve("t.db") + "?table=t";
    assertThat(run("copy", "generate:unload?rows=90000000", to, "--lanes=1", "--dry-run").out())
        .contains("lanes    1 (all rows are written in one transaction, by one connection)");
  }

  @Test
  void aConditionMayNameColumnsThatAreNotSelected() throws IOException {
    Path from = Files.writeString(home.resolve("ages.csv"), "name,age,year\nAnn,41,1\nBob,7,2\n");
    Path to = home.resolve("names.csv");
    assertThat(
            run("copy", from.toString(), to.toString(), "--select=name", "--where=age > 8").code())
        .isZero();
    assertThat(to).hasContent("name\nAnn\n");
    assertThat(run("preview", from.toString(), "--select=name", "--where=year = 2").out())
        .contains("Bob")
        .doesNotContain("Ann", "year");
    assertThat(
            run("verify", from.toString(), to.toString(), "--select=name", "--where=name <> 'Bob'")
                .code())
        .isZero();
  }

  @Test
  void aTimeThatAFormatCanNotSpellIsReportedInOneSentence() throws IOException {
    Path from = Files.writeString(home.resolve("times.csv"), "at\n23:59:59.5\n");
    Path to = home.resolve("spelled.csv");
    assertThat(run("copy", from + "?columns=at:time", to + "?time-format=hhmmss").err())
        .contains("23:59:59.5", "can't be written to " + to + ": ")
        .doesNotContain("..\n");
  }

  @Test
  void jsonLinesOfNoDocumentsAreReadBack() throws IOException {
    Path none = Files.createFile(home.resolve("none.jsonl"));
    Path copy = home.resolve("copy.jsonl");
    assertThat(run("copy", none.toString(), copy.toString()).err()).contains("copy done: 0 rows");
    assertThat(run("verify", none.toString(), copy.toString()).out()).startsWith("same: 0 rows");
  }

  @Test
  void theCommandThatGoesOnHasBothUrlsAndNoPassword() {
    assertThat(
            CopyCommand.again(
                "copy",
                List.of(
                    "postgresql://me:secret@one:5432/db?table=a",
                    "postgresql://me@two:5432/db?table=b",
                    "--limit",
                    "two words",
                    "--fresh")))
        .isEqualTo(
            "millrace copy 'postgresql://me:***@one:5432/db?table=a'"
                + " 'postgresql://me@two:5432/db?table=b' --limit 'two words' --resume");
  }

  @Test
  void aLongConditionIsNotPrintedWholeInAPlan() {
    String condition = "name <> '" + "ab ".repeat(500) + "'";
    Cli.Result result =
        run("copy", "generate:unload?rows=10", "null:", "--where", condition, "--dry-run");
    assertThat(result.out()).contains("filter   here").contains("(1,510 characters)");
    assertThat(result.outLines()).allMatch(line -> line.length() < 250);
  }

  @Test
  void aConnectionsFileWithPasswordsThatOthersMayReadIsWarnedOf() throws IOException {
    Path folder = Files.createDirectories(home.resolve(".config/millrace"));
    Path file = folder.resolve("connections.yaml");
    Files.writeString(
        file,
        """
        connections:
          P:
            type: postgresql
            host: localhost
            password: s3cret
            database: shop
          D: duckdb:nothing.db
        """);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Cli.Result open = run("preview", "D:t");
    assertThat(open.err()).contains("others may read it", "chmod 600").doesNotContain("s3cret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(run("preview", "D:t").err()).doesNotContain("chmod");
    Files.writeString(
        file,
        """
        connections:
          P: {type: postgresql, host: localhost, password: s3cret, database: shop}
          D: duckdb:nothing.db
        """);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("preview", "D:t").err()).contains("others may read it").doesNotContain("s3cret");
  }
}
