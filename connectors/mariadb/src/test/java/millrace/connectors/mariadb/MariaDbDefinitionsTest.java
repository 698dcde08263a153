package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.SqlServerEnds;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that are made like others of another database, with all that belongs to them.
class MariaDbDefinitionsTest {

  private static final String[] FAMILY = {
    """
    CREATE TABLE parent (id int unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL
      DEFAULT 'a,\n) b' COMMENT 'who''s, (it)', twice int GENERATED ALWAYS AS (length(name) * 2) STORED,
      UNIQUE KEY by_name (name)) COMMENT='all of it'\
    """,
    "CREATE TABLE `odd ``name` (id int PRIMARY KEY, parent int unsigned, `a,b` int,"
        + " KEY (`a,b`), CONSTRAINT `of, parent` FOREIGN KEY (parent) REFERENCES parent (id)"
        + " ON DELETE CASCADE)",
    "CREATE TABLE itself (id int PRIMARY KEY, up int, FOREIGN KEY (up) REFERENCES itself (id))",
    "CREATE VIEW seen AS SELECT * FROM parent",
    "CREATE TRIGGER touching BEFORE INSERT ON parent FOR EACH ROW SET new.name = trim(new.name)",
  };

  private final SqlServerEnds ends =
      Objects.requireNonNull(new MariaDbConnector(_ -> null).capability(SqlServerEnds.class));

  private List<Placed> placed(TestTables from, TestTables to) {
    return ends.tables(from.endpoint("table", "*"), new OpenContext()).stream()
        .map(entry -> new Placed(entry, to.endpoint("table", entry.written())))
        .toList();
  }

  private void carryOut(List<Placed> tables, List<CopiedDefinition> definitions, boolean again) {
    for (boolean last : new boolean[] {false, true}) {
      for (int i = 0; i < tables.size(); i++) {
        CopiedDefinition each = definitions.get(i);
        List<String> statements = last ? each.afterAll() : each.make();
        ends.carryOut(tables.get(i).to(), statements, again, new OpenContext());
      }
    }
  }

  private static List<String> shown(TestTables tables, String name) {
    return tables.bare(
        "SELECT concat_ws(' ', column_name, column_type, column_default, is_nullable, extra,"
            + " column_comment, column_key) FROM information_schema.columns WHERE table_schema ="
            + " database() AND table_name = '"
            + name
            + "' UNION ALL SELECT concat_ws(' ', constraint_name, column_name,"
            + " referenced_table_name) FROM information_schema.key_column_usage WHERE table_schema"
            + " = database() AND table_name = '"
            + name
            + "' UNION ALL SELECT table_comment FROM information_schema.tables WHERE table_schema ="
            + " database() AND table_name = '"
            + name
            + "' ORDER BY 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableIsMadeWithAllThatBelongsToIt(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    from.run(FAMILY);
    List<Placed> tables = placed(from, to);
    assertThat(tables)
        .extracting(table -> table.from().name())
        .containsExactlyInAnyOrder("parent", "odd `name", "itself");
    Found found = ends.definitions(tables, Scope.TABLES, new OpenContext());
    carryOut(tables, found.tables(), false);
    carryOut(tables, found.tables(), true);
    for (String name : List.of("parent", "odd `name", "itself")) {
      assertThat(shown(to, name)).isNotEmpty().isEqualTo(shown(from, name));
    }
    assertThat(found.leftOut().stream().map(LeftOut::words))
        .singleElement(STRING)
        .startsWith("view " + from.database + ".");
    assertThat(found.tables())
        .anyMatch(each -> each.leftOut().contains(LeftOut.of("trigger", "touching")));
    assertThat(ends.definitions(tables, Scope.TABLES, new OpenContext()).tables())
        .allMatch(CopiedDefinition.NONE::equals);
  }

  /// Names of foreign keys are those of the whole database.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableIsMadeBesideItsOriginal(String scheme) {
    TestTables both = new TestTables(scheme);
    both.run(
        "CREATE TABLE itself (id int PRIMARY KEY, up int, FOREIGN KEY (up) REFERENCES itself"
            + " (id))");
    List<Placed> tables =
        ends.tables(both.endpoint("table", "*"), new OpenContext()).stream()
            .map(entry -> new Placed(entry, both.endpoint("table", "old_" + entry.written())))
            .toList();
    List<CopiedDefinition> found =
        ends.definitions(tables, Scope.TABLES, new OpenContext()).tables();
    carryOut(tables, found, false);
    carryOut(tables, found, true);
    assertThat(shown(both, "old_itself")).contains("old_itself_ibfk_1 up old_itself");
    assertThat(shown(both, "itself")).contains("itself_ibfk_1 up itself");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aForeignKeyToATableThatIsNotCopiedIsNamed(String scheme) {
    TestTables from = new TestTables(scheme);
    from.run(FAMILY);
    List<Placed> one =
        placed(from, new TestTables(scheme)).stream()
            .filter(table -> table.from().name().startsWith("odd"))
            .toList();
    CopiedDefinition definition =
        ends.definitions(one, Scope.TABLES, new OpenContext()).tables().getFirst();
    assertThat(definition.afterAll()).isEmpty();
    assertThat(definition.leftOut().stream().map(LeftOut::words))
        .containsExactly(
            "foreign key of, parent to " + from.database + ".parent, which is not copied");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aStatementThatIsRefusedIsNamed(String scheme) {
    TestTables to = new TestTables(scheme);
    assertThatThrownBy(() ->
            ends.carryOut(
                to.endpoint("table", "t"),
                List.of("CREATE TABLE t (x int COLLATE nowhere_ci)"),
                true,
                new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("The statement was: CREATE TABLE t");
  }

  /// Names, defaults and comments may hold all that tells lines and keys apart.
  @Test
  void whatStandsInQuotesIsNoPartOfTheStatement() {
    String create =
        """
        CREATE TABLE `t` (
          `a` int(11) DEFAULT 1 COMMENT 'x,\\n CONSTRAINT `y` FOREIGN KEY (`a`) REFERENCES `z` (`a`)',
          `b` int(11) DEFAULT NULL,
          `c\\` int(11) COMMENT 'it''s (\\\\',
          PRIMARY KEY (`a`),
          CONSTRAINT `f``1` FOREIGN KEY (`b`) REFERENCES `other`.`t``2` (`a`) ON DELETE SET NULL
        ) ENGINE=InnoDB COMMENT='(
        )'\
        """;
    CopiedDefinition found =
        DefinitionSplit.of(
            create,
            new TableName("d", "t"),
            "`n`.`t`",
            other -> other.equals(new TableName("other", "t`2")) ? "`n`.`u`" : null,
            name -> name,
            List.of());
    assertThat(found.leftOut()).isEmpty();
    assertThat(found.afterAll())
        .containsExactly(
            "ALTER TABLE `n`.`t` ADD CONSTRAINT `f``1` FOREIGN KEY (`b`) REFERENCES `n`.`u` (`a`)"
                + " ON DELETE SET NULL");
    assertThat(found.make().getFirst())
        .startsWith("CREATE TABLE `n`.`t` (\n")
        .contains("PRIMARY KEY (`a`)\n) ENGINE=InnoDB COMMENT='(\n)'")
        .doesNotContain("f``1");
  }

  @Test
  void entriesAreNamedAsTheServerKnowsThem() {
    TestTables tables = new TestTables("mariadb");
    tables.run("CREATE TABLE `a.b` (x int)");
    TableEntry entry = placed(tables, tables).getFirst().from();
    assertThat(entry.written()).isEqualTo("\"a.b\"");
    assertThat(entry.schema()).isEmpty();
  }
}
