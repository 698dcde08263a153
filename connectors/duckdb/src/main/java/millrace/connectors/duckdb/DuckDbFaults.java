package millrace.connectors.duckdb;

import static millrace.connectors.sql.SqlFaults.Row.byMessage;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.fault.Fault;

/// Sorts what DuckDB throws by who can do something about it.
///
/// DuckDB begins each message with its kind of error; the first line says what happened, the rest
/// quotes the statement, which is ours and not the user's.
public final class DuckDbFaults {

  private static final Pattern LOCKED =
      Pattern.compile("Conflicting lock is held in (.*?) \\(PID (\\d+)\\)");

  private static final String OF_VALUES =
      "^(Constraint|Conversion|Out of Range|Invalid Input) Error: ";

  private static final String OF_STATEMENTS = "^(Catalog|Binder|Parser|Not implemented) Error: ";

  /// Their first lines quote values and names, which may hold any words.
  private static final Pattern QUOTING = Pattern.compile(OF_VALUES + "|" + OF_STATEMENTS);

  private static final Pattern FULL = Pattern.compile("(?i)no space left on device|disk quota");

  private static final Pattern NO_PARQUET =
      Pattern.compile("too small to be a Parquet file|No magic bytes found");

  private static final Pattern NO_COLUMNS =
      Pattern.compile("Need at least one non-root column in the file");

  private static final Pattern ENCRYPTED = Pattern.compile("is encrypted,? but");

  /// What it says of pages of a Parquet file that can't be unpacked, of their headers, or where
  /// lengths make no sense.
  private static final Pattern DAMAGED =
      Pattern.compile(
          "(?i)decompression failure|failed to decompress|unsupported GZIP stream|: out of buffer"
              + "|TProtocolException");

  /// It knows rows, and not the records that they were made of.
  private static final String ADVICE =
      "If a record to be copied is at fault, --max-rejects 1 --rejects FILE finds and names it.";

  /// What is read has no rows yet that could be set aside.
  private static final String READING_ADVICE =
      "Mend what holds the value, or leave its column out with --select: --max-rejects can't set"
          + " aside what DuckDB can't read.";

  /// What is there is something else; behind the label.
  static final String NO_DATABASE = " is not a DuckDB database.";

  static final String NO_DATABASE_ADVICE = "Name another file, or one that is new.";

  /// DuckDB's driver tells neither states nor numbers.
  static final SqlFaults FAULTS =
      new SqlFaults(
          List.of(
              byMessage(
                  LOCKED.pattern(),
                  Kind.TRANSIENT,
                  "DuckDB lets one process at a time open a file: close it there, then run again."),
              byMessage(OF_VALUES, Kind.DATA, ADVICE),
              byMessage("^Transaction(Context)? Error: .*onstraint", Kind.DATA, ADVICE),
              byMessage(OF_STATEMENTS, Kind.USER, ""),
              byMessage("^INTERRUPT Error: ", Kind.CANCELLED, ""),
              byMessage(
                  "^Out of Memory Error: ",
                  Kind.EXTERNAL,
                  "Give it more with memory-limit=8GB, or use fewer --lanes."),
              byMessage(FULL.pattern(), Kind.EXTERNAL, "Make room, or write to another disk.")),
          DuckDbFaults::words);

  private DuckDbFaults() {}

  /// The driver's first use writes its library to a file of the temporary folder, and loads it from
  /// there.
  static Fault noLibrary(LinkageError e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return new Fault.External(
        "DuckDB's library can't be loaded by way of "
            + System.getProperty("java.io.tmpdir")
            + ": "
            + cause.getMessage(),
        "Make room there (some 100 MB), or name another folder:"
            + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=/path",
        e);
  }

  /// The fault that an exception stands for while a file is opened.
  static Fault opening(Exception e, String label) {
    String message = firstLine(e);
    if (message.contains("Permission denied")) {
      return new Fault.External(
          label + ": permission denied.",
          "The file is opened to write, even where it is only read from: give yourself that"
              + " permission, or copy the file.",
          e);
    }
    if (message.contains("sqlite_scanner") || message.contains("not a valid DuckDB database")) {
      return new Fault.User(label + NO_DATABASE, NO_DATABASE_ADVICE, e);
    }
    return message.contains("Could not read enough bytes")
        ? new Fault.External(
            label + " is damaged: " + rest(message) + ".", "It may be cut off: get it again.", e)
        : of(e, label);
  }

  /// The fault that an exception stands for while a source is read.
  public static Fault reading(Exception e, String label) {
    String message = firstLine(e);
    if (DAMAGED.matcher(message).find()) {
      return new Fault.External(
          label + " is damaged: " + rest(message) + ".",
          "Get the file again, or have it written anew.",
          e);
    }
    Fault fault = of(e, label);
    return fault instanceof Fault.Data data
        ? new Fault.Data(String.valueOf(data.getMessage()), READING_ADVICE, null)
        : fault;
  }

  /// The fault that an exception stands for.
  ///
  /// @param label the database, file or table, to name it
  public static Fault of(Exception e, String label) {
    String message = firstLine(e);
    if (NO_PARQUET.matcher(message).find()) {
      return new Fault.User(
          label + " is not a Parquet file: " + rest(message), "Name another file.", e);
    }
    if (ENCRYPTED.matcher(message).find()) {
      return new Fault.User(
          label + " is encrypted, and Millrace has no key for it.",
          "Have it written without encryption.",
          e);
    }
    if (NO_COLUMNS.matcher(message).find()) {
      return new Fault.User(
          label + " has no columns: " + rest(message) + ".",
          "Name another file, or have it written anew.",
          e);
    }
    return FAULTS.of(
        e instanceof SQLException sqlException ? sqlException : new SQLException(message, e),
        label);
  }

  /// What DuckDB says, without its kind of error.
  private static String words(SQLException e) {
    String message = firstLine(e);
    Matcher locked = LOCKED.matcher(message);
    if (locked.find()) {
      return "the file is in use by process " + locked.group(2) + " (" + locked.group(1) + ")";
    }
    if (QUOTING.matcher(message).find()) {
      return rest(message);
    }
    if (FULL.matcher(message).find()) {
      return "the disk is full";
    }
    if (message.toLowerCase(Locale.ROOT).contains("permission denied")) {
      return "permission denied";
    }
    return (message.startsWith("Out of Memory Error: ") ? "DuckDB is out of memory: " : "")
        + rest(message).replaceFirst("^Failed to commit: ", "");
  }

  private static String rest(String message) {
    int colon = message.indexOf(": ");
    return colon < 0 ? message : message.substring(colon + 2);
  }

  private static String firstLine(Exception e) {
    String message = String.valueOf(e.getMessage());
    return message.lines().findFirst().orElse(e.toString()).strip();
  }
}
