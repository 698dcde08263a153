package millrace.report.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;

/// Samples the stacks of this process while a run goes on, and keeps the recording.
///
/// On Linux each thread is sampled by the processor time that it takes, in the kernel and in native
/// code too (JEP 509); elsewhere by the clock while it runs Java code.
public final class Profiler implements AutoCloseable {

  private static final String CPU_TIME = "jdk.CPUTimeSample";
  private static final String JAVA_CODE = "jdk.ExecutionSample";
  private static final int PERIOD_MS = 10;

  private final Recording recording = new Recording();
  private final String event;
  private final Path file;

  private Profiler(Path file) {
    this.file = file;
    event = cpuTimeIsSampled() ? CPU_TIME : JAVA_CODE;
    recording.setName("millrace");
    if (event.equals(CPU_TIME)) {
      recording.enable(CPU_TIME).with("throttle", PERIOD_MS + "ms").withStackTrace();
    } else {
      recording.enable(JAVA_CODE).withPeriod(Duration.ofMillis(PERIOD_MS)).withStackTrace();
    }
  }

  private static boolean cpuTimeIsSampled() {
    return System.getProperty("os.name").equals("Linux")
        && FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .anyMatch(CPU_TIME::equals);
  }

  /// Begins to sample.
  ///
  /// @param file where the recording will be kept; its folder is made
  /// @throws Fault.External if the recorder can't start
  public static Profiler start(Path file) {
    if (!FlightRecorder.isAvailable()) {
      throw new Fault.External(
          "This Java has no Flight Recorder, which --methods needs.",
          "Use a full JDK, or leave --methods out.",
          null);
    }
    Profiler profiler = new Profiler(file);
    profiler.recording.start();
    return profiler;
  }

  /// Ends sampling, keeps the recording and adds it up. Called once.
  ///
  /// @throws Fault.External if the recording can't be written
  public Profile finish() {
    try {
      recording.stop();
      Files.createDirectories(file.toAbsolutePath().getParent());
      recording.dump(file);
      if (Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
        // As the report beside it: what somebody runs is nobody else's business.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      }
      Hotspots spots = new Hotspots();
      try (RecordingFile recorded = new RecordingFile(file)) {
        while (recorded.hasMoreEvents()) {
          add(recorded.readEvent(), spots);
        }
      }
      return new Profile(file.toString(), event, PERIOD_MS, spots.samples(), spots.hot());
    } catch (IOException e) {
      throw new Fault.External(
          "The profile can't be written to " + file + ": " + FileTrouble.of(e),
          "Leave --methods out, or make room there.",
          e);
    }
  }

  private void add(RecordedEvent sample, Hotspots spots) {
    if (sample.getEventType().getName().equals(event)) {
      RecordedStackTrace stack = sample.getStackTrace();
      spots.add(
          stack == null ? List.of() : stack.getFrames().stream().map(Profiler::method).toList());
    }
  }

  private static String method(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  /// Lets go of the recorder's buffers; what was kept stays.
  @Override
  public void close() {
    recording.close();
  }
}
