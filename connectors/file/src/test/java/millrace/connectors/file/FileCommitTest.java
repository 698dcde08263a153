package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.NotOffered;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// All rows are written, and then files can't get their names, or rows can't be added to a file:
/// nothing is taken for done that is not, nothing is lost, and the copy goes on when the way is
/// free, and brings no row twice.
final class FileCommitTest {

  private static final int STILL_LOOKS = 5;
  private static final long STILL_NANOS = 20_000_000;
  private static final Schema SCHEMA =
      Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("text", new Type.Text(0))));

  private static final int ROWS = 4_000;

  /// More than the rows take.
  private static final int SPELLED_BYTES = 480_000;

  private static final String BEFORE = "id,text\n-1,before\n";

  private final MemoryConnector memory = new MemoryConnector();

  @TempDir private Path folder;

  /// A disk of its own, if one is there.
  private boolean mounted;

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted) {
      command("umount", folder.resolve("small").toString());
    }
  }

  private static int command(String... words) throws IOException, InterruptedException {
    return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
  }

  private static String text(int id) {
    return "x".repeat(100) + id;
  }

  private ResumableCopy copy(Path to, Mode mode, Map<String, String> options) {
    memory.put("rows", SCHEMA, IntStream.range(0, ROWS).mapToObj(i -> Row.of(i, text(i))).toList());
    Copying copying =
        Copying.of(
                memory,
                memory.endpoint("rows"),
                new FileConnector(),
                new Endpoint("file", to.toString(), options, Secret.NONE))
            .mode(mode)
            .lanes(1, 20_000);
    return ResumableCopy.of(copying, 100);
  }

  private static List<String> expected(boolean withBefore) {
    List<String> lines = new ArrayList<>(List.of("id,text"));
    if (withBefore) {
      lines.add("-1,before");
    }
    IntStream.range(0, ROWS).forEach(i -> lines.add(i + "," + text(i)));
    return lines;
  }

  /// The names in a folder, but for the journal's.
  private static List<String> names(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".journal"))
          .sorted()
          .toList();
    }
  }

  private static void blocked(Path path) {
    try {
      Files.deleteIfExists(path);
      Files.createDirectories(path.resolve("in the way"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void free(Path path) throws IOException {
    Files.delete(path.resolve("in the way"));
    Files.delete(path);
  }

  /// The copy comes to its end, and after that there is nothing to do.
  private static void comesToItsEnd(ResumableCopy copy) {
    copy.run();
    ResumableCopy again = copy.resumed();
    assertThat(again.decide()).contains("complete since", "nothing to do");
    assertThat(again.run().meter().rows()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"TRUNCATE", "REPLACE"})
  void aFileThatCanNotGetItsNameGetsItWhenTheWayIsFree(Mode mode) throws IOException {
    Path file = Files.writeString(folder.resolve("t.csv"), BEFORE);
    ResumableCopy copy = copy(file, mode, Map.of());
    Ran failed = copy.beforeTheEnd(() -> blocked(file)).failing(Fault.External.class, "t.csv");
    assertThat(failed.kept()).isTrue();
    assertThat(failed.completeSince()).isEmpty();
    assertThat(file).isDirectory();
    free(file);
    comesToItsEnd(copy);
    assertThat(Files.readAllLines(file)).isEqualTo(expected(false));
    assertThat(names(folder)).containsExactly("t.csv");
  }

  /// Some have their names, and one that comes later can't get its own. One that an earlier copy
  /// wrote, and that no new one replaces, goes last.
  @ParameterizedTest
  @EnumSource(names = {"TRUNCATE", "REPLACE"})
  void filesOfWhichSomeHaveTheirNamesAreBroughtToTheirEnd(Mode mode) throws IOException {
    Path third = folder.resolve("t-00003.csv");
    Path last = Files.writeString(folder.resolve("t-00099.csv"), BEFORE);
    Files.writeString(folder.resolve("t-00001.csv"), BEFORE);
    ResumableCopy copy = copy(folder.resolve("t.csv"), mode, Map.of("files", "100kB"));
    Ran failed =
        copy.beforeTheEnd(() -> blocked(third)).failing(Fault.External.class, "t-00003.csv");
    assertThat(failed.kept()).isTrue();
    assertThat(Files.readString(folder.resolve("t-00001.csv"))).startsWith("id,text\n0,x");
    assertThat(last).as("nothing takes its place yet").hasContent(BEFORE);
    free(third);
    comesToItsEnd(copy);
    List<String> lines = new ArrayList<>(List.of("id,text"));
    assertThat(names(folder)).hasSizeGreaterThan(3).allMatch(name -> name.startsWith("t-0"));
    assertThat(last).doesNotExist();
    for (String name : names(folder)) {
      List<String> all = Files.readAllLines(folder.resolve(name));
      assertThat(all.getFirst()).isEqualTo("id,text");
      lines.addAll(all.subList(1, all.size()));
    }
    assertThat(lines).isEqualTo(expected(false));
  }

  /// The disk fills up while rows are added to a file: it is as it was, and gets them once, whether
  /// the copy goes on or begins from the start.
  @ParameterizedTest
  @EnumSource(names = {"RESUME", "FRESH", "NONE"})
  void rowsThatDoNotFitBehindThoseOfAFileAreTakenBackAndAddedOnce(ResumeChoice choice)
      throws IOException, InterruptedException {
    Path disk = small("3m");
    Path file = Files.writeString(disk.resolve("t.csv"), BEFORE);
    Path filler = disk.resolve("filler");
    ResumableCopy copy = copy(file, Mode.APPEND, Map.of()).with(choice);
    // There is room for what is staged, and not for as much again.
    Runnable fills = () -> fill(filler, SPELLED_BYTES - staged(disk) + SPELLED_BYTES / 2);
    assertThat(copy.beforeTheEnd(fills).failing(Fault.External.class, "t.csv").kept()).isTrue();
    assertThat(Files.readString(file)).isEqualTo(BEFORE);
    copy.failing(Fault.External.class, "t.csv");
    assertThat(Files.readString(file)).isEqualTo(BEFORE);
    Files.delete(filler);
    copy.run();
    assertThat(Files.readAllLines(file)).isEqualTo(expected(true));
    assertThat(names(disk)).containsExactly("t.csv");
  }

  /// What is still held in memory when the lanes are done does not fit.
  @ParameterizedTest
  @EnumSource(names = {"CREATE", "TRUNCATE"})
  void aFileWhoseEndDoesNotFitHasNotItsName(Mode mode) throws IOException, InterruptedException {
    Path disk = small("3m");
    Path file = disk.resolve("t.csv");
    if (mode == Mode.TRUNCATE) {
      Files.writeString(file, BEFORE);
    }
    Path filler = disk.resolve("filler");
    // Nothing is forced to the disk before.
    ResumableCopy copy = copy(file, mode, Map.of()).commitRows(0);
    Ran failed = copy.beforeTheEnd(() -> fill(filler, 0)).failing(Fault.External.class, "t.csv");
    assertThat(failed.kept()).isFalse();
    assertThat(failed.meter().rowsDurable()).isZero();
    if (mode == Mode.TRUNCATE) {
      assertThat(Files.readString(file)).isEqualTo(BEFORE);
    } else {
      assertThat(file).doesNotExist();
    }
    Files.delete(filler);
    comesToItsEnd(copy);
    assertThat(Files.readAllLines(file)).isEqualTo(expected(false));
    assertThat(names(disk)).containsExactly("t.csv");
  }

  private Path small(String size) throws IOException, InterruptedException {
    Path disk = Files.createDirectory(folder.resolve("small"));
    mounted = command("mount", "-t", "tmpfs", "-o", "size=" + size, "none", disk.toString()) == 0;
    if (!mounted) {
      throw new NotOffered("file", "a disk that fills up, since this user may not mount one");
    }
    return disk;
  }

  /// How many bytes a copy has on a disk under another name, once what is written beside the lanes
  /// has stopped to grow.
  private static long staged(Path disk) {
    long staged = stagedNow(disk);
    for (int same = 0; same < STILL_LOOKS; same++) {
      LockSupport.parkNanos(STILL_NANOS);
      long now = stagedNow(disk);
      same = now == staged ? same : -1;
      staged = now;
    }
    return staged;
  }

  private static long stagedNow(Path disk) {
    try (Stream<Path> files = Files.list(disk)) {
      return files
          .filter(file -> file.toString().endsWith(".tmp"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes the room that a disk has, but so much.
  private static void fill(Path filler, long butBytes) {
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (filler.toFile().getUsableSpace() > butBytes) {
        out.write(new byte[4_096]);
      }
    } catch (IOException e) {
      assertThat(e).as("what the copy still does is faster").hasMessageContaining("No space");
    }
  }
}
