package millrace.testkit.oracle.engine;

import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraKind;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.rules.ResultColumns;
import millrace.testkit.oracle.rules.RowRules;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.SqlTranslator;
import millrace.testkit.oracle.sql.TableDefinition;
import millrace.testkit.oracle.sql.TableParser;
import millrace.testkit.oracle.sql.TokenReader;
import millrace.testkit.oracle.sql.TranslatedSql;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import org.jspecify.annotations.Nullable;

/// Makes tables and views.
final class TableDdl {

  private final OraSession session;
  private final OraCatalog catalog;
  private final TokenReader in;

  TableDdl(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    catalog = session.database().catalog();
  }

  void create() throws OraException, SQLException {
    TableParser parser = new TableParser(in, session.settings().schema, catalog::nextObjectId);
    TableDefinition definition = parser.create();
    ObjectName name = definition.name();
    if (!catalog.schemas().contains(name.schema())) {
      throw new OraException(1918, "user '" + name.schema() + "' does not exist");
    }
    if (catalog.table(name.schema(), name.name()) != null && definition.ifNotExists()) {
      return;
    }
    session.rights().checkMakes(name.schema());
    checkFree(name);
    TranslatedSql query = translated(definition.query());
    List<OraColumn> columns =
        query == null ? definition.columns() : columns(query, definition.columns());
    for (OraColumn column : columns) {
      checkCompatible(catalog, column.name(), column);
    }
    OraTable table = new OraTable(name.schema(), name.name(), catalog.nextObjectId(), columns);
    table.setPartitioning(withBounds(definition.partitioning()));
    table.setCluster(parser.cluster());
    table.setUnlogged(parser.isUnlogged());
    parser.encrypted().forEach(each -> table.attached().add(List.of("ENCRYPTED", each)));
    if (definition.temporary()) {
      table.setTemporary();
    }
    if (definition.isIndex()) {
      if (definition.constraints().stream()
          .noneMatch(each -> each.kind() == OraConstraint.Kind.PRIMARY_KEY)) {
        throw new OraException(25175, "no PRIMARY KEY constraint found");
      }
      table.setIndex();
    }
    make(table, definition.constraints(), query);
    if (parser.isExternal()) {
      table.attached().add(List.of("EXTERNAL", "ORACLE_DATAPUMP"));
    }
    catalog.add(table);
  }

  /// What COMPATIBLE has no room or no type for.
  static void checkCompatible(OraCatalog catalog, String name, @Nullable OraColumn column)
      throws OraException {
    int most = catalog.isCompatible(12, 2) ? 128 : 30;
    if (name.getBytes(StandardCharsets.UTF_8).length > most) {
      throw new OraException(972, "identifier is too long");
    }
    if (column == null) {
      return;
    }
    OraKind kind = column.type().kind();
    if ((kind == OraKind.BOOLEAN && !catalog.isCompatible(23, 0))
        || (kind == OraKind.JSON && !catalog.isCompatible(20, 0))) {
      throw new OraException(902, "invalid datatype");
    }
  }

  private void checkFree(ObjectName name) throws OraException {
    checkCompatible(catalog, name.name(), null);
    if (catalog.table(name.schema(), name.name()) != null
        || catalog.sequence(name.schema(), name.name()) != null) {
      throw new OraException(955, "name is already used by an existing object");
    }
  }

  private @Nullable TranslatedSql translated(@Nullable String query) throws OraException {
    return query == null
        ? null
        : SqlTranslator.translate(ParsedSql.of(query), session.names(), List.of());
  }

  private void make(OraTable table, List<OraConstraint> constraints, @Nullable TranslatedSql query)
      throws OraException, SQLException {
    List<String> items = new ArrayList<>();
    for (OraColumn column : table.columns()) {
      items.add(column(session, column));
    }
    Partitioning division = table.partitioning();
    if (division != null) {
      items.add("\"ORA$PART\" VARCHAR INVISIBLE");
      items.add("\"ORA$SUBPART\" VARCHAR INVISIBLE");
    }
    try (Statement statement = session.connection().createStatement()) {
      statement.execute(
          "CREATE TABLE " + Enforcement.name(table) + " (" + String.join(", ", items) + ")");
      RowRules.create(session.database().number(), table, statement);
      try {
        for (OraConstraint constraint : constraints) {
          addConstraint(session, table, constraint);
        }
        if (query != null) {
          statement.execute("INSERT INTO " + Enforcement.name(table) + " " + query.text());
        }
      } catch (SQLException | OraException e) {
        statement.execute("DROP TABLE " + Enforcement.name(table));
        throw e;
      }
    }
  }

