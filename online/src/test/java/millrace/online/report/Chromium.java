package millrace.online.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Opens pages in Chromium without a window and gives what became of them.
///
/// @param folder for the browser's own files
record Chromium(Path folder) {

  private static final long MOST_SECONDS = 120;

  /// The page as it is after some time, as HTML. The clock of its timers runs ahead while nothing
  /// is fetched, so that this takes less time than it says.
  String dump(URI page, int millis) throws IOException, InterruptedException {
    assumeThat(
            Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "chromium"))))
        .as("chromium is installed")
        .isTrue();
    Path html = Files.createTempFile(folder, "page", ".html");
    Path log = Files.createTempFile(folder, "chromium", ".log");
    Process process =
        new ProcessBuilder(
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--window-size=1280,1600",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
                "--virtual-time-budget=" + millis,
                "--dump-dom",
                page.toString())
            .redirectOutput(html.toFile())
            .redirectError(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS))
          .as(() -> "Chromium ends: " + read(log))
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    assertThat(process.exitValue()).as(() -> read(log)).isZero();
    return Files.readString(html);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// The value of an attribute of the first element that has it; empty if none has it.
  static String attribute(String html, String element, String name) {
    Matcher matcher =
        Pattern.compile("<" + element + "(?=\\s)[^>]*\\s" + name + "=\"([^\"]*)\"").matcher(html);
    return matcher.find() ? matcher.group(1) : "";
  }
}
