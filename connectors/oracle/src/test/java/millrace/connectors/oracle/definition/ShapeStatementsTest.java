package millrace.connectors.oracle.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.connectors.oracle.definition.TableShape.ColumnShape;
import millrace.connectors.oracle.definition.TableShape.ConstraintShape;
import millrace.connectors.oracle.definition.TableShape.IndexShape;
import millrace.connectors.oracle.definition.TableShape.ReferenceShape;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import org.junit.jupiter.api.Test;

/// What the stand-in for a server does not know of definitions.
class ShapeStatementsTest {

  private static final Names NAMES = new Names('"', Names.Folding.UPPER, 30);

  private static CopiedDefinition made(
      List<ConstraintShape> constraints, List<IndexShape> indexes) {
    TableShape shape =
        new TableShape(
            new TableName("S", "T"),
            false,
            "",
            List.of(
                new ColumnShape("A", "NUMBER(9)", "DEFAULT 1 -- one\n", null, ""),
                new ColumnShape("B", "DATE", "", null, "")),
            constraints,
            indexes,
            List.of());
    TableName to = new TableName("D", "A table with a name that has");
    return new ShapeStatements(NAMES, shape, to)
        .all(other -> other.name().equals("U") ? new TableName("D", "U2") : null);
  }

  @Test
  void statesOfConstraintsComeAlong() {
    CopiedDefinition made =
        made(
            List.of(
                new ConstraintShape(
                    'U', "K", List.of("A", "B"), "", null, "DEFERRABLE INITIALLY DEFERRED"),
                new ConstraintShape(
                    'R',
                    "",
                    List.of("B"),
                    "",
                    new ReferenceShape(new TableName("S", "U"), List.of("X"), "ON DELETE SET NULL"),
                    "ENABLE NOVALIDATE"),
                new ConstraintShape('C', "N", List.of("B"), "\"B\" IS NOT NULL", null, "DISABLE")),
            List.of());
    String table = "\"D\".\"A table with a name that has\"";
    assertThat(made.make())
        .containsExactly(
            "CREATE TABLE "
                + table
                + " (\n  \"A\" NUMBER(9) DEFAULT 1 -- one\n,\n"
                + "  \"B\" DATE CONSTRAINT \"N\" NOT NULL DISABLE\n)");
    assertThat(made.afterRows())
        .containsExactly(
            "ALTER TABLE "
                + table
                + " ADD CONSTRAINT \"K\" UNIQUE (\"A\", \"B\") DEFERRABLE INITIALLY DEFERRED");
    assertThat(made.afterAll())
        .containsExactly(
            "ALTER TABLE "
                + table
                + " ADD FOREIGN KEY (\"B\") REFERENCES \"D\".\"U2\" (\"X\") ON DELETE SET NULL"
                + " ENABLE NOVALIDATE");
  }

  @Test
  void aCheckWithoutANameGetsOneThatFits() {
    ConstraintShape check = new ConstraintShape('C', "", List.of("A"), "a > 0 -- ever", null, "");
    String statement = made(List.of(check), List.of()).afterRows().getFirst();
    assertThat(statement)
        .matches(
            "(?s)ALTER TABLE .* ADD CONSTRAINT \"A table with a nam_CK_[0-9A-F]{8}\""
                + " CHECK \\(a > 0 -- ever\n\\)");
    assertThat(made(List.of(check), List.of()).afterRows()).containsExactly(statement);
  }

  /// They are called by their table, in a schema that may have the other table too.
  @Test
  void keysAndIndexesAreCalledByTheNewTable() {
    assertThat(
            made(
                    List.of(new ConstraintShape('U', "T_UK", List.of("A"), "", null, "")),
                    List.of(new IndexShape("T_B_IX", "", List.of("\"B\""), "")))
                .afterRows())
        .containsExactly(
            "CREATE INDEX \"D\".\"A table with a name that _B_IX\" ON"
                + " \"D\".\"A table with a name that has\" (\"B\")",
            "ALTER TABLE \"D\".\"A table with a name that has\" ADD CONSTRAINT"
                + " \"A table with a name that ha_UK\" UNIQUE (\"A\")");
  }

  @Test
  void indexesOfAllKindsAreMade() {
    assertThat(
            made(
                    List.of(),
                    List.of(
                        new IndexShape("I", "BITMAP ", List.of("\"A\""), ""),
                        new IndexShape("J", "", List.of("\"A\" DESC", "UPPER(\"B\")"), "REVERSE")))
                .afterRows())
        .containsExactly(
            "CREATE BITMAP INDEX \"D\".\"I\" ON \"D\".\"A table with a name that has\" (\"A\")",
            "CREATE INDEX \"D\".\"J\" ON \"D\".\"A table with a name that has\""
                + " (\"A\" DESC, UPPER(\"B\")) REVERSE");
  }
}
