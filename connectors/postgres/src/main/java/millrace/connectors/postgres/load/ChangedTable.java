package millrace.connectors.postgres.load;

import java.sql.SQLException;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.fault.Fault;
import org.postgresql.util.ServerErrorMessage;

/// Tells of tables that others have changed or taken away while a load was under way. The
/// statements of a load name what was there when it was planned: where the server does not know a
/// name of theirs, somebody has been there since.
public final class ChangedTable {

  private ChangedTable() {}

  /// The fault of a statement of that load, in words that say so where that is what it is.
  public static Fault told(Fault fault, LoadPlan plan) {
    if (!(fault.getCause() instanceof SQLException e) || !isAboutStatement(e)) {
      return fault;
    }
    String said = PostgresFaults.message(e);
    return switch (PostgresFaults.state(e)) {
      case "42P01", "3F000" ->
          new Fault.External(
              (said.contains(plan.into().name()) ? plan.into() : plan.target()).label()
                  + " is not there any more: somebody has dropped or renamed it while rows were"
                  + " copied.",
              "Copy again when nobody does.",
              e);
      case "42703", "42804" ->
          new Fault.External(
              "The columns of "
                  + plan.target().label()
                  + " are not what they were: somebody has changed them while rows were copied ("
                  + StagingTable.unstaged(plan, said)
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
}
