package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.SqlServerEnds;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Tables that are made like others of another schema, with all that belongs to them.
class OracleDefinitionsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final String[] FAMILY = {
    """
    CREATE TABLE parent (
      id NUMBER(9) GENERATED ALWAYS AS IDENTITY (INCREMENT BY 5) CONSTRAINT parent_pk PRIMARY KEY,
      name VARCHAR2(40 CHAR) DEFAULT 'a, (b' CONSTRAINT named NOT NULL,
      code CHAR(3) NOT NULL,
      price NUMBER(9,2),
      twice NUMBER GENERATED ALWAYS AS (price * 2) VIRTUAL,
      made TIMESTAMP(3) WITH TIME ZONE,
      body CLOB,
      CONSTRAINT by_code UNIQUE (code, name),
      CONSTRAINT positive CHECK (price > 0),
      CHECK (code <> 'it''s'))
    """,
    "CREATE INDEX by_name ON parent (UPPER(name), made DESC)",
    "CREATE UNIQUE INDEX \"odd, name\" ON parent (made)",
    "COMMENT ON TABLE parent IS 'who''s, (it)'",
    "COMMENT ON COLUMN parent.name IS 'its name'",
    "INSERT INTO parent (name, code, price) VALUES ('x', 'a', 1)",
    "INSERT INTO parent (name, code, price) VALUES ('y', 'b', 2)",
    "CREATE TABLE \"Odd.kid\" (id NUMBER(9) PRIMARY KEY, parent NUMBER(9), \"a,b\" DATE,"
        + " CONSTRAINT \"of, parent\" FOREIGN KEY (parent) REFERENCES parent (id)"
        + " ON DELETE CASCADE) ORGANIZATION INDEX",
    "CREATE TABLE itself (id NUMBER(9) PRIMARY KEY, up NUMBER(9) REFERENCES itself (id),"
        + " part NUMBER(9)) PARTITION BY HASH (id) PARTITIONS 2",
    "ALTER TABLE itself ADD CONSTRAINT off_now CHECK (part > 5) DISABLE",
    "CREATE SEQUENCE numbers",
    "CREATE TABLE drawn (id NUMBER(9) DEFAULT numbers.NEXTVAL, v NUMBER(9) DEFAULT 7)",
    "CREATE VIEW seen AS SELECT id FROM parent",
    "CREATE TRIGGER touching BEFORE INSERT ON drawn FOR EACH ROW BEGIN NULL; END;",
  };

  private final OracleConnector connector = new OracleConnector(_ -> null);
  private final SqlServerEnds ends =
      Objects.requireNonNull(connector.capability(SqlServerEnds.class));
  private final TestTables from = new TestTables(SERVER);
  private final TestTables to = new TestTables(SERVER);

  OracleDefinitionsTest() {
    from.run(FAMILY);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private List<Placed> placed() {
    return ends.tables(from.endpoint("table", "*"), new OpenContext()).stream()
        .map(entry -> new Placed(entry, to.endpoint("table", entry.written())))
        .toList();
  }

  private void carryOut(Placed table, List<String> statements, boolean again) {
    ends.carryOut(table.to(), statements, again, new OpenContext());
  }

  /// What the dictionary says of all tables, but for names that the server gave.
  private static List<String> shown(TestTables tables) {
    List<String> all = new ArrayList<>();
    for (String query :
        List.of(
            "SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || data_length"
                + " || ' ' || data_precision || ' ' || data_scale || ' ' || nullable || ' '"
                + " || virtual_column || ' ' || data_default FROM user_tab_cols"
                + " WHERE column_name <> 'ID'",
            "SELECT table_name || ' ' || column_name || ' ' || generation_type || ' '"
                + " || identity_options FROM user_tab_identity_cols",
            "SELECT table_name || ' ' || iot_type FROM user_tables",
            "SELECT c.table_name || ' ' || c.constraint_type || ' ' || c.search_condition || ' '"
                + " || c.delete_rule || ' ' || c.status || ' ' || s.column_name || ' '"
                + " || s.position || ' ' || CASE WHEN c.generated = 'USER NAME' AND"
                + " c.constraint_name NOT LIKE '%CK%' THEN c.constraint_name END"
                + " FROM user_constraints c LEFT JOIN user_cons_columns s"
                + " ON s.constraint_name = c.constraint_name",
            "SELECT i.table_name || ' ' || i.uniqueness || ' ' || i.index_type || ' '"
                + " || c.column_name || ' ' || c.descend || ' ' || e.column_expression"
                + " FROM user_indexes i"
                + " JOIN user_ind_columns c ON c.index_name = i.index_name"
                + " LEFT JOIN user_ind_expressions e ON e.index_name = i.index_name"
                + " AND e.column_position = c.column_position",
            "SELECT table_name || ' ' || comments FROM user_tab_comments",
            "SELECT table_name || ' ' || column_name || ' ' || comments FROM user_col_comments")) {
      all.addAll(
          tables.bare(query).stream()
              .filter(line -> !line.startsWith("SEEN ") && !line.startsWith("MILLRACE_"))
              .map(line -> line.replace(tables.user + ".", ""))
              .sorted()
              .toList());
    }
    return all;
  }

  @Test
  void aTableIsMadeWithAllThatBelongsToIt() {
    List<Placed> tables = placed();
    assertThat(tables)
        .extracting(table -> table.from().name())
        .containsExactlyInAnyOrder("PARENT", "Odd.kid", "ITSELF", "DRAWN");
    Found found = ends.definitions(tables, Scope.TABLES, new OpenContext());
    for (int i = 0; i < tables.size(); i++) {
      Placed table = tables.get(i);
      CopiedDefinition definition = found.tables().get(i);
      carryOut(table, definition.make(), false);
      Copying.of(connector, table.from().end(), connector, table.to()).mode(Mode.APPEND).run();
      carryOut(table, definition.afterRows(), false);
      carryOut(table, definition.afterRows(), true);
    }
    for (boolean again : new boolean[] {false, true}) {
      for (int i = 0; i < tables.size(); i++) {
        carryOut(tables.get(i), found.tables().get(i).afterAll(), again);
      }
    }
    List<String> made = shown(to);
    List<String> wanted = new ArrayList<>(shown(from));
    // A column that draws from a sequence of the other schema loses that, and nothing else.
    assertThat(made).isNotEmpty().containsExactlyElementsOf(wanted);
    assertThat(to.bare("SELECT name || id FROM parent ORDER BY id")).containsExactly("x1", "y6");
    to.run("INSERT INTO parent (name, code, price) VALUES ('z', 'c', 3)");
    assertThat(to.bare("SELECT id FROM parent WHERE name = 'z'")).containsExactly("11");
    assertThat(
            to.bare("SELECT NVL(data_default, '-') FROM user_tab_cols WHERE table_name = 'DRAWN'"))
        .containsExactly("-", "7");
    assertThat(found.leftOut().stream().map(LeftOut::words))
        .satisfiesExactly(
            each -> assertThat(each).startsWith("sequence " + from.user + "."),
            each -> assertThat(each).startsWith("view " + from.user + "."));
    assertThat(found.tables().stream().flatMap(each -> each.leftOut().stream()).map(LeftOut::words))
        .containsExactlyInAnyOrder(
            "default ID which draws from a sequence",
            "trigger TOUCHING",
            "partitioning by HASH (ID)");
    assertThat(found.advice()).anyMatch(line -> line.contains("expdp") && line.contains(from.user));
    assertThat(ends.definitions(tables, Scope.TABLES, new OpenContext()).tables())
        .allMatch(CopiedDefinition.NONE::equals);
  }

  @Test
  void aForeignKeyToATableThatIsNotCopiedIsNamed() {
    List<Placed> one =
        placed().stream().filter(table -> table.from().name().startsWith("Odd")).toList();
    CopiedDefinition definition =
        ends.definitions(one, Scope.TABLES, new OpenContext()).tables().getFirst();
    assertThat(definition.afterAll()).isEmpty();
    assertThat(definition.leftOut().stream().map(LeftOut::words))
        .containsExactly("foreign key of, parent to " + from.user + ".PARENT, which is not copied");
  }

  @Test
  void aStatementThatIsRefusedIsNamed() {
    assertThatThrownBy(() ->
            ends.carryOut(
                to.endpoint("table", "t"),
                List.of("CREATE TABLE t (x NOWHERE)"),
                true,
                new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("The statement was: CREATE TABLE t");
  }
}
