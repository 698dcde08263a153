package millrace.spi.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the parts of a table are called that is made like another.
class CopiedDefinitionTest {

  @ParameterizedTest
  @CsvSource({
    "t_pkey,     t,    old_t,         old_t_pkey",
    "t_pkey,     t,    t,             t_pkey",
    "tt_pkey,    t,    old_t,         tt_pkey",
    "by_name,    t,    old_t,         by_name",
    "t,          t,    old_t,         t",
    "t_id_seq,   t,    a_long_name_x, a_long_n_id_seq",
    "T_PK,       t,    old_t,         T_PK",
  })
  void aNameThatBeginsWithTheTablesIsThatOfTheNewOne(
      String name, String from, String to, String named) {
    assertThat(CopiedDefinition.named(name, from, to, each -> each.length() <= 15))
        .isEqualTo(named);
  }
}
