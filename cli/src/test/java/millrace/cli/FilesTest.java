package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that Millrace makes belong to the user as any others do, and stay as they are until the
/// user says otherwise.
final class FilesTest {

  private static final String ROWS = "generate:unload?rows=2000";

  @TempDir private Path home;

  private String in(String name) {
    return home.resolve(name).toString();
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private Map<String, String> modes(Path folder) throws IOException {
    Map<String, String> modes = new LinkedHashMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        modes.put(folder.relativize(file).toString(), mode(file));
      }
    }
    return modes;
  }

  /// A list may be given once with commas, or a part at a time.
  @Test
  void aListMayBeGivenSeveralTimes() throws IOException {
    Files.writeString(home.resolve("in.csv"), "a,b,c\nNA,7,-\n,8,x\n");
    Cli.Result result =
        new Cli(home)
            .run(
                "copy",
                in("in.csv"),
                in("out.csv"),
                "--null-string",
                "NA",
                "--null-string",
                "-",
                "--null-string",
                "",
                "--columns",
                "a:text",
                "--columns",
                "b:text,c:text",
                "--select",
                "b",
                "--select",
                "a,c",
                "--mode",
                "replace");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(Files.readString(home.resolve("out.csv"))).isEqualTo("b,a,c\n7,NA,NA\n8,NA,x\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"002", "027", "077"})
  void filesHaveTheRightsThatTheUsersOthersHave(String umask)
      throws IOException, InterruptedException {
    Path out = Files.createDirectory(home.resolve("out"));
    Files.writeString(home.resolve("bad.csv"), "n\n1\nx\n");
    Files.writeString(out.resolve("older.csv"), "n\n1\n");
    Files.setPosixFilePermissions(
        out.resolve("older.csv"), PosixFilePermissions.fromString("rw-rw-rw-"));
    List<List<String>> commands =
        List.of(
            List.of("copy", ROWS, out + "/rows.csv"),
            List.of("copy", ROWS, out + "/rows.csv.gz"),
            List.of("copy", ROWS, out + "/rows.csv.zst"),
            List.of("copy", ROWS, out + "/parts.csv", "--files", "per-split"),
            List.of("copy", ROWS, out + "/rows.parquet"),
            List.of("copy", ROWS, "duckdb:" + out + "/rows.db?table=t"),
            List.of("copy", ROWS, out + "/older.csv", "--mode", "replace"),
            List.of(
                "copy",
                in("bad.csv"),
                "null:",
                "--columns=n:int32",
                "--max-rejects=1",
                "--rejects=" + out + "/set-aside.csv"),
            List.of("copy", ROWS, "null:", "--jfr=" + out + "/rows.jfr"));
    Path plain = out.resolve("plain");

    Elsewhere.Said said =
        Elsewhere.run(umask, plain, Map.of("HOME", home.toString()), List.of(), commands);

    assertThat(said.codes()).as(said.text()).hasSameSizeAs(commands).containsOnly(0);
    Map<String, String> made = modes(out);
    assertThat(made)
        .containsKeys(
            "rows.csv", "rows.csv.gz", "rows.csv.zst", "rows.parquet", "rows.db", "rows.jfr")
        .containsKeys("older.csv", "set-aside.csv", "set-aside.csv.reasons.jsonl");
    assertThat(made.remove("older.csv")).as("what takes its place").isEqualTo("rw-rw-rw-");
    assertThat(made.values()).as("%s", made).containsOnly(mode(plain));
    Map<String, String> reports = modes(home.resolve(".local/state/millrace/runs"));
    assertThat(reports).hasSize(commands.size());
    assertThat(reports.values())
        .as("%s: who runs what is nobody else's business", reports)
        .containsOnly("rw-------");
  }

  @ParameterizedTest
  @CsvSource({
    "rows.csv, replace",
    "rows.csv, truncate",
    "rows.csv.gz, replace",
    "rows.tsv.zst, truncate",
    "rows.parquet, replace"
  })
  void whatTakesTheFilesPlaceHasItsRights(String name, String mode) throws IOException {
    Path file = home.resolve(name);
    for (String rights : List.of("rw-------", "rw-rw-r--")) {
      assertThat(new Cli(home).run("copy", ROWS, file.toString(), "--mode=" + mode).code())
          .isZero();
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
      Cli.Result again = new Cli(home).run("copy", ROWS, file.toString(), "--mode=" + mode);
      assertThat(again.code()).as(again.err()).isZero();
      assertThat(mode(file)).isEqualTo(rights);
    }
  }

  /// There may be more of them than there were.
  @Test
  void severalFilesHaveTheRightsOfTheFirst() throws IOException {
    Files.writeString(home.resolve("parts-00001.csv"), "n\n1\n");
    Files.setPosixFilePermissions(
        home.resolve("parts-00001.csv"), PosixFilePermissions.fromString("rw-r-----"));
    for (String mode : List.of("replace", "append")) {
      String[] copy = {"copy", ROWS, in("parts.csv"), "--files=100kB", "--mode=" + mode};
      assertThat(new Cli(home).run(copy).code()).isZero();
    }
    Map<String, String> modes = modes(home);
    modes.keySet().removeIf(name -> !name.startsWith("parts-"));
    assertThat(modes).hasSizeGreaterThan(4);
    assertThat(modes.values()).containsOnly("rw-r-----");
  }

  @ParameterizedTest
  @CsvSource({
    "rows.csv, append",
    "rows.csv, replace",
    "rows.csv.zst, truncate",
    "rows.parquet, replace"
  })
  void nobodyElseReadsWhatIsNotCompleteYet(String name, String mode) throws IOException {
    Path file = home.resolve(name);
    assertThat(new Cli(home).run("copy", ROWS, file.toString()).code()).isZero();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String[] copy = {
      "copy", "generate:unload?rows=500000", file.toString(), "--mode=" + mode, "--resume"
    };
    CompletableFuture<Cli.Result> running =
        CompletableFuture.supplyAsync(() -> new Cli(home).run(copy));
    Map<String, String> hidden = new TreeMap<>();
    while (!running.isDone()) {
      for (String each : beside()) {
        if (each.startsWith(".rows")) {
          hidden.merge(
              each, modeIfThere(home.resolve(each)), (one, other) -> other.isEmpty() ? one : other);
        }
      }
    }
    assertThat(running.join().code()).as(running.join().err()).isZero();
    // Of those that got their name between two looks nobody knows.
    hidden.values().removeIf(String::isEmpty);
    assertThat(hidden).isNotEmpty();
    assertThat(hidden.values()).as("%s", hidden).containsOnly("rw-------");
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  /// Empty if it has got its name meanwhile.
  private static String modeIfThere(Path file) throws IOException {
    try {
      return mode(file);
    } catch (NoSuchFileException _) {
      return "";
    }
  }

  @Test
  void addingToAFileLeavesItsRightsAlone() throws IOException {
    Path file = Files.writeString(home.resolve("shared.csv"), "token\nfirst\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    Cli.Result added =
        new Cli(home).run("copy", "generate:tokens?rows=1", file.toString(), "--mode", "append");
    assertThat(added.code()).as(added.err()).isZero();
    assertThat(mode(file)).isEqualTo("rw-rw----");
    assertThat(file).content().startsWith("token\nfirst\n").hasLineCount(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rows.csv",
        "rows.csv.gz",
        "rows.csv.zst",
        "rows.parquet",
        "duckdb:rows.db?table=t"
      })
  void whatIsThereIsOverwrittenOnlyWhereTheUserSaysSo(String target) throws IOException {
    String to = target.startsWith("duckdb:") ? target.replace("rows", in("rows")) : in(target);
    Path file = Path.of(to.replaceAll("^duckdb:|\\?.*", ""));
    assertThat(new Cli(home).run("copy", ROWS, to).code()).isZero();
    byte[] before = Files.readAllBytes(file);
    List<String> beside = beside();

    Cli.Result again = new Cli(home).run("copy", "generate:unload?rows=7", to);
    assertThat(again.code()).isEqualTo(ExitCode.USER.number());
    assertThat(again.err()).contains(file.getFileName().toString(), "--mode ", "replace");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(beside()).isEqualTo(beside);

    assertThat(new Cli(home).run("copy", "generate:unload?rows=7", to, "--mode=replace").code())
        .isZero();
    assertThat(new Cli(home).run("copy", to, "null:").err()).contains(": 7 rows");
    assertThat(beside()).isEqualTo(beside);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kept.csv", "kept.csv.reasons.jsonl"})
  void fileOfBadRecordsNeverTakesThePlaceOfAnother(String there) throws IOException {
    Files.writeString(home.resolve("bad.csv"), "n\n1\nx\n");
    Path file = Files.writeString(home.resolve(there), "not yours");
    String[] copy = {
      "copy",
      in("bad.csv"),
      "null:",
      "--columns=n:int32",
      "--max-rejects=1",
      "--rejects=" + in("kept.csv")
    };
    for (int i = 0; i < 2; i++) {
      Cli.Result result = new Cli(home).run(copy);
      assertThat(result.code()).isEqualTo(ExitCode.USER.number());
      assertThat(result.err()).contains("exists already", there);
      assertThat(file).hasContent("not yours");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl", "parquet", "csv.gz", "jsonl.zst"})
  void aGlobMeansTheSameWhateverTheFilesHold(String ending) throws IOException {
    Files.writeString(home.resolve("one.ndjson"), "{}\n");
    Files.createDirectories(home.resolve("g/a/b"));
    for (String name : List.of("g/1", "g/a/2", "g/a/b/3")) {
      Cli.Result made =
          new Cli(home).run("copy", in("one.ndjson"), in(name + "." + ending), "--quiet");
      assertThat(made.code()).as(made.err()).isZero();
    }
    Map<String, Integer> files = Map.of("g/**/*.", 3, "**/*.", 3, "g/*.", 1, "g/{1,a/2}.", 2);
    files.forEach((glob, number) -> {
      Cli.Result read = new Cli(home).run("copy", in(glob + ending), "null:");
      assertThat(read.err()).as(glob).contains("copy done: " + number + " rows");
    });
    assertThat(new Cli(home).run("copy", in("g/**/x*." + ending), "null:").err())
        .contains("No file matches");
  }

  @ParameterizedTest
  @ValueSource(strings = {"base.csv", "base.tsv.gz", "base.jsonl", "base.parquet", "base"})
  void aFolderMeansTheFileOfTheSameNameInIt(String name) throws IOException {
    Files.writeString(home.resolve("one.ndjson"), "{}\n");
    Path folder = Files.createDirectory(home.resolve("o"));
    Files.createFile(folder.resolve("other.parquet"));
    assertThat(new Cli(home).run("copy", in("one.ndjson"), in(name)).code()).isZero();
    for (String target : List.of(folder + "/", folder + "", folder + "//")) {
      Cli.Result copied = new Cli(home).run("copy", in(name), target, "--mode=replace");
      assertThat(copied.code()).as(copied.err()).isZero();
      assertThat(new Cli(home).run("verify", in(name), folder + "/" + name).code()).isZero();
    }
    String[][] refused = {
      {in(name), in("new") + "/", "here is no folder " + in("new")},
      {in("*e"), folder + "/", folder + "/ is a folder."},
      {ROWS, folder + "/", folder + "/ is a folder."},
      {ROWS, in("new") + "/", in("new") + "/ is a folder."},
      {in("nix.csv"), folder + "/", "There is no file " + in("nix.csv")}
    };
    for (String[] each : refused) {
      Cli.Result result = new Cli(home).run("copy", each[0], each[1]);
      assertThat(result.err()).contains(each[2]);
      assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    }
    assertThat(modes(folder)).containsOnlyKeys("other.parquet", name);
  }

  private List<String> beside() throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return new ArrayList<>(files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
