import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/// Reads folders and jars, and writes jars.
final class Jars {

  private Jars() {}

  /// What is in a jar, by the names of its entries: all but the manifest; nothing if there is no
  /// jar.
  static SortedMap<String, ByteBuffer> read(Path jar) throws IOException {
    SortedMap<String, ByteBuffer> entries = new TreeMap<>();
    if (Files.exists(jar)) {
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : file.stream().filter(each -> !each.isDirectory()).toList()) {
          if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
            byte[] content = file.getInputStream(entry).readAllBytes();
            entries.put(entry.getName(), ByteBuffer.wrap(content));
          }
        }
      }
    }
    return entries;
  }

  /// What is in the files of a folder and those below; nothing if there is no folder.
  static SortedMap<Path, ByteBuffer> folder(Path folder) throws IOException {
    SortedMap<Path, ByteBuffer> files = new TreeMap<>();
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          files.put(file, ByteBuffer.wrap(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }

  /// The jars in a folder.
  static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return new ArrayList<>(
          all.filter(file -> file.toString().endsWith(".jar")).sorted().toList());
    }
  }

  /// Deletes a folder of files, if there is one.
  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.list(folder)) {
        for (Path file : all.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /// @param version what the command line prints of its own jar
  static void write(Path jar, String title, String version, SortedMap<String, ByteBuffer> entries)
      throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path fresh = jar.resolveSibling(jar.getFileName() + ".new");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(fresh), manifest)) {
      for (Map.Entry<String, ByteBuffer> each : entries.entrySet()) {
        JarEntry entry = new JarEntry(each.getKey());
        // Fixed, so that the same sources give the same jars.
        entry.setTimeLocal(LocalDateTime.of(2026, 1, 1, 0, 0));
        out.putNextEntry(entry);
        out.write(each.getValue().array());
        out.closeEntry();
      }
    }
    // A Millrace that is running keeps the old one.
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
  }
}
