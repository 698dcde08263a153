package millrace.connectors.oracle.direct;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.connectors.oracle.OracleOptions;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What a table needs whose rows come by direct path: constraints and triggers are switched off if
/// the user wants that, and on again; indexes that are left behind are rebuilt.
///
/// All of it is DDL, which commits. The target's thread.
final class DirectPathUpkeep {

  /// Those that a stream does not check: columns that may not be missing are checked.
  private static final String CONSTRAINTS =
      "SELECT constraint_name, validated, search_condition_vc FROM all_constraints WHERE owner = ?"
          + " AND table_name = ? AND constraint_type IN ('R', 'C') AND status = 'ENABLED'"
          + " ORDER BY 1";

  private static final String TRIGGERS =
      "SELECT owner, trigger_name FROM all_triggers WHERE table_owner = ? AND table_name = ?"
          + " AND status = 'ENABLED' AND triggering_event LIKE '%INSERT%' ORDER BY 1, 2";

  /// Something that is left to the user.
  ///
  /// @param command does it
  /// @param why it was not done, as a sentence
  record Left(String command, String why) {}

  private final Names names;
  private final LoadedIndexes indexes;
  private final TableName table;
  private final boolean rebuildsAll;
  private final boolean resumed;
  private final List<String> off = new ArrayList<>();
  private final Set<String> on = new LinkedHashSet<>();

  /// What makes indexes unusable that were so before.
  private final Set<String> after = new LinkedHashSet<>();

  /// @param indexes the table's, or those of the part of it that is written
  /// @param known the state that a run before has found; null if none is gone on with
  /// @throws Fault.User if an index of the table keeps streams from it
  DirectPathUpkeep(
      SqlSession session,
      Names names,
      LoadedIndexes indexes,
      OracleOptions options,
      @Nullable List<String> known) {
    this.names = names;
    this.indexes = indexes;
    table = indexes.table();
    rebuildsAll = options.rebuildsIndexes();
    resumed = known != null;
    for (String command : known == null ? List.<String>of() : known) {
      (command.startsWith("ALTER INDEX") ? after : on).add(command);
    }
    if (known == null && !rebuildsAll) {
      for (LoadedIndexes.Unusable index : indexes.unusable(session)) {
        index.checkStreams();
        after.add(index.again());
      }
    }
    if (options.disablesRules()) {
      look(session);
    }
  }

  private void look(SqlSession session) {
    String alter = "ALTER TABLE " + table.sql(names);
    session.query(
        CONSTRAINTS,
        row -> {
          String condition = row.getString(3);
          boolean isChecked = condition != null && condition.matches("\".*\" IS NOT NULL");
          if (!isChecked) {
            String name = " CONSTRAINT " + names.quoted(row.getString(1));
            String how = row.getString(2).equals("VALIDATED") ? "" : " NOVALIDATE";
            off.add(alter + " DISABLE" + name);
            on.add(alter + " ENABLE" + how + name);
          }
          return true;
        },
        table.schema(),
        table.name());
    session.query(
        TRIGGERS,
        row -> {
          TableName name = new TableName(row.getString(1), row.getString(2));
          off.add("ALTER TRIGGER " + name.sql(names) + " DISABLE");
          on.add("ALTER TRIGGER " + name.sql(names) + " ENABLE");
          return true;
        },
        table.schema(),
        table.name());
  }

  /// How the table was, as commands that would make it so again: the journal keeps them for a run
  /// that goes on with this one.
  List<String> state() {
    List<String> state = new ArrayList<>(on);
    state.addAll(after);
    return state;
  }

  /// Changes what keeps rows from being sent, as far as the user has said so. A stream does not
  /// begin on a unique index that the run before has left behind.
  void begin(SqlSession session) {
    if (resumed && !rebuildsAll) {
      List<Left> left = new ArrayList<>();
      rebuild(session, left);
      if (!left.isEmpty()) {
        throw new Fault.Data(
            "The copy before has left an index behind: " + left.getFirst().why(),
            "Mend the rows, and then the index: " + left.getFirst().command() + ";",
            null);
      }
    }
    off.forEach(session::execute);
  }

  /// Puts the table in order, whether all rows are in it or not. A second call tries again what is
  /// left.
  ///
  /// @return what could not be done
  List<Left> end(SqlSession session) {
    List<Left> left = new ArrayList<>();
    rebuild(session, left);
    on.forEach(command -> run(session, command, "", left));
    return left;
  }

  private void rebuild(SqlSession session, List<Left> left) {
    for (LoadedIndexes.Unusable index : indexes.unusable(session)) {
      if (!after.contains(index.again())) {
        run(session, index.rebuild(), "Index " + index.sql() + " is unusable: ", left);
      }
    }
  }

  /// What passes is tried again with the run; all else is the user's.
  ///
  /// @param what what is wrong if it fails, with a colon; or empty
  private static void run(SqlSession session, String command, String what, List<Left> left) {
    try {
      session.execute(command);
    } catch (Fault.Transient | Fault.Cancelled e) {
      throw e;
    } catch (Fault e) {
      left.add(
          new Left(
              command, what + e.getMessage() + (e.advice().isEmpty() ? "" : " " + e.advice())));
    }
  }
}
