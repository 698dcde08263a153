package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `millrace sweep`, `compare` and `copy --profile NAME`, from what a user types to what a user
/// gets.
final class SweepTest {

  private static final String ROWS = "generate:unload?rows=3000";

  @TempDir private Path home;
  private Path folder;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectories(home.resolve("out"));
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rows.csv", "rows.parquet", "duckdb:rows.db?table=t", "rows.csv?files=per-split"})
  void everySettingIsCopiedAndNothingIsLeftBehind(String target) throws IOException {
    String to = target.replaceFirst("rows", folder + "/rows");
    Cli.Result swept =
        run("sweep", ROWS, to, "--vary=read-unit=100,1000", "--vary=lanes=1,2", "--repeat=2");
    assertThat(swept.code()).as(swept.err()).isZero();
    assertThat(swept.err())
        .as("what ran with one lane is not repeated")
        .contains("round 1 of 2, copy 4 of 4: ", "round 2 of 2, copy 2 of 2: ");
    assertThat(swept.out())
        .contains("read-unit  lanes", "best       ", "noise      ")
        .contains("read-unit (lanes=1)", "cost (one call = one unit)")
        .contains("note  lanes=2 ran with 1", "left out   2 of 4 settings did not take effect");
    assertNothingIsLeft();
    assertThat(run("runs").outLines()).as("copies of a sweep are no runs").hasSize(2);
  }

  @Test
  void whatWasFoundIsAProfileThatACopyUses() {
    String to = folder.resolve("rows.csv").toString();
    Cli.Result swept =
        run("sweep", ROWS, to, "--vary=write-unit=64kB,1MB", "--repeat=1", "--profile-name=night");
    assertThat(swept.out()).contains("millrace copy '" + ROWS + "' " + to + " --profile night");

    Cli.Result copied = run("copy", ROWS, to, "--profile", "night", "--lanes=1");
    assertThat(copied.code()).isZero();
    assertThat(copied.err()).startsWith("Profile night: write-unit=").doesNotContain("samples");
    assertThat(run("copy", "--profile=night", ROWS, "null:", "--write-unit=7").err())
        .as("what is given wins")
        .startsWith("copy done: ");
    Cli.Result unknown = run("copy", ROWS, "null:", "--profile", "nihgt");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("There is no profile nihgt");
  }

  @Test
  void aSweepIsKeptAndComparedAndIsAProfileByItsName() throws IOException {
    run("sweep", ROWS, "null:", "--vary=read-unit=10,1000", "--repeat=1", "--rows=2000");
    Cli.Result compared = run("compare", "last");
    assertThat(compared.out()).contains("read-unit", "knee", "a call", "time, µs");
    String id = compared.outLines().getFirst().replace("sweep ", "");
    Path page = home.resolve(".local/state/millrace/sweeps/" + id + ".html");
    assertThat(page).content().contains("<!DOCTYPE html>", id);
    assertThat(run("copy", ROWS, "null:", "--profile", id).err()).startsWith("Profile " + id);

    Cli.Result points = run("compare", "last/read-unit=10", "last/read-unit=1000");
    assertThat(points.out()).contains("B/A", "elapsed", "stages", "reader read", "2,000");
    assertThat(run("compare", "last/read-unit", "last/read-unit=10").err())
        .contains("'read-unit' is not a setting of sweep " + id);
  }

  @Test
  void twoRunsStandSideBySide() throws IOException {
    run("copy", ROWS, "null:", "--lanes=1");
    run("copy", ROWS, "null:", "--read-unit=10", "--lanes=1");
    String id = run("runs").outLines().get(2).split(" ", 2)[0];
    Cli.Result text = run("compare", id, "last");
    assertThat(text.code()).isZero();
    assertThat(text.out()).contains("A  " + id, "steps", "  copy rows", "stages", "host", "B/A");
    JsonNode json = new ObjectMapper().readTree(run("compare", id, "last", "--json").out());
    assertThat(json.path("a").path("id").asText()).isEqualTo(id);
    assertThat(json.path("figures"))
        .hasSizeGreaterThan(20)
        .anyMatch(figure ->
            figure.path("name").asText().equals("rows") && figure.path("a").isIntegralNumber());
    assertThat(run("compare", "nothing").err()).contains("There is no sweep nothing");
  }

  @Test
  void jsonTellsEachCopyAndThenTheSweep() throws IOException {
    Path page = home.resolve("page.html");
    Cli.Result result =
        run("sweep", ROWS, "null:", "--vary=lanes=1", "--repeat=2", "--json", "--html=" + page);
    assertThat(result.err()).isEmpty();
    assertThat(result.outLines()).hasSize(3);
    JsonNode first = new ObjectMapper().readTree(result.outLines().getFirst());
    assertThat(first.path("settings").path("lanes").asText()).isEqualTo("1");
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    assertThat(last.path("page").asText()).isEqualTo(page.toString());
    assertThat(last.path("sweep").path("points").get(0).path("rows").asLong()).isEqualTo(3000);
    assertThat(page).exists();
  }

