package millrace.cli.command;

import static java.util.stream.Collectors.toSet;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.cli.Context;
import millrace.cli.option.ClusterOptions;
import millrace.engine.remote.Cluster;
import millrace.engine.remote.RemoteRun;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.plan.ShellWords;
import org.jspecify.annotations.Nullable;

/// A copy on a cluster of Spark: its `spark-submit` starts this command line once more as the
/// driver, and gets the words by standard input.
///
/// What runs on Spark is compiled against the user's own, once. Spark's libraries come first there;
/// of ours only those travel that it lacks and the copy may need.
final class SparkSubmit {

  /// Libraries that are large, and which systems need them, by the beginnings of their names.
  private static final Map<String, Set<String>> LARGE =
      Map.of(
          "duckdb_jdbc", Set.of("duckdb", "parquet"), //
          "sqlite-jdbc", Set.of("sqlite"));

  private static final Pattern LOCAL = Pattern.compile("local-cluster\\[ *(\\d+) *, *(\\d+) *,.*");

  /// Spark has a sink of its own for what is logged.
  private static final String LOGGING = "slf4j-jdk14";

  /// What Spark itself logs in the driver: faults of copies have their own words.
  private static final String QUIET =
      """
      rootLogger.level = error
      rootLogger.appenderRef.stderr.ref = stderr
      appender.stderr.type = Console
      appender.stderr.name = stderr
      appender.stderr.target = SYSTEM_ERR
      appender.stderr.layout.type = PatternLayout
      appender.stderr.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
      """;

  private final Context context;
  private final String master;
  private final List<String> settings;
  private final Path home;
  private final Path lib;

  /// What is made for Spark.
  private final Path own;

  private SparkSubmit(Context context, ClusterOptions options, String master) {
    this.context = context;
    this.master = master;
    settings = options.settings();
    home = home(context.console().env().get("SPARK_HOME"));
    lib = lib();
    own = lib.resolveSibling("spark");
  }

  /// What starts the copy on a cluster; null if it is to run here, be it as the driver of one.
  ///
  /// @throws Fault.User if there is no Spark
  static @Nullable SparkSubmit of(Context context, ClusterOptions options) {
    String master = options.master();
    if (master == null && !options.settings().isEmpty()) {
      throw new Fault.User(
          "--conf is a setting of Spark's, and this copy runs on one machine.",
          "Add --on MASTER, or leave it out.");
    }
    return master == null || context.cluster() != null
        ? null
        : new SparkSubmit(context, options, master);
  }

  /// Plans as for the cluster, whose executors come only when it starts.
  Context planning() {
    return context.on(
        new Cluster() {
          @Override
          public int room() {
            Matcher local = LOCAL.matcher(master);
            return local.matches()
                ? Integer.parseInt(local.group(1)) * Integer.parseInt(local.group(2))
                : 1;
          }

          @Override
          public Work begin(RemoteRun run) {
            throw new Fault.Bug("a copy that is only planned was begun", null);
          }
        });
  }

  private static Path home(@Nullable String home) {
    if (home == null || home.isEmpty()) {
      throw new Fault.User(
          "--on needs Spark 4.1 or later, and SPARK_HOME does not say where it is.",
          "Install it, for example by `pip install pyspark==4.3.0`, and set SPARK_HOME to its"
              + " folder.");
    }
    if (!Files.isExecutable(Path.of(home, "bin", "spark-submit"))) {
      throw new Fault.User(
          "SPARK_HOME is " + home + ", and there is no bin/spark-submit in it.",
          "Set it to the folder of Spark 4.1 or later.");
    }
    return Path.of(home).toAbsolutePath();
  }

  private static Path lib() {
    try {
      URI jar = SparkSubmit.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Objects.requireNonNull(Path.of(jar).getParent());
    } catch (URISyntaxException e) {
      throw new Fault.Bug("the folder of this program has no path", e);
    }
  }

