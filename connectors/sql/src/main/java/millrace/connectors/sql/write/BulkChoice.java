package millrace.connectors.sql.write;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.ServerDialect.Bulk;
import millrace.connectors.sql.ServerDialect.BulkLoad;
import millrace.connectors.sql.ServerDialect.StreamLoad;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableUpkeep;
import millrace.spi.write.Landing;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// How the sessions of a load send their rows.
///
/// @param bulk the bulk load; null if rows are inserted
/// @param whyInserts why they are, though there is a bulk load; empty if they are not
/// @param undoes whether rows are undone with their transaction
record BulkChoice(SqlLoad plan, @Nullable Bulk bulk, String whyInserts, boolean undoes) {

  /// Settles it, while nothing is changed yet.
  ///
  /// @param session asks the server what it allows
  /// @param notUndone why rows of the table are not undone with their transaction; empty if they
  ///   are
  /// @throws millrace.fault.Fault.User if the user wants a load that can't be
  static BulkChoice of(SqlLoad plan, ServerDialect dialect, SqlSession session, String notUndone) {
    boolean undoes = notUndone.isEmpty() || plan.landing().staged();
    Bulk way = dialect.bulk();
    if (way == null) {
      return new BulkChoice(plan, null, "", undoes);
    }
    Map<String, String> columns = new LinkedHashMap<>();
    plan.columns().slots().forEach(slot -> columns.put(slot.name(), slot.declared()));
    String whyInserts =
        undoes
            ? dialect.whyInserts(session, filled(plan), columns)
            : notUndone + ", so rows are inserted.";
    return new BulkChoice(plan, whyInserts.isEmpty() ? way : null, whyInserts, undoes);
  }

  /// The table if it was there before and gets the rows itself; null if one is made for them.
  private static @Nullable TableInfo filled(SqlLoad plan) {
    boolean isThere = plan.landing().place() == Landing.Place.TARGET && !plan.makes();
    return isThere ? plan.found() : null;
  }

  /// The same, or what is made in its place: one that appears at once has its key from the start.
  private static @Nullable TableInfo target(SqlLoad plan) {
    if (plan.landing().place() != Landing.Place.TARGET || !plan.makes()) {
      return filled(plan);
    }
    return new TableInfo(
        TableInfo.Kind.TABLE,
        List.of(),
        plan.key(),
        null,
        -1,
        List.of(),
        TableInfo.Definition.NONE,
        TableInfo.RowRules.NONE);
  }

  /// What a session sends rows by.
  ///
  /// @param places where rows of a merge note where they stood; null of other loads
  RowSink sink(SqlSession session, @Nullable StagedPlaces places, WriteContext context) {
    return switch (bulk) {
      case StreamLoad load ->
          new StreamSink(
              plan,
              session,
              load,
              target(plan),
              new RowBinder(plan, places, context, load.types()),
              context);
      case BulkLoad load ->
          new BulkSink(plan, session, load, new RowBinder(plan, places, context), context);
      case null ->
          new BatchInsert(
              plan,
              session,
              new RowBinder(plan, places, context),
              context,
              undoes ? plan.dialect().statements().savepoints() : Savepoints.NONE);
    };
  }

  /// Whether rows are streamed, so that a table that is made for them gets its key at the end.
  boolean streams() {
    return bulk instanceof StreamLoad;
  }

  /// Whether rows are there before their receipts can be.
  boolean endsAlone() {
    return bulk instanceof StreamLoad load && load.endsAlone();
  }

  /// What keeps the table in order. Changes nothing.
  ///
  /// @param known what the run that is gone on with knew of it; null if none is
  TableUpkeep upkeep(SqlSession session, @Nullable List<String> known) {
    return bulk instanceof StreamLoad load && target(plan) != null
        ? load.upkeep(session, plan.filled(), known)
        : TableUpkeep.NONE;
  }

  /// What the report says of it.
  List<String> notes() {
    String note = bulk instanceof StreamLoad load ? load.note() : whyInserts;
    return note.isEmpty() ? List.of() : List.of(note);
  }
}
