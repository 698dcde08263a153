package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `./millrace` as a process: standard streams, signals, exit codes.
final class LauncherIT {

  /// Does not listen to a signal, so that there is time for another.
  private static final String BEFORE =
      "trap '' INT TERM; touch deaf; i=0; while [ -e deaf ] && [ $i -lt 40 ]; do sleep 1;"
          + " i=$((i+1)); done";

  /// More rows than can be made before the signal comes.
  private static final String ENDLESS = "generate:unload?rows=100000000000";

  @TempDir private Path home;

  /// The first start of a build says that it prepares itself.
  @BeforeAll
  static void startOnce(@TempDir Path elsewhere) throws IOException, InterruptedException {
    assertThat(new Launched(elsewhere).shell("$millrace --version").code()).isZero();
  }

  private Launched millrace() {
    return new Launched(home);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(home)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("state") && !name.equals("stderr"))
          .sorted()
          .toList();
    }
  }

  @Test
  void versionNamesTheCommit() throws IOException, InterruptedException {
    Cli.Result result = millrace().shell("$millrace --version");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.outLines().getFirst()).startsWith("millrace 0.1");
  }

  @Test
  void whatCanNotBePrintedIsNoSuccess() throws IOException, InterruptedException {
    Cli.Result full = millrace().shell("$millrace --help > /dev/full");
    assertThat(full.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(full.err()).contains("standard output can't be written: No space left on device");
    Cli.Result closed = millrace().shell("$millrace copy --help | true; exit ${PIPESTATUS[0]}");
    assertThat(closed.code()).isEqualTo(ExitCode.PIPE.number());
    assertThat(closed.err()).isEmpty();
    Cli.Result copy =
        millrace().shell("$millrace copy 'generate:unload?rows=9' null: --json > /dev/full");
    assertThat(copy.code()).isZero();
    assertThat(copy.err()).contains("standard output can't be written");
  }

  /// Whatever is asked for, lanes fit the heap, and the report says what stands against more.
  @Test
  void aSmallHeapHasFewerLanesAndDoesNotRunOut() throws IOException, InterruptedException {
    StringBuilder rows = new StringBuilder("c0");
    for (int column = 1; column < 300; column++) {
      rows.append(",c").append(column);
    }
    String record = "\n" + "text 12345,".repeat(299) + "text 12345";
    rows.append(record.repeat(15_000)).append('\n');
    Files.writeString(home.resolve("wide.csv"), rows);
    Cli.Result wide =
        millrace().shell("MILLRACE_HEAP=32m $millrace copy wide.csv out.csv --lanes 16 --verbose");
    assertThat(wide.code()).as(wide.err()).isZero();
    assertThat(wide.err())
        .contains("copy done: 15,000 rows")
        .containsPattern("16 lanes asked, [1-9] used: the heap of [0-9]+ MB has room for no more;")
        .doesNotContain("More lanes may help");
  }

  /// If looking fails, everything works, but each start takes half as long again.
  @Test
  void theFirstStartHasLookedAtHowItRuns() throws IOException, InterruptedException {
    Cli.Result result =
        millrace().shell("cd $(dirname $millrace) && test -s cli/target/lib/millrace.aot");
    assertThat(result.code()).as("see target/launcher-training.log").isZero();
  }

  @Test
  void nothingButRowsGoesToStandardOutput() throws IOException, InterruptedException {
    Cli.Result result = millrace().shell("$millrace copy generate:tokens?rows=1000 -");
    assertThat(result.code()).isZero();
    assertThat(result.outLines()).hasSize(1001);
    assertThat(result.outLines().getFirst()).isEqualTo("token");
    assertThat(result.err()).contains("copy done: 1,000 rows");
  }

  @Test
  void rowsComeFromStandardInput() throws IOException, InterruptedException {
    Cli.Result result =
        millrace().shell("printf 'a,b\\n1,x\\n2,y\\n' | $millrace copy - - --select b --quiet");
    assertThat(result).isEqualTo(new Cli.Result(0, "b\nx\ny\n", ""));
  }

  @Test
  void standardInputTakesParametersOfItsOwn() throws IOException, InterruptedException {
    Cli.Result result =
        millrace().shell("printf 'a;b\\n1;x\\n' | $millrace copy '-?delimiter=;' - --quiet");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("a,b\n1,x\n");
  }

  @Test
  void standardInputThatIsClosedIsEmpty() throws IOException, InterruptedException {
    Cli.Result result = millrace().shell("$millrace copy - rows.csv <&-");
    assertThat(result.err()).startsWith("millrace: standard input is empty");
    assertThat(result.code()).isEqualTo(2);
    assertThat(files()).isEmpty();
  }

  /// Java would know ASCII alone there, and no other name of a file.
  @Test
  void aLocaleThatIsNotInstalledKeepsNamesOfFiles() throws IOException, InterruptedException {
    Cli.Result result =
        millrace()
            .with("LC_ALL", "xx_YY.UTF-8")
            .shell(
                "name=$(printf '\\346\\260\\264').csv; printf 'a\\n1\\n' > $name;"
                    + " $millrace copy $name - --quiet 2>told; code=$?; cat told; exit $code");
    assertThat(result.out()).isEqualTo("a\n1\n");
    assertThat(result.code()).isZero();
  }

  /// Java ends with 1 then, as a `verify` does whose sides differ.
  @ParameterizedTest
  @ValueSource(
      strings = {"export MILLRACE_HEAP=lots", "export MILLRACE_HEAP=8m", "ulimit -v 900000"})
  void aJvmThatCanNotStartIsToldAndIsNoDifference(String cause)
      throws IOException, InterruptedException {
    Cli.Result result = millrace().shell(cause + "; $millrace verify generate:postal null:");
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(result.err()).contains("millrace: Java can't start", "MILLRACE_HEAP", "ulimit -v");
  }

  @Test
  void rowsGoToAPipeThatIsNamed() throws IOException, InterruptedException {
    Cli.Result result =
        millrace().shell("printf 'a\\n1\\n' | $millrace copy - /dev/stdout --quiet | cat");
    assertThat(result).isEqualTo(new Cli.Result(0, "a\n1\n", ""));
  }

  @Test
  void aReaderThatClosesStandardOutputEndsItQuietly() throws IOException, InterruptedException {
    Cli.Result result =
        millrace().shell("$millrace copy " + ENDLESS + " - | head -n 1; exit ${PIPESTATUS[0]}");
    assertThat(result.outLines()).hasSize(1);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isEqualTo(141);
  }

  @Test
  void aFullDiskEndsWithOneMessage() throws IOException, InterruptedException {
    Cli.Result result = millrace().shell("$millrace copy " + ENDLESS + " - > /dev/full");
    assertThat(result.err()).contains("millrace: ", "No space left on device");
    assertThat(result.err()).doesNotContain("\tat ");
    assertThat(result.code()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"small/t.csv", "small/t.csv.gz", "duckdb:small/t.db?table=t", "small/t.parquet"})
  void aDiskThatFillsUpIsLeftWithoutAHalfWrittenFile(String target)
      throws IOException, InterruptedException {
    Cli.Result result =
        millrace()
            .shell(
                "unshare -rm bash -c 'mkdir small && mount -t tmpfs -o size=1m none small &&"
                    + " { $millrace copy generate:unload?rows=50000 \""
                    + target
                    + "\"; code=$?; ls -A small; exit $code; }'");
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("small/t").doesNotContain("\tat ");
    assertThat(result.err().toLowerCase(Locale.ROOT))
        .containsAnyOf("no space left on device", "disk is full");
    assertThat(result.err()).contains("No rows were committed.");
    assertThat(result.code()).isEqualTo(4);
  }

  @Test
  void aDiskThatIsTooFullForDuckDbsLibraryIsNamed() throws IOException, InterruptedException {
    Cli.Result result =
        millrace()
            .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + home)
            .shell("ulimit -f 1000; $millrace copy generate:unload?rows=5 duckdb:t.db?table=t");
    assertThat(result.err()).contains("millrace: DuckDB's library", home.toString());
    assertThat(result.err()).doesNotContain("\tat ");
    assertThat(result.code()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalStopsTheRunAndLeavesNothingHalfDone(String signal, int code)
      throws IOException, InterruptedException {
    // A Parquet file is made as a whole: nothing of it could be gone on with.
    Process process = millrace().start("copy", ENDLESS, "rows.parquet", "--json");
    try (BufferedReader out =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).contains("\"event\":\"progress\"");
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      Cli.Result result = millrace().ended(process);
      assertThat(result.err()).contains("millrace: Stopped.", "No rows were committed.");
      assertThat(result.err()).doesNotContain("\tat ");
      assertThat(result.code()).isEqualTo(code);
    }
    assertThat(files()).isEmpty();
    assertThat(millrace().shell("$millrace runs").out()).contains("Stopped.");
  }

  @Test
  void aSweepThatIsStoppedDropsTheCopyUnderWay() throws IOException, InterruptedException {
    Process process = millrace().start("sweep", ENDLESS, "rows.csv", "--vary=lanes=1,2");
    String begun = "until ls -A '" + home + "' | grep -q millrace_sweep; do sleep 0.1; done";
    new ProcessBuilder("sh", "-c", begun).start().waitFor();
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
    Cli.Result result = millrace().ended(process);
    assertThat(result.err()).contains("millrace: Stopped.").doesNotContain("\tat ");
    assertThat(result.code()).isEqualTo(130);
    assertThat(files()).isEmpty();
  }

  @Test
  void aSecondSignalEndsItAtOnceAndSaysThatSomethingMayBeLeft()
      throws IOException, InterruptedException {
    Process process =
        millrace().start("sweep", ENDLESS, "rows.csv", "--vary=lanes=1", "--before", BEFORE);
    String begun = "until [ -e '" + home + "/deaf' ]; do sleep 0.1; done";
    new ProcessBuilder("sh", "-c", begun).start().waitFor();
    String twice = "kill -INT " + process.pid() + "; sleep 1; kill -INT " + process.pid();
    new ProcessBuilder("sh", "-c", twice).start().waitFor();
    Cli.Result result = millrace().ended(process);
    assertThat(result.err()).contains("millrace: ended at once.", "is left");
    assertThat(result.code()).isEqualTo(130);
  }

  @Test
  void theDemoNeedsNothingAndLeavesNothing() throws IOException, InterruptedException {
    Cli.Result result =
        millrace()
            .with("TMPDIR", home.toString())
            .with("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + home)
            .shell("$millrace demo --rows 20000");
    assertThat(result.out())
        .contains("$ millrace copy 'generate:unload?rows=20000' unload.csv", "$ millrace verify");
    assertThat(result.out().lines().filter(line -> line.contains("same: 20,000 rows"))).hasSize(3);
    assertThat(result.code()).isZero();
    assertThat(files()).isEmpty();
  }

  /// A clone that can't be written says that it has to build.
  @ParameterizedTest
  @ValueSource(strings = {"core", "online", "cli", "connectors/file", "connectors/another"})
  void aSourceOfAnyModuleThatHasChangedIsBuilt(String module)
      throws IOException, InterruptedException {
    String sources = "clone/" + module + "/src/main";
    Cli.Result result =
        new Launched(home)
            .shell(
                "mkdir -p clone/cli/target/lib && : > clone/target"
                    + " && cp \"$millrace\" \"$(dirname \"$millrace\")/pom.xml\" clone/"
                    + " && find clone -exec touch -d '1 hour ago' {} +"
                    + " && touch clone/cli/target/lib/built"
                    + " && mkdir -p "
                    + sources
                    + " && touch -d 'next minute' "
                    + sources
                    + " && clone/millrace --version");
    assertThat(result.err()).startsWith("millrace: a source has changed since the last build");
    assertThat(result.code()).isEqualTo(4);
  }

  @Test
  void aCloneThatWasNeverBuiltAndCantBeWrittenSaysSo() throws IOException, InterruptedException {
    Cli.Result result =
        new Launched(home)
            .shell(
                "mkdir clone && cp \"$millrace\" \"$(dirname \"$millrace\")/pom.xml\" clone/"
                    + " && : > clone/target && clone/millrace --version");
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err())
        .startsWith("millrace: this clone was never built, and ")
        .contains("can't be written by", "make a clone of your own")
        .doesNotContain("mkdir");
  }
}
