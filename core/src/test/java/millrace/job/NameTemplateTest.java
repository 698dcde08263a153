package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Where each of many tables goes.
class NameTemplateTest {

  private static Endpoint end(String location, String table) {
    return new Endpoint(
        "x", location, table.isEmpty() ? Map.of() : Map.of("table", table), Secret.NONE);
  }

  private static TableEntry entry(String schema, String name) {
    String written = name.matches("[a-z]+") ? name : TablePattern.quoted(name);
    return new TableEntry(schema, name, written, "table", -1, -1, List.of(), end("//h/db", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "out/{table}.csv,          '',                 true",
    "out/orders.csv,           '',                 false",
    "//h/db,                   public.*,           true",
    "//h/db,                   public.{table},     true",
    "//h/db,                   public.orders,      false",
    "//h/db,                   'public.\"a*b\"',   false",
    "//h:5984/*,               '',                 true",
    "in/*.csv,                 '',                 false",
  })
  void aTemplateHasAVariableOrAStar(String location, String table, boolean is) {
    assertThat(NameTemplate.isTemplate(end(location, table))).isEqualTo(is);
  }

  @ParameterizedTest
  @CsvSource({
    "public.{table},                       public.orders",
    "shop.*,                               shop.orders",
    "*,                                    orders",
    "{schema}_{table},                     sales_orders",
    "{stream_schema}.{stream_table}_copy,  sales.orders_copy",
    "{stem},                               orders",
  })
  void aTableIsNamedByItsVariables(String template, String named) {
    Endpoint to = new NameTemplate(end("//h/db", template)).of(entry("sales", "orders"), true);
    assertThat(to.text("table")).contains(named);
  }

  /// A partition is part of a target's name.
  @Test
  void aPartitionIsNamedByItsVariables() {
    Endpoint sales = end("//h/db", "sales");
    assertThat(NameTemplate.isTemplate(sales.with("partition", "P2026"))).isFalse();
    assertThat(NameTemplate.isTemplate(sales.with("partition", "{stem}"))).isTrue();
    NameTemplate template = new NameTemplate(sales.with("partition", "p_{stem}"));
    Endpoint to = template.of(entry("", "2026"), false);
    assertThat(to.text("table")).contains("sales");
    assertThat(to.text("partition")).contains("p_2026");
    assertThat(TableTargets.pairs(List.of(entry("", "a"), entry("", "b")), template, false))
        .hasSize(2);
  }

  /// `2026` by itself is no plain name, and within one it needs no quotes.
  @ParameterizedTest
  @CsvSource({
    "{stem},   2026,  '\"2026\"'",
    "p{stem},  2026,  p2026",
    "{stem},   p2026, p2026",
  })
  void aNameIsQuotedOnlyIfAllOfItHasTo(String template, String stem, String named) {
    NameTemplate all = new NameTemplate(end("//h/db", "t").with("partition", template));
    assertThat(all.of(entry("", stem), false).text("partition")).contains(named);
  }

  @Test
  void aFileIsNamedByTheTableToTheLetter() {
    NameTemplate template = new NameTemplate(end("out/{schema}/{table}.csv.gz", ""));
    assertThat(template.of(entry("sales", "Mixed Case"), false).location())
        .isEqualTo("out/sales/Mixed Case.csv.gz");
  }

  /// Between systems a name is written as users write it there, so that each folds it in its way.
  @Test
  void aNameStaysToTheLetterWithinASystemAndIsFoldedBetweenTwo() {
    NameTemplate template = new NameTemplate(end("//h/db", "{table}"));
    assertThat(template.of(entry("s", "Orders"), true).text("table")).contains("\"Orders\"");
    assertThat(template.of(entry("s", "Orders"), false).text("table")).contains("Orders");
    assertThat(template.of(entry("s", "my \"t\""), false).text("table"))
        .contains("\"my \"\"t\"\"\"");
  }

  /// A part of a name that holds more than a variable is in quotes as a whole if it needs them.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "{table}_old,                   true,  |\"My, Table_old\"|",
        "landing.{schema}_{table},      true,  |landing.\"Sales_My, Table\"|",
        "{schema}.{table},              true,  |\"Sales\".\"My, Table\"|",
        "{schema}.x_{stem},             false, |Sales.\"x_My, Table\"|",
        "{stream_name},                 true,  |\"Sales\".\"My, Table\"|",
        "|\"to {table}\"|,              true,  |\"to My, Table\"|",
        "|\"my db\".{table}|,           false, |\"my db\".\"My, Table\"|",
        "|\"a.b\".c_{table}|,           true,  |\"a.b\".\"c_My, Table\"|",
        "old_*,                         true,  |\"old_My, Table\"|",
      })
  void aNameThatNeedsQuotesHasThemAroundAllOfIt(String template, boolean sameSystem, String named) {
    TableEntry table =
        new TableEntry(
            "Sales",
            "My, Table",
            "\"My, Table\"",
            "table",
            -1,
            -1,
            List.of(),
            end("//h/db", "\"Sales\".\"My, Table\""));
    Endpoint to = new NameTemplate(end("//h/db", template)).of(table, sameSystem);
    assertThat(to.text("table")).contains(named);
  }

  /// Quotes of any system, and what looks like a variable, are letters of a name as others are.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\"b",
        "a`b",
        "a[b",
        "a]b",
        "[ab]",
        "\"ab\"",
        "`ab`",
        "\"",
        "a\"\"b",
        "a{table}b",
        "a.b",
        "$1"
      })
  void aNameHoldsQuotesOfAnySystem(String name) {
    for (boolean sameSystem : new boolean[] {false, true}) {
      assertThat(expanded("{stream_table}", name, sameSystem)).isEqualTo(name);
      assertThat(expanded("{table}", name, sameSystem)).isEqualTo(name);
      assertThat(expanded("*", name, sameSystem)).isEqualTo(name);
      assertThat(expanded("to_{stream_table}", name, sameSystem)).isEqualTo("to_" + name);
      assertThat(expanded("\"my {stem}\"", name, sameSystem)).isEqualTo("my " + name);
      assertThat(expanded("landing.{table}_2", name, sameSystem)).isEqualTo(name + "_2");
      assertThat(expanded("{stream_schema}.{stream_table}", name, sameSystem)).isEqualTo(name);
      assertThat(expanded("{stream_name}", name, sameSystem)).isEqualTo(name);
    }
  }

  /// The name that a template gives, without its schema, as the target reads it.
  private static String expanded(String template, String name, boolean sameSystem) {
    TableEntry table = entry("sales", name);
    Endpoint to = new NameTemplate(end("//h/db", template)).of(table, sameSystem);
    String written = to.text("table").orElse("");
    assertThat(written.replace("\"\"", "").chars().filter(letter -> letter == '"').count())
        .as("quotes around names in %s", written)
        .isEven();
    return TablePattern.of(to).bare();
  }

  @Test
  void anUnknownVariableIsNamedWithTheNearest() {
    assertThatThrownBy(() -> new NameTemplate(end("{tabel}.csv", "")).of(entry("s", "t"), false))
        .isInstanceOf(Fault.User.class)
        .hasMessage("{tabel} is no variable ({tabel}.csv).")
        .extracting(thrown -> ((Fault) thrown).advice())
        .asString()
        .contains("table");
  }

  @ParameterizedTest
  @CsvSource({"a/b", ".."})
  void aNameThatWouldLeaveTheFolderIsRefused(String name) {
    NameTemplate template = new NameTemplate(end("out/{table}", ""));
    assertThatThrownBy(() -> template.of(entry("s", name), false)).isInstanceOf(Fault.User.class);
  }

  @Test
  void twoTablesThatWouldGoToOneAreRefused() {
    NameTemplate template = new NameTemplate(end("//h/db", "{table}"));
    List<TableEntry> both = List.of(entry("s", "Orders"), entry("s", "orders"));
    assertThat(TableTargets.pairs(both, template, true)).hasSize(2);
    assertThatThrownBy(() -> TableTargets.pairs(both, template, false))
        .hasMessageContaining("s.Orders and s.orders would both go to x://h/db orders");
    NameTemplate parts = new NameTemplate(end("//h/db", "t").with("partition", "{table}"));
    assertThatThrownBy(() -> TableTargets.pairs(both, parts, false))
        .hasMessageContaining("would both go to x://h/db t, partition");
    assertThatThrownBy(() -> TableTargets.pairs(both, new NameTemplate(end("all.csv", "")), true))
        .extracting(thrown -> ((Fault) thrown).advice())
        .asString()
        .contains("{table}");
  }
}
