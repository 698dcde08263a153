package millrace.cli.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;

/// A recording of this process while a copy goes on, by Java's Flight Recorder: the stacks of its
/// threads, and nothing that may hold a password, such as arguments or the environment.
final class FlightRecording implements AutoCloseable {

  private static final byte[] MAGIC = {'F', 'L', 'R', 0};
  private static final Duration PERIOD = Duration.ofMillis(10);

  private final Recording recording = new Recording();
  private final Path file;
  private final Consumer<String> warnings;

  private FlightRecording(Path file, Consumer<String> warnings) {
    this.file = file;
    this.warnings = warnings;
    recording.setName("millrace");
    recording.enable("jdk.ExecutionSample").withPeriod(PERIOD).withStackTrace();
    // On Linux: by the processor time of each thread, in the kernel and native code too (JEP 509).
    recording
        .enable("jdk.CPUTimeSample")
        .with("throttle", PERIOD.toMillis() + "ms")
        .withStackTrace();
  }

  /// Begins to record.
  ///
  /// @param file where the recording will be, in the place of an earlier one
  /// @param warnings told if it can't be written in the end: the copy itself is none the worse
  /// @throws Fault.User if the file can't be written or is another, or this Java can't record
  static FlightRecording start(Path file, Consumer<String> warnings) {
    if (!FlightRecorder.isAvailable()) {
      throw new Fault.User(
          "This Java has no Flight Recorder, which --jfr needs.",
          "Use a full JDK, or leave --jfr out.");
    }
    try {
      checkFree(file);
      Files.write(file, new byte[0]);
    } catch (IOException e) {
      throw new Fault.User(
          "--jfr can't be written: " + FileTrouble.of(file, e) + ".",
          "Name a file in a folder that is there and may be written.",
          e);
    }
    FlightRecording started = new FlightRecording(file, warnings);
    started.recording.start();
    return started;
  }

  /// A copy that is done again with the same words takes the place of its first recording, and of
  /// nothing else.
  private static void checkFree(Path file) throws IOException {
    if (Files.exists(file)) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] first = in.readNBytes(MAGIC.length);
        if (first.length > 0 && !Arrays.equals(first, MAGIC)) {
          throw new Fault.User(
              "--jfr " + file + " exists, and is no recording.",
              "Name another file; only a recording is written over.");
        }
      }
    }
  }

  @Override
  public void close() {
    try (recording) {
      recording.stop();
      recording.dump(file);
    } catch (IOException e) {
      warnings.accept("--jfr can't be written: " + FileTrouble.of(file, e) + ".");
    }
  }
}
