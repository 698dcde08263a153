package millrace.testkit.oracle.engine;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraCode;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.TokenReader;

/// DDL of what is kept as a text, and never carried out: PL/SQL, types, synonyms. It compiles if
/// there are the tables behind its FROM, INTO and UPDATE, and a body's specification.
final class CodeDdl {

  private static final Pattern TABLE =
      Pattern.compile("(?i)\\b(?:FROM|INSERT\\s+INTO|UPDATE)\\s+(?:\"?(\\w+)\"?\\.)?\"?(\\w+)\"?");

  private final OraCatalog catalog;
  private final String schema;
  private final TokenReader in;

  CodeDdl(OraSession session, TokenReader in) {
    this.in = in;
    catalog = session.database().catalog();
    schema = session.settings().schema;
  }

  /// Behind CREATE, if one of them is next.
  boolean create(boolean replace) throws OraException {
    int start = in.peek().start();
    if (in.accept("SYNONYM")) {
      ObjectName name = in.objectName(schema);
      in.expect("FOR");
      ObjectName other = in.objectName(schema);
      put(name, "SYNONYM", other.name(), other.schema(), "", replace);
      return true;
    }
    if (!in.peek().isAny("FUNCTION", "PROCEDURE", "PACKAGE", "TYPE")) {
      return false;
    }
    String kind = in.next().text() + (in.accept("BODY") ? " BODY" : "");
    ObjectName name = in.objectName(schema);
    String text = in.sql().substring(start);
    put(name, kind, text, "", error(kind, name, text), replace);
    return true;
  }

  /// Keeps the text of a trigger that was made.
  void keepTrigger(ObjectName name) {
    String sql = in.sql();
    Matcher head = Pattern.compile("(?i)\\bTRIGGER\\b").matcher(sql);
    String text = head.find() ? sql.substring(head.start()) : sql;
    catalog.add(
        new OraCode(name.schema(), name.name(), "TRIGGER", catalog.nextObjectId(), text, "", ""));
  }

  private void put(
      ObjectName name, String kind, String text, String target, String error, boolean replace)
      throws OraException {
    OraCode before = catalog.code(name.schema(), kind, name.name());
    if (!replace && (before != null || isTaken(name, kind))) {
      throw new OraException(955, "name is already used by an existing object");
    }
    catalog.add(
        new OraCode(name.schema(), name.name(), kind, catalog.nextObjectId(), text, target, error));
  }

  private boolean isTaken(ObjectName name, String kind) {
    return !kind.endsWith(" BODY")
        && (catalog.table(name.schema(), name.name()) != null
            || catalog.sequence(name.schema(), name.name()) != null
            || catalog.codes().stream()
                .anyMatch(each ->
                    !each.isBeside()
                        && each.schema().equals(name.schema())
                        && each.name().equals(name.name())));
  }

  private String error(String kind, ObjectName name, String text) {
    if (kind.endsWith(" BODY")
        && catalog.code(name.schema(), kind.replace(" BODY", ""), name.name()) == null) {
      return "PLS-00304: cannot compile body of '%s' without its specification"
          .formatted(name.name());
    }
    Matcher tables = TABLE.matcher(text);
    while (tables.find()) {
      String owner = tables.group(1) == null ? name.schema() : tables.group(1);
      String table = tables.group(2).toUpperCase(Locale.ROOT);
      boolean isThere =
          table.equals("DUAL")
              || catalog.table(owner.toUpperCase(Locale.ROOT), table) != null
              || catalog.code(owner.toUpperCase(Locale.ROOT), "SYNONYM", table) != null;
      if (!isThere) {
        return "PL/SQL: ORA-00942: table or view does not exist";
      }
    }
    return "";
  }
}
