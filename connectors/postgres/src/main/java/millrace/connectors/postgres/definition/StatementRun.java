package millrace.connectors.postgres.definition;

import java.util.List;
import java.util.Set;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries statements of definitions out, all of them or none.
///
/// @param session outside of a transaction
/// @param again whether some may have been carried out before
public record StatementRun(Session session, boolean again) {

  private static final Logger LOG = LoggerFactory.getLogger(StatementRun.class);

  /// Duplicate table, which an index is as well, duplicate object, function and schema, and a
  /// second primary key: Table A.1 of PostgreSQL's documentation.
  private static final Set<String> THERE_ALREADY =
      Set.of("42P07", "42710", "42723", "42P06", "42P16");

  /// What a function's body needs may not be there yet.
  private static final String UNCHECKED = "SET LOCAL check_function_bodies = off";

  /// Carries them out.
  ///
  /// @throws Fault if the server refuses one
  public void all(List<String> statements) {
    if (again) {
      statements.forEach(this::unlessThere);
    } else if (statements.size() == 1) {
      one(statements.getFirst());
    } else if (!inOneMessage(statements)) {
      unchecked(() -> statements.forEach(this::one));
    }
  }

  /// Whether all went well; if not, nothing was done, and the statements one by one tell which the
  /// server refuses.
  private boolean inOneMessage(List<String> statements) {
    try {
      session.execute("BEGIN; " + UNCHECKED + "; " + String.join("; ", statements) + "; COMMIT");
      return true;
    } catch (Fault.User | Fault.Data | Fault.External e) {
      LOG.debug("one of several statements is refused", e);
      session.execute("ROLLBACK");
      return false;
    }
  }

  private void unlessThere(String statement) {
    try {
      unchecked(() -> one(statement));
    } catch (Fault e) {
      if (!(e.getCause() != null
          && e.getCause().getCause() instanceof java.sql.SQLException cause
          && THERE_ALREADY.contains(PostgresFaults.state(cause)))) {
        throw e;
      }
    }
  }

  private void unchecked(Runnable work) {
    session.transaction(() -> {
      session.execute(UNCHECKED);
      work.run();
    });
  }

  private void one(String statement) {
    try {
      session.execute(statement);
    } catch (Fault.User | Fault.Data | Fault.External e) {
      String advice =
          statement.startsWith("CREATE EXTENSION")
              ? "Have it installed on the target's server, or made there by a superuser, and go on."
              : "Make what it lacks and go on, or make it yourself.";
      throw CopiedDefinition.refused(statement, advice, e);
    }
  }
}
