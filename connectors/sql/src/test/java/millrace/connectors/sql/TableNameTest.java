package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.TableName.NamePart;
import millrace.fault.Fault;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How a table's name is read.
class TableNameTest {

  private static final Names UPPER = new Names('"', Names.Folding.UPPER);

  private static final String NAME = "(?:\"((?:[^\"\0]|\"\")+)\"|([^.\"\0][^.\0]*))";

  /// The same by a regular expression.
  private static final Pattern ONE = Pattern.compile(NAME);

  private static final Pattern TWO = Pattern.compile(NAME + "\\." + NAME);

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('a', 'B', '"', '.', ' ', '\0').ofMaxLength(9);
  }

  private static NamePart part(Matcher matcher, int group) {
    String quoted = matcher.group(group);
    return quoted == null
        ? new NamePart(matcher.group(group + 1), false)
        : new NamePart(quoted.replace("\"\"", "\""), true);
  }

  private static @Nullable List<NamePart> expected(String text) {
    Matcher one = ONE.matcher(text);
    Matcher two = TWO.matcher(text);
    return one.matches()
        ? List.of(part(one, 1))
        : two.matches() ? List.of(part(two, 1), part(two, 3)) : null;
  }

  @Property(tries = 20_000)
  void partsAreThoseOfTheExpression(@ForAll("texts") String text) {
    List<NamePart> expected = expected(text);
    if (expected == null) {
      assertThatThrownBy(() -> TableName.parts(text))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("names no table");
    } else {
      assertThat(TableName.parts(text)).isEqualTo(expected);
    }
  }

  @Test
  void namesWithoutQuotesAreFolded() {
    assertThat(TableName.parse("sales.\"My.Orders\"", UPPER, ""))
        .isEqualTo(new TableName("SALES", "My.Orders"));
    assertThat(TableName.parse("orders", UPPER, "APP")).isEqualTo(new TableName("APP", "ORDERS"));
  }
}
