package millrace.testkit.oracle.dictionary;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraSequence;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.value.DatabaseCharset;

/// What the views show to one session.
public interface DictionaryContext {

  OraCatalog catalog();

  OracleRelease release();

  DatabaseCharset charset();

  /// This session.
  SessionRow self();

  /// Those of the same instance.
  Collection<SessionRow> sessions();

  /// How a session is numbered, by its number among all.
  SessionNumber number(long id);

  /// What all sessions have done since the server began, those that are over included.
  SessionFigures system();

  /// The SCN now, which can be read at from now on.
  long takeScn();

  Instant started();

  /// The schema in which names are looked for.
  String currentSchema();

  String timeZone();

  /// Whether a view that is closed to most was opened.
  boolean isGranted(String view);

  /// Whether a view that is open to all here was closed to them.
  boolean isClosed(String view);

  /// The greatest number of a row in the table; 0 if there is none.
  long lastRow(OraTable table);

  /// The number that a sequence gives next.
  long lastNumber(OraSequence sequence);

  /// Rows of USER_PARALLEL_EXECUTE_CHUNKS and the like.
  Map<String, List<List<Object>>> chunks();

  /// A session as V$SESSION shows it.
  ///
  /// @param active whether it carries out a call
  /// @param inTransaction whether it has changes that are not committed
  /// @param waiting what it waits for within its call
  record SessionRow(
      SessionNumber number,
      String user,
      String machine,
      String program,
      String module,
      String action,
      boolean active,
      boolean inTransaction,
      SessionWait waiting,
      SessionFigures figures) {}
}
