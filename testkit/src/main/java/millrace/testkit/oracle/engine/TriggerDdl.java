package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraTrigger;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.TokenReader;
import org.jspecify.annotations.Nullable;

/// DDL of triggers. A table has one at most. One that gives a column a value if it is null is
/// carried out, as a default of H2's; others are known, and do nothing.
final class TriggerDdl {

  private static final Pattern FILLING =
      Pattern.compile(
          "(?is)WHEN\\s*\\(\\s*NEW\\.(\\w+)\\s+IS\\s+NULL\\s*\\)\\s*BEGIN\\s+:NEW\\.(\\w+)\\s*:="
              + "([^;]+);\\s*END;?\\s*");

  private final OraSession session;
  private final String schema;
  private final TokenReader in;

  TriggerDdl(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    schema = session.settings().schema;
  }

  /// Behind CREATE TRIGGER.
  void create() throws OraException, SQLException {
    ObjectName full = in.objectName(schema);
    String name = full.name();
    if (session.database().catalog().code(full.schema(), "TRIGGER", name) != null) {
      throw new OraException(4081, "trigger '" + name + "' already exists");
    }
    String when = in.accept("BEFORE") ? "BEFORE" : "AFTER";
    in.accept("AFTER");
    StringBuilder events = new StringBuilder();
    while (!in.accept("ON")) {
      if (in.atEnd()) {
        throw in.unexpected("ON was expected");
      }
      events.append(events.isEmpty() ? "" : " ").append(in.next().text());
    }
    OraTable table = session.names().table(in.objectName(schema));
    String type = when + (in.accept("FOR", "EACH", "ROW") ? " EACH ROW" : " STATEMENT");
    Matcher filling = FILLING.matcher(in.rest());
    boolean fills = type.equals("BEFORE EACH ROW") && filling.matches();
    set(
        table,
        new OraTrigger(
            name,
            type,
            events.toString(),
            fills ? filling.group(2).toUpperCase(Locale.ROOT) : "",
            fills ? filling.group(3).strip() : ""));
    new CodeDdl(session, in).keepTrigger(full);
  }

  /// Behind DROP TRIGGER.
  void drop() throws OraException, SQLException {
    OraTable table = find();
    OraTrigger trigger = table.trigger();
    if (trigger != null) {
      session.database().catalog().removeCode(table.schema(), "TRIGGER", trigger.name());
    }
    set(table, null);
  }

  /// Behind ALTER TRIGGER.
  void alter() throws OraException, SQLException {
    OraTable table = find();
    boolean on = in.accept("ENABLE");
    if (on || in.accept("DISABLE")) {
      enable(session, table, on);
    }
  }

  static void enable(OraSession session, OraTable table, boolean on)
      throws OraException, SQLException {
    run(session, table, on);
    table.enableTrigger(on);
  }

  private OraTable find() throws OraException {
    ObjectName name = in.objectName(schema);
    for (OraTable table : session.database().catalog().tables()) {
      OraTrigger trigger = table.trigger();
      if (name.schema().equals(table.schema())
          && trigger != null
          && name.name().equals(trigger.name())) {
        return table;
      }
    }
    throw new OraException(4080, "trigger '" + name.name() + "' does not exist");
  }

  private void set(OraTable table, @Nullable OraTrigger now) throws OraException, SQLException {
    run(session, table, false);
    table.setTrigger(now);
    table.setChanged();
    run(session, table, true);
  }

  private static void run(OraSession session, OraTable table, boolean on)
      throws OraException, SQLException {
    OraTrigger trigger = table.trigger();
    if (trigger == null || !trigger.fills()) {
      return;
    }
    String alter =
        "ALTER TABLE "
            + Enforcement.name(table)
            + " ALTER COLUMN "
            + ObjectName.quote(trigger.column());
    if (on) {
      String value = TableDdl.expression(session, trigger.value());
      Enforcement.execute(session, alter + " SET DEFAULT " + value);
      Enforcement.execute(session, alter + " SET DEFAULT ON NULL");
    } else {
      Enforcement.execute(session, alter + " DROP DEFAULT ON NULL");
      Enforcement.execute(session, alter + " DROP DEFAULT");
    }
  }
}