  @Test
  void thePageIsWrittenOverNothingAndItsFolderMustExist() throws IOException {
    Path rows = Files.writeString(home.resolve("rows.csv"), "a\n1\n");
    String from = rows.toString();
    Cli.Result over = run("sweep", from, "null:", "--vary=lanes=1", "--html=" + rows);
    assertThat(over.code()).isEqualTo(2);
    assertThat(over.err()).contains("The file " + rows + " exists already.");
    assertThat(rows).hasContent("a\n1\n");

    Path page = home.resolve("none/page.html");
    Cli.Result nowhere = run("sweep", from, "null:", "--vary=lanes=1", "--html=" + page);
    assertThat(nowhere.code()).isEqualTo(2);
    assertThat(nowhere.err()).contains("There is no folder " + page.getParent() + " for the page.");
  }

  @Test
  void whatWasAskedForAndCannotBeWrittenIsAFailureAndTheRestIsTold() throws IOException {
    Files.createDirectories(home.resolve(".config/millrace"));
    Files.createFile(home.resolve(".config/millrace/profiles"));
    Path page = Files.createDirectory(home.resolve("pages")).resolve("page.html");
    Cli.Result result =
        run(
            "sweep",
            ROWS,
            "null:",
            "--vary=lanes=1",
            "--repeat=1",
            "--profile-name=night",
            "--html=" + page,
            "--before=rm -rf " + page.getParent());
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err())
        .contains("Can't write the page " + page + ": there is no such file or folder.")
        .contains("Can't write the profile " + home.resolve(".config/millrace/profiles"));
    assertThat(result.out()).contains("best       lanes=1").doesNotContain("  page", "  profile");
  }

  @Test
  void aFolderThatCannotBeListedKeepsNoReportAndFailsNoCopy() throws IOException {
    Path state = Files.createDirectories(home.resolve(".local/state/millrace"));
    Files.createFile(state.resolve("runs"));
    Cli.Result copied = run("copy", ROWS, "null:");
    assertThat(copied.code()).isZero();
    assertThat(copied.err()).contains("this run's report can't be kept: " + state.resolve("runs"));
    Cli.Result listed = run("runs");
    assertThat(listed.code()).isEqualTo(4);
    assertThat(listed.err()).contains("Can't list " + state.resolve("runs"), "it is no folder");
  }

  @Test
  void aSettingThatCannotBeCopiedWithIsToldAndTheOthersAreMeasured() throws IOException {
    String to = folder.resolve("rows.parquet").toString();
    Cli.Result result = run("sweep", ROWS, to, "--vary=compression=nonsense,zstd", "--repeat=1");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("failed: ", "there is no compression 'nonsense'", "best, knee");
    assertNothingIsLeft();
  }

  @Test
  void aCommandRunsBeforeEachCopyAndItsFailureEndsTheSweep() throws IOException {
    Path count = home.resolve("count");
    String to = folder.resolve("rows.csv").toString();
    assertThat(
            run("sweep", ROWS, to, "--vary=lanes=1,2", "--repeat=2", "--before=echo x >> " + count)
                .code())
        .isZero();
    assertThat(Files.readAllLines(count)).as("one to warm up, two, and lanes=1 again").hasSize(4);

    String third =
        "echo x >> " + count + "; test $(wc -l < " + count + ") -lt 8 || { echo no; exit 9; }";
    Cli.Result failed = run("sweep", ROWS, to, "--vary=lanes=1,2", "--repeat=2", "--before", third);
    assertThat(failed.code()).isEqualTo(4);
    assertThat(failed.err()).contains("--before '", "exit code 9", "no");
    assertNothingIsLeft();
  }

  @Test
  @Timeout(60)
  void aCommandMayLeaveAServerRunningThatHoldsItsOutput() throws IOException {
    Path pids = home.resolve("pids");
    String start = "sleep 120 & echo $! >> " + pids;
    try {
      Cli.Result swept =
          run("sweep", ROWS, "null:", "--vary=lanes=1,2", "--repeat=1", "--before", start);
      assertThat(swept.code()).as(swept.err()).isZero();
      assertThat(Files.readAllLines(pids))
          .hasSize(3)
          .allMatch(pid -> ProcessHandle.of(Long.parseLong(pid)).isPresent());
    } finally {
      for (String pid : Files.readAllLines(pids)) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroy);
      }
    }
  }

  @Test
  void whatWholeRoundsMeasuredIsToldWhereTheSweepEndsEarly() {
    Path count = home.resolve("count");
    String fourth =
        "echo x >> " + count + "; test $(wc -l < " + count + ") -lt 4 || { echo no; exit 9; }";
    Cli.Result failed =
        run("sweep", ROWS, "null:", "--vary=lanes=1,2", "--repeat=2", "--before", fourth);
    assertThat(failed.code()).isEqualTo(4);
    assertThat(failed.err()).contains("exit code 9");
    assertThat(failed.out()).contains("stopped after 1 of 2 rounds", "best       lanes=");
    assertThat(run("compare", "last").out()).contains("stopped after 1 of 2 rounds");
  }

  @Test
  void aServerThatIsAwayEndsTheSweepAndNothingIsSaidToBeLeftBehind() {
    Cli.Result away =
        run(
            "sweep",
            ROWS,
            "postgresql://nobody@127.0.0.1:1/none?table=t",
            "--vary=lanes=1,2",
            "--retry-for=0");
    assertThat(away.code()).isEqualTo(5);
    assertThat(away.err()).contains("127.0.0.1:1").doesNotContain("left behind");
  }

  @Test
  void copiesOfDifferentRowsAreToldApart() throws IOException {
    Path rows = Files.writeString(home.resolve("rows.csv"), "a\n1\n2\n");
    Cli.Result swept =
        run("sweep", rows.toString(), "null:", "--vary=header=true,false", "--repeat=1");
    assertThat(swept.out()).contains("note  the copies had from 2 to 3 rows");
  }

  @Test
  void lanesThatDidNotRunAreNotWhatIsFoundBest() throws IOException {
    Path rows = Files.writeString(home.resolve("rows.csv"), "a\n1\n2\n");
    String[] sweep = {"sweep", rows.toString(), "null:", "--rows=2", "--repeat=1", "--vary"};
    List<String> words = new ArrayList<>(List.of(sweep));
    words.addAll(List.of("lanes=1,2,4", "--profile-name=night"));
    Cli.Result some = run(words.toArray(String[]::new));
    assertThat(some.code()).as(some.err()).isZero();
    assertThat(some.out())
        .contains("note  lanes=2 ran with 1", "best       lanes=1: ", "knee       lanes=1: ")
        .contains("left out   2 of 3 settings did not take effect");
    assertThat(run("copy", ROWS, "null:", "--profile", "night").err())
        .startsWith("Profile night: lanes=1");

    words.set(words.size() - 2, "lanes=2,4");
    words.set(words.size() - 1, "--profile-name=day");
    Cli.Result none = run(words.toArray(String[]::new));
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.out())
        .contains("note  lanes=2 ran with 1")
        .doesNotContain("best  ", "knee  ", "profile");
    assertThat(none.err()).contains("none of its settings took effect as requested");
    assertThat(run("compare", "last").out()).contains("ran with 1 lane");
    assertThat(run("copy", ROWS, "null:", "--profile", "day").code()).isEqualTo(2);
  }

  @Test
  void aProfileThatDoesNotFitIsNamedAndOneThatAUrlOverridesIsNotClaimed() throws IOException {
    Path profiles = Files.createDirectories(home.resolve(".config/millrace/profiles"));
    Files.writeString(profiles.resolve("texts.yaml"), "options:\n  quoting: text\n");
    Cli.Result other = run("copy", ROWS, "null:", "--profile", "texts", "--quiet");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err())
        .contains("The profile texts does not fit: --quoting means nothing to", "quoting=text");
    String to = folder.resolve("rows.csv") + "?quoting=minimal";
    Cli.Result overridden = run("copy", ROWS, to, "--profile", "texts");
    assertThat(overridden.code()).isZero();
    assertThat(overridden.err()).startsWith("copy done: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "generate:unload null: --vary lane=1,2                     -> Did you mean 'lanes'?",
        "generate:unload null: --vary dry-run=true                 -> dry-run is no option of a"
            + " copy",
        "generate:unload null: --vary lanes                        -> --vary lanes does not say",
        "generate:unload null: --vary lanes=x                      -> --lanes",
        "generate:unload null: --vary lanes=1 --vary lanes=2       -> --vary lanes is there twice",
        "generate:unload null: --vary read-unit=0,1                -> --read-unit '0'",
        "generate:unload null: --vary lanes=1 --repeat 0           -> --repeat 0 is not from 1",
        "generate:unload null: --vary lanes=1 --profile-name a/b   -> no name for a profile",
        "generate:unload null: --vary lanes=1,2 --lanes 2         -> --lanes is given, and --vary",
        "generate:unload null: --vary lanes=1 --rows 2 --limit 1   -> --rows and --limit both say",
        "generate:unload null: --vary limit=1,2                    -> says which rows those are",
        "generate:unload null: --vary ordered=maybe                -> --ordered is true or false",
        "generate:unload?seed=1 null: --vary seed=1,2              -> A URL sets seed",
        "generate:unload - --vary lanes=1                          -> beside the target, and",
        "- null: --vary lanes=1                                    -> can be read only once",
        "generate:nope null: --vary lanes=1,2                      -> nope",
        "generate:unload null:                                     -> --vary",
      })
  void whatCannotBeSweptIsRefused(String args, String said) {
    Cli.Result result = run(("sweep " + args.strip()).split(" +"));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("millrace: ").contains(said).doesNotContain("\tat ");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aRefusedSweepIsTheLastRun() {
    assertThat(run("sweep", ROWS, "-", "--vary=lanes=1").code()).isEqualTo(2);
    assertThat(run("runs").out()).contains("sweep", ROWS, "A sweep needs a table or file");
  }
}
