import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32;

/// Makes `cli/target/lib`, all that the launcher puts on the class path: the libraries that the
/// poms name, by one call of Maven, and a jar of each module that the command line needs, by one
/// run of the compiler. It checks nothing, that is for `./check`.
///
/// Where only the insides of classes have changed since the last run, just those are compiled.
///
/// The launcher starts it from this source file, and Java compiles those beside it as they are
/// needed. Argument: the project's folder. With two more, a folder of Spark and a jar, it makes
/// that jar of what runs on Spark.
public final class Build {

  private final Path root;

  /// What it makes.
  private final Path lib;

  /// What one run keeps for the next.
  private final Path kept;

  private final Poms poms;

  private Build(Path root) throws Exception {
    this.root = root;
    lib = root.resolve("cli/target/lib");
    kept = Files.createDirectories(root.resolve("target/launcher"));
    poms = new Poms(root);
  }

  public static void main(String[] args) throws Exception {
    try {
      Build build = new Build(Path.of(args[0]));
      if (args.length == 1) {
        build.run();
      } else {
        build.runForSpark(Path.of(args[1]), Path.of(args[2]));
      }
    } catch (Told e) {
      System.exit(1);
    }
  }

  /// A failure of which Maven or the compiler has told.
  static final class Told extends Exception {
    private static final long serialVersionUID = 1;
  }

  private void run() throws Exception {
    // What changes from here on is newer than the build.
    FileTime began = FileTime.from(Instant.now());
    String sum = said("sh", "build/sum");
    takeLibraries();
    Path built = lib.resolve("built");
    SortedMap<Path, ByteBuffer> sources = new TreeMap<>();
    for (Module module : poms.modules()) {
      sources.putAll(Jars.folder(module.sources()));
    }
    SortedMap<String, String> sums = new TreeMap<>();
    sources.forEach((source, text) -> sums.put(root.relativize(source).toString(), sum(text)));
    sums.put("built", Files.exists(built) ? Files.readString(built).strip() : "");
    Map<Module, SortedMap<String, ByteBuffer>> jars = changed(sources, sums);
    if (jars.isEmpty()) {
      jars = all(sources);
    }
    // What the command line says after its version; nothing if there is no git or no clone.
    String commit = said("git", "describe", "--always", "--dirty", "--abbrev=12");
    jars.get(poms.modules().getFirst()).put("millrace/cli/commit", bytes(commit));
    Files.deleteIfExists(built);
    for (Module module : poms.modules()) {
      SortedMap<String, ByteBuffer> entries = jars.get(module);
      Path resources = module.resources();
      Jars.folder(resources)
          .forEach((file, bytes) -> entries.put(resources.relativize(file).toString(), bytes));
      Path jar = lib.resolve(module.jar());
      if (!entries.equals(Jars.read(jar))) {
        Jars.write(jar, module.name(), module.version(), entries);
      }
    }
    sums.put("built", sum.strip());
    remember("sources", sums);
    Files.writeString(built, sum);
    Files.setLastModifiedTime(built, began);
  }

  /// Compiles against that Spark, whose libraries come first there.
  private void runForSpark(Path spark, Path jar) throws Exception {
    List<Path> libraries = Jars.in(spark.resolve("jars"));
    libraries.addAll(Jars.in(lib));
    Path main = root.resolve("spark/src/main");
    SortedMap<String, ByteBuffer> entries = new TreeMap<>();
    SortedMap<Path, ByteBuffer> sources = Jars.folder(main.resolve("java"));
    for (Classes.Compiled made : Classes.compile(sources, libraries, poms.release())) {
      entries.put(made.entry(), made.content());
    }
    Path resources = main.resolve("resources");
    Jars.folder(resources)
        .forEach((file, bytes) -> entries.put(resources.relativize(file).toString(), bytes));
    Jars.write(jar, "Millrace spark", poms.modules().getFirst().version(), entries);
  }

  /// Has Maven bring the libraries, unless the poms and this program are those of the last time.
  private void takeLibraries() throws Exception {
    String pom = poms.ofLibraries();
    SortedMap<String, String> sums = new TreeMap<>();
    for (Path each : List.of(root.resolve("build/launcher"), root.resolve("pom.xml"))) {
      Jars.folder(each).forEach((file, text) -> sums.put(file.toString(), sum(text)));
    }
    sums.put(kept.resolve("pom.xml").toString(), sum(bytes(pom)));
    SortedMap<String, String> last = remembered("libraries");
    if (last.entrySet().containsAll(sums.entrySet())
        && last.keySet().stream().allMatch(file -> Files.exists(Path.of(file)))) {
      return;
    }
    Path fresh = root.resolve("cli/target/lib.new");
    Jars.delete(fresh);
    Path file = Files.writeString(kept.resolve("pom.xml"), pom);
    String goal = "org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies";
    List<String> maven = new ArrayList<>(List.of("mvn", "-q", "-B", "-ntp", "-f", file.toString()));
    maven.addAll(List.of(goal, "-DincludeScope=runtime", "-DoutputDirectory=" + fresh));
    if (new ProcessBuilder(maven).inheritIO().start().waitFor() != 0) {
      throw new Told();
    }
    for (Path jar : Jars.in(fresh)) {
      if (jar.getFileName().toString().matches("picocli-.*-sources.jar")) {
        compilePicocli(jar);
      } else {
        sums.put(lib.resolve(jar.getFileName()).toString(), "");
      }
    }
    // Unlinked, not written over: a Millrace may be running.
    Jars.delete(lib);
    Files.move(fresh, lib);
    remember("libraries", sums);
  }

