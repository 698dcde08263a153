package millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.spi.store.Upload;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What commands write into a store, and what they leave there.
final class StoreTargetsTest {

  @TempDir private static Path keys;
  private static S3Lake lake;

  @TempDir private Path home;

  @BeforeAll
  static void start() throws IOException {
    lake = new S3Lake(keys);
  }

  @AfterAll
  static void stop() {
    lake.close();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(lake.store.uploads("")).as("uploads that nobody completes").isEmpty();
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private void done(String... args) {
    Cli.Result result = run(args);
    assertThat(result.code()).as(result.err()).isZero();
  }

  private Path file(String name, String text) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static String rows(int count) {
    return IntStream.range(0, count)
        .mapToObj(id -> id + ",\"name of\n" + id + "\"")
        .collect(Collectors.joining("\n", "id,name\n", "\n"));
  }

  @Test
  void manyTablesGoToTextAndToParquetAndComeBack() throws IOException {
    file("in/orders.csv", rows(3_000));
    file("in/items.csv", rows(10));
    String tables = home.resolve("in/*.csv").toString();
    done("copy", tables, lake.file("many/{table}.csv.gz"));
    done("copy", tables, lake.file("many/{table}.parquet"));
    assertThat(lake.keys("many/"))
        .containsExactlyInAnyOrder(
            "many/items.csv.gz", "many/items.parquet", "many/orders.csv.gz", "many/orders.parquet");
    for (String ending : List.of("csv.gz", "parquet")) {
      String stored = lake.file("many/orders." + ending);
      done("verify", home.resolve("in/orders.csv").toString(), stored);
      Path back = home.resolve("back-" + ending.replace('.', '-') + ".csv");
      done("copy", stored, back.toString());
      assertThat(back).hasContent(rows(3_000));
    }
  }

  @Test
  void aParquetFileIsReplacedAtOnceOrNotAtAll() throws IOException {
    String one = file("one.csv", rows(1)).toString();
    String stored = lake.file("replaced.parquet");
    done("copy", one, stored);
    Cli.Result refused = run("copy", one, stored);
    assertThat(refused.err()).contains("holds rows already").contains("--mode replace");
    done("copy", file("two.csv", rows(2)).toString(), stored, "--mode", "replace", "--resume");
    assertThat(run("preview", stored).out()).contains("about 2 rows");
    Cli.Result again =
        run("copy", home.resolve("two.csv").toString(), stored, "--mode", "replace", "--resume");
    assertThat(again.out() + again.err()).contains("nothing to do");
  }

  /// A process that was killed while it uploaded has left this.
  @Test
  void whatAKilledCopyHasLeftOfAParquetFileGoesWithTheNext() throws IOException {
    Upload left = lake.store.upload("killed.parquet");
    left.put(1, new byte[1000], 1000);
    String machine = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    long gone = goneProcess();
    String mark = ".killed.parquet.millrace-" + machine + "-" + gone + "-0a.part";
    lake.store.put(mark, left.id().getBytes(UTF_8), "");
    String stored = lake.file("killed.parquet");
    assertThat(run("journal", stored).out()).contains("killed.parquet").contains("1000 B");

    done("copy", file("one.csv", rows(1)).toString(), stored);
    assertThat(lake.keys(".killed")).isEmpty();
  }

  private static long goneProcess() throws IOException {
    Process gone = new ProcessBuilder("true").start();
    try {
      gone.waitFor();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    return gone.pid();
  }

  @Test
  void uploadsThatNobodyCompletesAreListedAndRemoved() throws IOException {
    for (String key : List.of("left.csv", "left-00007.csv", "left-other.csv", "left.csv.gz")) {
      Upload left = lake.store.upload("up/" + key);
      left.put(1, new byte[2048], 2048);
    }
    String stored = lake.file("up/left.csv");
    assertThat(run("journal", stored).outLines())
        .filteredOn(line -> line.startsWith("s3:"))
        .containsExactlyInAnyOrder(
            "s3://lake/up/left.csv        2.0 kB", "s3://lake/up/left-00007.csv  2.0 kB");
    assertThat(run("journal", stored, "--remove-uploads").out())
        .isEqualTo("Removed: 2 uploads, 4.0 kB.\n");
    assertThat(lake.store.uploads("up/"))
        .extracting(Upload::key)
        .containsExactlyInAnyOrder("up/left-other.csv", "up/left.csv.gz");
    for (Upload other : lake.store.uploads("up/")) {
      other.abort();
    }
  }

  @Test
  void badRecordsAreSetAsideInAStore() throws IOException {
    String in = file("bad.csv", "id,n\n1,2\n2,x\n3,4\n4,y\n").toString();
    Path out = home.resolve("good.csv");
    String[] copy = {
      "copy", in, out.toString(), "--columns", "id,n:int64", "--max-rejects", "5", "--rejects"
    };
    String[] aside = with(copy, lake.file("aside/bad.csv"));
    done(aside);
    assertThat(out).hasContent("id,n\n1,2\n3,4\n");
    assertThat(lake.text("aside/bad.csv")).isEqualTo("id,n\n2,x\n4,y\n");
    assertThat(lake.text("aside/bad.csv.reasons.jsonl").lines()).hasSize(2);
    String set = aside[aside.length - 1];
    done("verify", in, out.toString(), "--columns", "id,n:int64", "--rejects", set);
    Files.delete(out);
    assertThat(run(aside).err()).contains("The file for bad records exists already");
    assertThat(lake.text("aside/bad.csv")).isEqualTo("id,n\n2,x\n4,y\n");
  }

  private static String[] with(String[] args, String last) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add(last);
    return all.toArray(String[]::new);
  }

  @Test
  void aWebServerIsNotWrittenTo() throws IOException {
    String in = file("one.csv", rows(1)).toString();
    for (String name : List.of("a.csv", "a.parquet")) {
      assertThat(run("copy", in, "https://example.com/" + name).err())
          .contains("is on a web server, whose files are only read");
    }
  }
}
