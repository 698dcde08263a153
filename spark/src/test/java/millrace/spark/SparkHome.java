package millrace.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/// A folder of Spark as users have one: its libraries in the versions that it was released with, a
/// `bin/spark-submit`, and settings of the cluster.
///
/// @param folder what SPARK_HOME names
record SparkHome(Path folder) {

  /// What every JVM of these tests is started with: none lives long.
  private static final List<String> QUICK =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  /// Alone, so that no version that our poms name gets into it.
  private static String pom(String version) {
    return """
    <project>
      <modelVersion>4.0.0</modelVersion>
      <groupId>millrace</groupId>
      <artifactId>spark-home</artifactId>
      <version>1</version>
      <packaging>pom</packaging>
      <dependencies>
        <dependency>
          <groupId>org.apache.spark</groupId>
          <artifactId>spark-sql_2.13</artifactId>
          <version>%s</version>
        </dependency>
      </dependencies>
    </project>
    """
        .formatted(version);
  }

  /// As the real one does: finds the options for the driver's JVM among the words, and starts it.
  private static String submit(Path folder) {
    return """
    #!/bin/bash
    export SPARK_HOME=%1$s SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
    own=
    for ((i = 1; i < $#; i++)); do
      if [ "${!i}" = --driver-java-options ]; then next=$((i + 1)); own=${!next}; fi
    done
    exec "$JAVA_HOME/bin/java" -Xmx512m %2$s $own -cp "$SPARK_HOME/jars/*" \\
      org.apache.spark.deploy.SparkSubmit "$@"
    """
        .formatted(folder, String.join(" ", options()));
  }

  /// Executors have the JDK of this test, whatever their workers run on.
  private static String settings(Path scratch) {
    return """
    spark.driver.host 127.0.0.1
    spark.ui.enabled false
    spark.executor.cores 1
    spark.executor.memory 512m
    spark.executor.extraJavaOptions %s
    spark.executorEnv.JAVA_HOME %s
    spark.local.dir %s
    """
        .formatted(String.join(" ", QUICK), System.getProperty("java.home"), scratch);
  }

  /// Makes one. The folder stays, since what was compiled against it is good for the next run too.
  ///
  /// @param scratch what executors and drivers write to disk goes into a folder there
  static SparkHome make(Path scratch) throws IOException, InterruptedException {
    String version = System.getProperty("spark.version");
    Path folder = Path.of("target", "spark-home-" + version).toAbsolutePath();
    Path jars = Files.createDirectories(folder.resolve("jars"));
    for (Path jar : libraries(folder, version)) {
      Path link = jars.resolve(jar.getFileName());
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, jar);
    }
    Path submit = Files.createDirectories(folder.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, submit(folder));
    if (!submit.toFile().setExecutable(true)) {
      throw new IOException(submit + " can't be made executable");
    }
    String settings = settings(Files.createDirectories(scratch.resolve("scratch")));
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(conf.resolve("spark-defaults.conf"), settings);
    return new SparkHome(folder);
  }

  /// Has Maven find them, once for each version.
  private static List<Path> libraries(Path folder, String version)
      throws IOException, InterruptedException {
    Path found = folder.resolve("libraries");
    if (Files.notExists(found)) {
      Path pom = Files.writeString(folder.resolve("pom.xml"), pom(version));
      List<String> maven = new ArrayList<>(List.of("mvn", "-q", "-B", "-ntp"));
      maven.addAll(List.of("-f", pom.toString(), "-Dmdep.includeScope=runtime"));
      maven.add("-Dmdep.outputFile=" + found);
      maven.add(
          "org.apache.maven.plugins:maven-dependency-plugin:"
              + System.getProperty("dependency-plugin.version")
              + ":build-classpath");
      Process finding = new ProcessBuilder(maven).redirectErrorStream(true).start();
      String said = new String(finding.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (finding.waitFor() != 0) {
        throw new IOException(
            "Maven does not find the libraries of Spark " + version + ": " + said);
      }
    }
    return Stream.of(Files.readString(found).strip().split(":")).map(Path::of).toList();
  }

  private static List<String> options() {
    List<String> options = new ArrayList<>(QUICK);
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    return options;
  }

  /// The command of a server of Spark's.
  ///
  /// @param java the JDK's folder
  List<String> server(Path java, String main, List<String> words) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("env", "SPARK_SCALA_VERSION=2.13", "SPARK_HOME=" + folder));
    command.add(java.resolve("bin/java").toString());
    command.addAll(options());
    command.addAll(List.of("-Xmx256m", "-cp", folder + "/jars/*", main));
    command.addAll(words);
    return command;
  }
}