  /// The command that starts the driver, without the words.
  ///
  /// @param systems the schemes of all ends; empty if nobody knows yet
  private List<String> command(Set<String> systems) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/spark-submit").toString());
    command.addAll(List.of("--master", master, "--name", "millrace"));
    command.addAll(List.of("--class", "millrace.spark.Driver"));
    command.addAll(List.of("--jars", String.join(",", libraries(systems))));
    command.addAll(
        List.of(
            "--driver-java-options",
            "-Dlog4j2.configurationFile="
                + own.resolve("log4j2.properties")
                + " -Dmillrace.columns="
                + context.console().columns()
                + " -Dmillrace.out-is-terminal="
                + context.console().outIsTerminal()));
    settings.forEach(each -> command.addAll(List.of("--conf", each)));
    command.add(own.resolve("millrace-spark.jar").toString());
    return command;
  }

  /// The same as a user would type it, settings that are secrets left out.
  String shown(Set<String> systems) {
    List<String> jars = libraries(systems);
    String some = String.format(Locale.ROOT, "%s/… (%d of its jars)", lib, jars.size());
    String all = String.join(",", jars);
    return ShellWords.line(
        command(systems).stream().map(word -> word.equals(all) ? some : hidden(word)).toList());
  }

  private static String hidden(String word) {
    return word.replaceAll("(?i)^([^=]*(?:secret|password|token|key)[^=]*=).*", "$1***");
  }

  private List<String> libraries(Set<String> systems) {
    Set<String> sparks = jars(home.resolve("jars")).map(SparkSubmit::name).collect(toSet());
    return jars(lib)
        .filter(jar -> !sparks.contains(name(jar)) && !name(jar).equals(LOGGING))
        .filter(jar -> !isLeftOut(name(jar), systems))
        .map(Path::toString)
        .toList();
  }

  private static boolean isLeftOut(String name, Set<String> systems) {
    return !systems.isEmpty()
        && LARGE.entrySet().stream()
            .anyMatch(each ->
                name.startsWith(each.getKey()) && Collections.disjoint(each.getValue(), systems));
  }

  private static Stream<Path> jars(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".jar")).sorted().toList().stream();
    } catch (IOException e) {
      throw new Fault.User(
          "The jars in " + folder + " can't be listed: " + FileTrouble.reason(e) + ".",
          "SPARK_HOME names the folder of Spark 4.1 or later.");
    }
  }

  /// Without its version.
  private static String name(Path jar) {
    return jar.getFileName().toString().replaceAll("-[0-9].*", "");
  }

  /// Carries the copy out.
  ///
  /// @param words the command line
  /// @param systems the schemes of all ends
  /// @return its exit code
  int run(List<String> words, Set<String> systems) {
    try {
      build();
      return drive(words, command(systems));
    } catch (IOException e) {
      throw new Fault.External(
          "Spark can't be started from " + home + ": " + FileTrouble.reason(e) + ".", "", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted");
    }
  }

  private int drive(List<String> words, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process driver = builder.start();
    // While it is open the driver goes on. A signal would be its second one, if the terminal has
    // sent it the first.
    try (DataOutputStream out = new DataOutputStream(driver.getOutputStream())) {
      context.stop().watch(_ -> close(out));
      out.writeInt(words.size());
      for (String word : words) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
      }
      out.flush();
      return driver.waitFor();
    }
  }

  private static void close(DataOutputStream out) {
    try {
      out.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(SparkSubmit.class).debug("the driver has ended", e);
    }
  }

  /// Compiles what runs on Spark, unless it was compiled against that Spark since the last build.
  private void build() throws IOException, InterruptedException {
    Files.createDirectories(own);
    Files.writeString(own.resolve("log4j2.properties"), QUIET);
    Path known = own.resolve("for");
    String now = home + "\n" + Files.readString(lib.resolve("built"));
    if (Files.exists(known) && Files.readString(known).equals(now)) {
      return;
    }
    context.console().err().println("millrace: compiles what runs on Spark, once ...");
    Path root = lib.resolve("../../..").normalize();
    Process compiler =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                root.resolve("build/launcher/Build.java").toString(),
                root.toString(),
                home.toString(),
                own.resolve("millrace-spark.jar").toString())
            .inheritIO()
            .start();
    if (compiler.waitFor() != 0) {
      throw new Fault.User(
          "What runs on Spark can't be compiled against " + home + ", see above.",
          "It needs Spark 4.1 or later, for Scala 2.13.");
    }
    Files.writeString(known, now);
  }
}
