package millrace.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import millrace.text.HiddenValues;
import org.jspecify.annotations.Nullable;

/// What the process that runs Millrace gives it: where to print, the environment, the terminal.
///
/// @param out standard output; may carry rows, then nothing else may print there
/// @param err standard error: progress, reports, faults
/// @param env the environment
/// @param columns width of the terminal that standard error is, or 0 if it is none
/// @param outIsTerminal whether standard output is a terminal
/// @param hidden what is not printed on standard error, whoever prints it
public record Console(
    PrintStream out,
    PrintStream err,
    Map<String, String> env,
    int columns,
    boolean outIsTerminal,
    HiddenValues hidden) {

  public static final String CLEAR_LINE = "\r\u001b[K";

  /// A console that hides nothing yet.
  public Console(
      PrintStream out,
      PrintStream err,
      Map<String, String> env,
      int columns,
      boolean outIsTerminal) {
    HiddenValues hidden = new HiddenValues();
    this(out, new HidingStream(err, hidden), env, columns, outIsTerminal, hidden);
  }

  /// The same for a verb whose standard output never carries rows: there, too, is hidden what must
  /// not be printed.
  public Console hidingOutput() {
    return new Console(new HidingStream(out, hidden), err, env, columns, outIsTerminal, hidden);
  }

  /// The same with another standard error.
  public Console with(PrintStream otherErr) {
    return new Console(
        out, new HidingStream(otherErr, hidden), env, columns, outIsTerminal, hidden);
  }

  /// The process's own. The launcher knows which streams are terminals, and how wide: Java can only
  /// tell about standard input and output together.
  static Console ofProcess() {
    return new Console(
        new StandardOutput(System.out.charset()),
        System.err,
        System.getenv(),
        Integer.getInteger("millrace.columns", 0),
        Boolean.getBoolean("millrace.out-is-terminal"));
  }

  /// Why something that was printed to standard output is not there; null if all is.
  @Nullable IOException lostOutput() {
    return out instanceof StandardOutput standard ? standard.failure() : null;
  }

  /// Clears the line that progress lives on; nothing if standard error is no terminal.
  void clearLine() {
    if (columns > 0) {
      err.print(CLEAR_LINE);
      err.flush();
    }
  }

  /// Prints a line of standard error in the place of progress, which goes on below it.
  void say(String line) {
    err.println(columns > 0 ? CLEAR_LINE + line : line);
  }

  /// Where lines for programs go.
  ///
  /// @param outCarriesRows whether they would stand between rows on standard output
  public PrintStream lines(boolean outCarriesRows) {
    return outCarriesRows ? err : out;
  }

  /// The folder of a kind that the XDG base directory specification defines, for Millrace.
  ///
  /// @param variable for example `XDG_STATE_HOME`
  /// @param otherwise where it is under the home folder if that is unset or not absolute
  public Path folder(String variable, String otherwise) {
    Path base = Path.of(env.getOrDefault(variable, ""));
    if (!base.isAbsolute()) {
      base = Path.of(env.getOrDefault("HOME", System.getProperty("user.home"))).resolve(otherwise);
    }
    return base.resolve("millrace");
  }
}
