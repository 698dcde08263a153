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

  /// Duplicate table, which an index is as well, duplicate object, and a second primary key: Table
  /// A.1 of PostgreSQL's documentation.
  private static final Set<String> THERE_ALREADY = Set.of("42P07", "42710", "42P16");

  /// Carries them out.
  ///
  /// @throws Fault if the server refuses one
  public void all(List<String> statements) {
    if (again) {
      statements.forEach(this::unlessThere);
    } else if (statements.size() == 1) {
      one(statements.getFirst());
    } else if (!inOneMessage(statements)) {
      session.transaction(() -> statements.forEach(this::one));
    }
  }

  /// Whether all went well; if not, nothing was done, and the statements one by one tell which the
  /// server refuses.
  private boolean inOneMessage(List<String> statements) {
    try {
      session.execute("BEGIN; " + String.join("; ", statements) + "; COMMIT");
      return true;
    } catch (Fault.User | Fault.Data | Fault.External e) {
      LOG.debug("one of several statements is refused", e);
      session.execute("ROLLBACK");
      return false;
    }
  }

  private void unlessThere(String statement) {
    try {
      session.transaction(() -> one(statement));
    } catch (Fault e) {
      if (!(e.getCause() != null
          && e.getCause().getCause() instanceof java.sql.SQLException cause
          && THERE_ALREADY.contains(PostgresFaults.state(cause)))) {
        throw e;
      }
    }
  }

  private void one(String statement) {
    try {
      session.execute(statement);
    } catch (Fault.User | Fault.Data | Fault.External e) {
      throw CopiedDefinition.refused(
          statement,
          "Make what it lacks and go on, or make the table yourself. The types, functions and"
              + " grants of a database come along with pg_dump --section=pre-data, its triggers"
              + " with --section=post-data.",
          e);
    }
  }
}
