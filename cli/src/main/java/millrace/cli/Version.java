package millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// The version that the jar's manifest carries, the commit that it was built from, and the Java
/// that runs it.
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "millrace " + (version == null ? "(not from a jar)" : version) + commit(),
      "Java "
          + Runtime.version()
          + " ("
          + System.getProperty("java.vendor")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
          + ")"
    };
  }

  /// The build writes the file where it is run inside a clone.
  private static String commit() {
    try (InputStream file = Version.class.getResourceAsStream("commit")) {
      String commit =
          file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
      return commit.isEmpty() ? "" : " (commit " + commit + ")";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
