package millrace.connectors.sql.write;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.spi.read.SourceDescription.Size;
import millrace.spi.write.Landing;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// How the sessions of one load send their rows.
///
/// @param undoes whether rows are undone with their transaction
public record MethodChoice(SqlLoad plan, LoadMethod method, boolean undoes) {

  /// Settles it, while nothing is changed yet.
  ///
  /// @param usual how rows are sent if nothing keeps them from it
  /// @param session asks the server what it allows
  /// @param size how much the source has
  /// @throws millrace.fault.Fault.User if the user wants a way that can't be
  public static MethodChoice of(SqlLoad plan, LoadMethod usual, SqlSession session, Size size) {
    TableInfo found = plan.found();
    String notUndone = found == null || plan.makes() ? "" : found.rowRules().notUndone();
    boolean undoes = notUndone.isEmpty() || plan.landing().staged();
    if (!undoes && !(usual instanceof SqlInserts)) {
      return new MethodChoice(
          plan, usual.inserts().because(notUndone + ", so rows are inserted."), undoes);
    }
    Map<String, String> columns = new LinkedHashMap<>();
    plan.columns().slots().forEach(slot -> columns.put(slot.name(), slot.declared()));
    LoadMethod method = usual.chosen(session, filled(plan), columns, size);
    return new MethodChoice(plan, method, undoes);
  }

  /// The table if it was there before and gets the rows itself; null if one is made for them.
  private static @Nullable TableInfo filled(SqlLoad plan) {
    boolean isThere = plan.landing().place() == Landing.Place.TARGET && !plan.makes();
    return isThere ? plan.found() : null;
  }

  /// The table that rows go into if it has keys or indexes already, since it was there before or
  /// appears at once; null if it has none.
  public @Nullable TableInfo keyed() {
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
    return method.sink(new LaneLoad(plan, keyed(), session, places, undoes, context));
  }

  /// What the report says of it.
  List<String> notes() {
    return method.note().isEmpty() ? List.of() : List.of(method.note());
  }
}
