package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Statements of a schema under other names, and without foreign keys.
class SchemaTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "CREATE TABLE t (a REFERENCES p)|CREATE TABLE t (a )",
        "CREATE TABLE t (a INT CONSTRAINT c REFERENCES p(id) NOT NULL)|CREATE TABLE t (a INT  NOT"
            + " NULL)",
        "CREATE TABLE t (a REFERENCES p ON DELETE SET NULL ON UPDATE NO ACTION MATCH FULL NOT"
            + " DEFERRABLE INITIALLY IMMEDIATE UNIQUE)|CREATE TABLE t (a  UNIQUE)",
        "CREATE TABLE t (a, FOREIGN KEY (a) REFERENCES p (x, \"(y\"), CHECK (a > 1))|CREATE TABLE t"
            + " (a, CHECK (a > 1))",
        "CREATE TABLE t (a, PRIMARY KEY (a) CONSTRAINT k FOREIGN KEY (a) REFERENCES p ON DELETE"
            + " CASCADE CHECK (a))|CREATE TABLE t (a, PRIMARY KEY (a)  CHECK (a))",
        "CREATE TABLE t (\"REFERENCES\", b DEFAULT 'REFERENCES p' /* REFERENCES p */)|CREATE TABLE"
            + " t (\"REFERENCES\", b DEFAULT 'REFERENCES p' /* REFERENCES p */)",
        "CREATE TABLE t (a DEFAULT (1) REFERENCES p DEFERRABLE, b REFERENCES q)|CREATE TABLE t (a"
            + " DEFAULT (1) , b )",
      })
  void aTableIsMadeWithoutItsForeignKeys(String sql, String bare) {
    SchemaText table = new SchemaText(sql);
    assertThat(table.table("t", _ -> null)).isEqualTo(bare);
    // Its keys are comments, until the tables are there that they refer to.
    String made = table.table("t", name -> name);
    for (String parent : table.parents()) {
      for (String key : table.foreignKeys(parent, parent)) {
        assertThat(made).contains(SchemaText.comment(key));
        made = made.replace(SchemaText.comment(key), key);
      }
    }
    assertThat(made).isEqualTo(sql);
  }

  @Test
  void namesAreReplaced() {
    SchemaText table =
        new SchemaText(
            "CREATE TABLE [my t] (a REFERENCES `p``q` (a), b REFERENCES p, c REFERENCES t)");
    assertThat(table.parents()).containsExactly("p`q", "p", "t");
    assertThat(table.table("new \"t", name -> name.equals("p") ? null : name + "2"))
        .isEqualTo(
            "CREATE TABLE \"new \"\"t\" (a /*REFERENCES \"p`q2\" (a)*/, b , c /*REFERENCES"
                + " \"t2\"*/)");
    assertThat(
            new SchemaText("CREATE UNIQUE INDEX 'i' ON t (on_a, \"ON\") WHERE a").index("i", "u"))
        .isEqualTo("CREATE UNIQUE INDEX 'i' ON \"u\" (on_a, \"ON\") WHERE a");
  }
}
