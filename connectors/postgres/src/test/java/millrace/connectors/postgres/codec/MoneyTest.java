package millrace.connectors.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import millrace.connectors.postgres.TestDatabase;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Amounts of money stay what they are, whatever locale a database has for them.
class MoneyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "money|1|true",
        "money|$1,234,567.890|true",
        "money|-.5|true",
        "money|(12.)|true",
        "money|1.234|false",
        "money|1,23|false",
        "money|12,34.5|false",
        "money|1234,567|false",
        "money|1.234,56|false",
        "money(0 ja_JP.UTF-8)|￥-12345|true",
        "money(0 ja_JP.UTF-8)|1,234|false",
        "money(0 ja_JP.UTF-8)|12.0|false",
        "money(3. ar_KW.UTF-8)|1.2345|false",
        "money(3. ar_KW.UTF-8)|12345.6780|true",
        "money(3, sq_AL.UTF-8)|1.234|false",
        "money(3, sq_AL.UTF-8)|1234|true",
      })
  void textIsTakenForNoOtherAmountThanItSays(String wire, String text, boolean kept) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(Money.is(wire)).isTrue();
    assertThat(Money.of(wire).find(bytes, 0, bytes.length).isEmpty()).isEqualTo(kept);
  }

  /// Where the server's machine has the locale of yen, which have no smaller unit.
  @ParameterizedTest
  @ValueSource(strings = {"postgresql-binary", "postgresql-text", "columns"})
  void yenAreNotHundredths(String form) {
    TestDatabase database = yen();
    database.sql("CREATE TABLE paid AS SELECT '12345'::money AS m, '{1,20000}'::money[] AS a");
    TestDatabase.copy(database.table("paid"), database.table("paid_copy")).form(form).run();
    assertThat(database.value("SELECT sum(m::numeric) || ' ' || min(a::text) FROM paid_copy"))
        .isEqualTo(database.value("SELECT sum(m::numeric) || ' ' || min(a::text) FROM paid"))
        .startsWith("12345 ");
  }

  @Test
  void yenArePlainNumbersOutsideOfTheirDatabase() {
    TestDatabase database = yen();
    database.sql(
        "CREATE TABLE paid AS SELECT '12345'::money AS m, '{1,20000}'::money[] AS a",
        "CREATE TABLE told (m text, a text, n numeric)",
        "CREATE TABLE got (m money)");
    TestDatabase.copy(
            database.query("SELECT m, a, m::numeric AS n FROM paid"), database.table("told"))
        .run();
    assertThat(database.value("SELECT t::text FROM told AS t"))
        .isEqualTo("(12345,\"{1,20000}\",12345)");
    TestDatabase dollars = TestDatabase.make();
    TestDatabase.copy(database.table("paid"), dollars.table("paid")).run();
    assertThat(dollars.value("SELECT m FROM paid")).isEqualTo("$12,345.00");
    assertThatThrownBy(
            TestDatabase.copy(database.query("SELECT '12.50' AS m"), database.table("got"))::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("no plain number of digits alone");
  }

  private static TestDatabase yen() {
    TestDatabase database = TestDatabase.make();
    database.sql(
        """
        CREATE FUNCTION has(locale text) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN
          PERFORM set_config('lc_monetary', locale, true);
          RETURN true;
        EXCEPTION WHEN OTHERS THEN
          RETURN false;
        END $$
        """);
    assumeTrue("t".equals(database.value("SELECT has('ja_JP.UTF-8')")), "the locale of yen");
    database.sql(
        "ALTER DATABASE " + database.name + " SET lc_monetary = 'ja_JP.UTF-8'",
        "SET lc_monetary = 'ja_JP.UTF-8'");
    return database;
  }
}
