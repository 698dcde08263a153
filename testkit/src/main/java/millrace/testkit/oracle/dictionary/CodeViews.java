package millrace.testkit.oracle.dictionary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.testkit.oracle.catalog.OraCode;
import millrace.testkit.oracle.catalog.OraTable;
import org.jspecify.annotations.Nullable;

/// Views of what is kept as a text, without `ALL_` before their names.
final class CodeViews {
  private CodeViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    TableViews.put(views, "SOURCE", "OWNER", "TOWNER,TNAME,TTYPE,NLINE,LTEXT", CodeViews::source);
    TableViews.put(
        views,
        "ERRORS",
        "OWNER",
        "TOWNER,TNAME,TTYPE,NSEQUENCE,NLINE,NPOSITION,LTEXT,TATTRIBUTE,NMESSAGE_NUMBER",
        CodeViews::errors);
    TableViews.put(
        views,
        "DEPENDENCIES",
        "OWNER",
        "TOWNER,TNAME,TTYPE,TREFERENCED_OWNER,TREFERENCED_NAME,TREFERENCED_TYPE,"
            + "TREFERENCED_LINK_NAME,TDEPENDENCY_TYPE",
        CodeViews::dependencies);
    return views;
  }

  private static List<OraCode> texts(DictionaryContext context) {
    return context.catalog().codes().stream()
        .filter(code -> !code.kind().equals("SYNONYM"))
        .toList();
  }

  static List<List<@Nullable Object>> synonyms(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraCode code : context.catalog().codes()) {
      if (code.kind().equals("SYNONYM")) {
        rows.add(TableViews.row(code.schema(), code.name(), code.target(), code.text(), null));
      }
    }
    return rows;
  }

  /// A row for each line, with its end.
  private static List<List<@Nullable Object>> source(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraCode code : texts(context)) {
      long line = 1;
      for (String text : code.text().split("(?<=\n)", -1)) {
        rows.add(TableViews.row(code.schema(), code.name(), code.kind(), line++, text));
      }
    }
    return rows;
  }

  private static List<List<@Nullable Object>> errors(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraCode code : texts(context)) {
      if (!code.error().isEmpty()) {
        rows.add(
            TableViews.row(
                code.schema(), code.name(), code.kind(), 1L, 1L, 1L, code.error(), "ERROR", 0L));
      }
    }
    return rows;
  }

  /// What each text names, views too.
  private static List<List<@Nullable Object>> dependencies(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraCode code : texts(context)) {
      rows.addAll(named(context, code.schema(), code.name(), code.kind(), code.text()));
    }
    for (OraTable table : context.catalog().tables()) {
      String text = table.viewText();
      if (text != null) {
        rows.addAll(named(context, table.schema(), table.name(), "VIEW", text));
      }
    }
    return rows;
  }

  private static List<List<@Nullable Object>> named(
      DictionaryContext context, String schema, String name, String kind, String text) {
    Set<String> words = new TreeSet<>(List.of(text.toUpperCase(Locale.ROOT).split("[^\\w$#]+")));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (OraTable table : context.catalog().tables()) {
      if (table.schema().equals(schema) && words.contains(table.name())) {
        String other = table.isView() ? "VIEW" : "TABLE";
        if (!(other.equals(kind) && table.name().equals(name))) {
          rows.add(row(schema, name, kind, table.name(), other));
        }
      }
    }
    for (OraCode code : context.catalog().codes()) {
      boolean isItself = code.name().equals(name) && code.kind().equals(kind);
      if (code.schema().equals(schema)
          && words.contains(code.name())
          && !code.isBeside()
          && !isItself) {
        rows.add(row(schema, name, kind, code.name(), code.kind()));
      }
    }
    return rows;
  }

  private static List<@Nullable Object> row(
      String schema, String name, String kind, String other, String otherKind) {
    return TableViews.row(schema, name, kind, schema, other, otherKind, null, "HARD");
  }
}
