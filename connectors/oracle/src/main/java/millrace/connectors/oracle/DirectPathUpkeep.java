package millrace.connectors.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.sink.TableUpkeep;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What a table needs whose rows come by direct path: constraints and triggers are switched off if
/// the user wants that, and on again; indexes that are left behind are rebuilt.
///
/// All of it is DDL, which commits. The target's thread.
final class DirectPathUpkeep implements TableUpkeep {

  private static final String INDEXES =
      "SELECT owner, index_name, uniqueness FROM all_indexes WHERE table_owner = ?"
          + " AND table_name = ? AND status = 'UNUSABLE' ORDER BY 1, 2";

  /// Those that a stream does not check: columns that may not be missing are checked.
  private static final String CONSTRAINTS =
      "SELECT constraint_name, validated, search_condition_vc FROM all_constraints WHERE owner = ?"
          + " AND table_name = ? AND constraint_type IN ('R', 'C') AND status = 'ENABLED'"
          + " ORDER BY 1";

  private static final String TRIGGERS =
      "SELECT owner, trigger_name FROM all_triggers WHERE table_owner = ? AND table_name = ?"
          + " AND status = 'ENABLED' AND triggering_event LIKE '%INSERT%' ORDER BY 1, 2";

  private final Names names;
  private final TableName table;
  private final boolean rebuildsAll;
  private final boolean goesOn;
  private final List<String> off = new ArrayList<>();
  private final Set<String> on = new LinkedHashSet<>();

  /// What makes indexes unusable that were so before.
  private final Set<String> behind = new LinkedHashSet<>();

  /// @param known the state that a run before has found; null if none is gone on with
  /// @throws Fault.User if an index of the table keeps streams from it
  DirectPathUpkeep(
      SqlSession session,
      Names names,
      TableName table,
      OracleOptions options,
      @Nullable List<String> known) {
    this.names = names;
    this.table = table;
    rebuildsAll = options.rebuildsIndexes();
    goesOn = known != null;
    for (String command : known == null ? List.<String>of() : known) {
      (command.startsWith("ALTER INDEX") ? behind : on).add(command);
    }
    if (known == null && !rebuildsAll) {
      for (Index index : unusable(session)) {
        checkUsable(index);
        behind.add(index.unusable());
      }
    }
    if (options.disablesRules()) {
      look(session);
    }
  }

  private static void checkUsable(Index index) {
    if (index.isUnique) {
      throw new Fault.User(
          "The unique index " + index.sql + " is unusable, so that no rows can be streamed.",
          "Rebuild it first, or have that done at the end: --indexes rebuild. The command: "
              + index.rebuild()
              + ";");
    }
  }

  /// An index, or a part of one, that is not kept up to date.
  ///
  /// @param part `PARTITION name`, or empty
  private record Index(String sql, boolean isUnique, String part) {

    String unusable() {
      return "ALTER INDEX " + sql + (part.isEmpty() ? "" : " MODIFY " + part) + " UNUSABLE";
    }

    String rebuild() {
      return "ALTER INDEX " + sql + " REBUILD" + (part.isEmpty() ? "" : " " + part);
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

  private List<Index> unusable(SqlSession session) {
    List<Index> found =
        new ArrayList<>(
            session.query(INDEXES, row -> index(row, ""), table.schema(), table.name()));
    for (String kind : List.of("PARTITION", "SUBPARTITION")) {
      found.addAll(
          session.query(
              ofParts(kind.toLowerCase(Locale.ROOT)),
              row -> index(row, kind + " " + names.quoted(row.getString(4))),
              table.schema(),
              table.name()));
    }
    return found;
  }

  /// @param kind `partition` or `subpartition`
  private static String ofParts(String kind) {
    return "SELECT p.index_owner, p.index_name, i.uniqueness, p."
        + kind
        + "_name FROM all_ind_"
        + kind
        + "s p JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name"
        + " WHERE i.table_owner = ? AND i.table_name = ? AND p.status = 'UNUSABLE'"
        + " ORDER BY 1, 2, 4";
  }

  private Index index(ResultSet row, String part) throws SQLException {
    String sql = new TableName(row.getString(1), row.getString(2)).sql(names);
    return new Index(sql, row.getString(3).equals("UNIQUE"), part);
  }

  @Override
  public List<String> state() {
    List<String> state = new ArrayList<>(on);
    state.addAll(behind);
    return state;
  }

  /// A stream does not begin on a unique index that the run before has left behind.
  @Override
  public void begin(SqlSession session) {
    if (goesOn && !rebuildsAll) {
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

  @Override
  public List<Left> end(SqlSession session) {
    List<Left> left = new ArrayList<>();
    rebuild(session, left);
    on.forEach(command -> run(session, command, "", left));
    return left;
  }

  private void rebuild(SqlSession session, List<Left> left) {
    for (Index index : unusable(session)) {
      if (!behind.contains(index.unusable())) {
        run(session, index.rebuild(), "Index " + index.sql + " is unusable: ", left);
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
