package millrace.cli.show;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import millrace.cli.Console;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import org.jspecify.annotations.Nullable;

/// A file that gets each line of standard error too, with the time in front. A line that is drawn
/// over, such as progress on a terminal, is none. Any thread.
public final class LogFile extends OutputStream {

  private final PrintStream terminal;
  private final OutputStream file;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private @Nullable IOException failure;

  private LogFile(PrintStream terminal, OutputStream file) {
    this.terminal = terminal;
    this.file = file;
  }

  /// Opens a file, which is appended to.
  ///
  /// @throws Fault.User if it can't be written
  public static LogFile open(Console console, Path path) {
    try {
      return new LogFile(
          console.err(),
          Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new Fault.User(
          "--log " + path + " can't be written: " + FileTrouble.of(path, e) + ".",
          "Name a file in a folder that is there.",
          e);
    }
  }

  /// A console that logs as well.
  public Console logging(Console console) {
    return console.with(new PrintStream(this, true, StandardCharsets.UTF_8));
  }

  @Override
  public synchronized void write(int letter) {
    write(new byte[] {(byte) letter}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    terminal.write(bytes, from, length);
    for (int i = from; i < from + length; i++) {
      if (bytes[i] == '\n') {
        log();
      } else {
        line.write(bytes[i]);
      }
    }
  }

  @Override
  public synchronized void flush() {
    terminal.flush();
  }

  /// Adds what others tell on the terminal.
  public synchronized void add(String text) {
    text.lines().forEach(this::log);
  }

  private void log() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    log(text);
  }

  private void log(String text) {
    int drawnOver = text.lastIndexOf(Console.CLEAR_LINE);
    String last = drawnOver < 0 ? text : text.substring(drawnOver + Console.CLEAR_LINE.length());
    if (last.isEmpty() || failure != null) {
      return;
    }
    try {
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      file.write((now + " " + last + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      failure = e;
      terminal.println("millrace: --log can't be written any more: " + FileTrouble.of(e) + ".");
    }
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
