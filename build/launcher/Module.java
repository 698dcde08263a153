import java.nio.file.Path;

/// A module that the command line needs.
///
/// @param jar how Maven calls its jar
record Module(Path folder, String name, String version, String jar) {

  Path sources() {
    return folder.resolve("src/main/java");
  }

  Path resources() {
    return folder.resolve("src/main/resources");
  }
}
