package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.SqlServerEnds;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableEntry;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
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
  void aForeignKeyToATableThatIsThereIsMade(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    from.run(FAMILY);
    to.run(FAMILY[0]);
    List<Placed> one =
        placed(from, to).stream().filter(table -> table.from().name().startsWith("odd")).toList();
    CopiedDefinition definition =
        ends.definitions(one, Scope.TABLES, new OpenContext()).tables().getFirst();
    assertThat(definition.leftOut()).isEmpty();
    assertThat(definition.references())
        .extracting(CopiedDefinition.Reference::table)
        .containsExactly("");
    carryOut(one, List.of(definition), false);
    assertThat(shown(to, "odd `name")).isEqualTo(shown(from, "odd `name"));
  }

  private static final String[] ALL = {
    "CREATE TABLE item (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40), at datetime)"
        + " AUTO_INCREMENT = 77",
    "CREATE TABLE log (words varchar(80))",
    "CREATE FUNCTION twice(n int) RETURNS int DETERMINISTIC RETURN n * 2",
    "CREATE PROCEDURE `clear ``it`(IN a int) BEGIN DELETE FROM item WHERE id = a; SELECT 'ü; --';"
        + " END",
    "CREATE VIEW last AS SELECT id, twice(id) AS twice FROM item WHERE name <> 'a.b'",
    "CREATE SQL SECURITY INVOKER VIEW first AS SELECT last.id FROM last JOIN item USING (id)"
        + " WITH CHECK OPTION",
    "SET sql_mode = 'PIPES_AS_CONCAT'",
    "CREATE TRIGGER seen AFTER INSERT ON item FOR EACH ROW INSERT INTO log VALUES ('b ' ||"
        + " new.name)",
    "CREATE TRIGGER before_seen AFTER INSERT ON item FOR EACH ROW PRECEDES seen INSERT INTO log"
        + " VALUES ('a ' || new.name)",
    "CREATE EVENT tidy ON SCHEDULE EVERY 1 DAY STARTS '2035-01-01 00:00:00' COMMENT 'it''s' DO"
        + " DELETE FROM log",
    "INSERT INTO item VALUES (5, 'x', NULL)",
  };

  /// Text that the server says of all that a database holds beside its tables.
  private static List<String> objects(TestTables tables) {
    return tables
        .bare(
            """
            SELECT concat_ws(' ', routine_type, routine_name, routine_definition, sql_mode)
            FROM information_schema.routines WHERE routine_schema = database()
            UNION ALL SELECT concat_ws(' ', table_name, view_definition, check_option,
                security_type, collation_connection)
            FROM information_schema.views WHERE table_schema = database()
            UNION ALL SELECT concat_ws(' ', trigger_name, event_object_table, action_order,
                action_statement, sql_mode, collation_connection)
            FROM information_schema.triggers WHERE trigger_schema = database()
            UNION ALL SELECT concat_ws(' ', event_name, event_definition, interval_value, starts,
                event_comment, sql_mode, time_zone)
            FROM information_schema.events WHERE event_schema = database()
            ORDER BY 1\
            """)
        .stream()
        .map(text -> text.replace(tables.database, "db"))
        .toList();
  }

  private void makeAll(List<Placed> tables, Found found) {
    Endpoint to = tables.getFirst().to();
    found.before().forEach(step -> make(to, (TableDefinitions.Made) step));
    carryOut(tables, found.tables(), false);
    found.after().forEach(made -> make(to, made));
  }

  private void make(Endpoint to, TableDefinitions.Made made) {
    ends.carryOut(to, made.statements(), true, new OpenContext());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void allThatADatabaseHoldsComesAlong(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    from.run(ALL);
    List<Placed> tables = placed(from, to);
    Found found = ends.definitions(tables, Scope.ALL_IF_EMPTY, new OpenContext());
    assertThat(found.whole()).isTrue();
    makeAll(tables, found);
    assertThat(objects(to)).hasSize(7).isEqualTo(objects(from));
    assertThat(found.leftOut()).isEmpty();
    assertThat(found.tables()).allMatch(each -> each.leftOut().isEmpty());

    to.run("INSERT INTO item (name) VALUES ('n')");
    assertThat(to.bare("SELECT id FROM item")).containsExactly("77");
    assertThat(to.bare("SELECT words FROM log")).containsExactly("a n", "b n");
    assertThat(to.bare("SELECT twice FROM last")).containsExactly("154");

    Found again = ends.definitions(tables, Scope.ALL, new OpenContext());
    assertThat(again.before()).isEmpty();
    assertThat(again.after()).isEmpty();
    assertThat(ends.definitions(tables, Scope.ALL_IF_EMPTY, new OpenContext()).whole()).isFalse();
  }

  /// So may an alias. Before a column of theirs that is not the database.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableMayHaveTheNameOfItsDatabase(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    String name = "`" + from.database + "`";
    from.run(
        "CREATE TABLE %s (id int)".formatted(name),
        "CREATE TABLE item (id int)",
        "CREATE VIEW seen AS SELECT id FROM %s".formatted(name),
        "CREATE VIEW alias AS SELECT %1$s.id FROM item %1$s".formatted(name),
        "CREATE PROCEDURE clear() DELETE FROM %1$s.%1$s WHERE %1$s.`id` > 5".formatted(name));
    List<Placed> tables = placed(from, to);
    Found found = ends.definitions(tables, Scope.ALL, new OpenContext());
    makeAll(tables, found);
    assertThat(found.leftOut()).isEmpty();
    to.run("INSERT INTO " + name + " VALUES (5), (6)", "INSERT INTO item VALUES (7)");
    to.run("CALL clear()");
    assertThat(to.bare("SELECT id FROM seen")).containsExactly("5");
    assertThat(to.bare("SELECT id FROM alias")).containsExactly("7");
  }

  @Test
  void aSequenceComesAlongWithItsValue() {
    TestTables from = new TestTables("mariadb");
    from.run(
        "CREATE SEQUENCE numbers START WITH 10 INCREMENT BY 5 NOCACHE",
        "CREATE SEQUENCE others",
        "CREATE TABLE item (id int DEFAULT nextval(numbers) PRIMARY KEY, name text)",
        "INSERT INTO item (name) VALUES ('a'), ('b')");
    for (Scope scope : List.of(Scope.ALL, Scope.TABLES)) {
      TestTables to = new TestTables("mariadb");
      List<Placed> tables = placed(from, to);
      Found found = ends.definitions(tables, scope, new OpenContext());
      makeAll(tables, found);
      to.run("INSERT INTO item (name) VALUES ('c')");
      assertThat(to.bare("SELECT id FROM item")).containsExactly("20");
      assertThat(found.leftOut().stream().map(LeftOut::words))
          .containsExactlyElementsOf(
              scope.equals(Scope.ALL)
                  ? List.of()
                  : List.of("sequence " + from.database + ".others"));
      assertThat(ends.definitions(tables, scope, new OpenContext()).before()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void whatStaysBehindIsNamed(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    from.run(
        "CREATE TABLE item (id int)",
        "CREATE TABLE other (id int)",
        "CREATE DEFINER = `nobody`@`nowhere` PROCEDURE old() SELECT * FROM %1$s.item, `%1$s`.item b"
            .formatted(from.database),
        "CREATE TRIGGER touch BEFORE INSERT ON other FOR EACH ROW SET new.id = 1");
    List<Placed> one =
        placed(from, to).stream().filter(table -> table.from().name().equals("item")).toList();
    Found found = ends.definitions(one, Scope.ALL, new OpenContext());
    assertThat(found.after())
        .singleElement()
        .satisfies(made ->
            assertThat(made.statements())
                .contains(
                    "CREATE PROCEDURE `%2$s`.`old`()\nSELECT * FROM %1$s.item, `%2$s`.item b"
                        .formatted(from.database, to.database)));
    assertThat(found.leftOut().stream().map(LeftOut::words))
        .hasSize(3)
        .contains(
            "trigger touch of other which is not copied",
            "name of the old database in procedure old stays as it is")
        .anyMatch(words -> words.startsWith("definer nobody@nowhere it is now "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableOfComputedColumnsIsMadeWithAsManyRows(String scheme) {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    from.run("CREATE TABLE item (two int AS (1 + 1))", "INSERT INTO item () VALUES (), (), ()");
    List<Placed> tables = placed(from, to);
    assertThat(tables)
        .allMatch(
            each -> each.from().kind().equals(TableEntry.COMPUTED) && each.from().rows() == 3);
    makeAll(tables, ends.definitions(tables, Scope.TABLES, new OpenContext()));
    assertThat(to.bare("SELECT two FROM item")).containsExactly("2", "2", "2");
  }

  /// MySQL's LOAD DATA refuses its values, whatever they are.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aGeometryIsCopiedIntoAColumnThatIsNotNull(String scheme) throws Exception {
    TestTables from = new TestTables(scheme);
    TestTables to = new TestTables(scheme);
    String create = "CREATE TABLE item (id int PRIMARY KEY, at point NOT NULL)";
    from.run(create, "INSERT INTO item VALUES (1, ST_GeomFromText('POINT(1 2)'))");
    to.run(create);
    MariaDbConnector connector = new MariaDbConnector(_ -> null);
    Copying.of(connector, from.endpoint("table", "item"), connector, to.endpoint("table", "item"))
        .mode(Mode.APPEND)
        .run();
    assertThat(to.bare("SELECT ST_AsText(at) FROM item")).containsExactly("POINT(1 2)");
  }

  @Test
  void oldVersionsOfRowsAreNamed() {
    TestTables from = new TestTables("mariadb");
    from.run("CREATE TABLE item (id int) WITH SYSTEM VERSIONING");
    Found found =
        ends.definitions(placed(from, new TestTables("mariadb")), Scope.ALL, new OpenContext());
    assertThat(found.tables().getFirst().leftOut().stream().map(LeftOut::words))
        .containsExactly("history old versions of rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aDatabaseThatIsMissingIsMadeOrNamed(String scheme) {
    TestTables from = new TestTables(scheme);
    from.run(
        "CREATE TABLE item (id int)",
        "CREATE VIEW seen AS SELECT id FROM item",
        "CREATE TRIGGER next BEFORE INSERT ON item FOR EACH ROW SET new.id = new.id + 1");
    TestTables other = new TestTables(scheme);
    String fresh = other.database + "_fresh";
    List<Placed> tables =
        placed(from, other).stream()
            .map(each -> new Placed(each.from(), other.endpoint("table", fresh + ".item")))
            .toList();
    assertThatThrownBy(() -> ends.definitions(tables, Scope.TABLES, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no database " + fresh);
    makeAll(tables, ends.definitions(tables, Scope.ALL_IF_EMPTY, new OpenContext()));
    other.run("INSERT INTO " + fresh + ".item VALUES (1)");
    assertThat(other.bare("SELECT id FROM " + fresh + ".seen")).containsExactly("2");
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
