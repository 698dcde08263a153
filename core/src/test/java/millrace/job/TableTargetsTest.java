package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
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

/// Which of the tables that an end has are copied.
class TableTargetsTest {

  private static final Endpoint END =
      new Endpoint("x", "//h/db", Map.of("table", "s.*"), Secret.NONE);

  private static List<TableEntry> list(String... names) {
    return Arrays.stream(names)
        .map(name -> new TableEntry("s", name, name, "table", -1, -1, List.of(), END))
        .toList();
  }

  private static List<String> chosen(List<String> only, List<String> excluded) {
    List<TableTargets.Listed> listed =
        only.stream().map(name -> new TableTargets.Listed(name, "list.txt, line 7")).toList();
    return TableTargets.chosen(list("orders", "items", "log_1", "log_2"), END, listed, excluded)
        .stream()
        .map(TableEntry::name)
        .toList();
  }

  @Test
  void allAreChosenButTheExcluded() {
    assertThat(chosen(List.of(), List.of())).hasSize(4);
    assertThat(chosen(List.of(), List.of("log_*"))).containsExactly("orders", "items");
    assertThat(chosen(List.of(), List.of("s.LOG_?", "items"))).containsExactly("orders");
    assertThat(chosen(List.of("s.orders", "log_1"), List.of())).containsExactly("orders", "log_1");
  }

  @Test
  void aListThatNamesATableThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> chosen(List.of("ordres"), List.of()))
        .isInstanceOf(Fault.User.class)
        .hasMessage("list.txt, line 7: x://h/db has no table ordres among those that 's.*' names.")
        .extracting(thrown -> ((Fault) thrown).advice())
        .isEqualTo("Did you mean 'orders'?");
  }

  @Test
  void patternsThatLeaveNothingOutAreKnown() {
    assertThat(TableTargets.idle(list("orders"), List.of("log_*", "ORD*", "s.orders", "t.orders")))
        .containsExactly("log_*", "t.orders");
  }

  @Test
  void nothingLeftIsRefused() {
    assertThatThrownBy(() -> chosen(List.of(), List.of("*")))
        .hasMessageContaining("--exclude leaves no table");
    assertThatThrownBy(() -> TableTargets.chosen(list(), END, List.of(), List.of()))
        .hasMessageContaining("No table of x://h/db is one that 's.*' names");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      quoteCharacter = '~',
      value = {
        "\"Order Lines\" -> public -> Order Lines",
        "  `Order Lines`  -> public -> Order Lines",
        "[Order Lines] # those -> public -> Order Lines",
        "public.\"Order Lines\" -> public -> Order Lines",
        "\"My.Schema\".\"T\" -> My.Schema -> T",
        "`My.Schema`.T -> My.Schema -> t",
        "\"No #1\" -> public -> No #1",
        "T#1 -> public -> t#1",
        "\"a\"\"b\" -> public -> a\"b",
        "`a\"``b` -> public -> a\"`b",
        "[a]]b] -> public -> a]b",
      })
  void aLineOfAListMayQuoteItsName(String line, String schema, String name) {
    TableEntry entry = new TableEntry(schema, name, name, "table", 1, 1, List.of(), END);
    assertThat(TableTargets.isMeant(TablePattern.ofLine(line), entry)).isTrue();
    TableEntry other = new TableEntry(schema, name + "s", name, "table", 1, 1, List.of(), END);
    assertThat(TableTargets.isMeant(TablePattern.ofLine(line), other)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "public.*,          public,   orders,  true",
    "public.ord*,       public,   ORDERS,  true",
    "public.ord?,       public,   orders,  false",
    "'\"My S\".*',      My S,     x,       true",
    "'s.\"Orders\"',    s,        orders,  false",
    "'s.\"a.b\"',       s,        a.b,     true",
    "'a+b(*',           '',       a+b(c,   true",
  })
  void aPatternHasASchemaAndAName(String text, String schema, String name, boolean matches) {
    TablePattern pattern = TablePattern.parse(text);
    assertThat(pattern.schema()).isEqualTo(schema);
    assertThat(pattern.matches(name)).isEqualTo(matches);
  }
}