  /// A column as H2's DDL has it. Whether it may be null is looked at by {@link RowRules}.
  static String column(OraSession session, OraColumn column) throws OraException {
    String text = column.defaultText();
    String hidden = column.invisible() ? " INVISIBLE" : "";
    String definition = ObjectName.quote(column.name()) + " " + column.type().h2() + hidden;
    return definition
        + switch (column.generation()) {
          case NONE -> text == null ? "" : " DEFAULT " + expression(session, text);
          case DEFAULT_ON_NULL ->
              " DEFAULT " + expression(session, String.valueOf(text)) + " DEFAULT ON NULL";
          case VIRTUAL ->
              " GENERATED ALWAYS AS (" + expression(session, String.valueOf(text)) + ")";
          case IDENTITY_ALWAYS -> " GENERATED ALWAYS AS IDENTITY" + options(text);
          case IDENTITY_BY_DEFAULT -> " GENERATED BY DEFAULT AS IDENTITY" + options(text);
          case IDENTITY_BY_DEFAULT_ON_NULL ->
              " GENERATED BY DEFAULT AS IDENTITY" + options(text) + " DEFAULT ON NULL";
        };
  }

  private static String options(@Nullable String text) {
    return text == null || text.isEmpty() ? "" : "(" + text + ")";
  }

  /// An expression of a default or a check in H2's SQL.
  static String expression(OraSession session, String text) throws OraException {
    String query = "SELECT " + text + " FROM DUAL";
    String h2 = SqlTranslator.translate(ParsedSql.of(query), session.names(), List.of()).text();
    return h2.substring("SELECT ".length(), h2.lastIndexOf("FROM")).strip();
  }

  /// Adds a constraint that a definition has, with the index that a key brings.
  static void addConstraint(OraSession session, OraTable table, OraConstraint constraint)
      throws OraException, SQLException {
    OraConstraint full = resolved(session, table, constraint);
    boolean notNull =
        full.kind() == OraConstraint.Kind.CHECK && isNotNull(String.valueOf(full.text()));
    if (full.enabled() && !notNull) {
      Enforcement.add(session, table, inH2(session, full));
    }
    table.put(full);
    if (full.kind().isKey()) {
      long id = session.database().catalog().nextObjectId();
      table.put(OraIndex.whole(full.name(), id, true, full.columns(), full.enabled()));
    }
    if (full.kind() == OraConstraint.Kind.PRIMARY_KEY) {
      table.setColumns(
          table.columns().stream()
              .map(each -> full.columns().contains(each.name()) ? each.withNullable(false) : each)
              .toList());
    }
  }

  static boolean isNotNull(String check) {
    return check.startsWith("\"") && check.endsWith("\" IS NOT NULL");
  }

  /// The constraint with a check in H2's words.
  static OraConstraint inH2(OraSession session, OraConstraint constraint) throws OraException {
    String text = constraint.text();
    return text == null
        ? constraint
        : new OraConstraint(
            constraint.name(),
            constraint.kind(),
            constraint.columns(),
            expression(session, text),
            null,
            true);
  }

  /// The constraint with the name and the columns of the key that it refers to.
  private static OraConstraint resolved(
      OraSession session, OraTable table, OraConstraint constraint) throws OraException {
    for (String column : constraint.columns()) {
      if (table.column(column) == null) {
        throw new OraException(904, "\"" + column + "\": invalid identifier");
      }
    }
    OraConstraint.Reference reference = constraint.reference();
    if (reference == null) {
      return constraint;
    }
    boolean self =
        reference.schema().equals(table.schema()) && reference.table().equals(table.name());
    OraTable other =
        self ? table : session.names().table(new ObjectName(reference.schema(), reference.table()));
    for (OraConstraint key : other.constraints()) {
      boolean fits =
          reference.columns().isEmpty()
              ? key.kind() == OraConstraint.Kind.PRIMARY_KEY
              : key.kind().isKey() && key.columns().equals(reference.columns());
      if (fits) {
        OraConstraint.Reference full =
            new OraConstraint.Reference(
                other.schema(), other.name(), key.name(), key.columns(), reference.deleteRule());
        return new OraConstraint(
            constraint.name(),
            constraint.kind(),
            constraint.columns(),
            null,
            full,
            constraint.enabled());
      }
    }
    throw new OraException(2270, "no matching unique or primary key for this column-list");
  }

