package millrace.connectors.postgres.load;

import java.sql.SQLException;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.fault.Fault;
import org.postgresql.util.ServerErrorMessage;

/// What went wrong in a load, told by the name of the table that the user knows, which may not be
/// the one that the server speaks of.
///
/// The statements of a load name what was there when it was planned. If the server does not know a
/// name of theirs, somebody has changed or dropped the table since.
public final class LoadFaults {

  private LoadFaults() {}

  /// The fault of a statement of that load, in words that say so if somebody has changed the table.
  public static Fault explained(Fault fault, LoadPlan plan) {
    if (!(fault.getCause() instanceof SQLException e) || !isAboutStatement(e)) {
      return fault;
    }
    String message = PostgresFaults.message(e);
    return switch (PostgresFaults.state(e)) {
      case "42P01", "3F000" ->
          new Fault.External(
              (message.contains(plan.into().name()) ? plan.into() : plan.target()).label()
                  + " is not there any more: somebody has dropped or renamed it while rows were"
                  + " copied.",
              "Copy again when nobody does.",
              e);
      case "42703", "42804" ->
          new Fault.External(
              "The columns of "
                  + plan.target().label()
                  + " are not what they were: somebody has changed them while rows were copied ("
                  + unstaged(plan, message)
                  + ").",
              "Give the table its columns back, or copy again into what it is now.",
              e);
      default -> fault;
    };
  }

  /// Triggers and functions have statements of their own, which may be wrong by themselves.
  private static boolean isAboutStatement(SQLException e) {
    ServerErrorMessage server = PostgresFaults.server(e);
    return server != null && server.getWhere() == null;
  }

  /// What the server said of a row, without the name of a staging table.
  public static String serverMessage(SQLException e, LoadPlan plan) {
    ServerErrorMessage server = PostgresFaults.server(e);
    String column = server == null ? null : server.getColumn();
    boolean lacksKey =
        PostgresFaults.state(e).equals(PostgresFaults.NOT_NULL)
            && plan instanceof MergeLoad merge
            && column != null
            && merge.key().contains(column);
    return lacksKey
        ? "a row to be merged has no value in column " + column + ", which is of the key"
        : unstaged(plan, PostgresFaults.message(e));
  }

  /// A message of the server with the name of the table that the user knows.
  public static String unstaged(LoadPlan plan, String message) {
    return message.replace(plan.into().name(), plan.target().name());
  }

  /// Sees to it that the server has kept all rows that it took.
  ///
  /// @throws Fault.External if it has not, and no trigger may have swallowed some
  public static void checkTaken(long taken, long sent, LoadPlan plan) {
    if (taken != sent && !plan.mayDropRows()) {
      throw new Fault.External(
          "The server took " + taken + " of " + sent + " rows into " + plan.target().label() + ".",
          "Rules of the table may leave rows out. COPY passes them by: leave --atomic and --method"
              + " out, or drop the rules.",
          null);
    }
  }
}
