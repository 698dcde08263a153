package millrace.connectors.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;

/// A file of CSV for each split. It has no tests.
class PerSplitFixture extends FileResumeFixture {

  @Override
  public Connector connector() {
    return new PerSplitConnector();
  }

  @Override
  public Endpoint table(String name) {
    return of(file(name));
  }

  private static Endpoint of(Path file) {
    return new Endpoint("file", file.toString(), Map.of("files", "per-split"), Secret.NONE);
  }

  /// Hidden files of journals and of what waits; that of a journal has no number.
  @Override
  List<Path> hidden(String name, String ending) {
    return named("." + name).filter(file -> file.toString().endsWith(ending)).toList();
  }

  private Stream<Path> named(String beginning) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(beginning))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Endpoint> spellings(String name) {
    Path relative = Path.of("").toAbsolutePath().relativize(file(name));
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ending());
    return List.of(of(relative), of(around));
  }

  @Override
  public Map<Behaviour, String> cannot() {
    Map<Behaviour, String> all = new HashMap<>(super.cannot());
    all.put(Behaviour.PARTS_OF_JOINED_SPLITS, "nobody else adds to an attempt's file");
    return all;
  }
}