  private @Nullable Partitioning withBounds(@Nullable Partitioning division) throws OraException {
    if (division == null) {
      return null;
    }
    List<Partitioning.Part> parts = new ArrayList<>();
    for (Partitioning.Part part : division.partitions()) {
      parts.add(withBound(session, part));
    }
    return new Partitioning(
        division.method(),
        division.columns(),
        parts,
        division.subColumns(),
        division.subpartitions());
  }

  /// The partition with the values of its bound.
  static Partitioning.Part withBound(OraSession session, Partitioning.Part part)
      throws OraException {
    List<@Nullable Object> values = new ArrayList<>();
    if (part.bound().isEmpty() || part.bound().equalsIgnoreCase("DEFAULT")) {
      return part;
    }
    TokenReader bound = new TokenReader(part.bound());
    do {
      String text = bound.expression();
      values.add(text.equalsIgnoreCase("MAXVALUE") ? null : value(session, text));
    } while (bound.accept(","));
    return new Partitioning.Part(part.name(), part.bound(), values);
  }

  private static @Nullable Object value(OraSession session, String expression) throws OraException {
    ParsedSql query = ParsedSql.of("SELECT " + expression + " FROM DUAL");
    try (CompiledStatement statement = session.compile(query, List.of());
        OraCursor rows = statement.query(List.of())) {
      @Nullable Object[] row = rows.next();
      return row == null ? null : row[0];
    }
  }

  /// The columns of a query, under the names that were given or its own.
  private List<OraColumn> columns(TranslatedSql query, List<OraColumn> given)
      throws SQLException, OraException {
    List<OraColumn> columns = new ArrayList<>();
    try (PreparedStatement statement = session.connection().prepareStatement(query.text())) {
      for (ColumnSpec spec : ResultColumns.describe(statement.getMetaData(), catalog)) {
        CompiledStatement.checkNotLong(spec);
        OraType type = type(spec);
        int at = columns.size();
        String name = at < given.size() ? given.get(at).name() : spec.name();
        columns.add(new OraColumn(name, type, spec.nullable(), null, OraColumn.Generation.NONE));
      }
    }
    return columns;
  }

  /// The type that a column of a result has when it becomes a table's.
  private static OraType type(ColumnSpec spec) {
    for (OraKind kind : OraKind.values()) {
      if (kind.wire() == spec.type() && (kind.form() == spec.form() || !spec.type().isText())) {
        boolean inChars = spec.form() == CharForm.NATIONAL || spec.chars() < spec.size();
        int length = kind.isShortText() && inChars ? spec.chars() : spec.size();
        return new OraType(kind, length, inChars, spec.precision(), spec.scale());
      }
    }
    throw new IllegalStateException("no column has the type " + spec.type());
  }

  void createView(boolean replace) throws OraException, SQLException {
    ObjectName name = in.objectName(session.settings().schema);
    OraTable before = catalog.table(name.schema(), name.name());
    if (before != null && !(replace && before.isView())) {
      throw new OraException(955, "name is already used by an existing object");
    }
    List<String> names = in.peek().is("(") ? in.names() : List.of();
    in.expect("AS");
    String text = in.rest();
    TranslatedSql query = SqlTranslator.translate(ParsedSql.of(text), session.names(), List.of());
    List<OraColumn> given = new ArrayList<>();
    for (String each : names) {
      given.add(new OraColumn(each, OraType.number(0, 0), true, null, OraColumn.Generation.NONE));
    }
    OraTable view =
        new OraTable(name.schema(), name.name(), catalog.nextObjectId(), columns(query, given));
    view.setViewText(text);
    List<String> quoted = new ArrayList<>();
    view.columns().forEach(column -> quoted.add(ObjectName.quote(column.name())));
    Enforcement.execute(
        session,
        "CREATE OR REPLACE VIEW "
            + name.h2()
            + " ("
            + String.join(", ", quoted)
            + ") AS "
            + query.text());
    catalog.add(view);
  }
}
