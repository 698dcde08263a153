package millrace.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs many command lines in one process of its own, whose environment and umask a test chooses:
/// the drivers look at the process's environment, and a process has one umask.
final class Elsewhere {

  private static final String BETWEEN_WORDS = "\u001f";
  private static final String EXIT = "exit code ";

  private Elsewhere() {}

  /// What the process printed, both streams in one, and how each command line ended.
  record Said(String text, List<Integer> codes) {}

  /// Makes an empty file as any program in Java does, then runs a command line for each line of
  /// standard input.
  ///
  /// @param args that file; others only stand in the list of processes
  public static void main(String[] args) throws IOException {
    Files.createFile(Path.of(args[0]));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    while ((line = lines.readLine()) != null) {
      int code = Millrace.run(line.split(BETWEEN_WORDS, -1), Console.ofProcess(), new Stop());
      System.out.println(EXIT + code);
    }
  }

  /// Runs them all, one after the other.
  ///
  /// @param umask in octal
  /// @param plain a file that the process makes with nothing but Java
  /// @param env set beside the test's own environment
  /// @param arguments further words for the list of processes
  static Said run(
      String umask,
      Path plain,
      Map<String, String> env,
      List<String> arguments,
      List<List<String>> commands)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "umask " + umask + "; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                Elsewhere.class.getName(),
                plain.toString()));
    words.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().keySet().removeIf(name -> name.matches("PG.*|XDG_.*|MILLRACE_.*"));
    builder.environment().putAll(env);
    builder.redirectErrorStream(true);
    Path input = Files.createTempFile("millrace-commands", "");
    try {
      Files.write(input, commands.stream().map(one -> String.join(BETWEEN_WORDS, one)).toList());
      Process process = builder.redirectInput(input.toFile()).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      List<Integer> codes =
          text.lines()
              .filter(line -> line.startsWith(EXIT))
              .map(line -> Integer.valueOf(line.substring(EXIT.length())))
              .toList();
      return new Said(text, codes);
    } finally {
      Files.delete(input);
    }
  }
}
