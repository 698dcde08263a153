package millrace.testkit.oracle.dictionary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import millrace.testkit.oracle.catalog.OraCode;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraSequence;
import millrace.testkit.oracle.catalog.OraTrigger;
import millrace.testkit.oracle.rules.ChunkTasks;
import org.jspecify.annotations.Nullable;

/// Views of objects of all kinds, and of where they lie, without `ALL_` before their names.
final class ObjectViews {
  private ObjectViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    TableViews.put(
        views,
        "VIEWS",
        "OWNER",
        "TOWNER,TVIEW_NAME,NTEXT_LENGTH,TVIEW_TYPE,LTEXT",
        ObjectViews::views);
    TableViews.put(
        views,
        "SEQUENCES",
        "SEQUENCE_OWNER",
        "TSEQUENCE_OWNER,TSEQUENCE_NAME,NMIN_VALUE,NMAX_VALUE,NINCREMENT_BY,TCYCLE_FLAG,TORDER_FLAG,"
            + "NCACHE_SIZE,NLAST_NUMBER",
        ObjectViews::sequences);
    TableViews.put(
        views,
        "OBJECTS",
        "OWNER",
        "TOWNER,TOBJECT_NAME,TSUBOBJECT_NAME,NOBJECT_ID,NDATA_OBJECT_ID,TOBJECT_TYPE,DCREATED,TSTATUS,"
            + "TTEMPORARY,TGENERATED,TSECONDARY",
        ObjectViews::objects);
    TableViews.put(
        views,
        "TRIGGERS",
        "OWNER",
        "TOWNER,TTRIGGER_NAME,TTRIGGER_TYPE,TTRIGGERING_EVENT,TTABLE_OWNER,TBASE_OBJECT_TYPE,"
            + "TTABLE_NAME,TSTATUS",
        ObjectViews::triggers);
    TableViews.put(
        views, "USERS", null, "TUSERNAME,NUSER_ID,TDEFAULT_TABLESPACE", ObjectViews::users);
    TableViews.put(
        views,
        "SYNONYMS",
        "OWNER",
        "TOWNER,TSYNONYM_NAME,TTABLE_OWNER,TTABLE_NAME,TDB_LINK",
        CodeViews::synonyms);
    TableViews.put(
        views,
        "EXTENTS",
        "OWNER",
        "TOWNER,TSEGMENT_NAME,TPARTITION_NAME,TSEGMENT_TYPE,NEXTENT_ID,NFILE_ID,NBLOCK_ID,NBYTES,NBLOCKS,"
            + "NRELATIVE_FNO",
        ExtentViews::extents);
    views.putAll(CodeViews.all());
    TableViews.put(
        views,
        "PROCEDURES",
        "OWNER",
        "TOWNER,TOBJECT_NAME,TPROCEDURE_NAME,TOBJECT_TYPE",
        ObjectViews::procedures);
    TableViews.put(
        views,
        "PARALLEL_EXECUTE_CHUNKS",
        null,
        "NCHUNK_ID,TTASK_NAME,TSTATUS,TSTART_ROWID,TEND_ROWID,NSTART_ID,NEND_ID",
        ObjectViews::chunks);
    return views;
  }

  private static List<List<@Nullable Object>> views(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          String text = table.viewText();
          return text == null
              ? List.of()
              : List.of(
                  TableViews.row(table.schema(), table.name(), (long) text.length(), null, text));
        });
  }

  private static List<List<@Nullable Object>> sequences(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraSequence sequence : context.catalog().sequences()) {
      rows.add(
          TableViews.row(
              sequence.schema(),
              sequence.name(),
              1L,
              Long.MAX_VALUE,
              sequence.increment(),
              "N",
              "N",
              sequence.cache(),
              context.lastNumber(sequence)));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> objects(DictionaryContext context) {
    List<List<@Nullable Object>> rows =
        TableViews.each(
            context,
            table -> {
              List<List<@Nullable Object>> own = new ArrayList<>();
              boolean keepsRows = !table.isView() && table.partitioning() == null;
              Long data = keepsRows ? Long.valueOf(table.objectId()) : null;
              own.add(
                  object(
                      context,
                      table.schema(),
                      table.name(),
                      table.objectId(),
                      data,
                      table.isView() ? "VIEW" : "TABLE"));
              own.addAll(ExtentViews.parts(context, table));
              for (OraIndex index : table.indexes()) {
                own.add(
                    object(
                        context,
                        table.schema(),
                        index.name(),
                        index.objectId(),
                        index.objectId(),
                        "INDEX"));
              }
              return own;
            });
    for (OraSequence sequence : context.catalog().sequences()) {
      rows.add(
          object(
              context, sequence.schema(), sequence.name(), sequence.objectId(), null, "SEQUENCE"));
    }
    for (OraCode code : context.catalog().codes()) {
      List<@Nullable Object> row =
          object(context, code.schema(), code.name(), code.objectId(), null, code.kind());
      row.set(row.indexOf("VALID"), code.error().isEmpty() ? "VALID" : "INVALID");
      rows.add(row);
    }
    return rows;
  }

  private static List<@Nullable Object> object(
      DictionaryContext context,
      String owner,
      String name,
      long id,
      @Nullable Long data,
      String type) {
    return TableViews.row(
        owner, name, null, id, data, type, TableViews.now(context), "VALID", "N", "N", "N");
  }

  private static List<List<@Nullable Object>> triggers(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          OraTrigger trigger = table.trigger();
          return trigger == null
              ? List.of()
              : List.of(
                  TableViews.row(
                      table.schema(),
                      trigger.name(),
                      trigger.type(),
                      trigger.events(),
                      table.schema(),
                      table.isView() ? "VIEW" : "TABLE",
                      table.name(),
                      table.hasEnabledTrigger() ? "ENABLED" : "DISABLED"));
        });
  }

  private static List<List<@Nullable Object>> users(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (String user : new TreeSet<>(context.catalog().schemas())) {
      rows.add(TableViews.row(user, 100L + rows.size(), "USERS"));
    }
    return rows;
  }

  /// Those that cut tables, if the user may call them.
  private static List<List<@Nullable Object>> procedures(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    if (!context.isClosed(ChunkTasks.PACKAGE)) {
      for (String name : List.of("CREATE_TASK", "CREATE_CHUNKS_BY_ROWID", "DROP_TASK")) {
        rows.add(TableViews.row("SYS", ChunkTasks.PACKAGE, name, "PACKAGE"));
      }
    }
    return rows;
  }

  private static List<List<@Nullable Object>> chunks(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    context
        .chunks()
        .values()
        .forEach(task -> task.forEach(chunk -> rows.add(new ArrayList<>(chunk))));
    return rows;
  }
}
