package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.remote.Cluster;
import millrace.engine.remote.RemoteRun;
import millrace.engine.remote.SplitDone;
import millrace.engine.remote.SplitEnds;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.forwarding.ForwardingConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster writes files into a folder that its machines may or may not share.
final class ClusterFilesTest {

  private static final List<String> ROWS =
      IntStream.range(0, 2_000).mapToObj(row -> row + ",row " + row).toList();

  @TempDir private Path folder;

  @BeforeEach
  void makeSource() throws IOException {
    Files.writeString(folder.resolve("in.csv"), "id,name\n" + String.join("\n", ROWS) + "\n");
    Files.createDirectory(folder.resolve("out"));
    Files.createDirectory(folder.resolve("other"));
  }

  /// A cluster in this process.
  ///
  /// @param executors what they open ends with
  /// @param room how many splits they work off at once
  /// @param after is done when one has worked off a split
  private record Machines(ConnectorRegistry executors, int room, Consumer<SplitDone> after)
      implements Cluster {

    @Override
    public Work begin(RemoteRun run) {
      return new Work() {
        @Override
        public SplitDone run(Split split, List<SetAside> recorded, UnderWay underWay) {
          try (SplitEnds ends = new SplitEnds(executors, run, "executor 1")) {
            SplitDone done = ends.work(split, recorded, underWay);
            after.accept(done);
            return done;
          } catch (Fault e) {
            return SplitDone.failed(e);
          }
        }

        @Override
        public void cancel() {
          // Each ends soon.
        }

        @Override
        public double atWork() {
          return 1;
        }

        @Override
        public void close() {
          // Each has closed what it opened.
        }
      };
    }
  }

  private Copying copying(
      String files, UnaryOperator<Endpoint> seen, int room, Consumer<SplitDone> after) {
    ConnectorRegistry executors =
        new ConnectorRegistry(
            List.of(
                new ForwardingConnector(new FileConnector(), from -> from, to -> to) {
                  @Override
                  public Target target(
                      Endpoint endpoint, WriteOptions options, OpenContext context) {
                    return super.target(seen.apply(endpoint), options, context);
                  }
                }));
    FileConnector connector = new FileConnector();
    return Copying.of(
            connector, end("in.csv", Map.of()), connector, end("out/t.csv", Map.of("files", files)))
        .mode(Mode.CREATE)
        .lanes(2, 4_000)
        .on(_ -> new Machines(executors, room, after));
  }

  private Endpoint end(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  private List<Path> out() {
    try (Stream<Path> files = Files.list(folder.resolve("out"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesOfSplitsAreNumberedInTheirOrder() throws IOException {
    copying("per-split", end -> end, 2, _ -> {}).run();
    List<Path> files = out();
    assertThat(files).hasSizeGreaterThan(3);
    StringBuilder all = new StringBuilder();
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file);
      assertThat(lines.removeFirst()).isEqualTo("id,name");
      lines.forEach(line -> all.append(line).append('\n'));
    }
    assertThat(all.toString()).isEqualTo(String.join("\n", ROWS) + "\n");
  }

  @Test
  void filesThatOneProcessJoinsAreRefused() {
    for (String files : List.of("one", "500MB")) {
      assertThatThrownBy(() -> copying(files, end -> end, 1, _ -> {}).run())
          .isInstanceOfSatisfying(
              Fault.User.class,
              fault ->
                  assertThat(fault.advice())
                      .contains("files=per-split", "all machines share", "Copy on one machine"))
          .hasMessageContaining("from one process alone: they are joined in one order");
    }
    assertThat(out()).isEmpty();
  }

  /// Executors find no journal there.
  @Test
  void aFolderThatExecutorsDoNotSeeIsNamed() {
    UnaryOperator<Endpoint> elsewhere = end -> end.at(end.location().replace("/out/", "/other/"));
    assertThatThrownBy(() -> copying("per-split", elsewhere, 1, _ -> {}).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).contains("put files on storage that all share"))
        .hasMessageContaining("/other/t.csv begun at")
        .hasMessageContaining("can't be joined");
    assertThat(out()).isEmpty();
  }

  @Test
  void aFolderThatIsNotOnExecutorsIsNamed() {
    UnaryOperator<Endpoint> nowhere = end -> end.at(end.location().replace("/out/", "/nowhere/"));
    assertThatThrownBy(() -> copying("per-split", nowhere, 1, _ -> {}).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).contains("put files on storage that all share"))
        .hasMessageContaining("There is no folder " + folder.resolve("nowhere"));
  }

  /// What they have written is not where the driver looks, or another file is.
  @Test
  void filesThatTheDriverDoesNotSeeAreNamed() {
    List<Consumer<Path>> ways = List.of(ClusterFilesTest::delete, ClusterFilesTest::spoil);
    for (Consumer<Path> way : ways) {
      Consumer<SplitDone> after =
          _ -> out().stream().filter(file -> file.toString().endsWith(".tmp")).forEach(way);
      assertThatThrownBy(() -> copying("per-split", end -> end, 1, after).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(
              "Executors have written what becomes " + folder.resolve("out/t-00001.csv"))
          .hasMessageContaining("the driver does not see it there")
          .hasMessageContaining("a folder is needed that all of them share");
      assertThat(out()).isEmpty();
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void spoil(Path file) {
    try {
      Files.writeString(file, "id");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
