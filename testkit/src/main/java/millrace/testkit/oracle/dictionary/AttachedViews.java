package millrace.testkit.oracle.dictionary;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Views of what the server does for tables besides keeping their rows, without `ALL_` before their
/// names.
final class AttachedViews {
  private AttachedViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    put(views, "POLICIES", "OBJECT_OWNER", "TOBJECT_OWNER,TOBJECT_NAME,TPOLICY_NAME", "POLICY");
    put(views, "ENCRYPTED_COLUMNS", "OWNER", "TOWNER,TTABLE_NAME,TCOLUMN_NAME", "ENCRYPTED");
    put(views, "MVIEW_LOGS", "LOG_OWNER", "TLOG_OWNER,TMASTER,TLOG_TABLE", "LOG");
    put(views, "EXTERNAL_TABLES", "OWNER", "TOWNER,TTABLE_NAME,TTYPE_NAME", "EXTERNAL");
    put(views, "LOG_GROUPS", "OWNER", "TOWNER,TTABLE_NAME,TLOG_GROUP_NAME", "LOG_GROUP");
    put(
        views,
        "FLASHBACK_ARCHIVE_TABLES",
        null,
        "TOWNER_NAME,TTABLE_NAME,TFLASHBACK_ARCHIVE_NAME",
        "ARCHIVE");
    TableViews.put(
        views,
        "TABLESPACES",
        null,
        "TTABLESPACE_NAME,TLOGGING,TFORCE_LOGGING",
        context -> List.of(tablespace(context.catalog().logging())));
    return views;
  }

  private static List<@Nullable Object> tablespace(String said) {
    return TableViews.row(
        "USERS",
        said.matches("(?i)users NOLOGGING") ? "NOLOGGING" : "LOGGING",
        said.matches("(?i)users FORCE LOGGING") ? "YES" : "NO");
  }

  private static void put(
      Map<String, ViewDefinition> views,
      String name,
      @Nullable String owner,
      String columns,
      String kind) {
    TableViews.put(
        views,
        name,
        owner,
        columns,
        context ->
            TableViews.each(
                context,
                table ->
                    table.attached().stream()
                        .filter(each -> each.getFirst().equals(kind))
                        .map(each -> TableViews.row(table.schema(), table.name(), each.getLast()))
                        .toList()));
  }
}