  /// picocli's class files are of Java 5, which the cache of the launcher does not take: every
  /// start would read and check all of them. Compiled from its sources they are like ours.
  private static void compilePicocli(Path jar) throws Exception {
    SortedMap<Path, ByteBuffer> sources = new TreeMap<>();
    Jars.read(jar).forEach((name, text) -> sources.put(jar.resolveSibling(name), text));
    sources.keySet().removeIf(file -> !file.toString().matches(".*/picocli/.*\\.java"));
    SortedMap<String, ByteBuffer> classes = new TreeMap<>();
    for (Classes.Compiled made : Classes.compile(sources, List.of(), "8")) {
      classes.put(made.entry(), made.content());
    }
    String name = jar.getFileName().toString().replace("-sources", "");
    Jars.write(jar.resolveSibling(name), "picocli", "", classes);
    Files.delete(jar);
  }

  private Map<Module, SortedMap<String, ByteBuffer>> all(SortedMap<Path, ByteBuffer> sources)
      throws Exception {
    Map<Module, SortedMap<String, ByteBuffer>> jars = new LinkedHashMap<>();
    List<Path> libraries = Jars.in(lib);
    for (Module module : poms.modules()) {
      jars.put(module, new TreeMap<>());
      libraries.remove(lib.resolve(module.jar()));
    }
    for (Classes.Compiled made : Classes.compile(sources, libraries, poms.release())) {
      jars.get(poms.moduleOf(made.source())).put(made.entry(), made.content());
    }
    return jars;
  }

  /// The classes of the last run, those made anew whose sources have changed. Empty if that run is
  /// not known, or if other sources can see the change.
  private Map<Module, SortedMap<String, ByteBuffer>> changed(
      SortedMap<Path, ByteBuffer> sources, SortedMap<String, String> sums) throws Exception {
    SortedMap<String, String> last = remembered("sources");
    if (!last.keySet().equals(sums.keySet()) || !last.get("built").equals(sums.get("built"))) {
      return Map.of();
    }
    Map<Module, SortedMap<String, ByteBuffer>> jars = new LinkedHashMap<>();
    for (Module module : poms.modules()) {
      jars.put(module, Jars.read(lib.resolve(module.jar())));
      jars.get(module).keySet().removeIf(name -> !name.endsWith(".class"));
    }
    SortedMap<Path, ByteBuffer> changed = new TreeMap<>(sources);
    changed.keySet().removeIf(source -> isSame(root.relativize(source).toString(), last, sums));
    List<Classes.Compiled> compiled = Classes.compile(changed, Jars.in(lib), poms.release());
    for (Path source : changed.keySet()) {
      Module module = poms.moduleOf(source);
      String name = module.sources().relativize(source).toString().replace(".java", "");
      SortedMap<String, ByteBuffer> before = new TreeMap<>(jars.get(module));
      before
          .keySet()
          .removeIf(file -> !file.equals(name + ".class") && !file.startsWith(name + "$"));
      SortedMap<String, ByteBuffer> now = new TreeMap<>();
      compiled.stream()
          .filter(made -> made.source().equals(source))
          .forEach(made -> now.put(made.entry(), made.content()));
      if (!Classes.outsides(before).equals(Classes.outsides(now))) {
        return Map.of();
      }
      jars.get(module).keySet().removeAll(before.keySet());
      jars.get(module).putAll(now);
    }
    return jars;
  }

  private static boolean isSame(String name, Map<String, String> last, Map<String, String> sums) {
    return last.get(name).equals(sums.get(name));
  }

  // What one run keeps for the next: names, each with a sum.

  private SortedMap<String, String> remembered(String name) throws IOException {
    SortedMap<String, String> sums = new TreeMap<>();
    Path file = kept.resolve(name);
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      String[] parts = line.split("\t", 2);
      sums.put(parts[0], parts[1]);
    }
    return sums;
  }

  private void remember(String name, SortedMap<String, String> sums) throws IOException {
    List<String> lines = new ArrayList<>();
    sums.forEach((file, sum) -> lines.add(file + "\t" + sum));
    Files.write(kept.resolve(name), lines);
  }

  private static String sum(ByteBuffer bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes.duplicate());
    return sum.getValue() + " of " + bytes.limit();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /// What a command says on standard output; nothing if it fails.
  private String said(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(root.toFile());
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? said : "";
  }
}
