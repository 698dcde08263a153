package millrace.connectors.sql;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Sorts what a driver throws by who can do something about it, by a table.
///
/// @param rows the first that fits counts; {@link #STANDARD} comes behind them
/// @param words what the database says in an exception, without what only the driver adds
/// @param adviser what to do about one exception, in place of what its row says; empty if the row
///   says all
public record SqlFaults(
    List<Row> rows, Function<SQLException, String> words, Function<SQLException, String> adviser)
    implements SqlSession.Faults {

  /// Whose rows say what to do.
  public SqlFaults(List<Row> rows, Function<SQLException, String> words) {
    this(rows, words, _ -> "");
  }

  /// Who can do something about it.
  public enum Kind {
    /// The request is wrong.
    USER,
    /// A row is bad.
    DATA,
    /// Others hold a lock; the statement has done nothing and can be given again.
    LOCKED,
    /// The transaction is undone; all of it can be done again.
    UNDONE,
    /// It may work in another run.
    TRANSIENT,
    /// The server can't be reached.
    UNREACHABLE,
    /// It was stopped.
    CANCELLED,
    /// The world outside refuses for good.
    EXTERNAL
  }

  /// What an exception stands for.
  ///
  /// @param state how its SQLSTATE begins; empty for any
  /// @param code the database's own number of it; 0 for any
  /// @param messagePattern what is found in its message; null for any
  /// @param advice what to do about it; may be empty
  public record Row(
      String state, int code, @Nullable Pattern messagePattern, Kind kind, String advice) {

    /// One known by its SQLSTATE.
    public static Row state(String state, Kind kind, String advice) {
      return new Row(state, 0, null, kind, advice);
    }

    /// One known by the database's own number.
    public static Row code(int code, Kind kind, String advice) {
      return new Row("", code, null, kind, advice);
    }

    /// One known by its words, of a driver that tells neither.
    ///
    /// @param pattern a pattern that is found in the message
    public static Row byMessage(String pattern, Kind kind, String advice) {
      return new Row("", 0, Pattern.compile(pattern), kind, advice);
    }

    private boolean fits(SQLException e) {
      String given = e.getSQLState() == null ? "" : e.getSQLState();
      return given.startsWith(state)
          && (code == 0 || code == e.getErrorCode())
          && (messagePattern == null
              || messagePattern.matcher(String.valueOf(e.getMessage())).find());
    }
  }

  private static final String SQL_ADVICE = "Correct the name, the query or the condition.";

  /// What the classes of SQLSTATE mean everywhere.
  private static final List<Row> STANDARD =
      List.of(
          Row.state("08", Kind.UNREACHABLE, ""),
          Row.state("22", Kind.DATA, ""),
          Row.state("23", Kind.DATA, ""),
          Row.state("28", Kind.USER, "Correct the user or the password."),
          Row.state("40", Kind.TRANSIENT, ""),
          Row.state("425", Kind.USER, "Have the right granted, or correct the name."),
          Row.state("42", Kind.USER, SQL_ADVICE),
          Row.state("57014", Kind.CANCELLED, ""),
          Row.state("HYT00", Kind.LOCKED, ""),
          Row.state("", Kind.EXTERNAL, ""));

  public SqlFaults {
    rows = List.copyOf(rows);
  }

  private static final Pattern SEE_NEXT = Pattern.compile("(?i)\\bnext ?exception\\b");

  /// What has failed: some drivers put the statement's exception into one that says nothing, or
  /// behind it. So it is with batches, and with those that refer to it.
  private static SQLException reported(SQLException e) {
    boolean saysNothing = e.getSQLState() == null && e.getErrorCode() == 0;
    if (saysNothing && e.getCause() instanceof SQLException cause) {
      return reported(cause);
    }
    SQLException next = e.getNextException();
    boolean isBehind =
        e instanceof BatchUpdateException
            || (e.getMessage() != null && SEE_NEXT.matcher(e.getMessage()).find());
    return isBehind && next != null && next.getSQLState() != null ? reported(next) : e;
  }

  private Row row(SQLException given) {
    SQLException e = reported(given);
    for (List<Row> table : List.of(rows, STANDARD)) {
      for (Row row : table) {
        if (row.fits(e)) {
          return row;
        }
      }
    }
    throw new Fault.Bug("the faults end without a row for the rest", e);
  }

  /// Who can do something about it.
  public Kind kind(SQLException e) {
    return row(e).kind;
  }

  /// What to do about it; may be empty.
  public String advice(SQLException e) {
    String special = adviser.apply(reported(e));
    return special.isEmpty() ? row(e).advice : special;
  }

  @Override
  public boolean isLock(SQLException e) {
    return kind(e) == Kind.LOCKED;
  }

  @Override
  public Fault of(SQLException e, String label) {
    Row row = row(e);
    String advice = advice(e);
    String message = label + ": " + sentence(e);
    return switch (row.kind) {
      case USER -> new Fault.User(message, advice, e);
      case DATA -> new Fault.Data(message, advice, null);
      case LOCKED, UNDONE -> new Fault.Transient(message, advice, 0, e);
      case TRANSIENT -> Fault.Transient.endingRun(message, advice, e);
      case UNREACHABLE -> Fault.Transient.unreachable(message, advice, e);
      case CANCELLED -> new Fault.Cancelled(label + " was stopped");
      case EXTERNAL -> new Fault.External(message, advice, e);
    };
  }

  /// What the database says, as a sentence.
  public String sentence(SQLException e) {
    String message = words.apply(reported(e));
    return message.endsWith(".") ? message : message + ".";
  }

  /// The first line of a message.
  public static String firstLine(@Nullable String message) {
    return message == null ? "no reason given" : message.lines().findFirst().orElse("").strip();
  }
}
